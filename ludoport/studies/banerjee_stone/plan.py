"""The study of Banerjee and Stone (2007): features learned in Tic-Tac-Toe, carried to three other games.

Everything that the paper plots or prints, its other combinations of games, opponents and learners, and some that it
does not have. What the paper leaves open is run in several readings.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from dataclasses import dataclass, replace
from pathlib import Path

from ludoport.errors import LudoportError
from ludoport.processes import pool
from ludoport.studies.banerjee_stone.jobs import (
    LEARNERS,
    OPPONENTS,
    SOURCE,
    TARGETS,
    CurveJob,
    FeatureJob,
    Job,
    PaperReading,
    done,
    run_job,
)
from ludoport.studies.engine.store_file import FILE

NAME = "banerjee-stone"
"""The study on the command line."""

IN_PAPER = ("baseline", "transfer", "minimax")
"""The learners of the paper."""

SHOWN = (*IN_PAPER, "random")
"""The learners of every reading, which the figures show."""

READINGS = {
    reading.name: reading
    for reading in (
        PaperReading("text", "fresh", 2, considered=False),
        PaperReading("text, at sight", "fresh", 2, considered=True),
        PaperReading("short sight", "fresh", 1, considered=False),
        PaperReading("short sight, at sight", "fresh", 1, considered=True),
        PaperReading("habits", "fixed", 2, considered=False),
        PaperReading("habits, at sight", "fixed", 2, considered=True),
        PaperReading("habits, short sight", "fixed", 1, considered=False),
        PaperReading("habits, short sight, at sight", "fixed", 1, considered=True),
    )
}
"""``text`` is what the paper says. ``habits``: opponents choose among equal moves always alike in the same position.
``short sight``: opponents see only the ends that they make themselves. ``at sight``: new afterstates begin with their
value when they are first looked at, not after the match that visited them."""


def reading_for(name: str, opponent: str, learner: str = "baseline") -> PaperReading:
    """The first of the readings that are the same here.

    The random opponent has neither habits nor sight. When values begin does not matter to a learner whose values begin
    with the default, nor to one that plays at random.
    """
    wanted = READINGS[name]
    if opponent == "random":
        wanted = replace(wanted, habit="fresh", sight=2)
    if learner in ("baseline", "random"):
        wanted = replace(wanted, considered=False)
    same = (wanted.habit, wanted.sight, wanted.considered)
    return next(x for x in READINGS.values() if (x.habit, x.sight, x.considered) == same)


@dataclass(frozen=True)
class Preset:
    """Size of the study.

    Attributes:
        matches: matches of a learning curve.
        runs: runs of a learning curve.
        source_matches: matches of a run in the source game; the paper does not say how many.
        source_runs: runs in the source game.
        long_matches: matches of a run in the source game for the learners with long training.
        lengths: other lengths of training whose values are compared with Table 1.
        readings: names of the readings.
        learners: names of the learners.
        wide: the readings that have all learners; others have only those that the figures show.
    """

    matches: int
    runs: int
    source_matches: int
    source_runs: int
    long_matches: int
    lengths: tuple[int, ...]
    readings: tuple[str, ...] = tuple(READINGS)
    learners: tuple[str, ...] = tuple(LEARNERS)
    wide: tuple[str, ...] = ("text", "text, at sight", "habits, at sight")

    def learners_in(self, reading: str) -> tuple[str, ...]:
        """The learners of a reading."""
        return tuple(name for name in self.learners if reading in self.wide or name in SHOWN)

    def source_runs_for(self, matches: int) -> int:
        """Number of runs in the source game with this many matches: fewer where they are long, as those differ less."""
        return self.source_runs if matches <= 100 else min(self.runs, self.source_runs)


PRESETS = {
    "tiny": Preset(200, 3, 30, 5, 200, (10, 30), ("text", "habits, at sight"), SHOWN),
    "small": Preset(1000, 5, 30, 30, 1000, (10, 30, 100, 1000)),
    "paper": Preset(3000, 10, 30, 100, 3000, (10, 20, 30, 40, 60, 100, 300, 1000, 3000)),
}


@dataclass(frozen=True)
class FeaturePlan:
    """Everything that is to be computed."""

    preset: Preset
    features: tuple[FeatureJob, ...]
    curves: tuple[CurveJob, ...]

    @property
    def jobs(self) -> list[Job]:
        """All jobs, in an order in which they can be done."""
        return [*self.features, *self.curves]

    def table(self, reading: str, opponent: str, matches: int) -> FeatureJob:
        """The job of the source game's features."""
        wanted = (reading_for(reading, opponent), opponent, matches, SOURCE, False)
        for job in self.features:
            if (job.reading, job.opponent, job.matches, job.game, job.nested) == wanted:
                return job
        raise LudoportError(f"the study has no features of {matches} matches against {opponent} in reading {reading}")

    def curve(self, reading: str, target: str, opponent: str, learner: str) -> CurveJob | None:
        """The job of a learning curve, if it is part of the study."""
        wanted = (reading_for(reading, opponent, learner), target, opponent, learner)
        for job in self.curves:
            if (job.reading, job.game, job.opponent, job.learner) == wanted:
                return job
        return None


