"""The experiment of the thesis on search trees (chapters 5 and 6): from chess to Chessplus.

Two trees are built, one for each game. The tree of chess is transferred to Chessplus and the search continues there;
then it plays against the tree of Chessplus. The thesis could not tell transfer from mere search, because the
transferred tree had twice the simulations; so here a *control* has them too, all in Chessplus.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from ludoport.arena.kinds.tree import tree_player
from ludoport.arena.match import match
from ludoport.arena.players import Player
from ludoport.arena.playing import PlayedGame, derived
from ludoport.arena.result import MatchResult
from ludoport.arena.storage import MatchEntry, MatchStore
from ludoport.errors import LudoportError
from ludoport.files import damaged, read_json, read_text, write_atomically
from ludoport.game import Game, load
from ludoport.search.build import Cluster, build_tree
from ludoport.search.graph import SearchGraph, about_game
from ludoport.search.graph_files import read_graph, read_header, write_graph
from ludoport.search.graph_merge import free_memory, size_text
from ludoport.search.shares import BuildPlan
from ludoport.search.tree import UctSettings
from ludoport.studies.cleaver.size import CleaverSize, NetworkSize
from ludoport.transfer.search_trees import transfer_tree

BOARDS = {"gardner": ("gardner", "gardner-chessplus"), "8x8": ("Chess 8x8", "Chessplus")}
"""The games on each board: source and target."""

NAME, NOTE, TIMES = "chessplus", "study.json", "times.json"
"""The study on the command line, and the files in its folder that name its settings and the times of its stages."""

ADVICE = "remove it and resume the study"
"""Advice in errors about a damaged note of the folder; trees and games are in other files."""

DRAW = 0.2
"""Value of a draw in the search (section 4.1)."""

TUNING_BYTES, ROOM_BYTES = 370, 300
"""Memory that a worker needs to search on, for every move that is known before, and for every simulation; measured."""

MANY_EDGES, MANY_SIMULATIONS = 500_000, 100_000
"""Known moves, or simulations of a worker, from which on workers are processes; below, starting them costs more."""

MATCHES = (("transfer", "target"), ("control", "target"), ("transfer", "control"))
"""Pairs of players; the first is the experiment of the thesis, the others tell transfer and more search apart."""


Tells = Callable[[str], None]


@dataclass
class Study:
    """One run of the experiment, in a folder that keeps finished parts.

    Args:
        out: the folder.
        size: size of the experiment.
        board: ``gardner`` (5x5) or ``8x8``.
        seed: random seed.
        on: threads, processes or cluster that grow the trees.
        workers: processes that play games; as many as there are cores if not given.
        jit: compile to machine code, or run plain Python.
        tell: called with messages about the progress.
        networks: size of the part about networks; None for none.
    """

    out: Path
    size: CleaverSize
    board: str = "gardner"
    seed: int = 1
    on: Cluster = field(default_factory=Cluster)
    workers: int | None = None
    jit: bool | None = None
    tell: Tells = lambda _: None
    networks: NetworkSize | None = None

    def __post_init__(self) -> None:
        if self.board not in BOARDS:
            raise LudoportError(f"unknown board `{self.board}` in this study; choose from {', '.join(BOARDS)}")
        if not 0 <= self.seed < 2**40:
            raise LudoportError(f"the seed must be between 0 and 2 ** 40 - 1, not {self.seed}")

    @cached_property
    def source(self) -> Game:
        """Chess."""
        return self._load(0)

    @cached_property
    def target(self) -> Game:
        """Chessplus."""
        return self._load(1)

    def _load(self, number: int) -> Game:
        return load(BOARDS[self.board][number], jit=self.jit)

    def prepare(self) -> None:
        """Make the folder; one that exists must belong to the same study."""
        plan = {"study": NAME, "board": self.board, "seed": self.seed, **asdict(self.size)}
        text = json.dumps(plan, indent=1)
        note = self.out / NOTE
        if self.out.exists() and (not self.out.is_dir() or (any(self.out.iterdir()) and not note.is_file())):
            raise LudoportError(f"{self.out} holds something else; choose another folder")
        # Earlier versions called simulations iterations.
        if note.is_file() and read_text(note, ADVICE).replace('"iterations"', '"simulations"') != text:
            raise LudoportError(
                f"{self.out} holds this study with other settings; choose another folder, or use the same settings"
            )
        self.out.mkdir(parents=True, exist_ok=True)
        write_atomically(note, text)

    # Trees ------------------------------------------------------------------------------------------------------------

    def path(self, name: str) -> Path:
        """The file of a tree."""
        return self.out / f"{name}.tree"

    def tree(self, name: str) -> SearchGraph:
        """A tree that was built."""
        return read_graph(self.path(name))

    def build(self, name: str, number: int) -> None:
        """Build the tree of one of the games from nothing."""
        game = (self.source, self.target)[number]
        about = about_game(game, source=BOARDS[self.board][number], draw=DRAW)
        plan = BuildPlan(about, self.size.simulations, self.size.nodes, "drop", self.tree_seed(name), _uct())
        self._grow(name, game, plan, on=replace(self.on, processes=self.size.simulations >= MANY_SIMULATIONS))

    def tune(self, name: str, begin: str) -> None:
        """Continue the search from a tree in the target."""
        if self._there(name):
            return
        before = read_graph(self.path(begin)).about
        about = replace(before, simulations=0, seeds=(), settings={})
        settings = replace(_uct(), transpose=True)
        plan = BuildPlan(about, self.size.tuning, self.size.room, "drop", self.tree_seed(name), settings)
        self._grow(name, self.target, plan, self.path(begin), on=self._fitting(self.path(begin)))

    def carry(self, name: str, discount: float = 1.0) -> dict[str, Any]:
        """Carry the tree of the source over to the target; returns what became of it."""
        note = self.out / f"{name}.json"
        if not (self._there(name) and note.is_file()):
            with self.timed(name):
                loaded = (BOARDS[self.board][1], (), None)
                graph = read_graph(self.path("source"))
                moved = transfer_tree(graph, self.source, self.target, discount=discount, loaded=loaded)
                write_atomically(note, json.dumps(moved.as_json(), indent=1))
                write_graph(moved.graph, self.path(name))
        answer: dict[str, Any] = read_json(note, ADVICE)
        return answer

    def _fitting(self, begin: Path) -> Cluster:
        """The cluster with as many threads as memory allows; each searches on in all that is known before."""
        edges = int(read_header(begin)["edges"])
        each = TUNING_BYTES * edges + ROOM_BYTES * self.size.tuning
        most = max(1, 2 * free_memory() // each)
        wanted = min(self.on.threads or os.cpu_count() or 1, self.size.workers)
        if not self.on.ray and most < wanted:
            self.tell(f"{most} workers at a time instead of {wanted}, because each needs {size_text(each)} of memory")
        return replace(self.on, threads=min(most, wanted), processes=edges >= MANY_EDGES)

    def _grow(self, name: str, game: Game, plan: BuildPlan, begin: Path | None = None, *, on: Cluster) -> None:
        if self._there(name):
            return
        with self.timed(name):
            built = build_tree(
                game, plan, self.size.workers, self.path(name), begin=begin, on=on,
                tell=lambda text: self.tell(f"{name}: {text}"),
            )  # fmt: skip
        for note in built.notes:
            self.tell(f"{name}: {note}")
        if built.path is None:
            raise LudoportError(built.notes[-1])

    def _there(self, name: str) -> bool:
        """Whether a tree is finished; one that cannot be read is made again."""
        if not self.path(name).is_file():
            return False
        with suppress(LudoportError):
            read_header(self.path(name))
            return True
        return False

    def tree_seed(self, name: str) -> int:
        """Every tree has a seed of its own, the same in every run."""
        return derived(self.seed, "tree", name) % 2**40

    def timed(self, name: str) -> _Timed:
        """Measures a stage and adds its time to those of the study."""
        return _Timed(self, name)

    # Games ------------------------------------------------------------------------------------------------------------

    def player(self, name: str, least: int = 1) -> Player:
        """A player with one of the trees, which knows positions with at least this many visits."""
        return tree_player(self.path(name), simulations=self.size.online, least=least, draw=DRAW)

    def play(self, a: str, b: str, games: int | None = None, least: int = 1) -> tuple[MatchResult, list[PlayedGame]]:
        """Let two trees play in the target; games that were played before are not played again."""
        wanted, store = games or self.size.games, self.out / "games.sqlite"
        one, two = self.player(a, least), self.player(b, least)
        sure = f", {least} visits" if least > 1 else ""
        with self.timed(f"games of {a} and {b}{sure}") as clock:
            progress = _Progress(self.tell, f"{a} against {b}{sure}")
            result = match(
                one, two, self.target, wanted, seed=self.seed, workers=self.workers, store=store, progress=progress
            )
            clock.counts = progress.played
        with MatchStore(store) as file:
            fingerprint = self.target.rules.fingerprint
            entry = MatchEntry(
                self.target.name, fingerprint, one.spec, two.spec, one.identity, two.identity, self.seed, result.limit
            )
            played = [game for game in file.games(file.enter(entry)) if game.pairing.number < wanted]
        return result, played

    def times(self) -> dict[str, dict[str, float]]:
        """Seconds and load of every stage, all runs of it together.

        Raises:
            LudoportError: their file is damaged.
        """
        path = self.out / TIMES
        found = read_json(path, ADVICE) if path.is_file() else {}
        stages = found.values() if isinstance(found, dict) else [None]
        if not all(isinstance(stage, dict) and isinstance(stage.get("seconds"), float) for stage in stages):
            raise damaged(path, "no times of stages", ADVICE)
        return cast(dict[str, dict[str, float]], found)


class _Timed:
    """Adds the time of a stage to those of the study, however it ends."""

    def __init__(self, study: Study, name: str) -> None:
        self.study, self.name, self.counts = study, name, True

    def __enter__(self) -> _Timed:
        self.begin = time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        if not self.counts:
            return
        times = self.study.times()
        before = times.get(self.name, {"seconds": 0.0})
        load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
        seconds = before["seconds"] + time.perf_counter() - self.begin
        times[self.name] = {"seconds": round(seconds, 2), "load": round(load, 2)}
        write_atomically(self.study.out / TIMES, json.dumps(times, indent=1))


class _Progress:
    """Reports the score of a match from time to time."""

    def __init__(self, tell: Tells, name: str, every: float = 20.0) -> None:
        self.tell, self.name, self.every = tell, name, every
        self.known: int | None = None
        self.played = False
        self.next = time.monotonic() + every

    def __call__(self, result: MatchResult) -> None:
        done = result.record.games
        self.known = done if self.known is None else self.known
        self.played = done > self.known
        if time.monotonic() >= self.next or (result.complete and self.played):
            self.next = time.monotonic() + self.every
            self.tell(f"{self.name}: {done} of {result.games} games, {result.record}")


def _uct() -> UctSettings:
    """The search of the thesis; its exploration is the usual one."""
    return UctSettings(draw=DRAW)
