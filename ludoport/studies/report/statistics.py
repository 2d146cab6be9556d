"""Statistics of whole tables: tests with draws, multiple tests, ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from statistics import fmean

from ludoport.arena.statistics import binomial_at_least, binomial_two_sided
from ludoport.errors import LudoportError

LEVEL = 0.05
"""The probability of an error that tests allow themselves."""


def points_two_sided(points: float, games: int) -> float:
    """Two-sided binomial test of a score against 50 %, a draw being half a win.

    Half a point cannot be a number of heads, so it goes to the weaker side, which makes the test a little harder to
    pass, never easier; draws, which vary less than wins and losses, do the same.

    Example:
        >>> points_two_sided(9.5, 10) == points_two_sided(9, 10) == 22 / 1024
        True
    """
    return binomial_two_sided(math.floor(max(points, games - points)), games)


@cache
def expected_by_chance(games: int, level: float = LEVEL) -> float:
    """Probability that the test calls a score significant although both players are equally strong and never draw.

    It is at most the level, and less because numbers of wins are whole.

    Example:
        >>> round(expected_by_chance(300), 4)
        0.0431
    """
    for wins in range(games // 2, games + 1):
        if binomial_two_sided(wins, games) <= level:
            return 2 * binomial_at_least(wins, games)
    return 0.0


def holm(values: Sequence[float]) -> list[float]:
    """Holm's correction: probabilities that may be compared with the level although there are many (Holm, 1979).

    Example:
        >>> holm([0.01, 0.04, 0.03])
        [0.03, 0.06, 0.06]
    """
    corrected = [0.0] * len(values)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=lambda k: values[k])):
        highest = max(highest, min(1.0, (len(values) - rank) * values[place]))
        corrected[place] = highest
    return corrected


def difference_two_sided(first: float, first_games: int, second: float, second_games: int) -> float:
    """p-value that two shares of points are equal (score test of two proportions).

    Example:
        >>> round(difference_two_sided(160, 300, 130, 300), 4)
        0.0143
        >>> difference_two_sided(300, 300, 300, 300)
        1.0
    """
    pooled = (first + second) / (first_games + second_games)
    spread = math.sqrt(pooled * (1 - pooled) * (1 / first_games + 1 / second_games))
    if spread == 0:
        return 1.0
    z = abs(first / first_games - second / second_games) / spread
    return math.erfc(z / math.sqrt(2))


def spearman(first: Sequence[float], second: Sequence[float]) -> float:
    """Spearman's rank correlation; NaN for fewer than two pairs, or where all ranks are equal.

    Example:
        >>> spearman([1, 2, 3, 4], [10, 20, 40, 30])
        0.8
    """
    if len(first) != len(second):
        raise LudoportError(f"a correlation needs pairs, not {len(first)} and {len(second)} numbers")
    a, b = _ranks(first), _ranks(second)
    if len(a) < 2:
        return math.nan
    mean = fmean(a)
    top = sum((x - mean) * (y - mean) for x, y in zip(a, b, strict=True))
    below = math.sqrt(sum((x - mean) ** 2 for x in a) * sum((y - mean) ** 2 for y in b))
    return top / below if below else math.nan


def _ranks(values: Sequence[float]) -> list[float]:
    """Ranks from 1 on; equal values share the mean of theirs."""
    order = sorted(range(len(values)), key=lambda k: values[k])
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for place in order[start:end]:
            ranks[place] = (start + end + 1) / 2
        start = end
    return ranks
