"""Learning curves: the mean of all rewards so far, over several runs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.game import as_game
from ludoport.td.learner import NOTHING, KnownValues, Start, ValueLearner

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.td.opponents import Chooser, Opponent
    from ludoport.td.settings import TdSettings

# Two-sided 95 % points of Student's t for 1 to 30 degrees of freedom.
_STUDENT = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip


@dataclass(frozen=True)
class Curve:
    """The rewards of several runs.

    Attributes:
        rewards: shape (runs, matches).
    """

    rewards: NDArray[np.float64]

    def __post_init__(self) -> None:
        if self.rewards.ndim != 2 or 0 in self.rewards.shape:
            raise LudoportError(f"a curve needs rewards of shape (runs, matches), not {self.rewards.shape}")

    @property
    def runs(self) -> int:
        """Number of runs."""
        return int(self.rewards.shape[0])

    @property
    def matches(self) -> int:
        """Number of matches in each run."""
        return int(self.rewards.shape[1])

    @property
    def cumulative(self) -> NDArray[np.float64]:
        """The mean of a run's rewards up to each match; shape (runs, matches)."""
        averages: NDArray[np.float64] = np.cumsum(self.rewards, axis=1) / np.arange(1, self.matches + 1)
        return averages

    @property
    def mean(self) -> NDArray[np.float64]:
        """The curve: cumulative averages, mean over runs; shape (matches,)."""
        means: NDArray[np.float64] = self.cumulative.mean(axis=0)
        return means

    @property
    def half_width(self) -> NDArray[np.float64]:
        """Half of the 95 % confidence interval of the curve (Student's t over runs); NaN for one run."""
        if self.runs < 2:
            return np.full(self.matches, np.nan)
        spread: NDArray[np.float64] = self.cumulative.std(axis=0, ddof=1) * student(self.runs - 1)
        return spread / math.sqrt(self.runs)

    def at(self, match: int) -> float:
        """The curve after some matches, counted from 1."""
        if not 1 <= match <= self.matches:
            raise LudoportError(f"this curve has matches 1 to {self.matches}, not {match}")
        return float(self.mean[match - 1])

    def moving(self, window: int) -> NDArray[np.float64]:
        """The mean reward of the last ``window`` matches, mean over runs; shape (matches - window + 1,)."""
        if not 1 <= window <= self.matches:
            raise LudoportError(f"the window must be between 1 and {self.matches} matches, not {window}")
        sums = np.cumsum(np.pad(self.rewards.mean(axis=0), (1, 0)))
        moving: NDArray[np.float64] = (sums[window:] - sums[:-window]) / window
        return moving

    def reaches(self, level: float, window: int = 50) -> int | None:
        """Number of matches until the mean of the last ``window`` reaches a level; None if it never does."""
        window = min(window, self.matches)
        above = np.flatnonzero(self.moving(window) >= level)
        return int(above[0]) + window if above.size else None


@dataclass(frozen=True)
class CurveDifference:
    """Difference of two curves: the mean distance between them (the area, per match) with its 95 % interval."""

    mean: float
    half_width: float

    @property
    def clear(self) -> bool:
        """Whether 0 lies outside of the interval."""
        return abs(self.mean) > self.half_width


def between(one: Curve, other: Curve, first: int = 1, *, paired: bool = False) -> CurveDifference:
    """The area between two curves from a match on, divided by the number of matches.

    Args:
        one: a curve.
        other: the curve that is subtracted.
        first: match at which the area begins.
        paired: run by run, because equal runs had the same opponent; otherwise Welch's interval.
    """
    last = min(one.matches, other.matches)
    if not 1 <= first <= last:
        raise LudoportError(f"the area begins at a match from 1 to {last}, not {first}")
    a, b = (curve.cumulative[:, first - 1 : last].mean(axis=1) for curve in (one, other))
    gap = float(a.mean() - b.mean())
    if paired:
        if a.size != b.size:
            raise LudoportError(f"{a.size} and {b.size} runs cannot be paired")
        a, b = a - b, np.zeros_like(b)
    if min(a.size, b.size) < 2:
        return CurveDifference(gap, math.nan)
    va, vb = float(a.var(ddof=1)) / a.size, float(b.var(ddof=1)) / b.size
    if va + vb == 0:
        return CurveDifference(gap, 0.0)
    freedom = (va + vb) ** 2 / (va**2 / (a.size - 1) + vb**2 / (b.size - 1))
    return CurveDifference(gap, student(int(freedom)) * math.sqrt(va + vb))


def student(freedom: int) -> float:
    """The two-sided 95 % point of Student's t."""
    return _STUDENT[freedom - 1] if 1 <= freedom <= len(_STUDENT) else 1.96 + 2.5 / max(freedom, 1)


def learning_curve(
    game: Game | str | Path,
    opponent: Opponent | Chooser | Callable[[int], Opponent | Chooser],
    *,
    start: Start = "default",
    features: KnownValues = NOTHING,
    matches: int = 3000,
    runs: int | Sequence[int] = 10,
    seat: int = 1,
    settings: TdSettings | None = None,
) -> Curve:
    """Learn several times from the beginning.

    Args:
        game: the game, its name, or the path of its file.
        opponent: the opponent, or a function that gives one for each seed.
        start: initial values of new afterstates.
        features: features with their values, for ``start="features"``.
        matches: number of matches of each run.
        runs: number of runs, with seeds from 1; or their seeds.
        seat: seat of the learner.
        settings: settings of the learning.
    """
    seeds = list(range(1, runs + 1)) if isinstance(runs, int) else list(runs)
    if not seeds:
        raise LudoportError("a curve needs at least one run")
    game, rewards = as_game(game), []
    for seed in seeds:
        learner = ValueLearner(game, start=start, features=features, seat=seat, seed=seed, settings=settings)
        rewards.append(learner.train(opponent(seed) if callable(opponent) else opponent, matches))
    return Curve(np.array(rewards))
