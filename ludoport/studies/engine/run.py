"""Runs a planned study: the same call resumes, and does only what is missing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager as Context
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from ludoport.errors import LudoportError
from ludoport.studies.engine.calls import Call, keep_call, machine
from ludoport.studies.engine.cells import SETTINGS, Cell, TableOrder
from ludoport.studies.engine.commit import commit
from ludoport.studies.engine.crew import run_crew
from ludoport.studies.engine.jobs import slug
from ludoport.studies.engine.plan import StudyPlan, check_plan
from ludoport.studies.engine.store import Store
from ludoport.studies.engine.store_file import FILE
from ludoport.studies.engine.work import Place
from ludoport.studies.engine.workers import worker_name

SAME = ("name", "preset", "seed", "config")
"""Fields that must be equal if two runs of a study share a folder."""


@dataclass(frozen=True)
class Outcome:
    """Outcome of a run of a study.

    Attributes:
        complete: whether it was not stopped.
        done: jobs with a result.
        total: all jobs that were asked for.
        failed: why jobs failed, by their names.
    """

    complete: bool
    done: int
    total: int
    failed: dict[str, str]


def default_folder(plan: StudyPlan) -> Path:
    """The folder of a study where none is named."""
    return Path("runs") / slug(plan.name, plan.preset, *([] if plan.seed == 1 else [f"seed{plan.seed}"]))


def prepare(plan: StudyPlan, folder: Path, command: str = "") -> None:
    """Make the folder of a study and put its jobs into the store; errors in it are raised here.

    Args:
        plan: the study.
        folder: its path.
        command: see ``Store.enter``.

    Raises:
        LudoportError: the folder cannot be used or holds something else, or games of a pair do not fit each other.
    """
    if folder.exists() and not folder.is_dir():
        raise LudoportError(f"{folder} is not a folder; choose another one with --out")
    if not (folder / FILE).is_file():
        check_plan(plan)
    with Store(folder) as store:
        tables = [asdict(_with_room(order, store.cells())) for order in plan.tables]
        facts = {**plan.facts(), "tables": tables, "commit": commit(), "machine": machine()}
        store.compare_study(facts, SAME)
        known = store.compare(plan.jobs)
        if known and any(job.id not in known for job in plan.jobs):
            check_plan(plan)
        store.claim_study(facts, SAME, latest=("tables",))
        store.enter(plan.jobs, command)


def _with_room(order: TableOrder, cells: Sequence[Cell]) -> TableOrder:
    """A table that also has a place for what was played before games were taken out of the study."""
    played = [cell for cell in cells if cell.table == order.table]
    rows = tuple(dict.fromkeys((*order.rows, *(cell.source for cell in played))))
    columns = tuple(dict.fromkeys((*order.columns, *(cell.target for cell in played))))
    settings = {*order.settings, *(cell.setting for cell in played)}
    return replace(order, rows=rows, columns=columns, settings=tuple(s for s in SETTINGS if s in settings))


@contextmanager
def at_work(plan: StudyPlan, folder: Path) -> Iterator[None]:
    """Prepare a study, and let others know that this command is at work on it."""
    command = worker_name()
    prepare(plan, folder, command)
    try:
        yield
    finally:
        with Store(folder, create=False) as store:
            store.leave(command)


def run_study(
    plan: StudyPlan,
    folder: Path,
    *,
    workers: int = 1,
    helpers: int = 0,
    device: str = "cpu",
    ray_address: str | None = None,
    minutes: float | None = None,
    watching: Callable[[], Context[Callable[[], None]]] = lambda: nullcontext(lambda: None),
) -> Outcome:
    """Do what is missing of a study.

    Args:
        plan: the study.
        folder: its path.
        workers: see ``run_crew``.
        helpers: likewise.
        device: device of the networks.
        ray_address: see ``run_crew``.
        minutes: time limit; None for none.
        watching: gives, while the study runs, what looks at it now and then.
    """
    with at_work(plan, folder):
        with Store(folder, create=False) as store:
            keep_call(store, Call(machine(device), device, workers, minutes, ray_address or "", helpers))
        with watching() as look:
            complete = run_crew(
                Place(folder, device), workers=workers, helpers=helpers, ray_address=ray_address, minutes=minutes,
                look=look,
            )  # fmt: skip
    return outcome(folder, complete, {job.id for job in plan.jobs})


def outcome(folder: Path, complete: bool = True, jobs: Collection[str] | None = None) -> Outcome:
    """Outcome of a study so far, or only of some of its jobs, because others may want more of it at the same time."""
    with Store(folder, create=False) as store:
        mine = store.wanted() if jobs is None else jobs
        entries = [entry for entry in store.entries() if entry.job.id in mine]
        store.settle()
    failed = {entry.job.id: entry.error or "" for entry in entries if entry.state == "failed"}
    return Outcome(complete, sum(entry.state == "done" for entry in entries), len(entries), failed)
