"""Files of the cache that show when they are damaged: each begins with a digest of the rest."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ludoport.files import write_atomically
from ludoport.kernels.cache import private_cache

DIGEST = 32
"""Bytes of a file that are the digest of the others."""


def place(kind: str, name: str, recipe: str, ending: str) -> Path:
    """The file for what a recipe makes; another recipe has another file.

    Args:
        kind: the folder within the cache.
        name: the beginning of the file's name.
        recipe: everything that decides what is in the file.
        ending: the end of the file's name.

    Raises:
        LudoportError: other users can write to the cache.
        OSError: the cache cannot be made.
    """
    digest = hashlib.sha256(recipe.encode()).hexdigest()[:32]
    return private_cache() / kind / digest[:2] / f"{name}_{digest}{ending}"


def read_digested(path: Path) -> bytes | None:
    """Contents of a file; None if it is missing or damaged."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    data = content[DIGEST:]
    return data if hashlib.sha256(data).digest() == content[:DIGEST] else None


def write_digested(path: Path, data: bytes) -> None:
    """Keep something that can be made again; without room on the disk it is not kept."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, hashlib.sha256(data).digest() + data, sync=False)
    except OSError:
        return
