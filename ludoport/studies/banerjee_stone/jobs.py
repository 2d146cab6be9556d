"""The pieces of the study that are computed and stored one by one: tables of features, and learning curves."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ludoport.errors import LudoportError
from ludoport.files import NPZ_DAMAGE, damaged, read_json, replacing, write_atomically
from ludoport.game import Game
from ludoport.studies.banerjee_stone.published import published
from ludoport.td.curve import Curve, learning_curve
from ludoport.td.learner import NOTHING, KnownValues, Start, ValueLearner
from ludoport.td.opponents import Habit, Opponent
from ludoport.td.settings import TdSettings
from ludoport.transfer.features import FeatureTable, combined, learned_features
from ludoport.transfer.features_file import load_features, save_features

SOURCE = "Tic-Tac-Toe"
TARGETS = ("Connect-3", "CaptureGo", "Othello")
OPPONENTS = ("eps-greedy", "random", "weak")

ADVICE = "remove it and run the study again"

Variant = Literal["short", "long", "nested", "many", "published"]

LEARNERS: dict[str, tuple[Start, Variant | None]] = {
    "baseline": ("default", None),
    "transfer": ("features", "short"),
    "transfer, printed values": ("features", "published"),
    "transfer, long training": ("features", "long"),
    "transfer, nested": ("features", "nested"),
    "transfer, many sources": ("features", "many"),
    "minimax": ("minimax", None),
    "maxmax": ("maxmax", None),
    "avgmax": ("avgmax", None),
    "random": ("default", None),
}
"""Initial values of each learner, and the table of features it uses; ``random`` is the control that plays at random."""


@dataclass(frozen=True)
class PaperReading:
    """One way to read what the paper leaves open.

    Attributes:
        name: its name in reports.
        habit: whether opponents draw equal moves afresh or have habits.
        sight: number of moves that opponents look ahead.
        considered: whether new afterstates begin with their value when they are first looked at during play, or after
            the match that visited them.
    """

    name: str
    habit: Habit
    sight: int
    considered: bool

    def opponent(self, kind: str, seed: int) -> Opponent:
        """An opponent; other seed, other habits."""
        return Opponent(kind, habit=self.habit, sight=self.sight, salt=seed)

    @property
    def settings(self) -> TdSettings:
        """Settings of learning."""
        return TdSettings(at_sight=self.considered)


@dataclass(frozen=True)
class FeatureJob:
    """Learn features in one game against one opponent, in several runs."""

    game: str
    opponent: str
    reading: PaperReading
    matches: int
    runs: int
    nested: bool = False

    @property
    def stem(self) -> str:
        """The name of its file."""
        return _stem(self.reading.name, self.game, self.opponent, self.matches, "nested" if self.nested else "plain")


@dataclass(frozen=True)
class CurveJob:
    """Learn one game with one learner against one opponent, in several runs."""

    game: str
    opponent: str
    reading: PaperReading
    learner: str
    matches: int
    runs: int
    features: tuple[FeatureJob, ...] = ()

    @property
    def stem(self) -> str:
        """The name of its files."""
        return _stem(self.reading.name, self.game, self.opponent, self.learner)


Job = FeatureJob | CurveJob


def _stem(*parts: object) -> str:
    return "--".join("".join(c if c.isalnum() else "-" for c in str(part).lower()) for part in parts)


@cache
def study_game(name: str) -> Game:
    """One of the games of the paper."""
    from ludoport.studies.banerjee_stone.games import rules_of

    return Game(rules_of(name))


def features_path(out: Path, job: FeatureJob) -> Path:
    """File of a job's table of features."""
    return out / "features" / f"{job.stem}.json"


def curve_path(out: Path, job: CurveJob) -> Path:
    """File of a job's rewards; a JSON file beside it describes them."""
    return out / "curves" / f"{job.stem}.npz"


def done(out: Path, job: Job) -> bool:
    """Whether a job was finished before, with the same settings and rules."""
    path = _note_path(out, job)
    try:
        note = read_json(path)
    except LudoportError:
        return False
    data = features_path(out, job) if isinstance(job, FeatureJob) else curve_path(out, job)
    return isinstance(note, dict) and note.get("job") == described(job) and data.exists()


def described(job: Job) -> dict[str, Any]:
    """A job as it is written down beside its result."""
    from ludoport import __version__

    content = json.loads(json.dumps(asdict(job)))
    return {**content, "fingerprint": study_game(job.game).rules.fingerprint, "ludoport": __version__}


def _note_path(out: Path, job: Job) -> Path:
    if isinstance(job, FeatureJob):
        return out / "features" / f"{job.stem}.done"
    return curve_path(out, job).with_suffix(".json")


def run_job(out: Path, job: Job) -> float:
    """Do a job and store its result; returns the seconds that it took."""
    study_game(job.game).playouts(count=1)  # compiling the rules is not part of the job
    begin, busy = time.perf_counter(), time.process_time()
    if isinstance(job, FeatureJob):
        path = features_path(out, job)
        path.parent.mkdir(parents=True, exist_ok=True)
        save_features(_learn_features(job), path)
    else:
        path = curve_path(out, job)
        path.parent.mkdir(parents=True, exist_ok=True)
        curve = _learn_curve(out, job)
        with replacing(path) as file:
            np.savez_compressed(file, rewards=curve.rewards.astype(np.float32))
    seconds = time.perf_counter() - begin
    spent = {"seconds": round(seconds, 3), "cpu_seconds": round(time.process_time() - busy, 3)}
    write_atomically(_note_path(out, job), json.dumps({"job": described(job), **spent}, indent=1) + "\n")
    return seconds


def cpu_seconds(out: Path, job: Job) -> float:
    """CPU time of a finished job."""
    path = _note_path(out, job)
    found = read_json(path, ADVICE)
    spent = found.get("cpu_seconds") if isinstance(found, dict) else None
    if not isinstance(spent, (int, float)):
        raise damaged(path, "no time", ADVICE)
    return float(spent)


def load_curve(out: Path, job: CurveJob) -> Curve:
    """The curve that a job left."""
    path = curve_path(out, job)
    try:
        with np.load(path, allow_pickle=False) as content:
            return Curve(content["rewards"].astype(np.float64))
    except NPZ_DAMAGE as error:
        raise LudoportError(f"cannot read the curve in {path} ({error}); delete it and run the study again") from None


def _learn_features(job: FeatureJob) -> FeatureTable:
    tables = []
    for seed in range(1, job.runs + 1):
        learner = ValueLearner(study_game(job.game), seed=seed, settings=job.reading.settings, keep=True)
        learner.train(job.reading.opponent(job.opponent, seed), job.matches)
        tables.append(learned_features(learner, job.opponent, seed=seed, nested=job.nested))
    return combined(tables)


def _learn_curve(out: Path, job: CurveJob) -> Curve:
    start, variant = LEARNERS[job.learner]
    known: KnownValues = NOTHING
    if variant == "published":
        known = published().known(job.opponent)
    elif variant is not None:
        known = combined([load_features(features_path(out, source)) for source in job.features]).known(job.opponent)
    settings = replace(job.reading.settings, epsilon=1.0) if job.learner == "random" else job.reading.settings
    # Every learner of a pairing has its own seeds, so that their runs are independent.
    first = 1 + 1000 * (1 + list(LEARNERS).index(job.learner))
    return learning_curve(
        study_game(job.game),
        lambda seed: job.reading.opponent(job.opponent, seed % 1000),
        start=start,
        features=known,
        matches=job.matches,
        runs=range(first, first + job.runs),
        settings=settings,
    )
