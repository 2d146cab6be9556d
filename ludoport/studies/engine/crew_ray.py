"""A study on Ray: every job is a task of the cluster, and only the command that was called writes to the store.

Machines of the cluster need the folder of the study for networks and other files of jobs, not for the store. A job
whose machine is lost is done again elsewhere, with the same seed.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.search.cluster import ATTEMPTS, connected, needs, reach
from ludoport.studies.engine.commit import commit
from ludoport.studies.engine.jobs import Job, JobEntry
from ludoport.studies.engine.store import Store
from ludoport.studies.engine.task import Task
from ludoport.studies.engine.work import Heart, Place, Stopper, same_text
from ludoport.studies.engine.workers import worker_name

LOOK = 0.5
"""Seconds between two looks at the cluster."""

PATIENCE = 30.0
"""Seconds that a job has to save what it does before it is killed."""

REFUSALS = 3
"""Looks in a row at which the head of the cluster does not answer; then it is gone."""


def work_on_ray(
    place: Place, workers: int, address: str | None, minutes: float | None, look: Callable[[], None]
) -> bool:
    """Work on a study until it is done; returns False if it was stopped before.

    Args:
        place: folder, device and job function of the workers.
        workers: most jobs at a time; 0 for as many as the cluster has processors or GPUs.
        address: of the cluster; None for a Ray on this machine.
        minutes: time limit; None for none.
        look: called again and again.
    """
    end = None if minutes is None else time.monotonic() + 60 * minutes
    stopper = Stopper()
    with connected(address, workers or 1_000_000) as ray, stopper.listening():
        crew = _Crew(ray, place, workers, address)
        try:
            while not stopper.asked and (end is None or time.monotonic() < end):
                if crew.step():
                    return True
                look()
        finally:
            crew.dismiss(stopper)
    return False


class _Crew:
    """Jobs of a study that run on a cluster."""

    def __init__(self, ray: Any, place: Place, workers: int, address: str | None) -> None:
        self.ray, self.place, self.workers, self.address = ray, place, workers, address
        self.name, self.version = worker_name(), commit()
        self.store = Store(place.folder, create=False)
        self.heart = Heart(place.folder, self.name)
        self.heart.start()
        self.running: dict[Any, JobEntry] = {}
        self.deaths: Counter[str] = Counter()
        self.refusals = 0
        self._slots()  # a cluster that has no such device is refused before a job is taken

    def step(self) -> bool:
        """Begin what can be begun and keep what has ended; whether the study is over."""
        slots = self._slots() if self._answers() else 0
        while len(self.running) < slots:
            entry = self.store.claim(self.name, self.version, self.place.share)
            if entry is None:
                break
            self._begin(entry)
        if not self.running:
            if slots and self.store.over():
                return True
            time.sleep(LOOK)
            return False
        ready, _ = self.ray.wait(list(self.running), num_returns=1, timeout=LOOK)
        for task in ready:
            self._keep(task)
        return False

    def dismiss(self, stopper: Stopper) -> None:
        """Let jobs save what they do, then give back those that are not done."""
        try:
            for task in self.running:
                with suppress(Exception):
                    self.ray.cancel(task)
            end = time.monotonic() + PATIENCE
            asked, stopper.asked = stopper.asked, False  # who asks once more does not want to wait
            while self.running and not stopper.asked and time.monotonic() < end and self.refusals < REFUSALS:
                ready, _ = self.ray.wait(list(self.running), num_returns=1, timeout=LOOK)
                for task in ready:
                    self._keep(task, again=False)
            stopper.asked = asked or stopper.asked
        except self.ray.exceptions.RayError:
            pass
        finally:
            for task, entry in self.running.items():
                with suppress(Exception):
                    self.ray.cancel(task, force=True)
                self.store.release(entry.job.id, self.name)
            self.heart.stop()
            self.store.close()

    def _answers(self) -> bool:
        """Whether the head of the cluster answers.

        Raises:
            LudoportError: it has not for a while.
        """
        if self.address is None:
            return True
        try:
            reach(self.address)
        except LudoportError as error:
            self.refusals += 1
            if self.refusals >= REFUSALS:
                raise LudoportError(f"{error}; what is finished is kept, and the same command resumes") from None
            time.sleep(LOOK)
            return False
        self.refusals = 0
        return True

    def _slots(self) -> int:
        """Most jobs at a time; machines that join bring more."""
        kind = "GPU" if self.place.device == "cuda" else "CPU"
        there = int(self.ray.cluster_resources().get(kind, 0))
        self.needs = needs(self.ray, self.place.device, self.workers or max(there, 1))
        return self.workers or max(there, 1)

    def _begin(self, entry: JobEntry) -> None:
        remote = self.ray.remote(**self.needs, max_retries=0)(do_job)
        place = self.place
        given = (str(place.folder.resolve()), place.device, place.runner, entry.job, self.store.results(entry.job))
        self.running[remote.remote(*given)] = entry

    def _keep(self, task: Any, again: bool = True) -> None:
        """Keep what came of a job; a failure does not stop the others.

        Args:
            task: a task that has ended.
            again: whether it counts that its worker died.
        """
        errors, job = self.ray.exceptions, self.running[task].job.id
        try:
            result, seconds = self.ray.get(task)
        except errors.TaskCancelledError:
            self.store.release(job, self.name)
        except errors.RayTaskError as error:
            cause = error.as_instanceof_cause()
            if isinstance(cause, LudoportError):
                self.store.fail(job, self.name, str(error.cause))
            else:
                with (self.place.folder / "errors.txt").open("a", encoding="utf-8") as file:
                    file.write(f"{job}\n{error}\n")
                self.store.fail(job, self.name, f"{type(error.cause).__name__}: {error.cause} (see errors.txt)")
        except errors.RayError as error:  # the worker or its machine is gone
            self.deaths[job] += again
            if self.deaths[job] >= ATTEMPTS:
                why = f"given up: {ATTEMPTS} workers died over it ({type(error).__name__})"
                self.store.fail(job, self.name, why)
            else:
                self.store.release(job, self.name)
        else:
            self.store.finish(job, self.name, result, seconds)
        del self.running[task]


def do_job(folder: str, device: str, runner: str, job: Job, results: dict[str, Any]) -> tuple[dict[str, Any], float]:
    """Do a job on some machine of a cluster; returns its result and the seconds it took."""
    if not Path(folder).is_dir():
        raise LudoportError(
            f"{folder} does not exist on a machine of the cluster; studies need a folder that all share"
        )
    begin = time.perf_counter()
    place = Place(Path(folder), device, runner)
    same_text(job)
    result = place.function()(Task(job, place.folder, results, device))
    return result, time.perf_counter() - begin
