"""Reading files that may hold anything, and writing files so that a reader never sees half of one.

Unfinished files and folders end in ``.tmp``, and their writer holds a lock on them. A lock ends with its process, so
an unlocked one marks what a killed process left; the next process that writes to the same folder removes it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import struct
import tempfile
import tokenize
import tomllib
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

from ludoport.errors import LudoportError

NPZ_DAMAGE = (
    OSError, ValueError, LookupError, TypeError, AttributeError, EOFError, ArithmeticError, MemoryError, RuntimeError,
    SyntaxError, zipfile.BadZipFile, zlib.error, struct.error, tokenize.TokenError,
)  # fmt: skip
"""What reading a damaged zip of numpy arrays may raise."""

MOST_DOTS = 5_000
"""Dots of keys and numbers in a file of settings."""

_QUOTED = re.compile(r"\"[^\"\n]*+\"?|'[^'\n]*+'?")

try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None  # type: ignore[assignment]


def read_text(path: Path, advice: str = "restore it from a copy") -> str:
    """The text of a file in UTF-8.

    Args:
        path: the file.
        advice: what to do if the file is damaged.

    Raises:
        LudoportError: the file cannot be read, or is not a text.
    """
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        problem = f"byte 0x{error.object[error.start]:02x} at position {error.start} is not UTF-8"
        raise damaged(path, problem, advice) from None
    except (OSError, ValueError) as error:  # ValueError: a name with a zero in it
        raise LudoportError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error})") from None


def read_json(path: Path, advice: str = "restore it from a copy") -> Any:
    """The value in a JSON file; see ``read_text``."""
    try:
        return parse_json(read_text(path, advice))
    except json.JSONDecodeError as error:
        raise damaged(path, f"not JSON: {error}", advice) from None


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text.

    Raises:
        ValueError: the text is not JSON, nests too deep, or has a number with thousands of digits or half a character.
    """
    try:
        text = text if isinstance(text, str) else text.decode("utf-8-sig")
        found = json.loads(text)
        if "\\ud" in text.lower():
            json.dumps(found, ensure_ascii=False).encode()  # half of a surrogate pair could never be written again
        return found
    except RecursionError:
        raise json.JSONDecodeError("brackets are nested too deeply", "", 0) from None
    except json.JSONDecodeError:
        raise
    except UnicodeEncodeError:
        raise json.JSONDecodeError("half of a surrogate pair, which is no character", "", 0) from None
    except ValueError as error:  # not UTF-8, or a number that is too long
        raise json.JSONDecodeError(str(error), "", 0) from None


def parse_toml(text: str) -> dict[str, Any]:
    """What a text in TOML holds.

    Raises:
        ValueError: the text is not TOML, nests too deep, or has keys of thousands of parts, which would take hours.
    """
    if _QUOTED.sub("", text).count(".") > MOST_DOTS:
        raise ValueError(f"more than {MOST_DOTS:,} dots outside of texts")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("brackets are nested too deeply") from None


def damaged(path: Path | str, problem: str, advice: str = "restore it from a copy") -> LudoportError:
    """The error about a file that cannot be what it should be."""
    return LudoportError(f"{path}: damaged ({problem}); {advice}")


def make_folder(path: Path) -> None:
    """Make a folder inside of one that may come from a stranger; it may exist, but not as a link.

    Raises:
        LudoportError: it is a link, through which other files would be replaced.
        OSError: it cannot be made.
    """
    if path.is_symlink():
        raise LudoportError(f"{path}: a symbolic link; remove it, because Ludoport writes through no links")
    path.mkdir(parents=True, exist_ok=True)


@contextmanager
def replacing(path: Path, *, sync: bool = True) -> Iterator[IO[bytes]]:
    """A temporary file beside its place, moved there when complete; after an error the old file remains.

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
    remove_abandoned(path.parent)
    handle, temporary = _locked_file(path)
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


@contextmanager
def folder_beside(path: Path) -> Iterator[Path]:
    """An empty folder beside a place, for what is needed while the place is written; removed afterwards."""
    remove_abandoned(path.parent)
    while True:
        folder = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp"))
        handle = os.open(folder, os.O_RDONLY)
        _lock(handle)
        if folder.exists():
            break
        os.close(handle)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(handle)


@lru_cache(maxsize=256)
def remove_abandoned(folder: Path) -> None:
    """Remove what killed processes left unfinished in a folder; looked for once in a process, not in every write."""
    if fcntl is None:
        return
    with suppress(OSError):
        for path in list(folder.glob(".*.tmp")):
            _remove_abandoned(path)


def _remove_abandoned(path: Path) -> None:
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return
    try:
        if _lock(handle):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
    except OSError:
        return
    finally:
        os.close(handle)


def _locked_file(path: Path) -> tuple[int, Path]:
    """A new file beside a place that this process holds a lock on."""
    while True:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
        _lock(handle)
        if os.fstat(handle).st_nlink:
            return handle, Path(name)
        os.close(handle)  # removed by another process before it was locked


def _lock(handle: int) -> bool:
    """Take the lock on a file; False if another process has it, or files here have no locks."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
