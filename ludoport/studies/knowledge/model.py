"""Numbers from the jobs of the study: strengths on one scale, moves answered from trees, CPU time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport.arena.rating import LOGIT
from ludoport.studies.engine.jobs import JobEntry
from ludoport.studies.evidence.mixed import MatchPoints, Mixed
from ludoport.studies.evidence.model import Estimate, estimate
from ludoport.studies.knowledge.plan import CARRIED, DISTILLED, NETWORK, OWN, PLAIN, TREE, UNTRAINED, KnowledgeEntrant
from ludoport.studies.report.statistics import holm

KEPT = 128
"""Rounds of the model that are kept: many comparisons need small probabilities."""

Kind = tuple[str, float]
"""A kind of knowledge and its level."""

CONTROL = {TREE: PLAIN, NETWORK: UNTRAINED, DISTILLED: UNTRAINED}
"""The player without knowledge that a kind is compared with: the same player but for what it knows."""


@dataclass(frozen=True)
class KnowledgeScore:
    """Games of an entrant against a fixed opponent.

    Attributes:
        entrant: the player.
        against: the opponent.
        points: of the entrant.
        games: number of games.
        tree_moves: moves that its tree answered; None for players without a tree.
        own_moves: all its moves; None likewise.
        cpu_seconds: that made what it knows; None if they are not known.
    """

    entrant: KnowledgeEntrant
    against: str
    points: float
    games: int
    tree_moves: int | None = None
    own_moves: int | None = None
    cpu_seconds: float | None = None

    @property
    def kind(self) -> Kind:
        """Kind and level of compute; entrants with other seeds share them."""
        return self.entrant.kind, self.entrant.level


def played_of(entries: Sequence[JobEntry]) -> list[KnowledgeScore]:
    """All finished matches of a store."""
    known = {entry.job.id: entry for entry in entries}
    found = []
    for entry in entries:
        params, result = entry.job.params, entry.result
        if result is not None and "entrant" in params:
            points, games = result["wins"] + result["draws"] / 2, sum(result[n] for n in ("wins", "draws", "losses"))
            moves = result.get("tree_moves"), result.get("own_moves")
            entrant = KnowledgeEntrant(**params["entrant"])
            found.append(KnowledgeScore(entrant, params["against"], points, games, *moves, _spent(entry, known)))
    return found


def _spent(entry: JobEntry, known: dict[str, JobEntry]) -> float | None:
    """CPU seconds of all jobs that a job needs; of a run only the part before the checkpoint that is used."""
    total = 0.0
    for need in (known[name] for name in entry.job.needs):
        result = need.result or {}
        mine = result.get("cpu_seconds", 0.0)
        before = _spent(need, known)
        if mine is None or before is None:
            return None
        epochs = entry.job.params.get("at", [None])[0]
        total += before + (mine * epochs / need.job.params["epochs"] if epochs else mine)
    return total


@dataclass(frozen=True)
class StrengthGap:
    """One kind against another on the scale.

    Attributes:
        one: the first.
        two: the second.
        elo: Elo of the first above the second.
        p: two-sided probability of a difference at least as far from 0 if both were equal, from the draws.
    """

    one: Kind
    two: Kind
    elo: Estimate
    p: float


class Strengths:
    """All entrants on one scale.

    Args:
        played: their matches.
        seed: random seed of the draws.
    """

    def __init__(self, played: Sequence[KnowledgeScore], seed: int = 1) -> None:
        self.played, self.seed = played, seed

    @cached_property
    def _draws(self) -> dict[Any, NDArray[np.float64]]:
        players = list(dict.fromkeys(one for match in self.played for one in (match.entrant, match.against)))
        number = {player: k for k, player in enumerate(players)}
        kinds = [one if isinstance(one, str) else (one.kind, one.level) for one in players]
        fixed = [isinstance(one, str) or not one.seed for one in players]
        results = [MatchPoints(number[m.entrant], number[m.against], m.points, m.games) for m in self.played]
        model = Mixed(kinds, fixed, results, self.seed)
        means = LOGIT * model.draw(kept=KEPT).means
        return {name: means[:, k] for k, name in enumerate(model.names)}

    @property
    def kinds(self) -> list[Kind]:
        """Everything that played, in the order of the plan."""
        return list(dict.fromkeys(match.kind for match in self.played))

    def levels(self, kind: str) -> list[float]:
        """The levels at which a kind played."""
        return sorted({match.entrant.level for match in self.played if match.entrant.kind == kind})

    def elo(self, kind: Kind) -> Estimate:
        """Strength above plain UCT."""
        return self.between(kind, (PLAIN, 0.0)).elo

    def between(self, one: Kind, two: Kind) -> StrengthGap:
        """Elo difference of two kinds."""
        nothing = np.array([np.nan])
        gap = self._draws.get(one, nothing) - self._draws.get(two, nothing)
        above = float(np.mean(gap > 0))
        return StrengthGap(one, two, estimate(gap), min(1.0, 2 * max(1 / len(gap), min(above, 1 - above))))

    def score(self, kind: Kind, against: str) -> tuple[float, int]:
        """Points against a fixed opponent and the number of games."""
        mine = [match for match in self.played if match.kind == kind and match.against == against]
        return sum(match.points for match in mine), sum(match.games for match in mine)

    def from_tree(self, kind: Kind) -> tuple[float, float]:
        """Moves a game that a tree answered, and all moves a game of its player; ``nan`` without a tree."""
        mine = [m for m in self.played if m.kind == kind and m.tree_moves is not None and m.own_moves is not None]
        games = sum(match.games for match in mine)
        if not games:
            return float("nan"), float("nan")
        return sum(m.tree_moves or 0 for m in mine) / games, sum(m.own_moves or 0 for m in mine) / games

    def cpu_seconds(self, kind: Kind) -> float:
        """The median over seeds of the CPU time that made a kind; ``nan`` if it is not known."""
        known = {m.entrant.seed: m.cpu_seconds for m in self.played if m.kind == kind and m.cpu_seconds is not None}
        return median(known.values()) if known else float("nan")


def differences(strengths: Strengths) -> Iterator[tuple[StrengthGap, float]]:
    """The comparisons of the study, each with its probability after Holm's correction for all of them."""
    found = list(_compared(strengths))
    yield from zip(found, holm([one.p for one in found]), strict=True)


def _compared(strengths: Strengths) -> Iterator[StrengthGap]:
    """Each kind with its control, with the same made in the target, with each other, and with less compute."""
    there = set(strengths.kinds)
    for level in sorted({level for kind, level in there if level}):
        pairs: Iterable[tuple[Kind, Kind]] = [
            *(((kind, level), (CONTROL[kind], 0.0)) for kind in CARRIED),
            *(((kind, level), (own, level)) for kind, own in OWN.items()),
            ((DISTILLED, level), (TREE, level)),
            ((NETWORK, level), (TREE, level)),
            ((DISTILLED, level), (NETWORK, level)),
        ]
        yield from (strengths.between(one, two) for one, two in pairs if {one, two} <= there)
    for kind in (*CARRIED, *OWN.values()):
        levels = strengths.levels(kind)
        if len(levels) > 1:
            yield strengths.between((kind, levels[-1]), (kind, levels[0]))
