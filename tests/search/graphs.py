"""Shared by tests of graphs: the same as plain dictionaries, slowly and simply."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from ludoport.game import State
from ludoport.search.graph import SearchGraph
from ludoport.search.graph_files import ARRAYS
from ludoport.search.tree import LINK, VISITS, Tree

Path = tuple[bytes, ...]
Line = tuple[int, int, bytes, int, int, float]
"""Keys of both ends, move, person, visits, worth."""


def lines_of(tree: Tree, before: Path = ()) -> dict[Path, Line]:
    """Every visited edge of a tree without shared positions, by the moves that lead to it."""
    pool, game = tree.pool, tree.state.game
    lines: dict[Path, Line] = {}

    def walk(head: int, state: State, path: Path) -> None:
        edges = tree.edges(head)
        rows = game.rules.tidy(pool.moves[edges])
        for row, edge in zip(rows, range(edges.start, edges.stop), strict=True):
            if pool.nodes[VISITS, edge] == 0:
                continue
            after = State(game, state.row.copy())
            game.kernels.call("play", after.row, pool.moves[edge], game.work)
            here = (*path, row.tobytes())
            lines[here] = (
                state.key,
                after.key,
                row.astype(np.int64).tobytes(),
                state.seat,
                int(pool.nodes[VISITS, edge]),
                float(pool.sums[0, edge]),
            )
            if pool.nodes[LINK, edge] > 0:
                walk(int(pool.nodes[LINK, edge]), after, here)

    walk(pool.root, tree.state, before)
    return lines


def added(lines: dict[Path, Line]) -> dict[tuple[int, int, bytes, int], tuple[int, float]]:
    """Equal edges added up, whichever way they were reached."""
    sums: dict[tuple[int, int, bytes, int], list[float]] = defaultdict(lambda: [0, 0.0])
    for parent, child, move, person, visits, worth in lines.values():
        sums[parent, child, move, person][0] += visits
        sums[parent, child, move, person][1] += worth
    return {edge: (int(visits), worth) for edge, (visits, worth) in sums.items()}


def as_dictionary(graph: SearchGraph) -> dict[tuple[int, int, bytes, int], tuple[int, float]]:
    """The edges of a graph."""
    return {
        (
            int(graph.keys[graph.parent[k]]),
            int(graph.keys[graph.child[k]]),
            graph.moves[k].astype(np.int64).tobytes(),
            int(graph.person[k]),
        ): (int(graph.visits[k]), float(graph.worth[k]))
        for k in range(graph.edges)
    }


def assert_same(one: SearchGraph, other: SearchGraph) -> None:
    """All arrays are equal."""
    assert one.root == other.root
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
