"""Search on several threads."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ludoport as lp
from ludoport.errors import LudoportError
from ludoport.search.parallel import WAYS, Way, search_parallel
from ludoport.search.tree import Tree, combine


@pytest.fixture(scope="module")
def hex5() -> lp.Game:
    return lp.load("Hex", options=["Board Size/5x5"])


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("threads", [1, 3])
def test_all_simulations_are_counted(hex5: lp.Game, way: Way, threads: int) -> None:
    found = search_parallel(hex5.start(), simulations=500, threads=threads, way=way)
    assert len(found.moves) == len(found.visits) == 25
    if way == "vote":
        assert 0 < found.visits.sum() <= 500
    else:
        assert found.visits.sum() == 500


@pytest.mark.slow
@pytest.mark.parametrize("way", ["root", "vote", "leaf"])
def test_one_seed_one_result(hex5: lp.Game, way: Way) -> None:
    first, second = (search_parallel(hex5.start(), simulations=300, threads=2, way=way, seed=4) for _ in range(2))
    assert first.visits.tolist() == second.visits.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_finds_the_winning_move(hex5: lp.Game, way: Way) -> None:
    rng, state = random.Random(3), hex5.start()
    while not (winning := [move for move in state.moves() if state.play(move).over]):
        state = state.play(rng.choice(state.moves()))
    assert len(winning) < len(state.moves())
    assert search_parallel(state, simulations=600, threads=2, way=way).best in winning


def test_root_parallel_adds_up_its_trees(hex5: lp.Game) -> None:
    found = search_parallel(hex5.start(), simulations=400, threads=2, seed=7)
    parts = []
    for k in range(2):
        tree = Tree(hex5.start(), 100_000, seed=7 * 1009 + k)
        tree.run(200)
        parts.append(tree.found())
    together = combine(parts)
    assert {m.text: v for m, v in zip(found.moves, found.visits, strict=True)} == {
        m.text: v for m, v in zip(together.moves, together.visits, strict=True)
    }
    np.testing.assert_allclose(
        sorted(found.values * found.visits), sorted(sum_of(parts[0], parts[1], found.moves)), rtol=1e-9
    )


def sum_of(first: object, second: object, moves: list[lp.Move]) -> list[float]:
    """Results of both searches for every move."""
    total = dict.fromkeys((move.text for move in moves), 0.0)
    for found in (first, second):
        for move, value, visits in zip(found.moves, found.values, found.visits, strict=True):  # type: ignore[attr-defined]
            total[move.text] += value * visits if visits else 0.0
    return list(total.values())


@pytest.mark.slow
def test_a_shared_tree_stays_sound(hex5: lp.Game) -> None:
    found = search_parallel(hex5.start(), simulations=20_000, threads=4, way="tree")
    assert found.visits.sum() == 20_000
    assert ((found.values >= 0) & (found.values <= 1)).all()


def test_bad_input(hex5: lp.Game) -> None:
    with pytest.raises(LudoportError, match="unknown parallel search `branch`"):
        search_parallel(hex5.start(), simulations=10, way="branch")  # type: ignore[arg-type]
    with pytest.raises(LudoportError, match="threads must be at least 1"):
        search_parallel(hex5.start(), simulations=10, threads=0)
    with pytest.raises(LudoportError, match="simulations must be at least 1"):
        search_parallel(hex5.start(), simulations=0)
