"""Alpha-beta minimax for one or two players: deeper and deeper, until the game is solved or the budget is spent."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludoport.arena.alphabeta_kernels import CONTROL, ENTRY, FRAME, HISTORY_SIZE, WINDOW, kernels
from ludoport.errors import LudoportError
from ludoport.game import seeded

if TYPE_CHECKING:
    from ludoport.game import Game, Move, State

TABLE = 1 << 20
"""So many positions the table remembers."""

_SLICE_SECONDS = 0.05
"""The kernels return about this often, so that the clock is read and an interrupt is heard."""


@dataclass(frozen=True)
class Assessment:
    """What the search says about a position.

    Attributes:
        move: the best move.
        value: what it is worth to the person to move, from -1 (lost) to 1 (won).
        exact: whether the value is that of perfect play, not an estimate.
        depth: how many moves deep the search looked.
        nodes: how many moves it tried.
    """

    move: Move
    value: float
    exact: bool
    depth: int
    nodes: int


@dataclass
class Budget:
    """How long a search may take; None is as long as it needs."""

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name, value in (("depth", self.depth), ("number of nodes", self.nodes)):
            if value is not None and value < 1:
                raise LudoportError(f"the {name} must be at least 1, not {value}")
        if self.seconds is not None and not self.seconds > 0:
            raise LudoportError(f"the time must be positive, not {self.seconds:g}")


class _Levels:
    """Space for a search of some depth."""

    def __init__(self, game: Game, depth: int) -> None:
        rules, levels = game.rules, depth + 1
        self.depth = depth
        self.states: NDArray[Any] = np.zeros((levels, rules.state_size), dtype=game.dtype)
        self.lists: NDArray[Any] = np.zeros((levels, (rules.max_moves + 1) * rules.move_size), dtype=game.dtype)
        self.scores = np.zeros((levels, rules.max_moves + 1), dtype=np.int64)
        self.frames = np.zeros((levels, len(FRAME)), dtype=np.int64)
        self.windows = np.zeros((levels, len(WINDOW)), dtype=np.float64)


class AlphaBeta:
    """A search that remembers positions from one move of a game to the next.

    Args:
        game: a game of one or two players.
        playouts: positions at the depth limit are worth the mean of so many random games; 0 values them all as draws.
        table: how many positions to remember, rounded down to a power of two; 0 for none. Games that forbid repeated
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
        self._kernels = game.kernels_with(kernels(game.rules.fields, game.rules.state_size))
        size = 1 if table < 2 or "HISTORY" in game.rules.fields else 1 << (table.bit_length() - 1)
        self._keys = np.zeros(size, dtype=np.int64)
        self._values = np.zeros(size, dtype=np.float64)
        self._entries = np.zeros((size, len(ENTRY)), dtype=np.int64)
        self._spare = game.new_row()
        self._levels = _Levels(game, 8)
        self._slice = 64

    def search(self, state: State, budget: Budget | None = None, seed: int = 0) -> Assessment:
        """Search deeper and deeper; without a budget until the value is that of perfect play.

        Args:
            state: a position that is not the end of a game.
            budget: how long to search.
            seed: decides between moves that look equally good.
        """
        if state.over:
            raise LudoportError("the game is over; there is no move to search for")
        budget = budget or Budget()
        search = _Deepening(self, state, budget, seed)
        depth = 1
        while not search.iterate(depth) and (budget.depth is None or depth < budget.depth):
            depth += 1
        return search.verdict()

    def _room(self, depth: int) -> _Levels:
        if self._levels.depth < depth:
            self._levels = _Levels(self.game, 2 * depth)
        return self._levels

    def _run(self, control: NDArray[np.int64], depth: int, nodes: int, history: Any, rng: Any) -> bool:
        """Search on for a moment, at most so many nodes; whether this depth is done."""
        levels, begin = self._levels, time.perf_counter()
        done = self._kernels.call(
            "enter_ab_run", control, depth, min(nodes, self._slice), self.playouts, levels.states, levels.lists,
            levels.scores, levels.frames, levels.windows, history, self._keys, self._values, self._entries,
            self._spare, rng, self.game.work,
        )  # fmt: skip
        spent = time.perf_counter() - begin
        if spent < _SLICE_SECONDS / 2:
            self._slice *= 2
        elif spent > _SLICE_SECONDS:
            self._slice = max(1, self._slice // 2)
        return bool(done)


class _Deepening:
    """One search, depth after depth."""

    def __init__(self, owner: AlphaBeta, state: State, budget: Budget, seed: int) -> None:
        self.owner, self.state, self.budget = owner, state, budget
        self.rng, self.history = seeded(seed), np.zeros((3, HISTORY_SIZE), dtype=np.int64)
        self.began, self.nodes, self.hint = time.perf_counter(), 0, 0
        self.best: Assessment | None = None

    def iterate(self, depth: int) -> bool:
        """Search to one depth; whether there is nothing left to find out, or no time."""
        owner, levels = self.owner, self.owner._room(depth)
        levels.states[0] = self.state.row
        owner._kernels.call(
            "enter_ab_root", self.hint, self.rng, levels.states, levels.lists, levels.scores, levels.frames,
            levels.windows, self.history, owner.game.work,
        )  # fmt: skip
        control = np.zeros(len(CONTROL), dtype=np.int64)
        done, left = False, True
        while not done and left:
            allowed = 1 << 40 if self.budget.nodes is None else self.budget.nodes - self.nodes - int(control[1])
            done = owner._run(control, depth, allowed, self.history, self.rng)
            left = self._time_left(int(control[1]))
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
        """What was found."""
        assert self.best is not None
        return replace(self.best, nodes=self.nodes)
