"""What a number of wins, draws and losses says about two players."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from ludoport.errors import LudoportError


@dataclass(frozen=True)
class Record:
    """Wins, draws and losses of one player against another.

    Example:
        >>> record = Record(wins=474, draws=169, losses=357)
        >>> f"{100 * record.score:.2f} %, p = {record.p_better:.7f}"
        '55.85 %, p = 0.0000279'
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def __post_init__(self) -> None:
        if min(self.wins, self.draws, self.losses) < 0:
            raise LudoportError(f"wins, draws and losses must not be negative, not {self}")

    def __add__(self, other: Record) -> Record:
        return Record(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def __str__(self) -> str:
        return f"+{self.wins} ={self.draws} -{self.losses}"

    @property
    def games(self) -> int:
        """How many games."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points per game, a draw being half a point; NaN without games."""
        return (self.wins + self.draws / 2) / self.games if self.games else math.nan

    @property
    def p_different(self) -> float:
        """Two-sided binomial test without draws: how likely players of equal strength differ at least so much."""
        return binomial_two_sided(self.wins, self.wins + self.losses)

    @property
    def p_better(self) -> float:
        """One-sided binomial test without draws: how likely an equal player wins at least so often."""
        return binomial_at_least(self.wins, self.wins + self.losses)

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Wilson's interval of the score.

        The score is taken for the share of successes in as many trials as there were games. A draw varies less than
        a win and a loss, so with draws the interval is a little wider than it need be, never too narrow.
        """
        return wilson(self.wins + self.draws / 2, self.games, confidence)

    @property
    def elo(self) -> float:
        """The difference in Elo that expects this score; infinite if all games were won or all lost."""
        return elo_of_score(self.score)

    def elo_interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """The differences in Elo that expect the ends of Wilson's interval."""
        low, high = self.interval(confidence)
        return elo_of_score(low), elo_of_score(high)


def wilson(successes: float, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a probability (Wilson, 1927); everything is possible without trials.

    Example:
        >>> low, high = wilson(8, 10)
        >>> round(low, 4), round(high, 4)
        (0.4902, 0.9433)
    """
    if not 0 < confidence < 1:
        raise LudoportError(f"the confidence must lie between 0 and 1, not {confidence}")
    if trials == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    share, spread = successes / trials, z * z / trials
    middle = (share + spread / 2) / (1 + spread)
    half = math.sqrt(share * (1 - share) * spread + spread * spread / 4) / (1 + spread)
    # At the ends the formula gives 0 and 1 but for rounding, and Elo knows a difference.
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    return low, 1.0 if successes == trials else min(1.0, middle + half)


def binomial_at_least(successes: int, trials: int) -> float:
    """The probability of at least so many heads when a fair coin is thrown.

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
    """The probability that a fair coin is at least so far from equal numbers, on either side.

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
