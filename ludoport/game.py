"""Game, State and Move: what a person touches."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.kernels.build import cpu_module, plain_functions
from ludoport.kernels.contract import Rules
from ludoport.kernels.library import ENTRIES

Row = NDArray[np.int16]


@dataclass(frozen=True)
class PlayoutStats:
    """What random play measured."""

    playouts: int
    moves: int
    seconds: float

    @property
    def playouts_per_second(self) -> float:
        """Games to the end per CPU-second."""
        return self.playouts / self.seconds if self.seconds > 0 else 0.0

    @property
    def moves_per_second(self) -> float:
        """Moves per CPU-second."""
        return self.moves / self.seconds if self.seconds > 0 else 0.0

    @property
    def mean_moves(self) -> float:
        """Mean length of a game."""
        return self.moves / self.playouts if self.playouts else 0.0


class Kernels:
    """The functions of one game on one target, loaded when first asked for."""

    def __init__(self, name: str, source: str, jit: bool) -> None:
        self.name, self.source, self.jit = name, source, jit
        self._functions: Any = None

    def __getattr__(self, name: str) -> Any:
        if self._functions is None:
            self._functions = self._load()
        return self._functions[f"enter_{name}"] if name in ENTRIES else self._functions[name]

    def _load(self) -> dict[str, Any]:
        if not self.jit:
            return plain_functions(self.source)
        return vars(cpu_module(self.name, self.source))

    def call(self, name: str, *arguments: Any) -> Any:
        """Call an entry point."""
        return getattr(self, name)(*arguments)


class Game:
    """A game ready to be played.

    Args:
        rules: what a language made of the game's text.
        jit: compile to machine code; plain Python otherwise (also chosen by ``LUDOPORT_JIT=0``).
    """

    def __init__(self, rules: Rules, jit: bool | None = None) -> None:
        self.rules = rules
        self.jit = jit if jit is not None else os.environ.get("LUDOPORT_JIT", "1") != "0"
        self._further: dict[str, Kernels] = {}

    @cached_property
    def kernels(self) -> Kernels:
        """The kernels on the chosen target."""
        return Kernels(self.name, self.rules.source, self.jit)

    def kernels_with(self, text: str) -> Kernels:
        """The kernels together with further ones over the contract, such as a search, in a module of their own."""
        known = self._further.get(text)
        if known is None:
            known = self._further[text] = Kernels(self.name, self.rules.source + text, self.jit)
        return known

    @property
    def name(self) -> str:
        """The game's name."""
        return self.rules.name

    @property
    def n_players(self) -> int:
        """How many players."""
        return self.rules.n_players

    @property
    def dtype(self) -> type[np.signedinteger[Any]]:
        """The integers of a row: small for machine code, wide for plain Python, where nothing may overflow."""
        return self.rules.dtype if self.jit else np.int64

    def new_row(self) -> NDArray[Any]:
        """An empty state row."""
        return np.zeros(self.rules.state_size, dtype=self.dtype)

    @cached_property
    def work(self) -> NDArray[Any]:
        """Scratch space for one caller at a time."""
        return np.zeros(self.rules.work_size, dtype=self.dtype)

    @cached_property
    def move_list(self) -> NDArray[Any]:
        """Space for the legal moves of one position."""
        return np.zeros((self.rules.max_moves + 1) * self.rules.move_size, dtype=self.dtype)

    def start(self, seed: int = 0) -> State:
        """The initial position."""
        row = self.new_row()
        self.kernels.call("start", row, seeded(seed))
        return State(self, row)

    def perft(self, depth: int) -> list[int]:
        """Numbers of legal move sequences of length 1 to ``depth`` from the start."""
        if depth < 1:
            raise LudoportError(f"the depth must be at least 1, not {depth}")
        return [self.start().perft(d) for d in range(1, depth + 1)]

    def divide(self, depth: int) -> dict[str, int]:
        """For each first move, the number of sequences of the given length that begin with it."""
        if depth < 1:
            raise LudoportError(f"the depth must be at least 1, not {depth}")
        state = self.start()
        return {str(move): state.play(move).perft(depth - 1) for move in state.moves()}

    def playouts(
        self, seconds: float | None = None, count: int | None = None, seed: int = 1, limit: int = 1_000_000
    ) -> PlayoutStats:
        """Play uniformly random games on one thread and measure CPU time.

        Args:
            seconds: how long to measure; 1 if neither this nor ``count`` is given.
            count: how many games to play instead.
            seed: the seed of the games.
            limit: most moves of one game.
        """
        if seconds is not None and seconds <= 0:
            raise LudoportError(f"the time must be positive, not {seconds}")
        if count is not None and count < 1:
            raise LudoportError(f"the number of playouts must be at least 1, not {count}")
        row, rng, moves, work = self.new_row(), seeded(seed), self.move_list, self.work
        play = self.kernels.playouts
        self.kernels.call("playouts", row, seeded(0), moves, work, 1, limit)
        if count is not None:
            begin = time.process_time()
            total = play(row, rng, moves, work, count, limit)
            return PlayoutStats(count, int(total), time.process_time() - begin)
        budget = 1.0 if seconds is None else seconds
        done, total, batch = 0, 0, 1
        begin = time.process_time()
        spent = 0.0
        while spent < budget:
            total += int(play(row, rng, moves, work, batch, limit))
            done += batch
            spent = time.process_time() - begin
            rate = done / spent if spent > 0 else 1e9
            batch = max(1, min(int(rate * min(0.2, max(budget - spent, 0.0))), 2 * batch))
        return PlayoutStats(done, total, spent)


