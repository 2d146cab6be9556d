"""Sequential testing: stop a match as soon as its result is clear.

The generalized sequential probability ratio test over wins, draws and losses, as engines are tested in chess. Two
hypotheses give the difference in Elo, hence the expected score; how often games are drawn is not part of them, so for
each the most likely chances of win, draw and loss with that score are taken (Van den Bergh, "A practical introduction
to the GSPRT").
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from ludoport.arena.statistics import WinLoss, score_of_elo
from ludoport.errors import LudoportError

Verdict = Literal["running", "accepted", "rejected"]

_UNSEEN = 1e-3
"""A result that did not occur is taken to have occurred this often, so that no hypothesis is impossible."""


@dataclass(frozen=True)
class Sprt:
    """A test of "stronger by ``elo1``" against "stronger by ``elo0``".

    Args:
        elo0: the difference in Elo to be rejected.
        elo1: the difference in Elo to be shown.
        alpha: probability of accepting ``elo1`` though ``elo0`` is true.
        beta: probability of rejecting ``elo1`` though it is true.

    Example:
        >>> Sprt(0, 20).verdict(WinLoss(wins=474, draws=169, losses=357))
        'accepted'
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -math.inf < self.elo0 < self.elo1 < math.inf:
            raise LudoportError(f"elo0 must be smaller than elo1, but they are {self.elo0:g} and {self.elo1:g}")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise LudoportError(f"{name} must lie between 0 and 0.5, not {value:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which ``elo1`` is rejected and accepted (Wald, 1945)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, record: WinLoss) -> float:
        """The log-likelihood ratio of ``elo1`` over ``elo0``; 0 without games."""
        if record.games == 0:
            return 0.0
        counts = [max(float(n), _UNSEEN) for n in (record.losses, record.draws, record.wins)]
        likely0, likely1 = (_most_likely(counts, score_of_elo(elo)) for elo in (self.elo0, self.elo1))
        return sum(n * math.log(p1 / p0) for n, p0, p1 in zip(counts, likely0, likely1, strict=True))

    def verdict(self, record: WinLoss) -> Verdict:
        """Whether ``elo1`` is accepted, rejected, or more games are needed."""
        low, high = self.bounds
        ratio = self.llr(record)
        return "accepted" if ratio >= high else "rejected" if ratio <= low else "running"


def _most_likely(counts: list[float], score: float) -> list[float]:
    """The chances of loss, draw and win with this expected score under which the counts are most likely.

    By Lagrange they are p / (1 + t (value - score)), where p are the observed frequencies; the left side of
    sum(p (value - score) / (1 + t (value - score))) = 0 falls in t, so t is found by bisection.
    """
    total = sum(counts)
    observed = [n / total for n in counts]
    offsets = [value - score for value in (0.0, 0.5, 1.0)]
    low, high = -1 / offsets[2], -1 / offsets[0]
    for _ in range(200):
        t = (low + high) / 2
        if t in (low, high):
            break
        if sum(p * x / (1 + t * x) for p, x in zip(observed, offsets, strict=True)) > 0:
            low = t
        else:
            high = t
    chances = [p / (1 + t * x) for p, x in zip(observed, offsets, strict=True)]
    return [p / sum(chances) for p in chances]
