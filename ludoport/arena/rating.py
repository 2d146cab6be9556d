"""Elo of several players from their games, with the same intervals as those of a match.

Strengths follow the Bradley-Terry model: in log-odds, a player wins with probability 1 / (1 + exp(other - own)). The
interval of a player holds all strengths that a score test does not reject while all other strengths are fitted again
(Rao, 1948). With one opponent this is Wilson's interval of the score, so a match and a rating state the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport.arena.statistics import CONFIDENCE, Elo, deviations

Result = tuple[int, int, float, float]
"""Two players by their numbers, and the points of the first and of the second."""

LOGIT = 400 / math.log(10)
"""Elo per unit of log-odds."""

FARTHEST = 20.0
"""Strengths beyond this, in log-odds, count as infinite (3474 Elo)."""

_RIDGE = 1e-9
"""Keeps strengths that no game bounds finite while others are fitted; too weak to move any that games bound."""

_FLAT = 0.05
"""A score statistic this near to 0 at the farthest strength: the likelihood still rises there."""


def rate(
    players: int, results: Sequence[Result], only: Sequence[int] | None = None, confidence: float = CONFIDENCE
) -> list[Elo]:
    """The Elo of players above player 0.

    Args:
        players: their number; player 0 has 0 Elo by definition.
        results: the points of pairs of players.
        only: the players to rate; all by default.
        confidence: of the intervals.

    Example:
        >>> print(rate(2, [(1, 0, 60, 40)])[1])
        +70 (95 % interval +1 to +139)
    """
    model = _Model(players, results)
    return [_rated(model, player, confidence) for player in (range(players) if only is None else only)]


def _rated(model: _Model, player: int, confidence: float) -> Elo:
    if player == 0:
        return Elo(0.0, 0.0, 0.0, confidence)
    if not model.connected(player):
        return Elo(math.nan, -math.inf, math.inf, confidence)
    z = deviations(confidence)
    statistic = model.statistic(player)
    ends = statistic(-FARTHEST), statistic(FARTHEST)
    value, low, high = (_falls_to(statistic, level, ends) for level in (0.0, z, -z))
    return Elo(LOGIT * value, LOGIT * low, LOGIT * high, confidence)


def _falls_to(statistic: Callable[[float], float], level: float, ends: tuple[float, float]) -> float:
    """Strength at which a falling function reaches a level; infinite if it does not between the farthest strengths.

    Args:
        statistic: the function.
        level: the level.
        ends: its values at the farthest strengths.
    """
    flat = _FLAT if level == 0 else 0.0
    low, high = -FARTHEST, FARTHEST
    above, below = ends[0] - level, ends[1] - level
    if above < flat and below > -flat:
        return math.nan
    if above < flat:
        return -math.inf
    if below > -flat:
        return math.inf
    while high - low > 1e-3:
        middle = (low + high) / 2
        value = statistic(middle) - level
        if value > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


class _Model:
    """The likelihood of strengths, given results."""

    def __init__(self, players: int, results: Sequence[Result]) -> None:
        self.players = players
        self.one = np.array([result[0] for result in results], dtype=np.int64)
        self.two = np.array([result[1] for result in results], dtype=np.int64)
        self.won = np.array([result[2] for result in results], dtype=np.float64)
        self.games = self.won + np.array([result[3] for result in results], dtype=np.float64)

    def connected(self, player: int) -> bool:
        """Whether games lead from a player to player 0, perhaps through others."""
        reached, before = {player}, set[int]()
        played = [(int(a), int(b)) for a, b, n in zip(self.one, self.two, self.games, strict=True) if n > 0]
        while reached != before:
            before = set(reached)
            reached |= {end for pair in played if reached & set(pair) for end in pair}
        return 0 in reached

    def statistic(self, player: int) -> Callable[[float], float]:
        """The score statistic of one strength, all others fitted to it; it falls as the strength rises."""
        others = np.array([other for other in range(1, self.players) if other != player], dtype=np.int64)
        strengths = np.zeros(self.players)

        def value(strength: float) -> float:
            strengths[player] = strength
            slope, bend = self._fit(strengths, others)
            cross = bend[player, others]
            known = bend[player, player] - float(cross @ np.linalg.solve(bend[np.ix_(others, others)], cross))
            return float(slope[player] / math.sqrt(max(known, 1e-300)))

        return value

    def _fit(self, strengths: NDArray[np.float64], free: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Fit the strengths of some players in place; slope and curvature of the likelihood there."""
        for _ in range(200):
            slope, bend = self._derivatives(strengths)
            if not free.size:
                break
            step = np.linalg.solve(bend[np.ix_(free, free)], slope[free])
            strengths[free] += np.clip(step, -1.0, 1.0)
            if np.abs(step).max() < 1e-7:
                break
        return slope, bend

    def _derivatives(self, strengths: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The slope of the likelihood, and its curvature with the sign changed."""
        one, two = self.one, self.two
        chance = 1.0 / (1.0 + np.exp(strengths[two] - strengths[one]))
        surplus, weight = self.won - self.games * chance, self.games * chance * (1.0 - chance)
        slope = -_RIDGE * strengths
        np.add.at(slope, one, surplus)
        np.add.at(slope, two, -surplus)
        bend = _RIDGE * np.eye(self.players)
        for a, b, change in ((one, one, weight), (two, two, weight), (one, two, -weight), (two, one, -weight)):
            np.add.at(bend, (a, b), change)
        return slope, bend
