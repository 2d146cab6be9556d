"""From matches to measures: one scale for all networks of a target game, and what transfer is worth on it.

Strengths follow the Bradley-Terry model, with half a game won by either side added to every match, so that a match
without a loss gives a finite strength. Intervals come from a bootstrap over seeds and games together: seeds are drawn
with replacement, the games of every match are drawn again from its result, and all strengths are fitted again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport.arena.rating import LOGIT
from ludoport.studies.engine.jobs import Entry
from ludoport.studies.evidence.plan import Entrant

DRAWS = 300
"""Draws of the bootstrap."""

Player = Entrant | str
"""A network, or a fixed opponent by its text."""


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
        """How many."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points of the first, as a share."""
        return (self.wins + self.draws / 2) / max(1, self.games)


def played_of(entries: Iterable[Entry]) -> list[Played]:
    """All finished matches of a store."""
    found = []
    for entry in entries:
        facts = entry.job.params.get("evidence")
        if facts is None or entry.result is None:
            continue
        wins, draws, losses = (int(entry.result[name]) for name in ("wins", "draws", "losses"))
        two: Player = facts["anchor"] if "anchor" in facts else Entrant(**facts["two"])
        found.append(Played(facts["target"], Entrant(**facts["one"]), two, wins, draws, losses, entry.job.id))
    return found


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

    def as_json(self) -> dict[str, float]:
        """For results.json."""
        return {"value": self.value, "low": self.low, "high": self.high}

    def percent(self) -> str:
        """A share as text."""
        if np.isnan(self.value):
            return "-"
        return f"{100 * self.value:.0f} % ({100 * self.low:.0f} to {100 * self.high:.0f})"

    def whole(self) -> str:
        """A strength as text."""
        return "-" if np.isnan(self.value) else f"{self.value:+.0f} ({self.low:+.0f} to {self.high:+.0f})"


def fitted(count: int, pairs: NDArray[Any], points: NDArray[Any], games: NDArray[Any]) -> NDArray[Any]:
    """Strengths in log-odds, 0 on average, by Newton's method.

    Args:
        count: number of players.
        pairs: two players of each match.
        points: of the first, with half a game more for either side.
        games: likewise.
    """
    strengths = np.zeros(count)
    for _ in range(50):
        expected = games / (1 + np.exp(strengths[pairs[:, 1]] - strengths[pairs[:, 0]]))
        slope, bend = np.zeros(count), np.zeros((count, count))
        np.add.at(slope, pairs[:, 0], points - expected)
        np.add.at(slope, pairs[:, 1], expected - points)
        weight = expected * (1 - expected / games)
        one, two = pairs.T
        for row, column, sign in ((one, one, 1), (two, two, 1), (one, two, -1), (two, one, -1)):
            np.add.at(bend, (row, column), sign * weight)
        step = np.linalg.lstsq(bend, slope, rcond=None)[0]
        strengths += np.clip(step, -2.0, 2.0)
        if np.max(np.abs(step)) < 1e-6:
            break
    return np.asarray(strengths - strengths.mean())


