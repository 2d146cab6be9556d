"""Overhead of the study scheduler, measured with jobs that only wait."""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.studies.engine.cells import SETTINGS
from ludoport.studies.engine.crew import run_crew
from ludoport.studies.engine.plan import GameVariant, StudyPlan
from ludoport.studies.engine.run import prepare
from ludoport.studies.engine.store import Store
from ludoport.studies.engine.store_file import FILE
from ludoport.studies.engine.task import Task
from ludoport.studies.engine.work import Place
from ludoport.studies.soemers.grid import TransferGrid, plan_jobs
from ludoport.studies.soemers.presets import StudyPreset

NAP = "ludoport.bench.study:nap"
"""Function that does the jobs here."""

OVERHEAD = 0.02
"""The share of a study's time that its machinery may take."""

RESUME = 5.0
"""Seconds that a study of 1,000 pairs may take to resume."""


def nap(task: Task) -> dict[str, Any]:
    """A job that waits for a given time; its result depends only on its seed, except for times."""
    begin = time.perf_counter()
    time.sleep(float(task.job.params["seconds"]))
    wins = task.job.seed % 61
    games = {"wins": wins, "draws": 0, "losses": 60 - wins, "source_epochs": 10, "target_epochs": 12}
    return {**games, "clock": [os.getpid(), begin, time.perf_counter()]}


def fake_plan(side: int, seconds: float, seed: int = 1) -> StudyPlan:
    """A study of transfer between a number of variants in two settings, in which every job only waits."""
    variants = tuple(GameVariant(f"board {n}", "Hex", (f"{n}",)) for n in range(side))
    jobs = plan_jobs(TransferGrid("waiting", variants, variants, SETTINGS[:2]), StudyPreset("tiny", 1.0, 60, 1), seed)
    return StudyPlan("waiting", "tiny", seed, tuple(replace(j, params={**j.params, "seconds": seconds}) for j in jobs))


@dataclass(frozen=True)
class StudyFigure:
    """One measurement.

    Attributes:
        what: the quantity that was measured.
        value: the number.
        unit: of the value.
        goal: the most that it may be.
        detail: more about it.
    """

    what: str
    value: float
    unit: str
    goal: float
    detail: str

    @property
    def reached(self) -> bool:
        """Whether it is no more than it may be."""
        return self.value <= self.goal

    def record(self) -> dict[str, Any]:
        """The measurement for programs."""
        return {**asdict(self), "reached": self.reached}


def measure(seconds: float, workers: int) -> Iterator[StudyFigure]:
    """Overhead of a study with jobs of known length, and the time that a study of 1,000 pairs takes to resume.

    Args:
        seconds: that each job waits.
        workers: number of processes.
    """
    if workers < 1 or not seconds > 0:
        raise LudoportError("bench study needs at least one worker, and jobs that take some time")
    with tempfile.TemporaryDirectory(prefix="ludoport-bench-") as folder:
        yield overhead(Path(folder) / "overhead", 5, seconds, workers)
        yield resuming(Path(folder) / "resuming", 33)


def overhead(folder: Path, side: int, seconds: float, workers: int) -> StudyFigure:
    """The time between jobs as a share of the time in jobs, from each worker's first job to its last.

    The start of processes is left out: a study does it once, however long it lasts.
    """
    prepare(fake_plan(side, seconds), folder)
    run_crew(Place(folder, runner=NAP), workers=workers)
    with Store(folder, create=False) as store:
        clocks = [entry.result["clock"] for entry in store.entries("WHERE state = 'done'") if entry.result]
    spans: dict[int, list[tuple[float, float]]] = {}
    for process, begin, end in clocks:
        spans.setdefault(process, []).append((begin, end))
    busy = sum(end - begin for _, begin, end in clocks)
    present = sum(max(end for _, end in worked) - min(begin for begin, _ in worked) for worked in spans.values())
    each = 1000 * (present - busy) / len(clocks)
    detail = f"{len(clocks)} jobs of {seconds:g} s, {workers} workers, {each:.1f} ms a job"
    return StudyFigure("overhead of the scheduler", (present - busy) / busy, "of the time", OVERHEAD, detail)


def resuming(folder: Path, side: int) -> StudyFigure:
    """Time to plan a large study again, to find that nothing is missing, and to read its tables."""
    prepare(fake_plan(side, 0.0), folder)
    _pretend(folder)
    begin = time.perf_counter()
    plan = fake_plan(side, 0.0)
    prepare(plan, folder)
    run_crew(Place(folder, runner=NAP))
    with Store(folder, create=False) as store:
        cells = store.cells()
    seconds = time.perf_counter() - begin
    detail = f"{side * (side - 1):,} pairs, {len(plan.jobs):,} jobs, {len(cells):,} cells"
    return StudyFigure("resuming a finished study", seconds, "s", RESUME, detail)


def _pretend(folder: Path) -> None:
    """Mark all jobs as done, because doing them is not what is measured."""
    games = {"wins": 30, "draws": 0, "losses": 30, "source_epochs": 10, "target_epochs": 12}
    with closing(sqlite3.connect(folder / FILE)) as base, base:
        base.execute("UPDATE jobs SET state = 'done', missing = 0, result = ?, seconds = 0", (json.dumps(games),))
