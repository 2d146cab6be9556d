"""Writing files so that a reader never sees half of one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ludoport.errors import LudoportError


@contextmanager
def replacing(path: Path, *, sync: bool = True) -> Iterator[IO[bytes]]:
    """A file beside its place, which is moved there when all is written; if something goes wrong, the old one stays.

    Args:
        path: the place.
        sync: wait until the disk has everything; not needed for what can be made again.

    Raises:
        LudoportError: there is no such folder, or the place is a folder.
        OSError: the disk is full, or may not be written.
    """
    if not path.parent.is_dir():
        raise LudoportError(f"{path.parent}: no such folder")
    if path.is_dir():
        raise LudoportError(f"{path}: is a folder")
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            if sync:
                os.fsync(file.fileno())
        # Temporary files are private; the result is as readable as any new file of the user's.
        mask = os.umask(0)
        os.umask(mask)
        temporary.chmod(0o666 & ~mask)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_atomically(path: Path, data: str | bytes, *, sync: bool = True) -> None:
    """Write a whole file; see ``replacing``."""
    with replacing(path, sync=sync) as file:
        file.write(data.encode() if isinstance(data, str) else data)
