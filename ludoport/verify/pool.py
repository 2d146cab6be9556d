"""A few processes at a time, one for each task, so that a task may crash or hang without taking the others along."""

from __future__ import annotations

import multiprocessing
import pickle
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, TypeVar

from ludoport.processes import uninterrupted, without_script

T = TypeVar("T")
R = TypeVar("R")


@dataclass(slots=True)
class _Running:
    process: SpawnProcess
    answer: Connection
    begin: float


def run_apart(
    function: Callable[[T], R], tasks: Sequence[T], jobs: int, limit: float | None = None, end: float | None = None
) -> Iterator[R | str]:
    """Calls ``function`` on every task, each in a fresh process.

    Args:
        function: a function of a module.
        tasks: its arguments.
        jobs: number of processes at a time.
        limit: seconds for one task.
        end: the time (`time.monotonic`) at which all processes are stopped.

    Yields:
        In the order of the tasks: the answer, or a sentence that says why there is none.
    """
    context = multiprocessing.get_context("spawn")
    running: dict[int, _Running] = {}
    done: dict[int, R | str] = {}
    started = told = 0
    try:
        while told < len(tasks):
            late = end is not None and time.monotonic() > end
            while not late and started < len(tasks) and len(running) < jobs:
                answer, theirs = context.Pipe(duplex=False)
                process = context.Process(target=_call, args=(function, tasks[started], theirs), daemon=True)
                with uninterrupted(), without_script(pickle.dumps((function, tasks[started]))):
                    process.start()
                theirs.close()
                running[started] = _Running(process, answer, time.monotonic())
                started += 1
            wait([run.answer for run in running.values()], timeout=0.5)
            for index in list(running):
                outcome = _outcome(running[index], 0 if late else limit)
                if outcome is not None:
                    done[index] = outcome
                    del running[index]
            while told in done or (late and told >= started):
                yield done.pop(told, "not started")
                told += 1
                if told == len(tasks):
                    break
    finally:
        for run in running.values():
            run.process.kill()


def _call(function: Callable[[T], R], task: T, answer: Connection) -> None:
    answer.send(function(task))
    answer.close()


def _outcome(run: _Running, limit: float | None) -> Any:
    """The answer of a process, a sentence if it has died or took too long, None while it works."""
    if run.answer.poll():
        try:
            outcome = run.answer.recv()
        except EOFError:
            run.process.join()
            outcome = f"the process died with exit code {run.process.exitcode}"
        run.process.join()
        return outcome
    if limit is not None and time.monotonic() - run.begin > limit:
        run.process.kill()
        run.process.join()
        return f"gave up after {limit:g} s"
    return None
