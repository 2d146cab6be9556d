"""Merging saved trees; those that do not fit into memory together are merged piece by piece on disk."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.files import folder_beside
from ludoport.search.graph import SearchGraph, added_up, check_roots, merged, merged_about, sorted_keys
from ludoport.search.graph_files import ARRAYS, DAMAGE, about_of, damaged, part_of, read_graph, read_header, write_graph

EDGE = 160
"""Bytes of memory that merging needs for every edge, all copies counted."""

STATE = 32
"""The same for every state."""

PIECES = 4096
"""Most pieces of a merge on disk."""


def merge_files(
    paths: Sequence[Path], out: Path, *, memory: int | None = None, tell: Callable[[str], None] = lambda _: None
) -> None:
    """Merge saved trees into one file.

    Args:
        paths: the files.
        out: file of the merged tree; may be one of them.
        memory: memory limit in bytes; default: what is free.
        tell: called with a sentence when the merge continues on disk.
    """
    if not paths:
        raise LudoportError("there are no trees to merge")
    headers = [read_header(path) for path in paths]
    merged_about([about_of(header) for header in headers], [header["root"] for header in headers])
    needed = sum(EDGE * header["edges"] + STATE * header["states"] for header in headers)
    limit = free_memory() if memory is None else memory
    if needed <= limit:
        try:
            write_graph(merged([read_graph(path) for path in paths]), out)
            return
        except MemoryError:
            limit = needed // 8
    tell(f"merging needs about {size_text(needed)} of memory, but only {size_text(limit)} are free: merging on disk")
    with folder_beside(out) as folder:
        write_graph(merged_on_disk(paths, folder, limit), out)


def merged_on_disk(paths: Sequence[Path], folder: Path, limit: int) -> SearchGraph:
    """The same as ``merged``, with all edges in files of a folder and a few of them in memory at a time."""
    graphs = [_unpacked(path, folder / str(number)) for number, path in enumerate(paths)]
    about, root = merged_about([graph.about for graph in graphs], [graph.root for graph in graphs])
    check_roots(graphs)
    keys = graphs[0].keys[:]
    for graph in graphs[1:]:
        keys = sorted_keys(np.concatenate([keys, graph.keys]))
    edges = sum(graph.edges for graph in graphs)
    pieces = min(PIECES, max(1, -(-edges * EDGE // max(limit, 1))))
    bounds = np.linspace(0, len(keys), pieces + 1).astype(np.int64)
    files = {name: (folder / name).open("wb") for name in ARRAYS[1:]}
    try:
        kinds = [_append(files, _piece(graphs, keys, low, high)) for low, high in pairwise(bounds.tolist())]
    finally:
        for file in files.values():
            file.close()
    arrays = {name: _mapped(folder / name, *kinds[0][name]) for name in ARRAYS[1:]}
    return SearchGraph(about, root, keys, **arrays)


def _unpacked(path: Path, folder: Path) -> SearchGraph:
    """A saved tree whose arrays stay on disk."""
    header = read_header(path)
    folder.mkdir()
    try:
        with zipfile.ZipFile(path) as archive:
            for name in ARRAYS:  # unpacking compares the checksums
                with part_of(archive, f"{name}.npy") as part, (folder / f"{name}.npy").open("wb") as file:
                    shutil.copyfileobj(part, file, 2**20)
        arrays = {name: np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False) for name in ARRAYS}
    except DAMAGE as error:
        raise damaged(str(path), str(error)) from None
    return SearchGraph(about_of(header), int(header["root"]), **arrays)


def _piece(graphs: Sequence[SearchGraph], keys: NDArray[np.int64], low: int, high: int) -> tuple[Any, ...]:
    """The merged edges that begin at some of the states, from number ``low`` to ``high``."""
    parts = []
    for graph in graphs:
        first = np.searchsorted(graph.keys, keys[low]) if low else 0
        last = np.searchsorted(graph.keys, keys[high]) if high < len(keys) else graph.states
        edges = slice(*np.searchsorted(graph.parent, [first, last]).tolist())
        parent = np.searchsorted(keys, graph.keys[graph.parent[edges]]).astype(np.int32)
        child = np.searchsorted(keys, graph.keys[graph.child[edges]]).astype(np.int32)
        parts.append((parent, child, graph.moves[edges], graph.person[edges], graph.visits[edges], graph.worth[edges]))
    return added_up(len(keys), *(np.concatenate(column) for column in zip(*parts, strict=True)))


def _append(files: Mapping[str, IO[bytes]], arrays: tuple[Any, ...]) -> dict[str, tuple[Any, tuple[int, ...]]]:
    """Write a piece behind the others; returns type and width of each array."""
    for name, array in zip(ARRAYS[1:], arrays, strict=True):
        files[name].write(np.ascontiguousarray(array).data)
    return {name: (array.dtype, array.shape[1:]) for name, array in zip(ARRAYS[1:], arrays, strict=True)}


def _mapped(path: Path, kind: Any, width: tuple[int, ...]) -> NDArray[Any]:
    if path.stat().st_size == 0:
        return np.zeros((0, *width), dtype=kind)
    return np.memmap(path, dtype=kind, mode="r").reshape(-1, *width)


def free_memory() -> int:
    """Bytes that a merge may use: half of what the system says is available."""
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024 // 2
    except OSError:
        pass
    return 2**31


def size_text(number: int) -> str:
    """A number of bytes for people."""
    return f"{number / 2**30:.1f} GiB" if number >= 2**30 else f"{number / 2**20:.1f} MiB"