def make_plan(preset: Preset) -> FeaturePlan:
    """Decide on everything that is to be computed."""
    features: dict[FeatureJob, None] = {}
    curves: dict[CurveJob, None] = {}
    for name in preset.readings:
        for opponent in OPPONENTS:
            source = reading_for(name, opponent)
            for length in sorted({*preset.lengths, preset.source_matches}):
                features[FeatureJob(SOURCE, opponent, source, length, preset.source_runs_for(length))] = None
            for target in TARGETS:
                for learner in preset.learners_in(name):
                    reading = reading_for(name, opponent, learner)
                    used = _features_of(preset, source, target, opponent, learner)
                    features.update(dict.fromkeys(used))
                    curves[CurveJob(target, opponent, reading, learner, preset.matches, preset.runs, used)] = None
    return FeaturePlan(preset, tuple(features), tuple(curves))


def _features_of(
    preset: Preset, reading: PaperReading, target: str, opponent: str, learner: str
) -> tuple[FeatureJob, ...]:
    variant = LEARNERS[learner][1]
    if variant == "short":
        runs = preset.source_runs_for(preset.source_matches)
        return (FeatureJob(SOURCE, opponent, reading, preset.source_matches, runs),)
    if variant in ("long", "nested"):
        return (FeatureJob(SOURCE, opponent, reading, preset.long_matches, preset.runs, variant == "nested"),)
    if variant == "many":
        sources = [SOURCE, *(game for game in TARGETS if game != target)]
        return tuple(FeatureJob(game, opponent, reading, preset.long_matches, preset.runs) for game in sources)
    return ()


def run_plan(
    plan: FeaturePlan, out: Path, *, workers: int = 2, report: Callable[[int, int], None] = lambda finished, total: None
) -> int:
    """Compute what is missing; returns the number of jobs done now.

    Args:
        plan: everything that is to be computed.
        out: the folder of results.
        workers: number of processes.
        report: is told how many jobs of how many are finished, at least once a second where processes work.

    Raises:
        LudoportError: the folder holds something else.
    """
    if workers < 1:
        raise LudoportError(f"the number of workers must be at least 1, not {workers}")
    _check_folder(out)
    total = len(plan.jobs)
    stages = [[job for job in stage if not done(out, job)] for stage in (plan.features, plan.curves)]
    missing = sum(map(len, stages))
    finished = total - missing
    report(finished, total)
    for stage in stages:
        for ended in _work(out, _mixed(stage), workers):
            finished += ended
            report(finished, total)
    return missing


def _check_folder(out: Path) -> None:
    """Refuse a folder that holds something else; what this study leaves first is its folder of features."""
    if out.exists() and not out.is_dir():
        raise LudoportError(f"{out} is not a folder; choose another one with --out")
    held = {path.name for path in out.iterdir() if not path.name.startswith(".")} if out.exists() else set()
    if held and not is_study(out):
        raise LudoportError(f"{out} holds something other than this study; choose another folder with --out")


def is_study(folder: Path) -> bool:
    """Whether a folder holds this study: it begins with a folder of features, and has no store."""
    return (folder / "features").is_dir() and not (folder / FILE).exists()


def default_folder(preset: str) -> Path:
    """The folder of the study where none is named."""
    return Path("runs") / f"{NAME}-{preset}"


def _mixed(jobs: Sequence[Job]) -> list[Job]:
    """One job of every game in turn, so that processes that start together compile different games."""
    games = {job.game: [other for other in jobs if other.game == job.game] for job in jobs}
    longest = max(map(len, games.values()), default=0)
    return [listed[k] for k in range(longest) for listed in games.values() if k < len(listed)]


def _work(out: Path, jobs: Sequence[Job], workers: int) -> Iterator[int]:
    """Do jobs; yields how many have just ended, and 0 after a second in which none did."""
    if workers == 1 or len(jobs) < 2:
        for job in jobs:
            run_job(out, job)
            yield 1
        return
    with pool(min(workers, len(jobs)), pickle.dumps(jobs), _alone) as submit:
        left = {submit(run_job, out, job) for job in jobs}
        while left:
            ended, left = wait(left, timeout=1.0, return_when=FIRST_COMPLETED)
            for future in ended:
                future.result()
            yield len(ended)


def _alone() -> None:
    """Every worker has one core."""
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, "1")
