"""Batches of random games that every target plays alike: game number i begins with the seed ``seed + i``."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ludoport.kernels.contract import Rules

_MASK = 2**64 - 1


class Playable(Protocol):
    """Facts about a game that a batch needs."""

    @property
    def name(self) -> str:
        """The game's name."""

    @property
    def n_players(self) -> int:
        """Number of players."""

    @property
    def rules(self) -> Rules:
        """The kernels as text, and the sizes of rows."""

    @property
    def kernels(self) -> Any:
        """The kernels on the game's own target."""

    @property
    def dtype(self) -> type:
        """The integers of a row."""


@dataclass(frozen=True)
class PlayoutBatch:
    """Random games, one entry each.

    Attributes:
        lengths: moves of each game, shape (games,).
        utilities: what each player got, shape (games, players).
        rows: the last position of each game, shape (games, state size); None unless asked for.
        seconds: how long playing took, without compiling.
    """

    lengths: NDArray[np.int32]
    utilities: NDArray[np.float32]
    rows: NDArray[Any] | None
    seconds: float

    @property
    def moves(self) -> int:
        """Moves of all games together."""
        return int(self.lengths.sum(dtype=np.int64))

    @property
    def moves_per_second(self) -> float:
        """Moves per second."""
        return self.moves / self.seconds if self.seconds > 0 else 0.0

    @property
    def playouts_per_second(self) -> float:
        """Games per second."""
        return len(self.lengths) / self.seconds if self.seconds > 0 else 0.0

    def same_as(self, other: PlayoutBatch) -> bool:
        """Whether two batches hold the same games, to the last integer of the last position."""
        assert self.rows is not None and other.rows is not None, "batches are compared by their rows"
        return (
            np.array_equal(self.lengths, other.lengths)
            and np.array_equal(self.utilities, other.utilities)
            and np.array_equal(self.rows, other.rows)
        )


def seed_words(seed: int) -> tuple[int, int]:
    """The two words of the random generator for a seed."""
    x = (seed * 0x9E3779B97F4A7C15 + 0xD1B54A32D192ED03) & _MASK
    x ^= x >> 30
    x = (x * 0xBF58476D1CE4E5B9) & _MASK
    x ^= x >> 27
    x = (x * 0x94D049BB133111EB) & _MASK
    x ^= x >> 31
    return (x & 0xFFFFFFFF) | 1, x >> 32


def playouts_here(game: Playable, count: int, seed: int = 1, limit: int = 1_000_000) -> PlayoutBatch:
    """Play a batch on one thread with the game's own kernels: machine code for the CPU, or plain Python.

    Args:
        game: the game.
        count: how many games.
        seed: the seed of the first game; the next one has the next seed.
        limit: most moves of one game.
    """
    sizes = game.rules
    rows: NDArray[Any] = np.zeros((count, sizes.state_size), dtype=game.dtype)
    work: NDArray[Any] = np.zeros(sizes.work_size, dtype=game.dtype)
    moves: NDArray[Any] = np.zeros((sizes.max_moves + 1) * sizes.move_size, dtype=game.dtype)
    lengths = np.zeros(count, dtype=np.int32)
    utilities = np.zeros((count, game.n_players), dtype=np.float32)
    kernels = game.kernels
    begin = time.perf_counter()
    for i, row in enumerate(rows):
        rng = np.array(seed_words(seed + i), dtype=np.int64)
        kernels.call("start", row, rng)
        lengths[i] = kernels.call("playout", row, rng, moves, work, limit)
        utilities[i] = [kernels.call("utility", row, p + 1) for p in range(game.n_players)]
    return PlayoutBatch(lengths, utilities, rows.astype(sizes.dtype), time.perf_counter() - begin)
