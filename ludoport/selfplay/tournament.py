"""The tournament of the first paper: self-play against rated past checkpoints.

One side of every game is the newest network; the other one is, half of the time, the newest too, and otherwise a
checkpoint, the better ones more often. Ratings choose opponents and nothing else.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

NEWEST = -1
"""The opponent that is the newest network itself."""

GAMES = 20
"""Number of games with an opponent before the next one is drawn."""

NEWEST_SHARE, ANY_SHARE = 0.5, 0.01
"""Probability of the newest network as opponent, and otherwise of any checkpoint, whatever its rating."""

STEP = 6.0
"""Largest change of a rating by one game (K of Elo)."""

POINTS = {2: 0.0, 3: 0.5, 4: 1.0}
"""Points of the newest network for a verdict on a game; see ``GAME_FACTS``."""


@dataclass
class Tournament:
    """Chooses the opponents of the newest network: itself, or rated past checkpoints.

    Attributes:
        seed: random seed.
        find: the file of the checkpoint of an epoch; epoch 0 is what the run began with.
        ratings: of the checkpoints by their epoch.
        rating: of the newest network.
        opponent: the epoch of the checkpoint that plays now, or ``NEWEST``.
        games: number of games that ended with it.
    """

    seed: int
    find: Callable[[int], Path]

    def __post_init__(self) -> None:
        self.ratings: dict[int, float] = {}
        self.rating = 0.0
        self.opponent = NEWEST
        self.games = 0
        self.rng = np.random.default_rng(self.seed + 2)

    def admit(self, epoch: int) -> None:
        """A checkpoint enters with the rating that the newest network has."""
        self.ratings[epoch] = self.rating

    def settle(self, verdicts: Sequence[int]) -> bool:
        """Count games that ended, and draw the next opponent when it is time; returns whether it is another one.

        Args:
            verdicts: one a game, see ``GAME_FACTS``.
        """
        for verdict in verdicts:
            self.games += 1
            if self.opponent != NEWEST and verdict in POINTS:
                self._rate(POINTS[verdict])
        if self.games < GAMES:
            return False
        before, self.opponent, self.games = self.opponent, self._draw(), 0
        return self.opponent != before

    def _rate(self, points: float) -> None:
        expected = 1.0 / (1.0 + 10.0 ** ((self.ratings[self.opponent] - self.rating) / 400.0))
        self.rating += STEP * (points - expected)
        self.ratings[self.opponent] -= STEP * (points - expected)

    def _draw(self) -> int:
        """The next opponent: of those whose rating is not too far below the best, with a bound that is drawn too."""
        epochs = sorted(self.ratings)
        if not epochs or self.rng.random() < NEWEST_SHARE:
            return NEWEST
        if self.rng.random() >= ANY_SHARE:
            depth = 400.0 / math.expm1(4.0 * max(1e-9, self.rng.random()))
            best = max(self.ratings.values())
            epochs = [epoch for epoch in epochs if self.ratings[epoch] >= best - depth]
        return epochs[int(self.rng.integers(0, len(epochs)))]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """State for a checkpoint of the run."""
        kept = {
            "ratings": sorted(self.ratings.items()), "rating": self.rating, "opponent": self.opponent,
            "games": self.games, "random": self.rng.bit_generator.state,
        }  # fmt: skip
        return {"play_tournament": np.frombuffer(json.dumps(kept).encode(), dtype=np.uint8)}

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take over what a checkpoint of the run kept."""
        kept = json.loads(arrays["play_tournament"].tobytes())
        self.ratings = {int(epoch): float(rating) for epoch, rating in kept["ratings"]}
        self.rating, self.opponent, self.games = kept["rating"], kept["opponent"], kept["games"]
        self.rng.bit_generator.state = kept["random"]
