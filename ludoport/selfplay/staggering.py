"""First games that are not all at their beginning.

Games that begin together end together, and before the first ones have ended there is nothing to learn from: with
thousands of games of a hundred moves that takes a large part of a short run.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport.game import Game, State, seeded

DIFFERENT = 512
"""Different positions at most; more games than this share them, because slow games would wait for random ones."""

EACH = 16
"""Positions of one random game at most."""


def staggered_states(game: Game, games: int, seed: int, limit: int) -> tuple[list[State], NDArray[np.int64]]:
    """Positions of random games, the first at its beginning and the last near its end, and how many plies they took.

    Args:
        game: the game.
        games: number of games.
        seed: random seed.
        limit: most plies of a game.
    """
    count = min(games, DIFFERENT)
    walks = -(-count // EACH)
    rows: dict[int, NDArray[Any]] = {}
    plies = np.zeros(count, dtype=np.int64)
    for walk in range(walks):
        rng = seeded(seed * 1_000_003 + walk)
        length = _played(game, _start(game, rng), rng, limit)
        row, done = _start(game, rng), 0
        for number in range(walk, count, walks):
            row, more = _unfinished(game, row, rng, length * number // count - done)
            done += more
            rows[number], plies[number] = row, done
    shared = np.arange(games) * count // games
    return [State(game, rows[number]) for number in shared.tolist()], plies[shared]


def _unfinished(game: Game, row: NDArray[Any], rng: NDArray[np.int64], plies: int) -> tuple[NDArray[Any], int]:
    """A position a number of random plies after another one, or fewer if the game ends."""
    while True:
        later = row.copy()
        done = _played(game, later, rng, plies)
        if plies == 0 or not State(game, later).over:
            return later, done
        plies //= 2


def _start(game: Game, rng: NDArray[np.int64]) -> NDArray[Any]:
    row: NDArray[Any] = game.new_row()
    game.kernels.call("start", row, rng)
    return row


def _played(game: Game, row: NDArray[Any], rng: NDArray[np.int64], plies: int) -> int:
    """Play random plies, until the game is over at most; returns how many."""
    return int(game.kernels.call("playout", row, rng, game.move_list, game.work, plies))
