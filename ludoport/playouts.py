"""How fast random games are played."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class PlayoutStats:
    """Speed of random playouts."""

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


def measure_playouts(play: Callable[[int], int], seconds: float | None, count: int | None) -> PlayoutStats:
    """Play random games and measure CPU time.

    Args:
        play: plays a number of games and returns how many moves they had.
        seconds: how long to measure; 1 if neither this nor ``count`` is given.
        count: how many games to play instead.
    """
    if count is not None:
        begin = time.process_time()
        total = play(count)
        return PlayoutStats(count, total, time.process_time() - begin)
    budget = 1.0 if seconds is None else seconds
    done, total, batch = 0, 0, 1
    begin = time.process_time()
    spent = 0.0
    while spent < budget:
        total += play(batch)
        done += batch
        spent = time.process_time() - begin
        rate = done / spent if spent > 0 else 1e9
        batch = max(1, min(int(rate * min(0.2, max(budget - spent, 0.0))), 2 * batch))
    return PlayoutStats(done, total, spent)
