"""Runs side by side: what they have learned, and how their curves went."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludoport.arena.statistics import Elo
from ludoport.errors import LudoportError
from ludoport.selfplay.rating import Rating, ratings, records
from ludoport.selfplay.run import Run, open_run

POINTS = 8
"""Rows of a printed curve."""

HEAD = ("run", "game", "epochs", "minutes", "games", "positions", "policy loss", "value loss", "Elo")


@dataclass(frozen=True)
class Compared:
    """One run of a comparison.

    Attributes:
        label: name in tables and figures.
        run: the run.
        metrics: one record an epoch.
        ratings: of its checkpoints.
    """

    label: str
    run: Run
    metrics: list[dict[str, Any]]
    ratings: list[Rating]

    @property
    def game(self) -> str:
        """The game with its options."""
        return self.run.config.title

    @property
    def opponent(self) -> str:
        """The opponent that has 0 Elo; empty for a run that is not rated."""
        return self.run.config.opponents[0] if self.run.config.opponents and self.ratings else ""

    def total(self, name: str) -> int:
        """The sum of a number over all epochs."""
        return sum(int(record.get(name) or 0) for record in self.metrics)

    def last(self, name: str) -> float | None:
        """The newest value of a number that not every epoch has."""
        return next((float(record[name]) for record in reversed(self.metrics) if record.get(name) is not None), None)

    def at(self, name: str, minutes: float) -> float | None:
        """The value of a number after some minutes; None before there was one, and after the run ended."""
        known = [r for r in self.metrics if r.get(name) is not None and r["seconds"] <= 60 * minutes + 1e-6]
        return float(known[-1][name]) if known and minutes <= self.minutes + 1e-6 else None

    def elo_at(self, minutes: float) -> Elo | None:
        """The rating of the newest checkpoint after some minutes; None as above."""
        known = [rating for rating in self.ratings if rating.seconds <= 60 * minutes + 1e-6]
        return known[-1].elo if known and minutes <= self.minutes + 1e-6 else None

    @property
    def minutes(self) -> float:
        """Duration of the run."""
        ends = [float(record["seconds"]) for record in self.metrics[-1:]]
        # The last checkpoint is rated after the last epoch.
        return max([*ends, *(rating.seconds for rating in self.ratings[-1:])], default=0.0) / 60

    def as_json(self) -> dict[str, Any]:
        """Record for programs."""
        return {
            "run": str(self.run.folder), "label": self.label, "game": self.run.config.game,
            "options": list(self.run.config.options), "seed": self.run.config.seed, "epochs": len(self.metrics),
            "minutes": round(self.minutes, 3), "games": self.total("games"), "positions": self.total("positions"),
            "policy_loss": self.last("policy_loss"), "value_loss": self.last("value_loss"),
            "opponent": self.opponent or None, "ratings": records(self.ratings), "metrics": self.metrics,
        }  # fmt: skip


def compare(folders: Sequence[Path | str]) -> list[Compared]:
    """Read runs to compare.

    Raises:
        LudoportError: a folder holds no run, or a run is given twice.
    """
    paths = [Path(folder) for folder in folders]
    for number, path in enumerate(paths):
        if path.resolve() in [other.resolve() for other in paths[:number]]:
            raise LudoportError(f"{path}: this run is given twice")
    names = [path.resolve().name for path in paths]
    labels = [str(path) if names.count(name) > 1 else name for path, name in zip(paths, names, strict=True)]
    runs = [open_run(path) for path in paths]
    return [Compared(label, run, run.metrics(), ratings(run)) for label, run in zip(labels, runs, strict=True)]


def summary(found: Sequence[Compared]) -> list[tuple[str, ...]]:
    """One row for each run, below a head."""
    opponents = {one.opponent for one in found if one.opponent}
    head = (*HEAD[:-1], f"Elo vs {next(iter(opponents))}" if len(opponents) == 1 else HEAD[-1])
    return [head, *(_row(one, len(opponents) > 1) for one in found)]


def _row(one: Compared, named: bool) -> tuple[str, ...]:
    elo = one.ratings[-1].elo.short if one.ratings else ""
    return (
        one.label, one.game, str(len(one.metrics)), f"{one.minutes:.1f}", f"{one.total('games'):,}",
        f"{one.total('positions'):,}", _loss(one.last("policy_loss")), _loss(one.last("value_loss")),
        f"{elo} vs {one.opponent}" if elo and named else elo,
    )  # fmt: skip


def curves(found: Sequence[Compared], points: int = POINTS) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    """The curves of all runs as tables: a title, and a row for each of some times, below a head."""
    longest = max((one.minutes for one in found), default=0.0)
    # Where a run ended is a row of its own, because its last numbers are the ones to compare.
    ends = {one.minutes for one in found if one.minutes > 0} - {longest}
    times = sorted([*ends, *(longest * number / points for number in range(1, points + 1))]) if longest > 0 else []
    head = ("minutes", *(one.label for one in found))
    digits = 1 if longest >= 2 else 3
    for title, name in (("policy loss", "policy_loss"), ("value loss", "value_loss")):
        rows = [(f"{time:.{digits}f}", *(_loss(one.at(name, time)) for one in found)) for time in times]
        if any(any(row[1:]) for row in rows):
            yield title, [head, *rows]
    rows = []
    for time in times:
        known = [one.elo_at(time) for one in found]
        rows.append((f"{time:.{digits}f}", *(elo.short if elo else "" for elo in known)))
    if any(any(row[1:]) for row in rows):
        yield "Elo (95 % interval)", [head, *rows]


def _loss(value: float | None) -> str:
    return "" if value is None or math.isnan(value) else f"{value:.3f}"
