"""Memory of a learner as a file: arrays, and a header with their origin. It contains no code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludoport.errors import LudoportError
from ludoport.files import NPZ_DAMAGE, parse_json, replacing

if TYPE_CHECKING:
    from ludoport.td.memory import AfterstateMemory

FORMAT = "ludoport learner memory"
VERSION = 1
"""Raised whenever the meaning of the arrays changes."""


def save_memory(memory: AfterstateMemory, path: Path, header: Mapping[str, Any]) -> None:
    """Write all entries to a file, which is replaced at once: a reader sees the old one or the new one.

    Args:
        memory: one that keeps its positions.
        path: the file.
        header: game and learner of the entries.
    """
    entries = len(memory)
    text = json.dumps({"format": FORMAT, "version": VERSION, **header})
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        np.savez(
            file,
            header=np.frombuffer(text.encode(), dtype=np.uint8),
            book=memory.book[:, :entries],
            q=memory.q[:entries],
            kept=memory.kept[:entries].astype(np.int32),
        )


def load_memory(memory: AfterstateMemory, path: Path, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Fill a memory from a file; returns the header.

    Args:
        memory: loses what it held, but only if the file is good.
        path: the file.
        wanted: entries that the header must have.

    Raises:
        LudoportError: if the file is damaged or belongs to something else.
        FileNotFoundError: if there is none.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            header = parse_json(file["header"].tobytes())
            book, q, kept = file["book"], file["q"], file["kept"]
    except FileNotFoundError:
        raise
    except NPZ_DAMAGE as error:
        raise LudoportError(f"{path} holds no memory of a learner, or is damaged: {error}") from None
    if not isinstance(header, dict) or header.get("format") != FORMAT or header.get("version") != VERSION:
        raise LudoportError(f"{path} holds no memory of a learner in version {VERSION} of the format")
    for name, value in wanted.items():
        if header.get(name) != value:
            raise LudoportError(f"{path} has {name} {header.get(name)}, but {value} is needed")
    right = ((memory.book.shape[0], len(q)), (len(q), memory.kept.shape[1]))
    if q.ndim != 1 or (book.shape, kept.shape) != right or not np.isfinite(q).all():
        raise LudoportError(f"{path} is damaged: its arrays do not match")
    memory.fill(book, q, kept)
    return header
