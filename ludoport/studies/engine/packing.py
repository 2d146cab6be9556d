"""A study in files that travel: its store and the networks that later jobs need, in half precision.

A part of a study can be done on one machine and the next part on another. What can be made again within seconds
(transferred networks), trees, and what was only needed to resume (memories of unfinished runs) stay behind; jobs whose
networks or trees stay behind are done again where they are needed. Played games are not packed, their results are in
the store; varied games that networks learn are.
"""

from __future__ import annotations

import io
import sqlite3
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from ludoport.errors import LudoportError
from ludoport.nets import load_torch
from ludoport.studies.engine.jobs import Job, JobEntry
from ludoport.studies.engine.lists import LIST, VARIED
from ludoport.studies.engine.store import Store
from ludoport.studies.engine.store_file import FILE
from ludoport.studies.engine.task import network_of

MOST = 15 * 2**20
"""Bytes of a packed file at most."""

LEARNED = ("train", "tune", "distill")
"""Kinds of jobs whose networks are packed; all others can be made again, most within seconds."""


def pack(folder: Path, out: Path, most: int = MOST, count: int | None = None) -> list[Path]:
    """Write a study as files ``1.tar``, ``2.tar`` and so on into a folder; the first one holds the store.

    Networks that unfinished jobs or transfers need come first, so that the first files are the most useful ones.

    Args:
        folder: the folder of the study; workers may be at work in it.
        out: folder of the files; older ones there are removed.
        most: bytes of a file at most, unless a single network or the store is larger.
        count: number of files at most; what does not fit stays behind. None for all.
    """
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob("*.tar"):
        old.unlink()
    with Store(folder, create=False) as store:
        entries = store.entries()
    files: list[Path] = []
    room, tar = 0, None
    try:
        for name, data in (FILE, _store(folder)), *_texts(folder), *_networks(folder, entries):
            if tar is None or len(data) + 1024 > room:
                if tar is not None:
                    tar.close()
                if len(files) == count:
                    break
                files.append(out / f"{len(files) + 1}.tar")
                tar, room = tarfile.open(files[-1], "w"), most  # noqa: SIM115, closed below
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
            room -= len(data) + 1024
    finally:
        if tar is not None:
            tar.close()
    return files


def _store(folder: Path) -> bytes:
    """The store as one plain file, consistent even while others write."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / FILE
        source, target = sqlite3.connect(folder / FILE), sqlite3.connect(copy)
        try:
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")
        finally:
            source.close()
            target.close()
        return copy.read_bytes()


def _texts(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The varied games of a study, and the list of all its games."""
    for file in sorted([*folder.glob(f"{VARIED}/*/*"), *folder.glob(LIST)]):
        yield str(file.relative_to(folder)), file.read_bytes()


def _networks(folder: Path, entries: list[JobEntry]) -> Iterator[tuple[str, bytes]]:
    """The networks that learned and that some job needs, in half precision."""
    results = {e.job.id: e.result for e in entries if e.job.kind in LEARNED and e.result is not None}
    with tempfile.TemporaryDirectory() as place:
        for name in _needed(entries, results):
            small = Path(place) / "network.safetensors"
            _halve(folder / name, small)
            yield name, small.read_bytes()


def _halve(network: Path, small: Path) -> None:
    """Write a network again in half precision."""
    load_torch()
    from ludoport.nets.files import is_universal, load_network, save_network
    from ludoport.nets.universal.files import load_universal, save_universal

    if is_universal(network):
        many = load_universal(network)
        save_universal(small, many.net, many.games, many.training, half=True)
    else:
        saved = load_network(network)
        save_network(small, saved.net, saved.header.origin, saved.header.training, half=True)


def _needed(entries: Iterable[JobEntry], results: dict[str, dict[str, object]]) -> list[str]:
    """Files of networks that jobs use, those first that are needed again."""
    ranks: dict[str, int] = {}
    for entry in entries:
        job = entry.job
        again = entry.state != "done" or job.kind == "transfer"
        for number, epochs in _uses(job):
            need = job.needs[min(number, len(job.needs) - 1)]
            if need in results:
                file = network_of(results[need], epochs)
                ranks[file] = min(ranks.get(file, 1), 0 if again else 1)
    return sorted(ranks, key=lambda file: ranks[file])


def _uses(job: Job) -> Iterator[tuple[int, int | None]]:
    """The networks that a job uses: the number of a job that it needs, and the epoch of a checkpoint."""
    for one in job.params.get("matches", ()):
        yield from zip(one["who"], one["at"], strict=True)
    if "matches" not in job.params:
        yield from enumerate(job.params.get("at", [None] * len(job.needs)))


def unpack(packed: Path, folder: Path) -> int:
    """Make a study of what ``pack`` wrote; returns the number of networks.

    Args:
        packed: the folder of the files.
        folder: the folder of the study, which must hold none.
    """
    files = sorted(packed.glob("*.tar"), key=lambda path: (len(path.name), path.name))
    if not files:
        raise LudoportError(f"{packed}: no packed study here (missing 1.tar)")
    if (folder / FILE).exists():
        raise LudoportError(f"{folder} already holds a study; choose another folder with --out")
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for file in files:
        try:
            with tarfile.open(file, "r:") as tar:  # a compressed file could claim any size
                members = tar.getmembers()
                for member in members:
                    if member.type not in (tarfile.REGTYPE, tarfile.AREGTYPE) or member.sparse is not None:
                        raise LudoportError(f"{file}: {member.name[:80]!r} is not a plain file; nothing was unpacked")
                tar.extractall(folder, members, filter="data")
                count += sum(member.name.endswith(".safetensors") for member in members)
        except (tarfile.TarError, OSError) as error:
            raise LudoportError(f"{file}: cannot be unpacked ({error})") from None
    if not (folder / FILE).is_file():
        raise LudoportError(f"{packed}: the store of the study is missing (1.tar)")
    with Store(folder, create=False) as store:
        store.again([e.job.id for e in store.entries() if e.state == "running" or _left_behind(folder, e)])
        store.settle()
    return count


def _left_behind(folder: Path, entry: JobEntry) -> bool:
    """Whether the network or tree of a finished job is not here and can be made again."""
    if entry.job.kind in LEARNED or entry.result is None:
        return False
    files = [folder / entry.result[name] for name in ("network", "tree") if name in entry.result]
    return not all(file.is_file() for file in files)
