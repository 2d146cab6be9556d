"""Ctrl-C while machine code is made."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Delays Ctrl-C until the end of the block.

    LLVM calls back into Python while it assembles, and an exception cannot pass through it: a KeyboardInterrupt raised
    there is printed and lost, together with the machine code. Nothing gets slower by the delay, because Python handles
    signals only between its own instructions.
    """
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(usual):
        yield
        return
    pressed: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: pressed.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        if pressed:
            usual(*pressed[-1])
