"""Measures from matches: one scale for all networks of a target game, and what transfer is worth on it.

Strengths come from a mixed logistic model of all matches of a target (``mixed.py``). An estimate is the median of its
draws and an interval holds the middle 95 % of them, so an estimate is always inside its interval. A score is the share
of points; its interval is that of the expected score of networks with other random seeds, from the same model of these
matches alone. (A bootstrap that draws three seeds again understates their spread, and games drawn again from a match
without a loss, with half a game added twice, are biased towards weaker players.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ludoport.arena.rating import LOGIT
from ludoport.arena.statistics import wilson
from ludoport.studies.engine.jobs import JobEntry
from ludoport.studies.evidence.mixed import MatchPoints, Mixed
from ludoport.studies.evidence.plan import Entrant

Player = Entrant | str
"""A network, or a fixed opponent by its text."""

Kind = tuple[str, int, str]
"""Networks that differ only in seeds: their kind, eighths of T and source; or the text of a fixed opponent."""


@dataclass(frozen=True)
class Played:
    """Games of a network against another or against a fixed opponent."""

    target: str
    one: Entrant
    two: Player
    wins: int
    draws: int
    losses: int
    job: str = ""

    @property
    def games(self) -> int:
        """Number of entries."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points of the first, as a share."""
        return (self.wins + self.draws / 2) / max(1, self.games)


def played_of(entries: Iterable[JobEntry]) -> list[Played]:
    """All finished matches of a store."""
    found = []
    for entry in entries:
        params, result = entry.job.params, entry.result
        if result is None:
            continue
        if "matches" in params:
            both = zip(params["matches"], result["matches"], strict=True)
            found += [
                _played(params["target"], facts["one"], Entrant(**facts["two"]), counts, entry.job.id)
                for facts, counts in both
            ]
        elif "anchored" in params:
            found.append(_played(params["target"], params["anchored"], params["against"], result, entry.job.id))
    return found


def _played(target: str, one: dict[str, Any], two: Player, counts: dict[str, Any], job: str) -> Played:
    wins, draws, losses = (int(counts[name]) for name in ("wins", "draws", "losses"))
    return Played(target, Entrant(**one), two, wins, draws, losses, job)


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval over seeds and games; ``nan`` where nothing was played."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        if np.isnan(self.value):
            return "-"
        return f"{self.value:.2f} ({self.low:.2f} to {self.high:.2f})"

    @staticmethod
    def of_json(value: Mapping[str, float | None]) -> Estimate:
        """Inverse of ``as_json``; there NaN is null."""
        numbers = (value[name] for name in ("value", "low", "high"))
        return Estimate(*(np.nan if number is None else number for number in numbers))

    def as_json(self) -> dict[str, float]:
        """Record for results.json."""
        return {"value": self.value, "low": self.low, "high": self.high}

    def percent(self) -> str:
        """A share as text."""
        if np.isnan(self.value):
            return "-"
        return f"{100 * self.value:.0f} % ({100 * self.low:.0f} to {100 * self.high:.0f})"

    def whole(self) -> str:
        """A strength as text."""
        return "-" if np.isnan(self.value) else f"{self.value:+.0f} ({self.low:+.0f} to {self.high:+.0f})"


