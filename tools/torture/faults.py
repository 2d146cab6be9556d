"""A disk that is full, a clock that jumps, memory that ends, and two processes at once."""

from __future__ import annotations

import random
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tools.torture.commands import COMMANDS
from tools.torture.kills import LONGEST, _kill, finish, undisturbed

JUMPING = """
import random, time
real, rng = time.time, random.Random(1)
time.time = lambda: real() + rng.uniform(-600, 600)
"""


def full_disk(name: str, seed: int) -> Iterator[str]:
    """Files may not grow beyond a size: writing fails as on a full disk; afterwards the command resumes."""
    size = random.Random(seed).choice((0, 1_000, 20_000, 60_000))
    yield from _limited(name, seed, resource.RLIMIT_FSIZE, size, "a full disk")


def no_memory(name: str, seed: int) -> Iterator[str]:
    """A process may not have more data than so much; afterwards the command resumes with all it needs."""
    size = random.Random(seed).choice((60_000_000, 150_000_000, 400_000_000))
    yield from _limited(name, seed, resource.RLIMIT_DATA, size, "no memory")


def _limited(name: str, seed: int, which: int, size: int, what: str) -> Iterator[str]:
    command, (expected, _) = COMMANDS[name], undisturbed(name)

    def limit() -> None:
        resource.setrlimit(which, (size, resource.RLIM_INFINITY))

    with tempfile.TemporaryDirectory(prefix="torture-") as place:
        process = command.start(Path(place), limit=limit)
        label = f"{name} {seed} with {what}"
        try:
            _, error = process.communicate(timeout=LONGEST)
        except subprocess.TimeoutExpired:
            _kill(process)
            yield f"{label}: does not end"
            return
        # Without memory even imports fail, and that is not for us to explain.
        if (
            "Traceback" in error
            and "ImportError" not in error
            and "MemoryError" not in error
            and which != resource.RLIMIT_DATA
        ):
            yield f"{label}: {error[-400:]}"
        yield from finish(command, Path(place), expected, label)


def clock_jumps(name: str, seed: int) -> Iterator[str]:
    """The clock jumps by minutes, back and forth, at every look."""
    command, (expected, seconds) = COMMANDS[name], undisturbed(name)
    with tempfile.TemporaryDirectory(prefix="torture-") as place:
        process = command.start(Path(place), JUMPING)
        try:
            _, error = process.communicate(timeout=LONGEST + seconds)
        except subprocess.TimeoutExpired:
            _kill(process)
            yield f"{name} {seed} with a jumping clock: does not end"
            return
        if process.returncode:
            yield f"{name} {seed} with a jumping clock: {error[-300:]}"
        yield from finish(command, Path(place), expected, f"{name} {seed} after a jumping clock")


def two_at_once(name: str, seed: int) -> Iterator[str]:
    """Two processes do the same in the same place; one of them is killed. A polite refusal of one is right."""
    command, rng = COMMANDS[name], random.Random(seed)
    expected, seconds = undisturbed(name)
    with tempfile.TemporaryDirectory(prefix="torture-") as place:
        both = [command.start(Path(place)) for _ in range(2)]
        time.sleep(rng.random() * seconds)
        _kill(both[rng.randrange(2)])
        for process in both:
            try:
                _, error = process.communicate(timeout=LONGEST)
            except (subprocess.TimeoutExpired, ValueError):
                continue
            if "Traceback" in error:
                yield f"{name} {seed} twice at once: {error[-400:]}"
        yield from finish(command, Path(place), expected, f"{name} {seed} after two at once")


FAULTS: dict[str, Callable[[str, int], Iterator[str]]] = {
    "disk": full_disk,
    "memory": no_memory,
    "clock": clock_jumps,
    "two": two_at_once,
}
"""Faults that happen to a command, by name."""
