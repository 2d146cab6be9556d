"""A walk through a graph, all states of one distance from the root at a time.

Only moves that are legal are played, and only where they lead to the state that the graph names: a graph may come from
a file, and kernels trust the moves that they play.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludoport.search.graph import SearchGraph, ranges
from ludoport.search.graph_records import GraphEdges, LevelRows, Walk

if TYPE_CHECKING:
    from ludoport.game import Game, Kernels


class WalkLevels:
    """State of a walk.

    Args:
        graph: the graph.
        game: the game in which it is followed.
        kernels: those of ``LEVELS``.

    Attributes:
        kept: mask of the edges that were legal and led to their states; shape (edges,).
    """

    def __init__(self, graph: SearchGraph, game: Game, kernels: Kernels) -> None:
        graph.fits(game)
        self.graph, self.game, self.kernels = graph, game, kernels
        self.inner = (np.diff(graph.first) > 0).astype(np.int8)
        self.reached = np.zeros(graph.states, dtype=np.int8)
        self.reached[graph.number(graph.root)] = 1
        self.kept = np.zeros(graph.edges, dtype=np.int8)
        self.edges = np.ascontiguousarray(graph.moves.astype(game.dtype)).reshape(-1)

    def listed(self, rows: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """The legal moves of positions, as they are saved, and where those of each begin; shape (positions + 1,)."""
        game, begin = self.game, np.zeros(len(rows) + 1, dtype=np.int64)
        scratch = np.zeros_like(game.move_list), np.zeros_like(game.work)
        nothing = np.zeros(0, dtype=game.dtype)
        total = int(self.kernels.call("enter_list_rows", rows, *scratch, begin, nothing))
        listed = np.zeros(total * game.rules.move_size, dtype=game.dtype)
        self.kernels.call("enter_list_rows", rows, *scratch, begin, listed)
        return begin, game.rules.tidy(listed.reshape(total, game.rules.move_size))

    def follow(
        self, rows: NDArray[Any], numbers: NDArray[np.int64], begin: NDArray[np.int64], listed: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """Follow all edges of some states; returns those behind them that have edges and were not reached before."""
        graph, game = self.graph, self.game
        behind = np.unique(graph.child[ranges(graph.first[numbers], graph.first[numbers + 1])])
        most = int(((self.inner[behind] != 0) & (self.reached[behind] == 0)).sum())
        after = np.zeros((most + 1, game.rules.state_size), dtype=game.dtype)
        names = np.zeros(most, dtype=np.int64)
        new = int(
            self.kernels.call(
                "enter_follow_edges", LevelRows(rows, numbers, begin, listed.reshape(-1)),
                GraphEdges(graph.first, graph.child, self.edges, graph.keys),
                Walk(self.inner, self.reached, self.kept), after, names, np.zeros_like(game.work),
            )
        )  # fmt: skip
        return after[:new].copy(), names[:new]
