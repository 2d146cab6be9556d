"""Machine code on disk, in files that show when they are damaged, in a folder that only its user can write.

Numba keeps machine code beside the source it came from, and trusts the files. Here each file begins with a digest of
the rest, and machine code carries the signature it is for: what was cut off, scribbled over, or mixed up by two
processes that wrote at once is not run but rebuilt.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.runtime import rtsys

from ludoport.errors import LudoportError
from ludoport.files import write_atomically
from ludoport.kernels.quick import import_arrays
from ludoport.signals import deferred

DIGEST = 32
"""How many bytes of a file are its digest."""


class StoredFiles(IndexDataCacheFile):  # type: ignore[misc]
    """The index and the machine code of one function."""

    def load(self, key: Any) -> Any:
        """The machine code for a signature; None if there is none that can be trusted."""
        found = super().load(key)
        return found[1] if found is not None and found[0] == key else None

    def save(self, key: Any, data: Any) -> None:
        """Keep machine code; without room on the disk it is simply not kept."""
        try:
            Path(self._cache_path).mkdir(parents=True, exist_ok=True)
            super().save(key, (key, data))
        except (OSError, LudoportError):  # LudoportError: another process has just removed the folder
            return

    def _dump(self, obj: Any) -> bytes:
        data: bytes = super()._dump(obj)
        return hashlib.sha256(data).digest() + data

    def _save_index(self, overloads: dict[Any, str]) -> None:
        data = self._dump((self._version, self._source_stamp, overloads))
        write_atomically(Path(self._index_path), data, sync=False)

    def _save_data(self, name: str, data: Any) -> None:
        write_atomically(Path(self._data_path(name)), self._dump(data), sync=False)

    def _load_index(self) -> dict[Any, str]:
        found = _read(self._index_path)
        if found is None or found[:2] != (self._version, self._source_stamp):
            return {}
        overloads: dict[Any, str] = found[2]
        return overloads

    def _load_data(self, name: str) -> Any:
        return _read(self._data_path(name))


def _read(path: str) -> Any:
    """Contents of a file; None if it is missing or damaged."""
    try:
        content = Path(path).read_bytes()
    except OSError:
        return None
    digest, data = content[:DIGEST], content[DIGEST:]
    if hashlib.sha256(data).digest() != digest:
        return None
    try:
        return pickle.loads(data)  # written by this user: see kernels/cache.py
    except Exception:  # by another version of numba or of Python
        return None


class StoredCode(FunctionCache):  # type: ignore[misc]
    """The cache of one function, in files that show damage."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        locator = self._impl.locator
        # Beside the module, in the cache that only its user can write, and wherever numba would look for it.
        self._cache_path = str(Path(function.__code__.co_filename).parent / "__pycache__")
        self._cache_file = StoredFiles(self._cache_path, self._impl.filename_base, locator.get_source_stamp())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The machine code for a signature, linked into this process; None if there is none.

        Numba would first import all that it needs to compile, which takes a third of a cached load; here that happens
        only where something is compiled.
        """
        with deferred(), self._guard_against_spurious_io_errors():
            rtsys.initialize(target_context)
            found = self._load_overload(sig, target_context)
        if found is None:
            import_arrays()
        return found
