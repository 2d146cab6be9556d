"""A tree of one game replayed in another: which of its moves lead to the same positions there."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludoport.transfer.tree_names import Names, same_position

if TYPE_CHECKING:
    from ludoport.game import Game, State
    from ludoport.search.graph import SearchGraph

EVERY = 1000
"""Positions between two reports of progress."""

Tells = Callable[[int, int], None]
"""Called with the number of positions compared so far, and their maximum."""


@dataclass(frozen=True)
class Replayed:
    """The part of a tree that exists in the target.

    Attributes:
        edges: the numbers of the edges that do; shape (kept,).
        parents: keys of the positions in which they begin, in the target.
        children: keys of the positions to which they lead.
        moves: their moves in the target; shape (kept, move size).
        positions: positions with moves that were compared.
        both: legal moves of these positions that both games have.
        only_source: those that only the source has.
        only_target: those that only the target has.
    """

    edges: NDArray[np.int64]
    parents: NDArray[np.int64]
    children: NDArray[np.int64]
    moves: NDArray[Any]
    positions: int
    both: int
    only_source: int
    only_target: int


class _Side:
    """One of the two games while a tree is played through."""

    def __init__(self, game: Game, names: Names) -> None:
        self.game, self.names = game, names
        self._list, self._work = np.zeros_like(game.move_list), np.zeros_like(game.work)

    def legal(self, row: NDArray[Any]) -> tuple[NDArray[Any], list[str]]:
        """The legal moves of a position and their names; none where the game is over."""
        game, width = self.game, self.game.rules.move_size
        if row[game.rules.fields["OVER"]] != 0:
            return np.zeros((0, width), dtype=game.dtype), []
        self._list[:] = 0
        n = int(game.kernels.call("legal", row, self._list, self._work))
        rows = game.rules.tidy(self._list[: n * width].reshape(n, width))
        return rows, self.names.moves(row, rows)

    def play(self, row: NDArray[Any], move: NDArray[Any]) -> NDArray[Any]:
        """The position after a move."""
        after = row.copy()
        self.game.kernels.call("play", after, move, self._work)
        return after


def replay(
    graph: SearchGraph, roots: tuple[State, State], names: tuple[Names, Names], tell: Tells = lambda done, total: None
) -> Replayed:
    """Play a tree through in both games at once, nearest positions first.

    Args:
        graph: the tree.
        roots: its root in the source, and the same position in the target.
        names: names of the positions and moves of both.
        tell: called with messages about the progress.
    """
    source, target = (_Side(root.game, name) for root, name in zip(roots, names, strict=True))
    inner = np.diff(graph.first) > 0
    total = int(inner.sum())
    start = graph.number(graph.root)
    reached = {start}
    waiting = deque([(start, roots[0].row, roots[1].row)] if inner[start] else [])
    kept: list[tuple[int, int, int, NDArray[Any]]] = []
    counts = np.zeros(3, dtype=np.int64)
    done = 0
    while waiting:
        number, row, other = waiting.popleft()
        rows, called = source.legal(row)
        theirs = dict(zip(*reversed(target.legal(other)), strict=True))
        mine = {move.astype(graph.moves.dtype).tobytes(): (move, name) for move, name in zip(rows, called, strict=True)}
        shared = len(theirs.keys() & set(called))
        counts += shared, len(rows) - shared, len(theirs) - shared
        key = int(target.game.kernels.call("key", other))
        for edge in range(int(graph.first[number]), int(graph.first[number + 1])):
            # Keys leave out what a rule may still know of the past, so a move of another line may be missing.
            move, name = mine.get(graph.moves[edge].tobytes(), (None, ""))
            if move is None or name not in theirs:
                continue
            after, there = source.play(row, move), target.play(other, theirs[name])
            if not same_position(source.names, after, target.names, there):
                continue
            kept.append((edge, key, int(target.game.kernels.call("key", there)), theirs[name]))
            child = int(graph.child[edge])
            if inner[child] and child not in reached:
                reached.add(child)
                waiting.append((child, after, there))
        done += 1
        if done % EVERY == 0:
            tell(done, total)
    return _replayed(kept, roots[1].game, done, counts)


def _replayed(kept: list[tuple[int, int, int, NDArray[Any]]], target: Game, done: int, counts: Any) -> Replayed:
    edges, parents, children = np.array([line[:3] for line in kept], dtype=np.int64).reshape(-1, 3).T
    moves = np.array([line[3] for line in kept], dtype=target.rules.dtype).reshape(-1, target.rules.move_size)
    return Replayed(edges, parents, children, moves, done, *(int(count) for count in counts))
