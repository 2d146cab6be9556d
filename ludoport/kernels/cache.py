"""The folder of generated modules and machine code, which only its user may write.

What lies there is run: modules as Python, machine code as it is. A folder that others can write is therefore refused.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ludoport.errors import LudoportError


def cache_folder() -> Path:
    """Where generated modules and their machine code live; ``LUDOPORT_CACHE`` chooses another place."""
    chosen = os.environ.get("LUDOPORT_CACHE")
    if chosen:
        return Path(chosen).absolute()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache").absolute() / "ludoport"


def private_cache() -> Path:
    """The cache folder, which is made if it is missing.

    Raises:
        LudoportError: other users can write to it.
        OSError: it cannot be made.
    """
    folder = cache_folder()
    make_private(folder)
    return folder


@cache
def make_private(folder: Path) -> None:
    """Make a folder that only its user may read and write; one that others can write is refused.

    Checked once per process: later only the user could change the folder.

    Raises:
        LudoportError: other users can write to the folder, or can put another one in its place.
        OSError: it cannot be made.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not hasattr(os, "getuid"):
        return
    reason = next((text for place in _places(folder) if (text := _open_to_others(place, place == folder))), None)
    if reason is not None:
        raise LudoportError(
            f"{folder}: not used as a cache, because {reason} and its files are executed; remove the folder "
            "(everything in it is made again), or set LUDOPORT_CACHE to a folder of your own"
        )
    if folder.stat().st_uid == os.getuid():
        folder.chmod(0o700)


def _places(folder: Path) -> Iterator[Path]:
    """The folder and all that lead to it, also by the way that links take."""
    yield folder
    yield from dict.fromkeys([*folder.parents, *folder.resolve().parents, folder.resolve()])


def _open_to_others(place: Path, itself: bool) -> str | None:
    """Why others could change the content of a place; None if they cannot."""
    about = place.stat()
    if about.st_uid not in (0, os.getuid()):
        return f"{place} belongs to another user"
    sticky = not itself and about.st_mode & stat.S_ISVTX
    if about.st_mode & stat.S_IWOTH and not sticky:
        return f"every user can write to {place}"
    # Many systems give each user a group of their own, and let it write to new folders.
    if about.st_mode & stat.S_IWGRP and not sticky and (itself or about.st_gid not in (0, os.getgid())):
        return f"a group of users can write to {place}"
    return None
