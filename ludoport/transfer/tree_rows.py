"""The same as ``tree_replay`` for games that share rows, moves and keys: as kernels, for millions of states.

Chess and Chessplus on one board are such games: a position has the same key in both, so a transferred tree keeps its
keys and moves, and only what is legal has to be found out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludoport.chess.rules import ChessRules
from ludoport.search.graph import SearchGraph, ranges
from ludoport.transfer.tree_replay import Replayed, Tells

if TYPE_CHECKING:
    from ludoport.game import Game, State

LEVEL = '''
@inlined
def same_move(moves, at, other, there):
    """Whether two moves of two lists are equal."""
    for c in range(MOVE_SIZE):
        if moves[at * MOVE_SIZE + c] != other[there * MOVE_SIZE + c]:
            return False
    return True


@entry
def enter_list_rows(rows, moves, work, begin, listed):
    """Write the legal moves of several positions, as far as there is room; returns how many there are."""
    total = wide(0)
    for k in range(rows.shape[0]):
        n = wide(0)
        if rows[k, OVER] == 0:
            n = wide(legal(rows[k], moves, work))
        begin[k] = total
        if (total + n) * MOVE_SIZE <= listed.shape[0]:
            for i in range(n * MOVE_SIZE):
                listed[total * MOVE_SIZE + i] = moves[i]
        total += n
    begin[rows.shape[0]] = total
    return total


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


@entry
def enter_follow_edges(
    rows, numbers, begin, listed, first, child, edges, keys, inner, reached, kept, after, names, work
):
    """Play the edges of several positions that are legal there and lead to their states; returns how many are new.

    The rows of new states that have edges themselves are written behind each other, with their numbers.
    """
    new = wide(0)
    spare = after.shape[0] - 1
    for k in range(rows.shape[0]):
        number = wide(numbers[k])
        for edge in range(first[number], first[number + 1]):
            found = False
            for j in range(begin[k], begin[k + 1]):
                if same_move(edges, wide(edge), listed, wide(j)):
                    found = True
                    break
            if not found:
                continue
            behind = wide(child[edge])
            fresh = inner[behind] != 0 and reached[behind] == 0
            place = new if fresh else spare
            for i in range(STATE_SIZE):
                after[place, i] = rows[k, i]
            play(after[place], edges[edge * MOVE_SIZE : (edge + 1) * MOVE_SIZE], work)
            if wide(key(after[place])) != wide(keys[behind]):
                continue
            kept[edge] = 1
            if fresh:
                reached[behind] = 1
                names[new] = behind
                new += 1
    return new
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
        tell: hears how it goes on.
    """
    walk = _Walk(graph, roots[0].game, roots[1].game)
    rows, numbers = roots[1].row[None].copy(), np.array([graph.number(graph.root)], dtype=np.int64)
    total, done = int((walk.inner != 0).sum()), 0
    walk.reached[numbers] = 1
    while len(numbers):
        done += len(numbers)
        rows, numbers = walk.level(rows, numbers)
        tell(done, total)
    edges = np.flatnonzero(walk.kept)
    ends = graph.keys[graph.parent[edges]], graph.keys[graph.child[edges]]
    return Replayed(edges, *ends, graph.moves[edges], done, *(int(count) for count in walk.counts))


class _Walk:
    """A walk through a tree, all states of one distance from the root at a time."""

    def __init__(self, graph: SearchGraph, source: Game, target: Game) -> None:
        self.graph, self.game = graph, target
        self.kernels, self.other = target.kernels_with(LEVEL), source.kernels_with(LEVEL)
        self.source = source
        self.inner = (np.diff(graph.first) > 0).astype(np.int8)
        self.reached = np.zeros(graph.states, dtype=np.int8)
        self.kept = np.zeros(graph.edges, dtype=np.int8)
        self.counts = np.zeros(3, dtype=np.int64)
        self.edges = np.ascontiguousarray(graph.moves.astype(target.dtype)).reshape(-1)

    def level(self, rows: NDArray[Any], numbers: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """Follow all edges of some states; returns those behind them that were not reached before."""
        graph, game = self.graph, self.game
        moves, work = np.zeros_like(game.move_list), np.zeros_like(game.work)
        begin = np.zeros(len(rows) + 1, dtype=np.int64)
        nothing = np.zeros(0, dtype=game.dtype)
        total = int(self.kernels.call("enter_list_rows", rows, moves, work, begin, nothing))
        listed = np.zeros(total * game.rules.move_size, dtype=game.dtype)
        self.kernels.call("enter_list_rows", rows, moves, work, begin, listed)
        scratch = np.zeros_like(self.source.move_list), np.zeros_like(self.source.work)
        running = rows.copy()
        running[:, game.rules.fields["OVER"]] = 0  # what is over in the target need not be in the source
        self.other.call("enter_count_shared", running, *scratch, begin, listed, self.counts)
        behind = np.unique(graph.child[ranges(graph.first[numbers], graph.first[numbers + 1])])
        most = int(((self.inner[behind] != 0) & (self.reached[behind] == 0)).sum())
        after = np.zeros((most + 1, game.rules.state_size), dtype=game.dtype)
        names = np.zeros(most, dtype=np.int64)
        new = int(
            self.kernels.call(
                "enter_follow_edges", rows, numbers, begin, listed, graph.first, graph.child, self.edges, graph.keys,
                self.inner, self.reached, self.kept, after, names, work,
            )
        )  # fmt: skip
        return after[:new].copy(), names[:new]
