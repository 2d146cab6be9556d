"""Signals that wait."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def deferred() -> Iterator[None]:
    """Ctrl-C and SIGTERM wait for the end of the block; for code that must not be left by an exception.

    C++ code that calls back into Python may print and lose the exception of a handler together with its work (LLVM
    while it assembles), or end the process (PyTorch while it is imported). Only the main thread handles signals, so
    nothing changes in others.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: dict[int, None] = {}
    before: dict[signal.Signals, Any] = {}
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            before[number] = signal.getsignal(number)
            signal.signal(number, lambda number, _: heard.setdefault(number))
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)  # None: not from Python
        for late in heard:
            signal.raise_signal(late)