def seeded(seed: int) -> NDArray[np.int64]:
    """The two words of the random generator for a seed."""
    x = (seed * 0x9E3779B97F4A7C15 + 0xD1B54A32D192ED03) & (2**64 - 1)
    x ^= x >> 30
    x = (x * 0xBF58476D1CE4E5B9) & (2**64 - 1)
    x ^= x >> 27
    x = (x * 0x94D049BB133111EB) & (2**64 - 1)
    x ^= x >> 31
    return np.array([(x & 0xFFFFFFFF) | 1, x >> 32], dtype=np.int64)


class Move:
    """A legal move of a position; its text is the notation."""

    __slots__ = ("row", "text")

    def __init__(self, row: NDArray[Any], text: str) -> None:
        self.row, self.text = row, text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move({self.text!r})"


class State:
    """A position. Playing a move gives a new one."""

    def __init__(self, game: Game, row: NDArray[Any]) -> None:
        self.game, self.row = game, row

    def _field(self, name: str) -> int:
        return int(self.row[self.game.rules.fields[name]])

    @property
    def mover(self) -> int:
        """The player number (colour) to move."""
        return self._field("MOVER")

    @property
    def swapped(self) -> bool:
        """Whether the persons have exchanged their colours."""
        return "SWAPPED" in self.game.rules.fields and self._field("SWAPPED") != 0

    @property
    def agent(self) -> int:
        """The person to move; differs from the mover after a swap."""
        return 3 - self.mover if self.swapped else self.mover

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._field("OVER") != 0

    @property
    def utilities(self) -> list[float]:
        """What each player number got: 1 for a win, -1 for a loss; the undecided share what is left, two of them 0."""
        return [float(self.game.kernels.call("utility", self.row, p)) for p in range(1, self.game.n_players + 1)]

    @property
    def agent_utilities(self) -> list[float]:
        """What each person got."""
        values = self.utilities
        return values[::-1] if self.swapped else values

    @property
    def winner(self) -> int:
        """The player number that won, 0 for a draw, -1 while the game runs."""
        if not self.over:
            return -1
        values = self.utilities
        best = max(values)
        return values.index(best) + 1 if best > 0 and values.count(best) == 1 else 0

    @property
    def key(self) -> int:
        """A hash; equal positions have equal keys."""
        return int(self.game.kernels.call("key", self.row))

    @cached_property
    def _moves(self) -> list[Move]:
        game = self.game
        moves = game.move_list
        # Columns that a rule does not use must not keep what was there before.
        moves[:] = 0
        n = int(game.kernels.call("legal", self.row, moves, game.work))
        width = game.rules.move_size
        rows = game.rules.tidy(moves[: n * width].reshape(n, width))
        texts = game.rules.move_texts(self.row, rows)
        return [Move(row, text) for row, text in zip(rows, texts, strict=True)]

    def moves(self) -> list[Move]:
        """The legal moves."""
        return list(self._moves)

    def find(self, text: str) -> Move:
        """The legal move with this notation."""
        for move in self._moves:
            if move.text == text:
                return move
        raise LudoportError(f"`{text}` is not a legal move here; legal moves are {_few([m.text for m in self._moves])}")

    def play(self, move: Move | str) -> State:
        """The position after a legal move."""
        if isinstance(move, str):
            move = self.find(move)
        elif not any(np.array_equal(move.row, legal.row) for legal in self._moves):
            raise LudoportError(
                f"`{move}` is not a legal move here; legal moves are {_few([m.text for m in self._moves])}"
            )
        row = self.row.copy()
        self.game.kernels.call("play", row, move.row, self.game.work)
        return State(self.game, row)

    def perft(self, depth: int) -> int:
        """The number of legal move sequences of this length."""
        if depth < 0:
            raise LudoportError(f"the depth must not be negative, not {depth}")
        if depth == 0:
            return 1
        game = self.game
        size, width = game.rules.max_moves + 1, game.rules.move_size
        rows: NDArray[Any] = np.zeros((depth + 1, game.rules.state_size), dtype=game.dtype)
        lists: NDArray[Any] = np.zeros((depth, size * width), dtype=game.dtype)
        rows[0] = self.row
        return int(game.kernels.call("perft", rows, lists, game.work, depth))

    def pieces(self) -> dict[int, str | list[str]]:
        """What stands where: names, with counts and local states where they matter; stacks from the bottom."""
        return self.game.rules.pieces(self.row)

    def picture(self) -> str:
        """The position as text."""
        return self.game.rules.picture(self.row)

    def __str__(self) -> str:
        return self.picture()


def _few(texts: Sequence[str], most: int = 8) -> str:
    shown = ", ".join(texts[:most])
    return f"{shown} and {len(texts) - most} more" if len(texts) > most else shown or "none"


def load(name: str | Path, options: Sequence[str] = (), ruleset: str | None = None, jit: bool | None = None) -> Game:
    """Load a bundled game by name, or a game text from a path.

    Args:
        name: a bundled name such as ``Hex`` (letter case does not matter), a path to a ``.lud`` or ``.kif`` file, or a
            game of the chess family in small letters, such as ``chessplus``.
        options: choices such as ``Board Size/7x7``.
        ruleset: a ruleset's name.
        jit: compile to machine code or run plain Python.

    Example:
        >>> game = load("Tic-Tac-Toe")
        >>> len(game.start().moves())
        9
    """
    from ludoport.languages import find_rules

    return Game(find_rules(name, options, ruleset), jit)
