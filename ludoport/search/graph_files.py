"""Graphs on disk: a zip of numpy arrays and a header in JSON, which ``numpy.load`` reads as well.

The zip has a checksum for every part, so damage is noticed when a file is read.
"""

from __future__ import annotations

import io
import json
import math
import zipfile
from dataclasses import asdict, fields
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.files import NPZ_DAMAGE, parse_json, replacing
from ludoport.search.graph import About, SearchGraph
from ludoport.version import __version__

FORMAT = "ludoport search graph"
VERSION = 1
"""Raised whenever the arrays or the header change."""

ARRAYS = ("keys", "parent", "child", "moves", "person", "visits", "worth")
TYPES = {
    "keys": "i8",
    "parent": "i4",
    "child": "i4",
    "moves": "i2 i4 i8",
    "person": "i1",
    "visits": "i8",
    "worth": "f8",
}

TEXT, NUMBER, TEXTS, NUMBERS = "a text", "a whole number", "a list of texts", "a list of whole numbers"
HEADER = {
    "root": NUMBER,
    "states": NUMBER,
    "edges": NUMBER,
    "game": TEXT,
    "fingerprint": TEXT,
    "players": NUMBER,
    "draw": "a number from 0 to 1",
    "source": TEXT,
    "options": TEXTS,
    "ruleset": "a text or null",
    "setup": TEXT,
    "moves": TEXTS,
    "simulations": NUMBER,
    "seeds": NUMBERS,
    "settings": "an object",
}
"""Entries that a header must have, with their types."""

DAMAGE = NPZ_DAMAGE
"""Exceptions of reading a damaged file."""


def write_graph(graph: SearchGraph, path: Path, *, compress: bool = True) -> None:
    """Write a graph atomically.

    Raises:
        OSError: the disk is full, or may not be written.
    """
    with replacing(path) as file:
        _write(graph, file, compress)


def graph_bytes(graph: SearchGraph) -> bytes:
    """A graph as the bytes of its file."""
    buffer = io.BytesIO()
    _write(graph, buffer, compress=True)
    return buffer.getvalue()


def _write(graph: SearchGraph, file: IO[bytes], compress: bool) -> None:
    header = {
        "format": FORMAT,
        "version": VERSION,
        "made_by": f"ludoport {__version__}",
        "root": graph.root,
        "states": graph.states,
        "edges": graph.edges,
        **asdict(graph.about),
    }
    kind = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
    with zipfile.ZipFile(file, "w", kind, compresslevel=1) as archive:
        with _part(archive, "header.json", kind) as part:
            part.write(json.dumps(header, ensure_ascii=False, indent=1).encode())
        for name in ARRAYS:
            with _part(archive, f"{name}.npy", kind) as part:
                np.lib.format.write_array(part, getattr(graph, name), allow_pickle=False)


def _part(archive: zipfile.ZipFile, name: str, kind: int) -> IO[bytes]:
    """A part of a zip; without the time of day, so that equal graphs are equal files."""
    info = zipfile.ZipInfo(name)
    info.compress_type = kind
    return archive.open(info, "w", force_zip64=True)


def read_graph(source: Path | bytes) -> SearchGraph:
    """Read a graph from a file or from the bytes of one."""
    name = str(source) if isinstance(source, Path) else "the tree that was received"
    with _opened(source, name) as archive:
        header = _header(archive, name)
        try:
            arrays = {part: _array(archive, part) for part in ARRAYS}
            graph = SearchGraph(about_of(header), int(header["root"]), **arrays)
            problem = _problem(graph, header)
        except DAMAGE as error:
            problem = str(error) or type(error).__name__
    if problem:
        raise damaged(name, problem)
    return graph


def read_header(path: Path) -> dict[str, Any]:
    """Header of a file."""
    with _opened(path, str(path)) as archive:
        return _header(archive, str(path))


def visits_in(path: Path) -> int:
    """The sum of all visits of a saved tree; nothing else of it is read."""
    with _opened(path, str(path)) as archive:
        try:
            return int(_array(archive, "visits").sum())
        except DAMAGE as error:
            raise damaged(str(path), str(error)) from None


def damaged(name: str, problem: str) -> LudoportError:
    """An error about a file that cannot be trusted."""
    return LudoportError(f"{name} is damaged ({problem}); use a copy of it or build it again")


