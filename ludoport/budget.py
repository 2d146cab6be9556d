"""Limits on time and memory for compiling a game; long loops of the compiler check them."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from ludoport.errors import LudoportError

SECONDS = 90.0
"""CPU time for compiling one game; the largest known ones take 15 s."""

MEMORY = 3_000_000_000
"""Bytes that compiling one game may add to those in use."""

ASKED = 64
"""Number of checks for each look at the clock."""

PAUSE = 0.01
"""Seconds between two looks at the time and the memory that were used: the system takes long to tell them."""


@dataclass
class _Budget:
    what: str
    seconds: float = SECONDS
    memory: int = MEMORY
    asked: int = 0
    looked: float = 0.0
    begin: float = field(default_factory=time.thread_time)
    used: int = field(default_factory=lambda: _resident())

    def check(self) -> None:
        now = time.monotonic()
        if now - self.looked < PAUSE:
            return
        self.looked = now
        if time.thread_time() - self.begin > self.seconds:
            raise LudoportError(
                f"{self.what}: compiling takes more than {self.seconds:g} s; make the board or the rules smaller"
            )
        if _resident() - self.used > self.memory:
            size = f"{self.memory / 1e9:g} GB"
            raise LudoportError(f"{self.what}: compiling takes more than {size}; make the board or the rules smaller")


_CURRENT: ContextVar[_Budget | None] = ContextVar("budget", default=None)


@contextmanager
def limited(what: str) -> Iterator[None]:
    """Limit what is done meanwhile, in this thread; an outer limit stays as it is.

    Cycles of objects are not collected meanwhile: compilers make many objects and hardly any cycles, and looking for
    them takes a tenth of the time of a large game.
    """
    if _CURRENT.get() is not None:
        yield
        return
    token, collecting = _CURRENT.set(_Budget(what)), gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        _CURRENT.reset(token)
        if collecting:
            gc.enable()


def spend() -> None:
    """Checks the budget.

    Raises:
        LudoportError: the time or the memory is used up.
    """
    budget = _CURRENT.get()
    if budget is not None:
        budget.asked += 1
        if budget.asked % ASKED == 0:
            budget.check()


def _resident() -> int:
    """Bytes of memory that this process uses; 0 where that is not known."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0
