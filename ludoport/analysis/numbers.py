"""Estimates with their 95 % intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from ludoport.arena.statistics import CONFIDENCE, deviations, wilson


@dataclass(frozen=True)
class Measured:
    """A number that was measured on some games.

    Attributes:
        value: the mean.
        low: lower end of its 95 % interval; NaN for a single observation.
        high: upper end.
        count: observations.
    """

    value: float
    low: float
    high: float
    count: int

    def text(self, scale: float = 1.0, unit: str = "", digits: int = 1) -> str:
        """The number with its interval: ``52.0 % (42.3 to 61.5)``."""
        shown = f"{self.value * scale:.{digits}f}{unit}"
        if math.isnan(self.low):
            return shown
        return f"{shown} ({self.low * scale:.{digits}f} to {self.high * scale:.{digits}f})"

    def as_json(self) -> dict[str, float | int | None]:
        """The number for programs; null where there is no interval."""
        low, high = (None if math.isnan(end) else round(end, 6) for end in (self.low, self.high))
        return {"value": round(self.value, 6), "low": low, "high": high, "count": self.count}


def mean_of(values: Sequence[float]) -> Measured:
    """The mean of some observations, with the interval of a normal distribution.

    Example:
        >>> mean_of([3, 5, 4, 4]).text()
        '4.0 (3.2 to 4.8)'
    """
    middle = fmean(values)
    if len(values) < 2:
        return Measured(middle, math.nan, math.nan, len(values))
    half = deviations(CONFIDENCE) * stdev(values) / math.sqrt(len(values))
    return Measured(middle, middle - half, middle + half, len(values))


def share_of(points: float, games: int) -> Measured:
    """A share of games, with Wilson's interval.

    Example:
        >>> share_of(8, 10).text(100, " %", 0)
        '80 % (49 to 94)'
    """
    low, high = wilson(points, games)
    return Measured(points / games, low, high, games)