def about_of(header: dict[str, Any]) -> About:
    """Origin of a graph, from its header."""
    known = {field.name: header[field.name] for field in fields(About)}
    lists = {name: tuple(known[name]) for name in ("options", "moves", "seeds")}
    return About(**{**known, **lists})


def _opened(source: Path | bytes, name: str) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(source if isinstance(source, Path) else io.BytesIO(source))
    except FileNotFoundError:
        raise LudoportError(f"there is no file {name}") from None
    except IsADirectoryError:
        raise LudoportError(f"{name} is a folder, not a saved tree") from None
    except OSError as error:
        raise LudoportError(f"cannot read {name}: {error.strerror or error}") from None
    except DAMAGE:
        raise LudoportError(f"{name} is not a saved tree, or its end is missing") from None


def _header(archive: zipfile.ZipFile, name: str) -> dict[str, Any]:
    if "header.json" not in archive.namelist():
        raise LudoportError(f"{name} is not a saved tree: it has no header")
    try:
        header = parse_json(part_of(archive, "header.json").read())
    except DAMAGE as error:
        raise damaged(name, str(error)) from None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise LudoportError(f"{name} is not a saved tree: its header belongs to something else")
    version = header.get("version")
    if not isinstance(version, int) or version < 1:
        raise damaged(name, f"its version is {version}")
    if version > VERSION:
        raise LudoportError(
            f"{name} was written by a newer Ludoport (version {version} of the format; this one knows {VERSION}); "
            "please upgrade"
        )
    if "iterations" in header:  # as earlier versions called them
        header["simulations"] = header.pop("iterations")
    for field, kind in HEADER.items():
        if field not in header:
            raise damaged(name, f"its header has no `{field}`")
        if not _is(kind, header[field]):
            raise damaged(name, f"`{field}` in its header is not {kind}")
    return header


def _is(kind: str, value: Any) -> bool:
    """Whether a value of a header is what it must be."""
    if kind in (TEXTS, NUMBERS):
        one = TEXT if kind == TEXTS else NUMBER
        return isinstance(value, list) and all(_is(one, item) for item in value)
    if kind == NUMBER:
        return type(value) is int and -(2**63) <= value < 2**63
    if kind == TEXT:
        return isinstance(value, str)
    if kind == HEADER["ruleset"]:
        return value is None or isinstance(value, str)
    if kind == HEADER["draw"]:
        return type(value) in (int, float) and 0 <= value <= 1
    return isinstance(value, dict)


def part_of(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    """A part of a zip to be read."""
    if archive.getinfo(name).compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"`{name}` is compressed in an unknown way")
    return archive.open(name)


def _array(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    with part_of(archive, f"{name}.npy") as part:
        _check_size(part, archive.getinfo(f"{name}.npy").file_size, name)
    with part_of(archive, f"{name}.npy") as part:
        array: NDArray[Any] = np.lib.format.read_array(part, allow_pickle=False)
        if part.read(1):  # reading to the end also compares the checksum
            raise ValueError(f"`{name}` is longer than it says")
    if array.dtype.str[1:] not in TYPES[name].split():
        raise ValueError(f"`{name}` holds {array.dtype}")
    return array


def _check_size(part: IO[bytes], size: int, name: str) -> None:
    """Compare what the head of an array says with the size of its part, before memory is asked for."""
    version = np.lib.format.read_magic(part)
    read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    if version not in read:
        raise ValueError(f"`{name}` is of an unknown version")
    shape, _, kind = read[version](part)
    if kind.hasobject or part.tell() + math.prod(shape) * kind.itemsize != size:
        raise ValueError(f"`{name}` is not as long as it says")


def _problem(graph: SearchGraph, header: dict[str, Any]) -> str:
    """Problem of the arrays of a graph; empty if there is none."""
    states, edges = graph.states, graph.edges
    if (states, edges) != (header["states"], header["edges"]):
        return "its size is not what its header says"
    if any(getattr(graph, name).shape[:1] != (edges,) for name in ARRAYS[1:]) or graph.moves.ndim != 2:
        return "its parts have different lengths"
    if (graph.keys[1:] <= graph.keys[:-1]).any() or graph.number(graph.root) < 0:
        return "its states are out of order"
    if edges:
        ends = (graph.parent, graph.child)
        if any(int(end.min()) < 0 or int(end.max()) >= states for end in ends) or (np.diff(graph.parent) < 0).any():
            return "its moves are out of order"
        if int(graph.visits.min()) < 1 or not np.isfinite(graph.worth).all():
            return "its numbers are impossible"
    return ""
