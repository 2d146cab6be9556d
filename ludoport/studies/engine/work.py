"""A worker: claims jobs of a study one after another and does them, until none is left or it is told to stop."""

from __future__ import annotations

import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.studies.engine.commit import commit
from ludoport.studies.engine.jobs import Job, JobEntry, digest_of
from ludoport.studies.engine.store import Share, Store
from ludoport.studies.engine.task import Stopped, Task
from ludoport.studies.engine.workers import worker_name

RUNNER = "ludoport.studies.engine.kinds:run_job"
"""Function that does a job, by module and name, so that processes elsewhere can find it."""

BEAT = 10.0
"""Seconds between two signs of life."""

NEWS = 1.0
"""Seconds between two notes about the work."""

WAIT = 0.05
"""Seconds before an idle worker looks again for a job that another worker makes ready."""


@dataclass(frozen=True)
class Place:
    """Folder, device and jobs of workers.

    Attributes:
        folder: the folder of the study.
        device: device of the networks.
        runner: the function that does a job, as ``module:function``.
        share: the jobs that they may have.
    """

    folder: Path
    device: str = "cpu"
    runner: str = RUNNER
    share: Share = "all"

    def function(self) -> Callable[[Task], dict[str, Any]]:
        """The function that does a job."""
        module, _, name = self.runner.partition(":")
        found: Callable[[Task], dict[str, Any]] = getattr(import_module(module), name)
        return found


class Stopper:
    """Knows whether the worker is to stop; interrupts a job at work, but nothing else."""

    def __init__(self) -> None:
        self.asked = False
        self._inside = False

    def ask(self, *_: object) -> None:
        """Stop as soon as that can be done; also a handler of signals."""
        self.asked = True
        if self._inside and threading.current_thread() is threading.main_thread():
            self._inside = False
            raise Stopped

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Context of a job, which signals interrupt."""
        self._inside = True
        try:
            if self.asked:
                raise Stopped
            yield
        finally:
            self._inside = False

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Context in which signals ask the worker to stop; only in the main thread."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.ask) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


class Heart(threading.Thread):
    """Writes signs of life and news of a worker into the store, from time to time.

    Args:
        folder: the folder of the study.
        worker: name of the worker.
        parent: the process without which the worker stops; 0 for none.
    """

    def __init__(self, folder: Path, worker: str, parent: int = 0) -> None:
        super().__init__(daemon=True, name=f"heart of {worker}")
        self._folder, self._worker, self._parent = folder, worker, parent
        self._end, self._news = threading.Event(), ""
        self._told, self._last = "", time.monotonic()

    def note(self, text: str) -> None:
        """Set the news of the job."""
        self._news = text

    def forget(self) -> None:
        """A new job begins."""
        self._news = self._told = ""

    def stop(self) -> None:
        """Be silent."""
        self._end.set()
        self.join()

    def run(self) -> None:
        """Beat until stopped."""
        with Store(self._folder, create=False) as store:
            while not self._end.wait(NEWS):
                if self._parent and os.getppid() != self._parent:
                    os.kill(os.getpid(), signal.SIGTERM)
                    self._parent = 0
                news, now = self._news, time.monotonic()
                if news != self._told or now - self._last > BEAT:
                    self._told, self._last = news, now
                    try:
                        store.beat(self._worker, news or None)
                    except LudoportError:  # a busy disk; there is another beat
                        continue


def work(place: Place, *, stopper: Stopper | None = None, parent: int = 0) -> int:
    """Do jobs until nothing is left that could be done; returns how many were done here.

    Args:
        place: folder, device and job function of the worker.
        stopper: asked after every job, and told by signals, whether to stop.
        parent: stop when this process is gone.
    """
    stopper, worker, done = stopper or Stopper(), worker_name(), 0
    before: Job | None = None
    function, version = place.function(), commit()
    heart = Heart(place.folder, worker, parent)
    with Store(place.folder, create=False) as store, stopper.listening():
        heart.start()
        try:
            while not stopper.asked:
                entry = store.claim(worker, version, place.share, before)
                if entry is not None:
                    before = entry.job
                    done += _do(store, place, function, entry, worker, stopper, heart)
                elif store.over():
                    break
                else:
                    time.sleep(WAIT)
        finally:
            heart.stop()
    return done


def _do(
    store: Store, place: Place, function: Callable[[Task], dict[str, Any]], entry: JobEntry, worker: str,
    stopper: Stopper, heart: Heart,
) -> bool:  # fmt: skip
    """Do one job and keep what came of it; a failure does not stop the others."""
    job = entry.job
    heart.forget()
    begin = time.perf_counter()
    try:
        same_text(job)
        task = Task(job, place.folder, store.results(job), place.device, heart.note)
        with stopper.inside():
            result = function(task)
    except (Stopped, KeyboardInterrupt):
        stopper.asked = True
        store.release(job.id, worker)
        return False
    except LudoportError as error:
        store.fail(job.id, worker, str(error))
        return False
    except Exception as error:
        _keep_trace(place.folder, job.id)
        store.fail(job.id, worker, f"{type(error).__name__}: {error} (see errors.txt)")
        return False
    return store.finish(job.id, worker, result, time.perf_counter() - begin)


def same_text(job: Job) -> None:
    """Refuse a job if its game file was edited since the study was planned."""
    path = Path(str(job.params.get("game", "")))
    if "text" in job.params and path.is_file() and digest_of(path) != job.params["text"]:
        raise LudoportError(f"{path} has changed since the study began; choose another folder with --out")


def _keep_trace(folder: Path, job: str) -> None:
    """An error of ours is more than a sentence; developers find it here."""
    with (folder / "errors.txt").open("a", encoding="utf-8") as file:
        file.write(f"{job}\n{traceback.format_exc()}\n")