@dataclass
class Scale:
    """All matches of one target game, and strengths drawn from them.

    Attributes:
        target: the game.
        played: its matches.
        seed: random seed of the draws.
    """

    target: str
    played: Sequence[Played]
    seed: int = 1

    @cached_property
    def _draws(self) -> dict[Kind, NDArray[np.float64]]:
        """Strengths of each kind in Elo, one number a draw."""
        model = _model(self.played, self.seed)
        means = LOGIT * model.draw().means
        return {kind: means[:, number] for number, kind in enumerate(cast("list[Kind]", model.names))}

    def strength(self, kind: str, eighths: int = 0, source: str = "") -> NDArray[np.float64]:
        """Draws of the mean strength of networks of a kind; ``nan`` if it never played."""
        return self._draws.get((kind, eighths, source), np.array([np.nan]))

    def elo(self, kind: str, eighths: int = 0, source: str = "") -> Estimate:
        """Strength above the untrained network."""
        return estimate(self.strength(kind, eighths, source) - self.strength("untrained"))

    def carried(self, kind: str, eighths: int = 0, source: str = "") -> Estimate:
        """Knowledge carried: 0 for a network with first weights, 1 for one that learned the target for T."""
        untrained, scratch = self.strength("untrained"), self.strength("scratch", 8)
        return estimate((self.strength(kind, eighths, source) - untrained) / (scratch - untrained))

    def gain(self, source: str) -> Estimate:
        """The mean over checkpoints of how far the tuned network is above the one that learned from nothing."""
        steps = (self.strength("tuned", e, source) - self.strength("scratch", e) for e in (1, 2, 4, 8))
        return estimate(np.asarray(sum(steps)) / 4)

    def share_needed(self, source: str) -> Estimate:
        """The share of T after which the tuned network is as strong as one from nothing after T; 1 if later."""
        goal, times = self.strength("scratch", 8), (0, 1, 2, 4, 8)
        tuned = [self.strength("tuned", eighths, source) for eighths in times[1:]]
        curve = np.array(np.broadcast_arrays(self.strength("zero-shot", 0, source), *tuned, goal)[:-1])
        return estimate(np.array([_reached(times, curve[:, k], goal[k]) / 8 for k in range(len(goal))]))

    def score(self, one: Callable[[Entrant], bool], two: Callable[[Player], bool]) -> Estimate:
        """The score of some networks against others, over all seeds: the paper's measure."""
        matches = [m for m in self.played if one(m.one) and two(m.two)]
        if not matches:
            return Estimate(np.nan, np.nan, np.nan)
        model = _model(matches, self.seed)
        draws = model.draw()
        kinds = {(kind_of(m.one), kind_of(m.two)) for m in matches}
        scores = [draws.score(*(model.names.index(kind) for kind in pair)) for pair in kinds]
        value = float(np.mean([m.score for m in matches]))
        low, high = np.percentile(np.mean(scores, axis=0), [2.5, 97.5])
        # No score excludes itself: nothing at all is a bound on one side only.
        return Estimate(value, min(value, float(low)), max(value, float(high)))

    def games_alone(self, one: Callable[[Entrant], bool], two: Callable[[Player], bool]) -> Estimate:
        """The same score with the interval that only counts games (Wilson's), as if seeds made no difference."""
        matches = [m for m in self.played if one(m.one) and two(m.two)]
        games = sum(m.games for m in matches)
        if not games:
            return Estimate(np.nan, np.nan, np.nan)
        points = sum(m.score * m.games for m in matches)
        return Estimate(points / games, *wilson(points, games))


def estimate(values: NDArray[Any]) -> Estimate:
    """The median of draws, with the interval that holds the middle 95 % of them."""
    if np.any(np.isnan(values)):
        return Estimate(np.nan, np.nan, np.nan)
    low, value, high = np.percentile(values, [2.5, 50.0, 97.5])
    return Estimate(float(value), float(low), float(high))


def kind_of(player: Player) -> Kind:
    """The kind of a player."""
    return (player, 0, "") if isinstance(player, str) else (player.kind, player.eighths, player.source)


def _model(played: Sequence[Played], seed: int) -> Mixed:
    """The mixed model of some matches."""
    players = list(dict.fromkeys(player for match in played for player in (match.one, match.two)))
    number = {player: k for k, player in enumerate(players)}
    results = [MatchPoints(number[m.one], number[m.two], m.score * m.games, m.games) for m in played if m.games]
    return Mixed([kind_of(p) for p in players], [isinstance(p, str) for p in players], results, seed)


def _reached(times: Sequence[int], curve: NDArray[Any], goal: float) -> float:
    """Time at which a curve first reaches a goal, linear between checkpoints; the last one if it never does."""
    if np.any(np.isnan(curve)):
        return float("nan")
    if curve[0] >= goal:
        return float(times[0])
    for before, after in pairwise(range(len(times))):
        if curve[after] >= goal:
            part = (goal - curve[before]) / max(1e-9, curve[after] - curve[before])
            return float(times[before] + part * (times[after] - times[before]))
    return float(times[-1])
