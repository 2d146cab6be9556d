"""Large trees from many workers (sections 4.2 and 5.1 of the thesis): root parallel, pruned by dropping, merged.

Whatever a worker has finished is saved at once in a folder beside the result, so an interrupted build resumes
where it was when it is started again.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import shutil
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from ludoport.errors import LudoportError
from ludoport.files import read_json, read_text, write_atomically
from ludoport.game import Game, as_game
from ludoport.gamespec import pack_game
from ludoport.processes import pool
from ludoport.search.chance import refuse_chance
from ludoport.search.cluster import reach, run_on_ray
from ludoport.search.graph import SearchGraph, merged
from ludoport.search.graph_files import graph_bytes, read_graph, write_graph
from ludoport.search.graph_merge import merge_files
from ludoport.search.graph_trees import graph_of, into_tree
from ludoport.search.hidden import refuse_hidden
from ludoport.search.shares import BuildPlan, Share, grow_packed, grow_saved, grow_share, share_path, unsaved
from ludoport.search.tree import Tree

Tells = Callable[[str], None]


@dataclass(frozen=True)
class Built:
    """A tree that was built.

    Attributes:
        path: file of the tree; None if it could not be saved.
        notes: remarks about the tree, one sentence each.
        unsaved: the tree itself, if it could not be saved.
    """

    path: Path | None
    notes: list[str]
    unsaved: SearchGraph | None = None

    def graph(self) -> SearchGraph:
        """The tree."""
        if self.unsaved is not None:
            return self.unsaved
        assert self.path is not None
        return read_graph(self.path)


@dataclass(frozen=True)
class Cluster:
    """Threads, processes or Ray cluster that workers run on.

    Attributes:
        ray: whether on Ray; otherwise on threads of this process.
        address: the cluster to join; a local instance is started if there is none.
        threads: maximum number of workers at a time without Ray; default: number of processors.
        processes: processes instead of threads; better where workers continue a large tree, because reading it in and
            comparing with it is work for Python, which threads do one after another.
    """

    ray: bool = False
    address: str | None = None
    threads: int | None = None
    processes: bool = False


def build_tree(
    game: Game | str | Path,
    plan: BuildPlan,
    workers: int,
    out: Path,
    *,
    begin: Path | None = None,
    on: Cluster | None = None,
    tell: Tells = lambda _: None,
) -> Built:
    """Build a tree with several workers and save it.

    Args:
        game: the game, its name, or the path of its file.
        plan: the plan of every worker.
        workers: number of trees that are grown.
        out: the file of the merged tree.
        begin: a saved tree of the same root that every worker continues; it is part of the result, once.
        on: threads, processes or cluster of the workers.
        tell: called with messages about the progress.
    """
    game = as_game(game)
    refuse_chance(game, "a saved tree")
    refuse_hidden(game, "a saved tree")
    if workers < 1:
        raise LudoportError(f"the number of workers must be at least 1, not {workers}")
    if out.is_dir() or not out.parent.is_dir():
        raise LudoportError(f"cannot write {out}: {'it is a folder' if out.is_dir() else 'its folder does not exist'}")
    known = None
    if begin is not None:
        known = read_graph(begin)
        plan = replace(plan, begin=hashlib.sha256(begin.read_bytes()).hexdigest())
    on = on or Cluster()
    _try_out(game, plan, known, on)
    folder = parts_folder(out)
    _prepare(folder, plan)
    shares = [share for share in (_finished(folder, number) for number in range(workers)) if share is not None]
    if shares:
        tell(f"workers finished before: {len(shares)} of {workers}")
    missing = sorted(set(range(workers)) - {share.number for share in shares})
    for share in _grown(_Job(game, plan, folder, on, known, begin), missing, tell):
        shares.append(share)
        tell(f"workers finished: {len(shares)} of {workers}")
    shares.sort(key=lambda share: share.number)
    if begin is not None:
        shares.insert(0, Share(-1, begin))
    return _joined(shares, out, tell)


def parts_folder(out: Path) -> Path:
    """Folder of the parts of a tree until it is finished."""
    return out.with_name(f"{out.name}.parts")


def _try_out(game: Game, plan: BuildPlan, known: SearchGraph | None, on: Cluster) -> None:
    """Refuses what cannot work before anything is written; also compiles the kernels, once for all threads."""
    if on.ray and on.address is not None:
        reach(on.address)
    state = plan.about.root(game)
    if known is None:
        tree = Tree(state, plan.nodes, plan.settings)
    else:
        # The moves of the root tell whether it fits; workers read in the rest.
        few = known.chosen(known.parent == known.number(known.root)) if known.edges else known
        tree = into_tree(few, state, plan.nodes, plan.settings).tree
    tree.run(1)
    graph_of(tree)


def _prepare(folder: Path, plan: BuildPlan) -> None:
    """Make the folder of parts; if one of an earlier build holds finished parts, they must belong to the same plan."""
    note = folder / "plan.json"
    if folder.exists():
        try:
            same = read_text(note) == plan.identity
        except LudoportError:
            same = all(path.suffix == ".tmp" for path in folder.iterdir())
        if not same and note.exists() and not any(folder.glob("worker-*.tree")):
            for left in folder.glob("worker-*"):  # what workers leave that were interrupted
                left.unlink()
        elif not same:
            raise LudoportError(
                f"{folder} holds parts of another tree; choose another file for this one, or remove the folder"
            )
    folder.mkdir(exist_ok=True)
    write_atomically(note, plan.identity)


def _finished(folder: Path, number: int) -> Share | None:
    """Work that a worker had finished before; a damaged tree is made again."""
    path = share_path(folder, number)
    for left in folder.glob(f"worker-{number}.branch-*"):
        left.unlink()
    if not path.exists():
        return None
    try:
        read_graph(path)
    except LudoportError:
        return None
    text = ""
    with suppress(LudoportError):  # without a note, or with a damaged one
        text = str(read_json(_note_path(path)))
    return Share(number, path, None, text)


def _note_path(path: Path) -> Path:
    return path.with_suffix(".json")


@dataclass(frozen=True)
class _Job:
    """Everything that workers are given, and the folder of their shares."""

    game: Game
    plan: BuildPlan
    folder: Path
    on: Cluster
    begin: SearchGraph | None
    begin_path: Path | None = None


def _grown(job: _Job, numbers: list[int], tell: Tells) -> Iterator[Share]:
    """The shares of some workers, as they are finished."""
    if not numbers:
        return
    here = _on_processes if job.on.processes else _on_threads
    for share in _on_ray(job, numbers, tell) if job.on.ray else here(job, numbers):
        if share.note and share.path is not None:
            with suppress(OSError):  # the note is printed now; only a build that resumes later would miss it
                write_atomically(_note_path(share.path), json.dumps(share.note), sync=False)
        yield share


def _on_threads(job: _Job, numbers: list[int]) -> Iterator[Share]:
    """Workers on threads; kernels let go of the interpreter."""
    stop = threading.Event()
    with ThreadPoolExecutor(min(len(numbers), job.on.threads or os.cpu_count() or 1)) as threads:
        tasks = []
        for number in numbers:
            # Scratch space belongs to a game, so every worker has a game of its own.
            own = Game(job.game.rules, job.game.jit)
            tasks.append(threads.submit(grow_share, own, job.plan, number, job.folder, stop.is_set, job.begin))
        try:
            for task in as_completed(tasks):
                share = task.result()
                assert share is not None
                yield share
        finally:
            stop.set()
            for task in tasks:
                task.cancel()


def _on_processes(job: _Job, numbers: list[int]) -> Iterator[Share]:
    """Workers in processes of their own, which read the tree that they begin with."""
    packed, begin = pack_game(job.game), job.begin_path
    most = min(len(numbers), job.on.threads or os.cpu_count() or 1)
    try:
        with pool(most, packed + pickle.dumps(job.plan)) as submit:
            tasks = [submit(grow_saved, packed, job.plan, number, job.folder, begin) for number in numbers]
            for task in as_completed(tasks):
                yield task.result()
    except BrokenProcessPool:
        raise LudoportError(
            "a worker was killed, probably because there is not enough memory; choose fewer workers at a time"
        ) from None


def _on_ray(job: _Job, numbers: list[int], tell: Tells) -> Iterator[Share]:
    """Workers on Ray; what comes back is saved here at once, for they may have no disk in common with us."""
    packed = pack_game(job.game)
    begin = None if job.begin is None else graph_bytes(job.begin)
    tasks = [(packed, job.plan, number, begin) for number in numbers]
    for place, (content, note) in run_on_ray(grow_packed, tasks, address=job.on.address, tell=tell):
        yield _received(job.folder, numbers[place], content, note)


def _received(folder: Path, number: int, content: bytes, note: str) -> Share:
    """A share that came as bytes, saved if that is possible."""
    path = share_path(folder, number)
    try:
        write_atomically(path, content, sync=False)
    except OSError as error:
        return Share(number, None, read_graph(content), unsaved(note, error))
    return Share(number, path, None, note)


def _joined(shares: list[Share], out: Path, tell: Tells) -> Built:
    """Merge all shares into the result; the parts go when it is saved."""
    notes = [f"worker {share.number}: {share.note}" for share in shares if share.note]
    paths = [share.path for share in shares if share.path is not None]
    graph = None
    try:
        if len(paths) == len(shares):
            merge_files(paths, out, tell=tell)
        else:
            graph = merged([share.load() for share in shares])
            write_graph(graph, out)
    except OSError as error:
        notes.append(
            f"{out} could not be written: {error.strerror or error}; the finished parts are in {parts_folder(out)}"
        )
        return Built(None, notes, graph or merged([share.load() for share in shares]))
    shutil.rmtree(parts_folder(out), ignore_errors=True)
    return Built(out, notes)
