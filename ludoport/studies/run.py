"""From a plan to results: the same call goes on where the last one stopped, and does only what is missing."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from contextlib import AbstractContextManager as Context
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path

from ludoport.errors import LudoportError
from ludoport.studies.catalogue import Plan, check_plan
from ludoport.studies.commit import commit
from ludoport.studies.crew import run_crew
from ludoport.studies.jobs import slug
from ludoport.studies.store import Store
from ludoport.studies.store_file import FILE
from ludoport.studies.work import Place

SAME = ("name", "preset", "seed", "config")
"""What two runs of a study must have in common to share a folder."""


@dataclass(frozen=True)
class Outcome:
    """How a run of a study ended.

    Attributes:
        complete: whether nobody stopped it.
        done: jobs with a result.
        total: all jobs that were asked for.
        failed: why jobs failed, by their names.
    """

    complete: bool
    done: int
    total: int
    failed: dict[str, str]


def default_folder(plan: Plan) -> Path:
    """Where a study lies if nobody says where."""
    return Path("runs") / slug(plan.name, plan.preset, *([] if plan.seed == 1 else [f"seed{plan.seed}"]))


def prepare(plan: Plan, folder: Path) -> None:
    """Make the folder of a study and put its jobs into the store; whatever is wrong with it is said here.

    Raises:
        LudoportError: the folder cannot be used or holds something else, or games of a pair do not fit each other.
    """
    if folder.exists() and not folder.is_dir():
        raise LudoportError(f"{folder} is no folder; choose another one with --out")
    if not (folder / FILE).is_file():
        check_plan(plan)
    with Store(folder) as store:
        tables = [asdict(order) for order in plan.tables]
        facts = {**plan.facts(), "tables": tables, "commit": commit(), "machine": machine()}
        store.claim_study(facts, SAME)
        known = {entry.job.id for entry in store.entries()}
        if known and any(job.id not in known for job in plan.jobs):
            check_plan(plan)
        store.enter(plan.jobs)


def run_study(
    plan: Plan,
    folder: Path,
    *,
    workers: int = 1,
    device: str = "cpu",
    ray_address: str | None = None,
    minutes: float | None = None,
    watching: Callable[[], Context[Callable[[], None]]] = lambda: nullcontext(lambda: None),
) -> Outcome:
    """Do what is missing of a study.

    Args:
        plan: the study.
        folder: where it lies.
        workers: see ``run_crew``.
        device: where networks are.
        ray_address: see ``run_crew``.
        minutes: stop after so long.
        watching: gives, while the study runs, what looks at it now and then.
    """
    prepare(plan, folder)
    with watching() as look:
        complete = run_crew(Place(folder, device), workers=workers, ray_address=ray_address, minutes=minutes, look=look)
    return outcome(folder, complete)


def outcome(folder: Path, complete: bool = True) -> Outcome:
    """How far a study is."""
    with Store(folder, create=False) as store:
        counts = store.counts()
        failed = {entry.job.id: entry.error or "" for entry in store.entries("WHERE state = 'failed'")}
        store.settle()
    done = sum(states.get("done", 0) for states in counts.values())
    return Outcome(complete, done, sum(sum(states.values()) for states in counts.values()), failed)


def machine() -> str:
    """This machine in words."""
    return f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}"
