"""Alpha-beta minimax for one or two players: deeper and deeper, until the game is solved or the budget is spent."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ludoport.arena.alphabeta_kernels import (
    CONTROL,
    ENTRY,
    FRAME,
    HISTORY_SIZE,
    WINDOW,
    AlphaBetaDesk,
    SearchLevels,
    Transpositions,
    kernels,
)
from ludoport.errors import LudoportError
from ludoport.game import seeded
from ludoport.search.chance import refuse_chance
from ludoport.search.hidden import refuse_hidden

if TYPE_CHECKING:
    from ludoport.game import Game, Move, State

TABLE = 1 << 20
"""Default number of positions that the table remembers."""

_SLICE_SECONDS = 0.05
"""The kernels return about this often, so that the clock is read and an interrupt is heard."""


@dataclass(frozen=True)
class Assessment:
    """Result of a search of a position.

    Attributes:
        move: the best move.
        value: its value for the player to move, from -1 (lost) to 1 (won).
        exact: whether the value is that of perfect play, not an estimate.
        depth: depth of the search in plies.
        nodes: moves tried.
    """

    move: Move
    value: float
    exact: bool
    depth: int
    nodes: int


@dataclass
class SearchBudget:
    """Limits of a search; None for no limit."""

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name, value in (("depth", self.depth), ("number of nodes", self.nodes)):
            if value is not None and value < 1:
                raise LudoportError(f"the {name} must be at least 1, not {value}")
        if self.seconds is not None and not self.seconds > 0:
            raise LudoportError(f"the time must be positive, not {self.seconds:g}")


def new_levels(game: Game, depth: int) -> SearchLevels:
    """Rows for a search of some depth."""
    rules, levels = game.rules, depth + 1
    return SearchLevels(
        np.zeros((levels, rules.state_size), dtype=game.dtype),
        np.zeros((levels, (rules.max_moves + 1) * rules.move_size), dtype=game.dtype),
        np.zeros((levels, rules.max_moves + 1), dtype=np.int64),
        np.zeros((levels, len(FRAME)), dtype=np.int64),
        np.zeros((levels, len(WINDOW)), dtype=np.float64),
    )


def new_table(size: int) -> Transpositions:
    """A table with this number of places."""
    return Transpositions(
        np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.float64), np.zeros((size, len(ENTRY)), dtype=np.int64)
    )


class AlphaBeta:
    """A search that remembers positions from one move of a game to the next.

    Args:
        game: a game of one or two players.
        playouts: random games that value a position at the depth limit; 0 values them all as draws.
        table: number of positions to remember, rounded down to a power of two; 0 for none. Games that forbid repeated
            positions are searched without: their future depends on the whole past.
    """

    def __init__(self, game: Game, playouts: int = 0, table: int = TABLE) -> None:
        if game.n_players > 2:
            raise LudoportError(f"minimax plays games of one or two players; {game.name} has {game.n_players}")
        if playouts < 0:
            raise LudoportError(f"the number of playouts must not be negative, not {playouts}")
        if table < 0:
            raise LudoportError(f"the size of the table must not be negative, not {table}")
        self.game, self.playouts = game, playouts
        refuse_chance(game, "minimax")
        refuse_hidden(game, "minimax")
        self._kernels = game.kernels_with(kernels(game.rules.fields, game.rules.state_size))
        size = 1 if table < 2 or "HISTORY" in game.rules.fields else 1 << (table.bit_length() - 1)
        self._table, self._levels = new_table(size), new_levels(game, 8)
        self._slice = 64

    def search(self, state: State, budget: SearchBudget | None = None, seed: int = 0) -> Assessment:
        """Search deeper and deeper; without a budget until the value is that of perfect play.

        Args:
            state: a position that is not the end of a game.
            budget: limits of the search.
            seed: decides between moves that look equally good.
        """
        search = _Deepening(self, state, budget or SearchBudget(), seed)
        for _ in search.run():
            pass
        return search.verdict()

    def deepen(self, state: State, budget: SearchBudget | None = None, seed: int = 0) -> Iterator[Assessment]:
        """Search in the same way and yield the best known so far every few milliseconds; callers may stop any time."""
        search = _Deepening(self, state, budget or SearchBudget(), seed)
        for _ in search.run():
            if search.best is not None:
                yield search.verdict()
        yield search.verdict()

    def line(self, state: State, found: Assessment, seed: int = 0) -> list[Move]:
        """The line of play that a search expects: its best move, and the answers of searches as deep as it was."""
        line = [found.move]
        after = state.play(found.move)
        for depth in range(found.depth - 1, 0, -1):
            if after.over:
                break
            line.append(self.search(after, SearchBudget(depth), seed).move)
            after = after.play(line[-1])
        return line

    def _room(self, depth: int) -> SearchLevels:
        if len(self._levels.states) <= depth:
            self._levels = new_levels(self.game, 2 * depth)
        return self._levels

    def _run(self, control: NDArray[np.int64], depth: int, nodes: int, desk: AlphaBetaDesk) -> bool:
        """Search on for a moment, at most ``nodes`` nodes; whether this depth is done."""
        begin, budget = time.perf_counter(), min(nodes, self._slice)
        done = self._kernels.call(
            "enter_ab_run", control, depth, budget, self.playouts, self._levels, self._table, desk
        )  # fmt: skip
        spent = time.perf_counter() - begin
        if spent < _SLICE_SECONDS / 2:
            self._slice *= 2
        elif spent > _SLICE_SECONDS:
            self._slice = max(1, self._slice // 2)
        return bool(done)


class _Deepening:
    """One search, depth after depth."""

    def __init__(self, owner: AlphaBeta, state: State, budget: SearchBudget, seed: int) -> None:
        if state.over:
            raise LudoportError("the game is over; there is no move to search for")
        self.owner, self.state, self.budget = owner, state, budget
        game, history = state.game, np.zeros((3, HISTORY_SIZE), dtype=np.int64)
        self.desk = AlphaBetaDesk(history, game.new_row(), seeded(seed), game.work)
        self.began, self.nodes, self.hint = time.perf_counter(), 0, 0
        self.best: Assessment | None = None

    def run(self) -> Iterator[None]:
        """Search deeper and deeper; comes back every few milliseconds."""
        depth, last = 1, False
        while not last:
            last = yield from self._iterate(depth)
            last = last or depth == self.budget.depth
            depth += 1

    def _iterate(self, depth: int) -> Generator[None, None, bool]:
        """Search to one depth; whether there is nothing left to find out, or no time."""
        owner, levels = self.owner, self.owner._room(depth)
        levels.states[0] = self.state.row
        owner._kernels.call("enter_ab_root", self.hint, levels, self.desk)
        control = np.zeros(len(CONTROL), dtype=np.int64)
        done, left = False, True
        while not done and left:
            allowed = 1 << 40 if self.budget.nodes is None else self.budget.nodes - self.nodes - int(control[1])
            done = owner._run(control, depth, allowed, self.desk)
            left = self._time_left(int(control[1]))
            yield
        self.nodes += int(control[1])
        return self._conclude(depth, done) or not left

    def _time_left(self, nodes: int) -> bool:
        if self.budget.nodes is not None and self.nodes + nodes >= self.budget.nodes:
            return False
        return self.budget.seconds is None or time.perf_counter() - self.began < self.budget.seconds

    def _conclude(self, depth: int, done: bool) -> bool:
        """Learn from a search to one depth; whether its value is that of perfect play."""
        levels = self.owner._levels
        frame = dict(zip(FRAME, levels.frames[0].tolist(), strict=True))
        if frame["CHOSEN"] < 0:
            return False
        best = float(levels.windows[0, WINDOW.index("BEST")])
        value = best if frame["PERSON"] == 1 else 0.0 - best
        exact = value >= 1 or (done and frame["CUT"] == 0)
        move = self._move(frame["CHOSEN"])
        if value <= -1 and self.best is not None:
            # Everything loses: the move that looked best before loses latest.
            move = self.best.move
        self.best = Assessment(move, value, exact, depth, self.nodes)
        self.hint = int(self.owner._kernels.call("enter_ab_move", levels.lists[0], frame["CHOSEN"]))
        return exact

    def _move(self, number: int) -> Move:
        width = self.state.game.rules.move_size
        row = self.owner._levels.lists[0, number * width : (number + 1) * width]
        tidy = self.state.game.rules.tidy(row[None, :])[0]
        return next(move for move in self.state.moves() if np.array_equal(move.row, tidy))

    def verdict(self) -> Assessment:
        """Value and best move found so far, with the number of nodes."""
        assert self.best is not None
        return replace(self.best, nodes=self.nodes)
