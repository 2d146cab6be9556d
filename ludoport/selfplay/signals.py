"""Ctrl-C and SIGTERM end a run in order."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def stopped_by_signals(stop: Callable[[], bool]) -> Iterator[None]:
    """Call ``stop`` on SIGINT and SIGTERM; only the main thread receives signals.

    Args:
        stop: asks the run to stop; returns whether it had been asked before. A second Ctrl-C then ends it at once.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def heard(number: int, frame: object) -> None:
        if stop() and number == signal.SIGINT:
            raise KeyboardInterrupt

    before = {number: signal.signal(number, heard) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
