"""Time of a run, by kinds of work."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

KINDS = ("start", "play", "learn", "checkpoint", "rating", "other")
"""Kinds of work that take time; ``other`` is the time of none of them."""

USEFUL = ("play", "learn")
"""Kinds of work that count as useful."""


class Costs:
    """Clocks of a run, one for each kind of work.

    Args:
        since: start of the run, as ``time.perf_counter`` counts; default: now.
    """

    def __init__(self, since: float | None = None) -> None:
        self.since = time.perf_counter() if since is None else since
        self._spent = dict.fromkeys(KINDS[:-1], 0.0)
        self._told = dict.fromkeys(KINDS, 0.0)

    def started(self) -> None:
        """All until now was the start."""
        self._spent["start"] = time.perf_counter() - self.since

    @contextmanager
    def on(self, kind: str) -> Iterator[None]:
        """Context whose time counts as work of this kind."""
        begin = time.perf_counter()
        try:
            yield
        finally:
            self.add(kind, time.perf_counter() - begin)

    def add(self, kind: str, seconds: float) -> None:
        """Add to the clock of one kind."""
        self._spent[kind] += seconds

    def total(self) -> dict[str, float]:
        """Seconds of each kind until now."""
        rest = time.perf_counter() - self.since - sum(self._spent.values())
        return {**self._spent, "other": max(0.0, rest)}

    def lap(self) -> dict[str, float]:
        """Seconds of each kind since the last call, as ``NAME_seconds``."""
        now = self.total()
        passed = {f"{kind}_seconds": round(now[kind] - self._told[kind], 3) for kind in KINDS}
        self._told = now
        return passed


def useful_share(seconds: Mapping[str, float]) -> float:
    """The share of play and learning."""
    return sum(seconds[kind] for kind in USEFUL) / max(1e-9, sum(seconds.values()))


def told(seconds: Mapping[str, float]) -> str:
    """The costs in a line, such as ``130 s: start 8 s, play 80 s, ...; 91 % useful``."""
    whole = sum(seconds.values())
    parts = ", ".join(f"{kind} {seconds[kind]:.{0 if whole >= 100 else 1}f} s" for kind in KINDS)
    return f"{whole:.1f} s: {parts}; {100 * useful_share(seconds):.0f} % play and learning"


def process_began() -> float:
    """Start of this process on the clock of ``time.perf_counter``; now if the system does not report it."""
    now = time.perf_counter()
    try:
        import os

        ticks = float(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
        return now - (time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK"))
    except (OSError, ValueError, AttributeError, IndexError):
        return now
