"""Rows of numbers that come from files are compared with the rules before kernels index with them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import ludoport as lp
from ludoport.errors import LudoportError
from ludoport.search.graph import SearchGraph
from ludoport.search.graph_trees import graph_of, into_tree
from ludoport.search.tree import Tree, UctSettings


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> lp.Game:
    """A game whose kernels refuse every index outside of its array."""
    monkeypatch.setenv("LUDOPORT_BOUNDS", "1")
    return lp.load("Tic-Tac-Toe", jit=False)


@pytest.fixture
def graph(game: lp.Game) -> SearchGraph:
    tree = Tree(game.start(), 5_000, UctSettings(transpose=True), seed=1)
    tree.run(60)
    return graph_of(tree)


@pytest.mark.slow
def test_a_saved_tree_is_taken_completely(game: lp.Game, graph: SearchGraph) -> None:
    loaded = into_tree(graph, game.start(), 1_000)
    assert loaded.rest.edges == 0
    assert int(loaded.graph().visits.sum()) == int(graph.visits.sum())


@pytest.mark.slow
@pytest.mark.parametrize("number", [-1, 9, 30_000, -30_000])
@pytest.mark.parametrize("column", [0, 1, 2])
def test_moves_of_a_tree_that_are_not_legal(game: lp.Game, graph: SearchGraph, number: int, column: int) -> None:
    moves = graph.moves.copy()
    moves[:, column] = number
    hostile = replace(graph, moves=moves)
    loaded = into_tree(hostile, game.start(), 1_000)
    assert loaded.rest.edges == hostile.edges
    loaded.tree.run(20)
    some = graph.moves.copy()
    some[::2, column] = number
    into_tree(replace(graph, moves=some), game.start(), 1_000).tree.run(20)


@pytest.mark.slow
@pytest.mark.parametrize("width", [0, 1, 7])
def test_moves_of_a_tree_with_another_width(game: lp.Game, graph: SearchGraph, width: int) -> None:
    hostile = replace(graph, moves=np.zeros((graph.edges, width), dtype=np.int16))
    with pytest.raises(LudoportError, match=rf"its moves have {width} numbers, not {game.rules.move_size}"):
        into_tree(hostile, game.start(), 1_000)
