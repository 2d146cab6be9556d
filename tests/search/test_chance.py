"""Network-guided search of games with chance: outcomes are drawn, values are expectations, nothing is proved."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ludoport as lp
from ludoport.game import State
from ludoport.search.pool import COLUMNS
from ludoport.search.puct import PuctSettings, Searches
from ludoport.tensors.layout import tensor_layout
from tests.search.test_puct import Fixed

GAMES = Path(__file__).parent / "games"
VISITS, LINK, STAMP = (COLUMNS.index(name) for name in ("VISITS", "LINK", "STAMP"))


@pytest.fixture(scope="module")
def race() -> lp.Game:
    return lp.load(GAMES / "race.lud", jit=False)


@pytest.fixture(scope="module")
def gamble() -> lp.Game:
    return lp.load(GAMES / "gamble.lud", jit=False)


def searched(state: State, evaluator: str = "uniform", seed: int = 1, **settings: object) -> Searches:
    """A search with an evaluator inside the kernels."""
    searches = Searches(state.game, 1, PuctSettings(**settings), evaluator=evaluator, seed=seed)  # type: ignore[arg-type]
    searches.set_states([state])
    searches.run()
    return searches


@pytest.mark.parametrize("gumbel", [False, True])
@pytest.mark.parametrize("evaluator", ["uniform", "rollouts"])
def test_values_are_expectations(gamble: lp.Game, gumbel: bool, evaluator: str) -> None:
    """A draw is worth 1/2, three wins of four outcomes 3/4; four standard deviations are 0.11 in 250 draws."""
    found = searched(gamble.start(), evaluator, simulations=500, gumbel=gumbel).found()
    values = dict(zip([move.text for move in found.moves], found.values, strict=True))
    assert values["0"] == 0.5
    assert values["1"] == pytest.approx(0.75, abs=0.11)
    assert np.isnan(found.exact).all()


def test_every_outcome_is_a_position(race: lp.Game) -> None:
    """Behind a move there is one head for each face of the die, and visits add up over them."""
    state = race.start(2)
    searches = searched(state, simulations=120)
    nodes, edges = searches.nodes[0], searches.edges(0)
    assert nodes[VISITS, edges].sum() == 120
    for edge in range(edges.start, edges.stop):
        assert nodes[LINK, edge] == 0
        heads, head = [], int(nodes[STAMP, edge])
        while head:
            heads.append(head)
            head = int(nodes[STAMP, head])
        assert len(heads) == 3
        # The first visit of an outcome makes its head, and all others choose a move there.
        assert sum(int(nodes[VISITS, head]) + 1 for head in heads) == nodes[VISITS, edge]
        for head in heads:
            n = int(nodes[LINK, head])
            assert nodes[VISITS, head] == nodes[VISITS, head + 1 : head + 1 + n].sum()


@pytest.mark.parametrize("evaluator", ["uniform", "rollouts"])
def test_a_search_does_not_know_what_chance_will_decide(race: lp.Game, evaluator: str) -> None:
    state, luck = race.start(3), race.rules.fields["LUCK"]
    other = state.row.copy()
    other[luck + 6 : luck + 12] = [5, 6, 7, 8, 9, 10]
    one, two = (searched(found, evaluator, simulations=60).found() for found in (state, State(race, other)))
    assert one.visits.tolist() == two.visits.tolist()
    assert one.values.tolist() == two.values.tolist()
    third = searched(state, evaluator, seed=2, simulations=60)
    assert evaluator == "uniform" or third.found().values.tolist() != one.values.tolist()


@pytest.mark.parametrize("leaves", [1, 4])
def test_leaves_of_one_outcome_share_its_head(race: lp.Game, leaves: int) -> None:
    layout = tensor_layout(race)
    searches = Searches(race, 2, PuctSettings(simulations=80, leaves=leaves), evaluator="batch", layout=layout)
    searches.set_states([race.start(1), race.start(2)])
    searches.run(Fixed(int(np.prod(layout.move_shape)), value=0.1))
    for g in range(2):
        assert searches.visits(g).sum() == 80
        for edge in range(searches.edges(g).start, searches.edges(g).stop):
            keys, head = [], int(searches.nodes[g, STAMP, edge])
            while head:
                keys.append(tuple(searches.moves[g, head, :3]))
                head = int(searches.nodes[g, STAMP, head])
            assert len(keys) == len(set(keys)) <= 3


def test_a_tree_begins_anew_after_a_move(race: lp.Game) -> None:
    state = race.start(2)
    searches = searched(state, simulations=30)
    move = searches.found().moves[0]
    searches.advance(0, 0, state.play(move).row)
    assert searches.facts[0, 1] == 0
    assert searches.run() == 30


@pytest.mark.slow
def test_machine_code_searches_alike(race: lp.Game) -> None:
    fast = lp.load(GAMES / "race.lud", jit=True)
    found = []
    for game in (race, fast):
        searches = Searches(game, 1, PuctSettings(simulations=100), evaluator="rollouts", seed=5)
        searches.set_states([game.start(4)])
        searches.run()
        found.append(searches.found())
    assert found[0].visits.tolist() == found[1].visits.tolist()
