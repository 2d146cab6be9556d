"""Who works: the names of workers, and whether one of them is known to be dead."""

from __future__ import annotations

import os
import platform
import secrets
from functools import cache
from pathlib import Path


@cache
def here() -> str:
    """This machine; containers that share a machine's name are told apart by their processes' numbers."""
    try:
        space = str(Path("/proc/self/ns/pid").stat().st_ino)
    except OSError:
        space = "0"
    return f"{platform.node()}/{space}"


def worker_name() -> str:
    """A name for a worker in this process: the machine, the process, and something that nobody else has."""
    return f"{here()}:{os.getpid()}:{secrets.token_hex(4)}"


def is_dead(worker: str | None) -> bool:
    """Whether a worker is certainly dead; of other machines' workers nothing is certain."""
    if worker is None:
        return False
    machine, _, rest = worker.partition(":")
    number = rest.partition(":")[0]
    if machine != here() or not number.isdigit():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return _gone(int(number))


def _gone(number: int) -> bool:
    """Whether a process has ended and only waits for somebody to ask how."""
    try:
        stat = Path(f"/proc/{number}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] in ("Z", "X")
