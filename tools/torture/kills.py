"""Kills at random instants: what was finished stays, and in the end the result is that of one undisturbed run."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tools.torture.commands import COMMANDS, Long

LONGEST = 600.0
"""Seconds for one run of a command."""


def kill(name: str, seed: int, most: int = 5) -> Iterator[str]:
    """Run a command to its end, killing it a few times; yields what went wrong.

    Args:
        name: one of the commands.
        seed: when to kill.
        most: how often.
    """
    command, rng = COMMANDS[name], random.Random(seed)
    expected, seconds = undisturbed(name)
    with tempfile.TemporaryDirectory(prefix="torture-") as place:
        folder = Path(place)
        for _ in range(most):
            process = command.start(folder)
            time.sleep(rng.random() * seconds)
            _kill(process)
        yield from finish(command, folder, expected, f"{name} {seed}")


def finish(command: Long, folder: Path, expected: str, label: str) -> Iterator[str]:
    """Run a command to its end and compare; yields what went wrong."""
    process = command.start(folder)
    try:
        _, error = process.communicate(timeout=LONGEST)
    except subprocess.TimeoutExpired:
        _kill(process)
        yield f"{label}: does not end"
        return
    if process.returncode:
        yield f"{label}: exit code {process.returncode}: {error[-300:]}"
        return
    found = command.result(folder)
    if found != expected:
        yield f"{label}: the result {found} is not {expected}"
    left = [str(path.relative_to(folder)) for path in folder.rglob("*.tmp")]
    if left:
        yield f"{label}: left {left}"


_KNOWN: dict[str, tuple[str, float]] = {}


def undisturbed(name: str) -> tuple[str, float]:
    """The result of one undisturbed run, and the seconds that it takes."""
    if name not in _KNOWN:
        with tempfile.TemporaryDirectory(prefix="torture-") as place:
            compiles = os.environ.get("LUDOPORT_JIT") != "0"
            for _ in range(2 if compiles else 1):  # the first one compiles
                for path in Path(place).iterdir():
                    subprocess.run(["rm", "-rf", str(path)], check=True)
                begin = time.monotonic()
                process = COMMANDS[name].start(Path(place))
                _, error = process.communicate(timeout=LONGEST)
                if process.returncode:
                    raise RuntimeError(f"{name}: {error[-500:]}")
                seconds = time.monotonic() - begin
            _KNOWN[name] = COMMANDS[name].result(Path(place)), seconds
    return _KNOWN[name]


def _kill(process: subprocess.Popen[str]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
