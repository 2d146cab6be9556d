"""One worker's share of a large tree: a tree of its own, grown within a memory limit, with all that was pruned."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.gamespec import unpack_game
from ludoport.search.graph import About, SearchGraph, merged
from ludoport.search.graph_files import graph_bytes, read_graph, write_graph
from ludoport.search.graph_merge import merge_files
from ludoport.search.graph_trees import graph_of, into_tree
from ludoport.search.memory import POLICIES, BoundedSearch, Policy
from ludoport.search.tree import Tree, UctSettings

OLD_NAMES = {"simulations": "iterations"}
"""Names in builds that earlier versions began; they can still be resumed."""

SLICE = 4096
"""Simulations between two looks whether to stop."""


@dataclass(frozen=True)
class BuildPlan:
    """The search of every worker.

    Attributes:
        about: the game, and the position to begin with.
        simulations: of each worker.
        nodes: room in the pool of each worker, counted in moves and positions.
        policy: memory policy, for full pools.
        seed: random seed; each worker derives its own.
        settings: settings of the search.
        begin: a digest of the tree to start from; empty without one.
    """

    about: About
    simulations: int
    nodes: int = 4_000_000
    policy: Policy = "drop"
    seed: int = 0
    settings: UctSettings = field(default_factory=UctSettings)
    begin: str = ""

    def __post_init__(self) -> None:
        if self.simulations < 1:
            raise LudoportError(f"the number of simulations must be at least 1, not {self.simulations}")
        if self.policy not in POLICIES:
            raise LudoportError(f"unknown memory policy `{self.policy}`; choose from {', '.join(POLICIES)}")
        if self.policy == "ensemble":
            raise LudoportError("`ensemble` keeps no tree that could be saved; use `drop`, which saves what it prunes")

    @property
    def identity(self) -> str:
        """Equal for two plans exactly if their workers do the same."""
        content = {OLD_NAMES.get(name, name): value for name, value in asdict(self).items()}
        content["about"] = {OLD_NAMES.get(name, name): value for name, value in content["about"].items()}
        return json.dumps(content, sort_keys=True)

    def worker_seed(self, number: int) -> int:
        """The random seed of one worker."""
        return self.seed * 1009 + number


@dataclass(frozen=True)
class Share:
    """Result of one worker.

    Attributes:
        number: number of the worker, from 0.
        path: file of its tree.
        graph: its tree, if it could not be saved.
        note: reason of an early end, or another problem; empty if there was none.
    """

    number: int
    path: Path | None
    graph: SearchGraph | None = None
    note: str = ""

    def load(self) -> SearchGraph:
        """The tree of this share."""
        if self.graph is not None:
            return self.graph
        assert self.path is not None
        return read_graph(self.path)


def share_path(folder: Path, number: int) -> Path:
    """File of a worker's finished tree."""
    return folder / f"worker-{number}.tree"


def grow_share(
    game: Game,
    plan: BuildPlan,
    number: int,
    folder: Path,
    stopped: Callable[[], bool] = lambda: False,
    begin: SearchGraph | None = None,
) -> Share | None:
    """Does one worker's share; None if it was stopped.

    Args:
        game: the game; no other thread may use it meanwhile.
        plan: the plan of the build.
        number: number of the worker.
        folder: folder of pruned branches and of the tree.
        stopped: asked from time to time.
        begin: the graph that is known before; the share holds only what is new.
    """
    state = plan.about.root(game)
    root, seed = state.key, plan.worker_seed(number)
    loaded = None if begin is None else into_tree(begin, state, plan.nodes, plan.settings, seed)
    tree = loaded.tree if loaded else Tree(state, plan.nodes, plan.settings, seed)
    if loaded:
        tree.remember()
    about = replace(plan.about, seeds=(tree.seed,), settings=asdict(plan.settings), draw=plan.settings.draw)
    nothing = replace(about, seeds=())
    branches: list[Path] = []

    def save(tree: Tree, link: int) -> None:
        path = folder / f"worker-{number}.branch-{len(branches)}"
        write_graph(graph_of(tree, link, nothing, root, new=True), path, compress=False)
        branches.append(path)

    search = BoundedSearch(tree, plan.policy, save=save)
    done = 0
    while done < plan.simulations and not search.stopped:
        if stopped():
            return None
        done += search.run(min(SLICE, plan.simulations - done))
    rest = graph_of(tree, 0, replace(about, simulations=done), root, new=True)
    return _saved(rest, branches, number, folder, search.stopped)


def _saved(rest: SearchGraph, branches: list[Path], number: int, folder: Path, note: str) -> Share:
    """Merge a tree with its pruned branches; what cannot be saved stays in memory."""
    path, last = share_path(folder, number), folder / f"worker-{number}.last"
    try:
        write_graph(rest, last, compress=False)
        merge_files([last, *branches], path)
        share = Share(number, path, None, note)
    except OSError as error:
        graph = merged([rest, *(read_graph(branch) for branch in branches)])
        return Share(number, None, graph, unsaved(note, error))
    _remove([last, *branches])
    return share


def unsaved(note: str, error: OSError) -> str:
    """A note about a share that could not be saved."""
    problem = f"its tree could not be saved: {error.strerror or error}"
    return f"{note}; {problem}" if note else problem


def _remove(files: list[Path]) -> None:
    for file in files:
        file.unlink()
    files.clear()


def grow_saved(packed: bytes, plan: BuildPlan, number: int, folder: Path, begin: Path | None = None) -> Share:
    """Do one worker's share in another process of this machine; its tree is saved in the folder."""
    known = None if begin is None else read_graph(begin)
    share = grow_share(unpack_game(packed), plan, number, folder, begin=known)
    assert share is not None
    return share


def grow_packed(packed: bytes, plan: BuildPlan, number: int, begin: bytes | None = None) -> tuple[bytes, str]:
    """Do one worker's share in another process or on another machine; the file of its tree comes back as bytes."""
    with tempfile.TemporaryDirectory() as folder:
        known = None if begin is None else read_graph(begin)
        share = grow_share(unpack_game(packed), plan, number, Path(folder), begin=known)
        assert share is not None
        return share.path.read_bytes() if share.path else graph_bytes(share.load()), share.note