@dataclass
class Scale:
    """All matches of one target game, and strengths drawn from them.

    Attributes:
        target: the game.
        played: its matches.
        seeds: networks of each kind.
        seed: of the bootstrap.
    """

    target: str
    played: Sequence[Played]
    seeds: int
    seed: int = 1
    _players: list[Player] = field(init=False)

    def __post_init__(self) -> None:
        self._players = list(dict.fromkeys(p for match in self.played for p in (match.one, match.two)))

    @cached_property
    def _numbers(self) -> dict[Player, int]:
        return {player: number for number, player in enumerate(self._players)}

    @cached_property
    def _draws(self) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """Strengths, the estimate first and one row a draw of the bootstrap after it; and the seeds of each row."""
        rng = np.random.default_rng(self.seed)
        pairs = np.array([[self._numbers[m.one], self._numbers[m.two]] for m in self.played], dtype=np.int64)
        games = np.array([m.games for m in self.played], dtype=np.float64)
        shares = np.array([[m.wins, m.draws, m.losses] for m in self.played], dtype=np.float64) + 0.5
        shares /= shares.sum(axis=1, keepdims=True)
        rows = [fitted(len(self._players), pairs, np.array([m.score * m.games for m in self.played]) + 0.5, games + 1)]
        for _ in range(DRAWS):
            counts = np.array([rng.multinomial(int(n), share) for n, share in zip(games, shares, strict=True)])
            rows.append(fitted(len(self._players), pairs, counts[:, 0] + counts[:, 1] / 2 + 0.5, games + 1))
        seeds = np.vstack([np.arange(1, self.seeds + 1), rng.integers(1, self.seeds + 1, (DRAWS, self.seeds))])
        return LOGIT * np.array(rows), seeds

    def strength(self, kind: str, eighths: int = 0, source: str = "") -> NDArray[Any]:
        """The mean strength of the networks of a kind, the estimate first and one number a draw after it."""
        strengths, seeds = self._draws
        numbers = [self._numbers.get(Entrant(kind, seed, eighths, source), -1) for seed in range(1, self.seeds + 1)]
        there = [number for number in numbers if number >= 0]
        if not there:
            return np.full(len(strengths), np.nan)
        chosen = np.array(numbers)[seeds - 1]
        held = np.where(chosen >= 0, np.take_along_axis(strengths, np.maximum(chosen, 0), axis=1), np.nan)
        missing = np.all(np.isnan(held), axis=1)
        held[missing] = strengths[missing][:, there].mean(axis=1, keepdims=True)
        return np.asarray(np.nanmean(held, axis=1))

    def elo(self, kind: str, eighths: int = 0, source: str = "") -> Estimate:
        """Strength above the untrained network."""
        return estimate(self.strength(kind, eighths, source) - self.strength("untrained"))

    def carried(self, kind: str, eighths: int = 0, source: str = "") -> Estimate:
        """Knowledge carried: 0 for a network with first weights, 1 for one that learned the target for T."""
        untrained, scratch = self.strength("untrained"), self.strength("scratch", 8)
        return estimate((self.strength(kind, eighths, source) - untrained) / (scratch - untrained))

    def gain(self, source: str) -> Estimate:
        """The mean over checkpoints of how far the tuned network is above the one that learned from nothing."""
        steps = [self.strength("tuned", e, source) - self.strength("scratch", e) for e in (1, 2, 4, 8)]
        return estimate(np.mean(steps, axis=0))

    def share_needed(self, source: str) -> Estimate:
        """The share of T after which the tuned network is as strong as one from nothing after T; 1 if later."""
        goal, times = self.strength("scratch", 8), (0, 1, 2, 4, 8)
        tuned = [self.strength("tuned", eighths, source) for eighths in times[1:]]
        curve = np.array([self.strength("zero-shot", 0, source), *tuned])
        return estimate(np.array([_reached(times, curve[:, k], goal[k]) / 8 for k in range(len(goal))]))

    def score(self, one: Callable[[Entrant], bool], two: Callable[[Player], bool]) -> Estimate:
        """The score of some networks against others, over all seeds: the paper's measure."""
        matches = [m for m in self.played if one(m.one) and two(m.two)]
        if not matches:
            return Estimate(np.nan, np.nan, np.nan)
        rng = np.random.default_rng(self.seed)
        values = [float(np.mean([m.score for m in matches]))]
        firsts = sorted({m.one.seed for m in matches})
        seconds = sorted({m.two.seed for m in matches if isinstance(m.two, Entrant)}) or [0]
        for _ in range(DRAWS):
            weight = {seed: np.sum(rng.choice(firsts, len(firsts)) == seed) for seed in firsts}
            others = {seed: np.sum(rng.choice(seconds, len(seconds)) == seed) for seed in seconds}
            total = points = 0.0
            for m in matches:
                w = weight[m.one.seed] * others[m.two.seed if isinstance(m.two, Entrant) else 0]
                if w:
                    shares = (np.array([m.wins, m.draws, m.losses]) + 0.5) / (m.games + 1.5)
                    won, drawn, _ = rng.multinomial(m.games, shares)
                    points, total = points + w * (won + drawn / 2) / m.games, total + w
            values.append(points / total if total else values[0])
        return estimate(np.array(values))


def estimate(values: NDArray[Any]) -> Estimate:
    """The first of these, with the interval of the others."""
    low, high = np.nanpercentile(values[1:], [2.5, 97.5]) if not np.all(np.isnan(values)) else (np.nan, np.nan)
    return Estimate(float(values[0]), float(low), float(high))


def _reached(times: Sequence[int], curve: NDArray[Any], goal: float) -> float:
    """When a curve first reaches a goal, by straight lines between checkpoints."""
    if np.any(np.isnan(curve)):
        return float("nan")
    if curve[0] >= goal:
        return float(times[0])
    for before, after in pairwise(range(len(times))):
        if curve[after] >= goal:
            part = (goal - curve[before]) / max(1e-9, curve[after] - curve[before])
            return float(times[before] + part * (times[after] - times[before]))
    return float(times[-1])
