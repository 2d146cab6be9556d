"""Searches find the values that trying everything finds."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ludoport as lp
from ludoport.search.puct import PuctSettings, Searches
from ludoport.search.tree import Tree, UctSettings
from ludoport.search.uct import search
from tests.search.brute import after, solve, value_of

KNOWN: dict[str, dict[int, float]] = {}


@pytest.fixture(scope="module")
def games() -> dict[str, lp.Game]:
    return {
        "Tic-Tac-Toe": lp.load("Tic-Tac-Toe"),
        "Hex": lp.load("Hex", options=["Board Size/3x3"]),
        "Connect Four": lp.load("Connect Four"),
    }


def wander(game: lp.Game, plies: int, seed: int) -> lp.State:
    """A position some random moves from the start in which the game goes on."""
    rng = random.Random(seed)
    while True:
        state = game.start()
        for _ in range(plies):
            if state.over:
                break
            state = state.play(rng.choice(state.moves()))
        if not state.over:
            return state


CASES = [
    *(("Tic-Tac-Toe", plies, seed) for plies in (0, 1, 2, 3, 4, 5) for seed in (1, 2)),
    *(("Hex", plies, seed) for plies in (0, 1, 2, 3) for seed in (1, 2)),
    *(("Connect Four", 32, seed) for seed in range(6)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "plies", "seed"), CASES)
def test_solved_values_are_exact(games: dict[str, lp.Game], name: str, plies: int, seed: int) -> None:
    state = wander(games[name], plies, seed)
    known = KNOWN.setdefault(name, {})
    found = search(state, simulations=300_000, seed=seed, solve=True)
    exact = 2 * found.exact[found.best_index] - 1
    assert exact == solve(state, known) == value_of(state, found.best, known)
    for move, proved in zip(found.moves, found.exact, strict=True):
        if not np.isnan(proved):
            assert 2 * proved - 1 == value_of(state, move, known)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "plies", "seed"), CASES[::2])
def test_values_converge_without_a_solver(games: dict[str, lp.Game], name: str, plies: int, seed: int) -> None:
    state = wander(games[name], plies, seed)
    known = KNOWN.setdefault(name, {})
    best = solve(state, known)
    errors = []
    for simulations in (300, 3000, 300_000):
        found = search(state, simulations=simulations, seed=seed, exploration=0.7)
        errors.append(abs(found.values[found.best_index] - (0.5 + 0.5 * best)))
    assert value_of(state, found.best, known) == best
    # What was tried on the way keeps the mean away from its limit, the less the longer the search.
    assert errors[2] <= errors[0]
    assert errors[2] < 0.1


@pytest.mark.slow
@pytest.mark.parametrize("gumbel", [False, True])
@pytest.mark.parametrize("name", ["Tic-Tac-Toe", "Hex"])
def test_guided_search_proves_the_same(games: dict[str, lp.Game], name: str, gumbel: bool) -> None:
    states = [wander(games[name], plies, seed) for plies in (2, 3, 4) for seed in (1, 2)]
    known = KNOWN.setdefault(name, {})
    settings = PuctSettings(simulations=20_000, gumbel=gumbel)
    searches = Searches(games[name], len(states), settings, evaluator="rollouts", seed=1)
    searches.set_states(states)
    searches.run()
    for g, state in enumerate(states):
        found = searches.found(g)
        best = found.moves[int(searches.policies()[1][g])] if gumbel else found.best
        assert value_of(state, best, known) == solve(state, known)
        for move, proved in zip(found.moves, found.exact, strict=True):
            assert np.isnan(proved) or 2 * proved - 1 == value_of(state, move, known)
        # Gumbel search looks only at moves that promise something; PUCT ends with a proof.
        assert gumbel or not np.isnan(found.exact[found.best_index])


@pytest.mark.slow
def test_the_mover_who_moves_twice(games: dict[str, lp.Game]) -> None:
    # After the swap the same colour moves again, played by the other person.
    state = after(games["Hex"], "4")
    known = KNOWN.setdefault("Hex", {})
    assert any(move.text == "swap" for move in state.moves())
    found = search(state, simulations=100_000, solve=True)
    assert found.best.text == "swap"
    assert solve(state, known) == 1


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{}, {"rave": 100.0}, {"transpose": True}, {"rollouts": 3}, {"solve": True}])
def test_visits_add_up(games: dict[str, lp.Game], settings: dict[str, float]) -> None:
    tree = Tree(games["Hex"].start(), 100_000, UctSettings(**settings))  # type: ignore[arg-type]
    done = tree.run(2000)
    heads, _ = tree.heads()
    nodes = tree.pool.nodes
    assert nodes[0, tree.pool.root] == done
    for head in heads:
        edges = tree.edges(int(head))
        assert nodes[0, head] == nodes[0, edges].sum()
        # A position is made at the second visit of its edge, and every later one chooses a move there.
        for edge in range(edges.start, edges.stop):
            link = nodes[1, edge]
            if link > 0 and "transpose" not in settings:
                assert nodes[0, link] == nodes[0, edge] - 1
    assert (np.abs(tree.pool.sums[0, tree.edges()]) <= nodes[0, tree.edges()]).all()


def test_rollouts_that_count_each(games: dict[str, lp.Game]) -> None:
    found = search(games["Tic-Tac-Toe"].start(), simulations=100, rollouts=7, average=False)
    assert found.visits.sum() == 700
    assert search(games["Tic-Tac-Toe"].start(), simulations=100, rollouts=7).visits.sum() == 100


def test_what_a_draw_is_worth(games: dict[str, lp.Game]) -> None:
    state = after(games["Tic-Tac-Toe"], "4", "0", "8", "2", "1", "7", "3", "5")
    assert [move.text for move in state.moves()] == ["6"]
    for draw in (0.0, 0.2, 0.5):
        assert search(state, simulations=10, draw=draw).values[0] == pytest.approx(draw)


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{}, {"rave": 300.0}, {"transpose": True}, {"solve": True}])
def test_one_seed_one_result(games: dict[str, lp.Game], settings: dict[str, float]) -> None:
    first, second, other = (
        search(games["Hex"].start(), simulations=500, seed=seed, **settings).visits.tolist() for seed in (3, 3, 4)
    )
    assert first == second != other


@pytest.mark.slow
def test_plain_python_and_machine_code_agree() -> None:
    found = []
    for jit in (True, False):
        state = lp.load("Hex", options=["Board Size/3x3"], jit=jit).start()
        for settings in ({}, {"rave": 50.0}, {"transpose": True}, {"solve": True}):
            found.append(search(state, simulations=200, seed=5, **settings).visits.tolist())
    assert found[:4] == found[4:]
