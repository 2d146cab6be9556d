"""Games with chance: what is drawn, when, and that it depends on the seed alone."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import ludoport as lp
from ludoport.arena.alphabeta import AlphaBeta
from ludoport.game import Game, State
from ludoport.ludemic import ludemic
from ludoport.search.graph_trees import graph_of
from ludoport.search.tree import Tree, UctSettings
from ludoport.verify.chance import scripted

GAMES = Path(__file__).parent / "games"


@pytest.fixture(scope="module")
def tables() -> Game:
    return lp.load(GAMES / "dice.lud", jit=False)


def _dice(state: State) -> list[int]:
    at = ludemic(state.game.rules).fields["DICE"]
    return [int(value) for value in state.row[at : at + 2]]


def _faces(state: State) -> list[int]:
    at = ludemic(state.game.rules).fields["FACES"]
    return [int(value) for value in state.row[at : at + 2]]


def test_the_seed_decides_the_game(tables: Game) -> None:
    def texts(seed: int) -> list[list[str]]:
        state, found = tables.start(seed), []
        while not state.over and len(found) < 12:
            found.append([move.text for move in state.moves()])
            state = state.play(state.moves()[0])
        return found

    assert texts(5) == texts(5)
    assert len({str(texts(seed)) for seed in range(8)}) > 4


def test_a_list_of_moves_keeps_its_roll(tables: Game) -> None:
    state = tables.start(3)
    before = state.row.copy()
    shown = {tuple(_faces(state.play(move))) for move in state.moves()}
    assert len(shown) == 1
    assert np.array_equal(before, state.row)


@pytest.mark.slow
def test_all_faces_are_equally_likely(tables: Game) -> None:
    first = Counter(tuple(_faces(start.play(start.moves()[0]))) for start in map(tables.start, range(800)))
    assert len(first) == 16
    # Each pair is expected 50 times; the bounds are more than four standard deviations away.
    assert min(first.values()) > 20
    assert max(first.values()) < 80


def test_outcomes_of_a_script(tables: Game) -> None:
    game, script = scripted(tables)
    start = game.start()
    script.load(("Roll:4=2", "Roll:4=2"), ())
    double = next(move for move in start.moves() if move.text.startswith("1-4"))
    state = start.play(double)
    assert (state.mover, _faces(state), _dice(state)) == (1, [2, 2], [0, 3])
    # A double is played twice: the dice come back after both were used.
    played = []
    for _ in range(3):
        move = state.moves()[0]
        played.append(move.text)
        state = state.play(move)
        if state.mover != 1:
            break
    assert len(played) == 3
    assert state.mover == 2


def test_without_a_move_the_roll_is_passed_on(tables: Game) -> None:
    for seed in range(60):
        state = tables.start(seed)
        for _ in range(30):
            moves = state.moves()
            if state.over:
                break
            following = state.play(moves[-1])
            if [move.text for move in moves] == ["pass"] and state.row[tables.rules.fields["PREV"]] != state.mover:
                assert all(_dice(following))
                return
            state = following
    pytest.fail("nobody had to pass")


@pytest.mark.slow
def test_machine_code_draws_the_same(tables: Game) -> None:
    fast = lp.load(GAMES / "dice.lud", jit=True)
    for seed in range(3):
        a, b = tables.start(seed), fast.start(seed)
        while not a.over:
            assert np.array_equal(a.row, b.row)
            assert [move.text for move in a.moves()] == [move.text for move in b.moves()]
            a, b = a.play(a.moves()[-1]), b.play(b.moves()[-1])
        assert np.array_equal(a.row, b.row)


def test_a_search_does_not_know_what_chance_will_decide(tables: Game) -> None:
    """Rows that differ only in the words that no player has seen give the same search."""
    state = tables.start(3)
    while len(state.moves()) < 3:
        state = state.play(state.moves()[0])
    other = state.row.copy()
    luck = tables.rules.fields["LUCK"]
    other[luck + 6 : luck + 12] = [5, 6, 7, 8, 9, 10]
    one, two = (Tree(found, 2000, seed=4) for found in (state, State(tables, other)))
    for tree in (one, two):
        tree.run(60)
    assert one.found().visits.tolist() == two.found().visits.tolist()
    assert one.found().visits.sum() == 60
    # Outcomes of chance are positions of their own, so the tree is deeper than the moves of the root.
    assert one.pool.used > 2 + len(state.moves())


def test_nothing_is_proved_by_one_outcome(tables: Game) -> None:
    tree = Tree(tables.start(1), 2000, UctSettings(solve=True))
    tree.run(40)
    assert np.isnan(tree.found().exact).all()


def test_what_does_not_know_chance_says_so(tables: Game) -> None:
    with pytest.raises(lp.LudoportError, match="has chance"):
        graph_of(Tree(tables.start(1), 2000))
    with pytest.raises(lp.LudoportError, match="has chance"):
        AlphaBeta(tables)
