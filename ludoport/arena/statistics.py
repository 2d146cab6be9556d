"""Statistics of wins, draws and losses: scores, Elo, intervals and tests."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from ludoport.errors import LudoportError

CONFIDENCE = 0.95
"""Confidence level of all intervals that commands, results and plots show."""


@dataclass(frozen=True)
class Elo:
    """A difference in Elo with its interval.

    Attributes:
        value: the estimate; infinite if all games were won or all lost, NaN if no game says anything about it.
        low: lower end of the interval, -infinity where no lost game bounds it.
        high: upper end of the interval, +infinity where no won game bounds it.
        confidence: of the interval.

    Example:
        >>> print(WinLoss(wins=60, losses=40).elo_estimate())
        +70 (95 % interval +1 to +139)
        >>> print(WinLoss(wins=10).elo_estimate())
        above +166 (95 % bound)
    """

    value: float
    low: float
    high: float
    confidence: float = CONFIDENCE

    @property
    def shown(self) -> float:
        """A finite number to draw: the estimate, or the bound where that is infinite; NaN if unknown."""
        if math.isfinite(self.value):
            return self.value
        return next((bound for bound in (self.low, self.high) if math.isfinite(bound)), math.nan)

    @property
    def bounded(self) -> bool:
        """Whether the estimate is finite; otherwise only a bound is known."""
        return math.isfinite(self.value)

    @property
    def short(self) -> str:
        """The estimate and its interval in few characters, for tables: ``+70 (+1 to +139)``, ``> +166``."""
        if self.bounded and math.isinf(self.low) and math.isinf(self.high):
            return f"{signed(self.value)}"
        if self.bounded:
            return f"{signed(self.value)} ({signed(self.low)} to {signed(self.high)})"
        if math.isnan(self.shown):
            return "unknown"
        return f"{'>' if self.value > 0 else '<'} {signed(self.shown)}"

    def __str__(self) -> str:
        level = f"{100 * self.confidence:g} %"
        if self.bounded:
            return f"{signed(self.value)} ({level} interval {signed(self.low)} to {signed(self.high)})"
        if math.isnan(self.shown):
            return "unknown"
        return f"{'above' if self.value > 0 else 'below'} {signed(self.shown)} ({level} bound)"

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Elo | None:
        """Inverse of ``as_json``; None where nothing is known."""
        value, low, high = (record.get(name) for name in ("elo", "elo_low", "elo_high"))
        if value is None and low is None and high is None:
            return None
        if value is None:
            value = math.inf if high is None else -math.inf
        return cls(value, -math.inf if low is None else low, math.inf if high is None else high)

    def as_json(self) -> dict[str, float | None]:
        """The estimate and the ends of its interval; null where they are infinite."""
        numbers = (("elo", self.value), ("elo_low", self.low), ("elo_high", self.high))
        return {name: round(value, 3) if math.isfinite(value) else None for name, value in numbers}


@dataclass(frozen=True)
class WinLoss:
    """Wins, draws and losses of one player against another.

    Example:
        >>> record = WinLoss(wins=474, draws=169, losses=357)
        >>> f"{100 * record.score:.2f} %, p = {record.p_better:.7f}"
        '55.85 %, p = 0.0000279'
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def __post_init__(self) -> None:
        if min(self.wins, self.draws, self.losses) < 0:
            raise LudoportError(f"wins, draws and losses must not be negative, not {self}")

    def __add__(self, other: WinLoss) -> WinLoss:
        return WinLoss(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def __str__(self) -> str:
        return f"+{self.wins} ={self.draws} -{self.losses}"

    @property
    def games(self) -> int:
        """Number of games."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points per game, a draw being half a point; NaN without games."""
        return (self.wins + self.draws / 2) / self.games if self.games else math.nan

    @property
    def p_different(self) -> float:
        """Two-sided binomial test without draws: probability that equal players differ at least this much."""
        return binomial_two_sided(self.wins, self.wins + self.losses)

    @property
    def p_better(self) -> float:
        """One-sided binomial test without draws: probability that an equal player wins at least this often."""
        return binomial_at_least(self.wins, self.wins + self.losses)

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Wilson's interval of the score.

        The score is taken for the share of successes in as many trials as there were games. A draw varies less than
        a win and a loss, so with draws the interval is a little wider than necessary, never too narrow.
        """
        return wilson(self.wins + self.draws / 2, self.games, confidence)

    def elo_estimate(self, confidence: float = CONFIDENCE) -> Elo:
        """The difference in Elo that gives this score, and those that give the ends of Wilson's interval."""
        low, high = self.interval(confidence)
        return Elo(elo_of_score(self.score), elo_of_score(low), elo_of_score(high), confidence)

    @property
    def elo(self) -> float:
        """The difference in Elo that gives this score; infinite if all games were won or all lost."""
        return self.elo_estimate().value


def signed(elo: float) -> str:
    """A difference in Elo with its sign.

    Example:
        >>> signed(12.3), signed(-math.inf)
        ('+12', '-infinity')
    """
    return f"{round(elo):+d}" if math.isfinite(elo) else "+infinity" if elo > 0 else "-infinity"


def wilson(successes: float, trials: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Wilson's score interval of a probability (Wilson, 1927); (0, 1) without trials.

    Example:
        >>> low, high = wilson(8, 10)
        >>> round(low, 4), round(high, 4)
        (0.4902, 0.9433)
    """
    if not 0 < confidence < 1:
        raise LudoportError(f"the confidence must lie between 0 and 1, not {confidence}")
    if trials == 0:
        return 0.0, 1.0
    z = deviations(confidence)
    share, spread = successes / trials, z * z / trials
    middle = (share + spread / 2) / (1 + spread)
    half = math.sqrt(share * (1 - share) * spread + spread * spread / 4) / (1 + spread)
    # At the ends the formula gives 0 and 1 but for rounding, and Elo knows a difference.
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    return low, 1.0 if successes == trials else min(1.0, middle + half)


def deviations(confidence: float) -> float:
    """Standard deviations on either side of the mean that hold this share of a normal distribution.

    Example:
        >>> round(deviations(0.95), 2)
        1.96
    """
    return NormalDist().inv_cdf(0.5 + confidence / 2)


def binomial_at_least(successes: int, trials: int) -> float:
    """The probability of at least ``successes`` heads in ``trials`` throws of a fair coin.

    Example:
        >>> binomial_at_least(9, 10) == 11 / 1024
        True
    """
    if not 0 <= successes <= trials:
        raise LudoportError(f"{successes} successes in {trials} trials are impossible")
    if successes == 0:
        return 1.0
    if 2 * successes < trials:
        return 1.0 - binomial_at_least(trials - successes + 1, trials)
    # Terms shrink from here on; each follows from the one before.
    term = math.comb(trials, successes) / (1 << trials)
    total, k = 0.0, successes
    while k <= trials and term > total * 1e-18:
        total += term
        term *= (trials - k) / (k + 1)
        k += 1
    return min(1.0, total)


def binomial_two_sided(successes: int, trials: int) -> float:
    """The probability that a fair coin is at least this far from equal numbers, on either side.

    Example:
        >>> binomial_two_sided(9, 10) == binomial_two_sided(1, 10) == 22 / 1024
        True
    """
    return min(1.0, 2 * binomial_at_least(max(successes, trials - successes), trials))


def elo_of_score(score: float) -> float:
    """The difference in Elo at which a player expects this score.

    Example:
        >>> round(elo_of_score(0.75), 1)
        190.8
    """
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 400 * math.log10(score / (1 - score))


def score_of_elo(elo: float) -> float:
    """The score that a player expects at this difference in Elo.

    Example:
        >>> score_of_elo(0)
        0.5
    """
    return 1 / (1 + 10 ** (-elo / 400))
