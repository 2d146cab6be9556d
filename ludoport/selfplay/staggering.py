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


def staggered_states(game: Game, games: int, seed: int, limit: int) -> tuple[list[State], NDArray[np.int64]]:
    """Positions of random games, the first at its beginning and the last near its end, and how many plies they took.

    Args:
        game: the game.
        games: how many.
        seed: random seed.
        limit: most plies of a game.
    """
    count = min(games, DIFFERENT)
    states, plies = [], np.zeros(count, dtype=np.int64)
    for g in range(count):
        rng = seeded(seed * 1_000_003 + g)
        length = _played(game, rng, limit)[1]
        state, plies[g] = _unfinished(game, rng, length * g // count)
        states.append(state)
    shared = np.arange(games) * count // games
    return [states[number] for number in shared], plies[shared]


def _unfinished(game: Game, rng: NDArray[np.int64], plies: int) -> tuple[State, int]:
    """A position after a number of random plies, or fewer if the game ends."""
    while True:
        state, done = _played(game, rng, plies)
        if not state.over:
            return state, done
        plies //= 2


def _played(game: Game, rng: NDArray[np.int64], plies: int) -> tuple[State, int]:
    row: NDArray[Any] = game.new_row()
    game.kernels.call("start", row, rng)
    done = game.kernels.call("playout", row, rng, game.move_list, game.work, plies)
    return State(game, row), int(done)
