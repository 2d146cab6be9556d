"""Threads that think take turns, so that few compete for the processor and those that answer are not delayed."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager


class ThreadQueue:
    """A few places for which threads queue; the thread that has waited longest is next.

    Args:
        places: number of threads that may work at once.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._lock = threading.Lock()
        self._queue: deque[threading.Lock] = deque()

    @contextmanager
    def turn(self, until: float) -> Iterator[bool]:
        """Wait for a place, but only until that moment of ``time.monotonic``; says whether there was one."""
        mine = self._enter()
        granted = mine is None or mine.acquire(timeout=max(0.0, until - time.monotonic()))
        if not granted and mine is not None:
            with self._lock:
                if mine in self._queue:
                    self._queue.remove(mine)
                else:
                    granted = True  # the place came at the last moment
        try:
            yield granted
        finally:
            if granted:
                self._leave()

    def _enter(self) -> threading.Lock | None:
        with self._lock:
            if self._free:
                self._free -= 1
                return None
            mine = threading.Lock()
            mine.acquire()
            self._queue.append(mine)
            return mine

    def _leave(self) -> None:
        with self._lock:
            # A place goes to the next in the queue directly, otherwise the thread that leaves would take it again.
            if self._queue:
                self._queue.popleft().release()
            else:
                self._free += 1
