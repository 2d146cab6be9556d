"""Strengths of kinds of networks from matches of single networks: a mixed logistic model, drawn by Gibbs sampling.

The log-odds of a game are the difference of two strengths plus what is special about this pairing. The strength of a
network is that of its kind plus what its random seed made of it. Kinds differ in how much seeds matter; what the others
show is weighed in, because three seeds alone say little about a spread. Fixed opponents have no seeds.

Half a game won by either side is added to the matches of any two kinds together, so that a kind which lost no game has
a finite strength. Draws count as half a win. Counts are augmented by Polya-Gamma variables (Polson, Scott and
Windle, 2013), after which all strengths together are normal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

CHAINS, FIRST, KEPT = 64, 80, 32
"""Chains at once, rounds that are dropped, and rounds that are kept; all kept rounds of all chains are the draws."""

TERMS = 12
"""Gamma variables of a Polya-Gamma variable; the others enter by their mean."""

FAR = 10.0
"""Prior standard deviation of the strength of a kind, in log-odds (1,737 Elo)."""

SPREAD, SHARED = 0.25, 4.0
"""Prior mean of the variance between seeds, in squared log-odds; prior weight of what kinds share, as a number of
seeds."""

PAIRING, PAIRED = 0.04, 4.0
"""Likewise for the variance between pairings."""

NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(15)


@dataclass(frozen=True)
class MatchPoints:
    """A match: two players, the points of the first, and the number of games."""

    one: int
    two: int
    points: float
    games: int


@dataclass(frozen=True)
class Draws:
    """Draws from the posterior; one row a draw.

    Attributes:
        means: strengths of kinds in log-odds; shape (draws, kinds).
        variances: between seeds of a kind; the same shape, 0 for fixed opponents.
        pairing: variance between pairings; shape (draws,).
    """

    means: NDArray[np.float64]
    variances: NDArray[np.float64]
    pairing: NDArray[np.float64]

    def score(self, one: int, two: int) -> NDArray[np.float64]:
        """Expected score of a new network of one kind against a new one of another; shape (draws,)."""
        gap = self.means[:, one] - self.means[:, two]
        spread = np.sqrt(self.variances[:, one] + self.variances[:, two] + self.pairing)
        chances = 1 / (1 + np.exp(-(gap[:, None] + spread[:, None] * NODES)))
        return np.asarray(chances @ WEIGHTS / WEIGHTS.sum())


@dataclass
class Mixed:
    """The model of some matches.

    Attributes:
        kinds: the kind of each player; equal values are one kind.
        fixed: whether a player has no random seed.
        results: their matches.
        seed: random seed.
    """

    kinds: Sequence[Hashable]
    fixed: Sequence[bool]
    results: Sequence[MatchPoints]
    seed: int = 1
    names: list[Hashable] = field(init=False)

    def __post_init__(self) -> None:
        self.names = list(dict.fromkeys(self.kinds))
        number = {name: k for k, name in enumerate(self.names)}
        self._kind = np.array([number[kind] for kind in self.kinds])
        self._seeded = ~np.array(self.fixed, dtype=bool)
        pairs = [tuple(sorted((int(self._kind[r.one]), int(self._kind[r.two])))) for r in self.results]
        alike = Counter(pairs)
        more = np.array([1 / alike[pair] for pair in pairs])
        self._one = np.array([r.one for r in self.results])
        self._two = np.array([r.two for r in self.results])
        self._games = np.array([r.games for r in self.results]) + more
        self._points = np.array([r.points for r in self.results]) + more / 2

    def draw(self, chains: int = CHAINS, first: int = FIRST, kept: int = KEPT) -> Draws:
        """Draws from the posterior."""
        rng = np.random.default_rng(self.seed)
        kinds = len(self.names)
        counts = np.bincount(self._kind[self._seeded], minlength=kinds)
        shape = (chains, kinds)
        spread, level, pairing = np.full(shape, SPREAD), np.full(chains, SPREAD), np.full(chains, PAIRING)
        logits = np.log(self._points / (self._games - self._points)) * np.ones((chains, 1))
        rounds: list[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]] = []
        for step in range(first + kept):
            omega = _polya_gamma(rng, self._games, logits)
            strengths, means = self._strengths(rng, omega, spread, pairing)
            gaps = strengths[:, self._one] - strengths[:, self._two]
            left = (self._points - self._games / 2) / omega - gaps
            known = 1 / (omega + 1 / pairing[:, None])
            special = known * omega * left + np.sqrt(known) * rng.standard_normal(left.shape)
            logits = gaps + special
            pairing = _variance(rng, PAIRED, PAIRING, len(self._games), np.sum(special**2, axis=1))
            apart = np.where(self._seeded, (strengths - means[:, self._kind]) ** 2, 0.0)
            sums = np.stack([apart[:, self._kind == k].sum(axis=1) for k in range(kinds)], axis=1)
            spread = _variance(rng, SHARED, level[:, None], counts, sums)
            seeded = counts > 0
            rate = 1 / SPREAD + SHARED / 2 * np.sum(1 / spread[:, seeded], axis=1)
            level = rng.gamma(1 + SHARED / 2 * seeded.sum(), 1 / rate)
            if step >= first:
                rounds.append((means, np.where(seeded, spread, 0.0), pairing))
        means, variances, pairings = (np.concatenate(list(parts)) for parts in zip(*rounds, strict=True))
        return Draws(means, variances, pairings)

    def _strengths(
        self, rng: np.random.Generator, omega: NDArray[Any], spread: NDArray[Any], pairing: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Strengths of players and of kinds, all at once; those of fixed opponents are both."""
        chains, players, kinds = len(omega), len(self._kind), len(self.names)
        weight = 1 / (1 / omega + pairing[:, None])
        pull = weight * (self._points - self._games / 2) / omega
        own = np.where(self._seeded, np.arange(players), players + self._kind)
        one, two = own[self._one], own[self._two]
        bend = np.zeros((chains, players + kinds, players + kinds))
        slope = np.zeros((chains, players + kinds))
        row = np.arange(chains)[:, None]
        for a, b, sign in ((one, one, 1), (two, two, 1), (one, two, -1), (two, one, -1)):
            np.add.at(bend, (row, a, b), sign * weight)
        np.add.at(slope, (row, one), pull)
        np.add.at(slope, (row, two), -pull)
        every = np.arange(players + kinds)
        bend[:, every[players:], every[players:]] += 1 / FAR**2
        mine, kind = np.flatnonzero(self._seeded), players + self._kind[self._seeded]
        hold = 1 / spread[:, self._kind[self._seeded]]
        for a, b, sign in ((mine, mine, 1), (kind, kind, 1), (mine, kind, -1), (kind, mine, -1)):
            np.add.at(bend, (row, a, b), sign * hold)
        fixed = np.flatnonzero(~self._seeded)
        bend[:, fixed, fixed] += 1.0  # stands for nothing
        root = np.linalg.cholesky(bend)
        centre = np.linalg.solve(bend, slope[:, :, None])
        noise = np.linalg.solve(root.transpose(0, 2, 1), rng.standard_normal((chains, players + kinds, 1)))
        found = (centre + noise)[:, :, 0]
        return found[:, own], found[:, players:]


def _variance(rng: np.random.Generator, weight: float, prior: Any, count: Any, squares: NDArray[Any]) -> NDArray[Any]:
    """A variance from its conditional distribution, scaled inverse chi-squared."""
    return np.asarray((weight * prior + squares) / rng.chisquare(weight + count, squares.shape))


def _polya_gamma(rng: np.random.Generator, count: NDArray[Any], tilt: NDArray[Any]) -> NDArray[Any]:
    """Polya-Gamma variables; shape of ``tilt``."""
    size = np.maximum(np.abs(tilt), 1e-6)
    places = 2 * np.pi**2 * (np.arange(1, TERMS + 1) - 0.5) ** 2 + size[..., None] ** 2 / 2
    drawn = rng.standard_gamma(np.broadcast_to(count, tilt.shape)[..., None], places.shape)
    rest = count * (np.tanh(size / 2) / (2 * size) - np.sum(1 / places, axis=-1))
    return np.asarray(np.sum(drawn / places, axis=-1) + rest)
