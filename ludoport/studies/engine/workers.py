"""Names of workers, and whether a worker is known to be dead."""

from __future__ import annotations

import os
import platform
import secrets
from functools import cache
from pathlib import Path


@cache
def here() -> str:
    """This machine; containers with the same machine name differ by their process numbers."""
    try:
        space = str(Path("/proc/self/ns/pid").stat().st_ino)
    except OSError:
        space = "0"
    return f"{platform.node()}/{space}"


def worker_name() -> str:
    """A name for a worker in this process: the machine, the process, and a random number."""
    return f"{here()}:{os.getpid()}:{secrets.token_hex(4)}"


def is_dead(worker: str | None) -> bool:
    """Whether a worker is certainly dead; of other machines' workers nothing is certain."""
    return _runs(worker) is False


def is_alive(worker: str | None) -> bool:
    """Whether a worker certainly has a process; of other machines' workers nothing is certain."""
    return _runs(worker) is True


def _runs(worker: str | None) -> bool | None:
    """Whether the process of a worker runs; None where that cannot be known."""
    machine, _, rest = (worker or "").partition(":")
    number = rest.partition(":")[0]
    if machine != here() or not number.isdigit():
        return None
    try:
        os.kill(int(number), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return not _gone(int(number))


def _gone(number: int) -> bool:
    """Whether a process is a zombie: ended, with an exit code that its parent has not read."""
    try:
        stat = Path(f"/proc/{number}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] in ("Z", "X")
