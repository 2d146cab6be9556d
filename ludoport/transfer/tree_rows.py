"""The same as ``tree_replay`` for games that share rows, moves and keys: as kernels, for millions of states.

Chess and Chessplus on one board are such games: a position has the same key in both, so a transferred tree keeps its
keys and moves, and only what is legal has to be found out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludoport.chess.rules import ChessRules
from ludoport.search.graph import SearchGraph
from ludoport.search.graph_kernels import LEVELS
from ludoport.search.graph_levels import WalkLevels
from ludoport.transfer.tree_replay import Replayed, Tells

if TYPE_CHECKING:
    from ludoport.game import Game, State

SHARED = '''
@entry
def enter_count_shared(rows, moves, work, begin, listed, counts):
    """Count the legal moves that are listed, those that are not, and those that only the list has."""
    for k in range(rows.shape[0]):
        n = wide(0)
        if rows[k, OVER] == 0:
            n = wide(legal(rows[k], moves, work))
        shared = wide(0)
        for i in range(n):
            for j in range(begin[k], begin[k + 1]):
                if same_move(moves, wide(i), listed, wide(j)):
                    shared += 1
                    break
        counts[0] += shared
        counts[1] += n - shared
        counts[2] += begin[k + 1] - begin[k] - shared
    return wide(counts[0])
'''


def same_rows(source: Game, target: Game) -> bool:
    """Whether rows and moves of two games mean the same."""
    one, two = source.rules, target.rules
    if not (isinstance(one, ChessRules) and isinstance(two, ChessRules)):
        return False
    return one.variant.layout == two.variant.layout and source.jit == target.jit


def replay_rows(graph: SearchGraph, roots: tuple[State, State], tell: Tells = lambda done, total: None) -> Replayed:
    """Play a tree through in the target; the root has the same key in both games.

    Args:
        graph: the tree.
        roots: its root in the source, and the same position in the target.
        tell: called with messages about the progress.
    """
    walk = _Walk(graph, roots[0].game, roots[1].game)
    rows, numbers = roots[1].row[None].copy(), np.array([graph.number(graph.root)], dtype=np.int64)
    total, done = int((walk.inner != 0).sum()), 0
    while len(numbers):
        done += len(numbers)
        rows, numbers = walk.level(rows, numbers)
        tell(done, total)
    edges = np.flatnonzero(walk.kept)
    ends = graph.keys[graph.parent[edges]], graph.keys[graph.child[edges]]
    return Replayed(edges, *ends, graph.moves[edges], done, *(int(count) for count in walk.counts))


class _Walk(WalkLevels):
    """A walk that also counts which moves both games have."""

    def __init__(self, graph: SearchGraph, source: Game, target: Game) -> None:
        super().__init__(graph, target, target.kernels_with(LEVELS))
        self.source, self.other = source, source.kernels_with(LEVELS + SHARED)
        self.counts = np.zeros(3, dtype=np.int64)

    def level(self, rows: NDArray[Any], numbers: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """Follow all edges of some states; returns those behind them that were not reached before."""
        begin, listed = self.listed(rows)
        scratch = np.zeros_like(self.source.move_list), np.zeros_like(self.source.work)
        running = rows.copy()
        running[:, self.game.rules.fields["OVER"]] = 0  # what is over in the target need not be in the source
        self.other.call("enter_count_shared", running, *scratch, begin, listed.reshape(-1), self.counts)
        return self.follow(rows, numbers, begin, listed)
