"""Child processes and signals, in any program."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, resource_tracker
from typing import Any

_STARTING = threading.Lock()


@contextmanager
def without_script(packed: bytes) -> Iterator[None]:
    """Processes that start meanwhile do not run the program's script again, as they do to find what it defines.

    A script without ``if __name__ == "__main__":`` would start processes in each of its processes.

    Args:
        packed: what such a process is given; if that needs something of the script, nothing is changed.
    """
    script = vars(sys.modules["__main__"])
    if b"__main__" in packed:
        yield
        return
    with _STARTING:
        hidden: dict[str, Any] = {name: script[name] for name in ("__file__", "__spec__") if name in script}
        script.pop("__file__", None)
        script["__spec__"] = None
        try:
            yield
        finally:
            script.update(hidden)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Holds back Ctrl-C; a process that starts meanwhile never receives it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # It unblocks signals when it starts, so it must not start in between.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def pool(most: int, packed: bytes, start: Callable[[], None] | None = None) -> Iterator[Callable[..., Future[Any]]]:
    """Processes that do tasks. Ctrl-C is for the caller alone; where the block ends with an exception, they are killed.

    Args:
        most: number of processes.
        packed: what they are given (see ``without_script``).
        start: called first in each process.

    Yields:
        A function that submits a task: a function and its arguments.
    """
    executor = ProcessPoolExecutor(most, get_context("spawn"), initializer=start)

    def submit(*task: Any) -> Future[Any]:
        with uninterrupted(), without_script(packed):  # processes start when there are tasks
            return executor.submit(*task)

    try:
        yield submit
    except BaseException:
        for process in list((executor._processes or {}).values()):
            process.kill()
        raise
    finally:
        executor.shutdown(cancel_futures=True)
