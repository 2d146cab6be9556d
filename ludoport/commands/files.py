"""Writing files so that a reader never sees half of one."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from ludoport.errors import LudoportError


def write_atomically(path: Path, text: str) -> None:
    """Writes a text beside its place and then moves it there."""
    if not path.parent.is_dir():
        raise LudoportError(f"{path.parent}: no such folder")
    if path.is_dir():
        raise LudoportError(f"{path}: is a folder")
    with tempfile.NamedTemporaryFile(
        "w", dir=path.parent, prefix=f".{path.name}.", delete=False, encoding="utf-8"
    ) as file:
        file.write(text)
    # Temporary files are private; the result is as readable as any new file of the user's.
    mask = os.umask(0)
    os.umask(mask)
    Path(file.name).chmod(0o666 & ~mask)
    Path(file.name).replace(path)
