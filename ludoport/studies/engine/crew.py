"""Workers of one study: in this process, in several on this machine, or on Ray.

All of them only share the folder of the study. So the same command on another machine that sees the folder helps with
the same study. On Ray (``crew_ray.py``) jobs are tasks.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Timer
from typing import IO

from ludoport.errors import LudoportError
from ludoport.studies.engine.store import Store
from ludoport.studies.engine.work import Place, Stopper, work

LOOK = 0.2
"""Seconds between two looks at the processes."""

PATIENCE = 30.0
"""Seconds that a worker has to save what it does before it is killed."""

QUICK_DEATHS = 3
"""Number of workers in a row that may die before they have done anything; then something is wrong with all of them."""


def run_crew(
    place: Place,
    *,
    workers: int = 1,
    helpers: int = 0,
    ray_address: str | None = None,
    minutes: float | None = None,
    look: Callable[[], None] = lambda: None,
) -> bool:
    """Work on a study until it is done; returns False if it was stopped before.

    Ctrl-C, or the end of the time, lets every worker save its work; the next call resumes there.

    Args:
        place: folder, device and job function of the workers.
        workers: one works in this process; more have processes of their own, with one core each. On Ray: most jobs at
            a time; 0 for as many as the cluster has processors or GPUs.
        helpers: further processes that play matches against fixed opponents on one core each; the workers then leave
            these matches to them.
        ray_address: instead do jobs on this cluster of Ray, whose machines must all see the folder; ``local`` starts a
            Ray on this machine.
        minutes: time limit; None for none.
        look: called again and again while processes work.
    """
    if workers < (0 if ray_address else 1):
        raise LudoportError(f"the number of workers must be at least 1, not {workers}")
    if helpers < 0:
        raise LudoportError(f"the number of helpers must be at least 0, not {helpers}")
    if ray_address is not None:
        if helpers:
            raise LudoportError("helpers are for workers of this machine; leave --helpers out on Ray")
        from ludoport.studies.engine.crew_ray import work_on_ray

        return work_on_ray(place, workers, None if ray_address == "local" else ray_address, minutes, look)
    if workers == 1 and not helpers:
        return _here(place, minutes)
    places = [replace(place, share="networks") if helpers else place] * workers
    places += [replace(place, device="cpu", share="fixed opponents")] * helpers
    return _apart(places, minutes, look)


def _here(place: Place, minutes: float | None) -> bool:
    stopper = Stopper()
    timer = None
    if minutes is not None:
        # A signal, because only those interrupt what the main thread does.
        timer = Timer(60 * minutes, lambda: os.kill(os.getpid(), 15))
        timer.daemon = True
        timer.start()
    try:
        work(place, stopper=stopper)
    finally:
        if timer is not None:
            timer.cancel()
    return not stopper.asked


def _apart(places: Sequence[Place], minutes: float | None, look: Callable[[], None]) -> bool:
    """Keep a process at work for each place; one that dies is replaced."""
    end = None if minutes is None else time.monotonic() + 60 * minutes
    crew: dict[int, _Process] = {}
    deaths, stopper = 0, Stopper()
    with stopper.listening(), _dismissing(crew, stopper):
        while not stopper.asked:
            for number, place in enumerate(places):
                process = crew.get(number)
                code = None if process is None else process.child.poll()
                if process is not None and code not in (None, 0):
                    deaths = deaths + 1 if process.quick() else 0
                    if deaths >= QUICK_DEATHS * len(places):
                        raise LudoportError(f"workers cannot start: {process.last_words()}")
                if process is None or code not in (None, 0):
                    if process is not None:
                        process.log.close()
                    crew[number] = _Process(place, number)
            if all(process.child.poll() == 0 for process in crew.values()):
                return not stopper.asked  # asked together with us, they end in peace
            if end is not None and time.monotonic() > end:
                return False
            look()
            time.sleep(LOOK)
        return False


@contextmanager
def _dismissing(crew: dict[int, _Process], stopper: Stopper) -> Iterator[None]:
    """Stops all workers in any case; all are asked first, so that they can save their work."""
    try:
        yield
    finally:
        stopper.asked = False  # who asks once more does not want to wait
        for process in crew.values():
            if process.child.poll() is None:
                process.child.terminate()
        end = time.monotonic() + PATIENCE
        while any(process.child.poll() is None for process in crew.values()):
            if stopper.asked or time.monotonic() > end:
                break
            time.sleep(LOOK / 10)
        for process in crew.values():
            if process.child.poll() is None:
                process.child.kill()
                process.child.wait()
            process.log.close()


class _Process:
    """A worker's process, and the file of its output."""

    def __init__(self, place: Place, number: int) -> None:
        self._folder = place.folder
        (place.folder / "workers").mkdir(exist_ok=True)
        self.path = place.folder / "workers" / f"{number}.log"
        self.log: IO[bytes] = self.path.open("ab")
        # One core each; and Ctrl-C in the terminal is for us, who tell the others.
        environment = {**os.environ, **dict.fromkeys(_THREADS, "1")}
        command = [
            sys.executable,
            "-m",
            "ludoport.studies.engine.worker",
            str(place.folder),
            place.device,
            place.runner,
            place.share,
        ]
        self._done, self._begun = _progress(place.folder)
        self.child = subprocess.Popen(
            [*command, str(os.getpid())], stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, env=environment,
            start_new_session=True,
        )  # fmt: skip

    def quick(self) -> bool:
        """Whether no job was finished while this process lived.

        One that was killed may have worked all the same; the store counts how many die over a job.
        """
        done, begun = _progress(self._folder)
        return done == self._done and ((self.child.returncode or 0) > 0 or begun == self._begun)

    def last_words(self) -> str:
        """The last line of its output."""
        lines = self.path.read_text(errors="replace").split("\n")
        return next((line for line in reversed(lines) if line.strip()), "no reason was given")


_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")


def _progress(folder: Path) -> tuple[int, int]:
    """Number of jobs done, and of starts."""
    with Store(folder, create=False) as store:
        entries = store.entries()
    return sum(entry.state == "done" for entry in entries), sum(entry.attempts for entry in entries)
