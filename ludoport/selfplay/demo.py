"""The whole idea in a few minutes: learn Hex on a small board, carry what was learned to a larger one, and play."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import ludoport as lp
from ludoport.arena.match import match
from ludoport.errors import LudoportError
from ludoport.selfplay.config import preset
from ludoport.selfplay.rating import network_player
from ludoport.selfplay.run import Run
from ludoport.transfer.mapping import Mapping, map_channels
from ludoport.transfer.options import TransferOptions
from ludoport.transfer.runs import transfer_file
from ludoport.transfer.sides import find_side

if TYPE_CHECKING:
    from ludoport.arena.players import Player
    from ludoport.arena.result import MatchResult
    from ludoport.selfplay.config import TrainConfig

Name = Literal["small", "large"]


@dataclass(frozen=True)
class Plan:
    """What the demonstration does.

    Attributes:
        small: the board on which a network learns that is carried over.
        large: the board on which all play, and on which the other network learns.
        minutes: how long each of them learns.
        epochs: or how many epochs, whichever comes first.
        games: games of the two networks against each other.
        uct_games: games of each of them against UCT.
        simulations: of the networks' searches when they play.
        uct: the UCT player.
        seed: where the randomness begins.
        settings: changes to the preset ``tiny``.
    """

    small: str = "5x5"
    large: str = "7x7"
    minutes: float = 2.0
    epochs: int | None = None
    games: int = 60
    uct_games: int = 30
    simulations: int = 32
    uct: str = "uct:200"
    seed: int = 1
    settings: dict[str, Any] = field(default_factory=dict)

    def board(self, name: Name) -> str:
        """The board that a network learns on."""
        return self.small if name == "small" else self.large

    def config(self, name: Name) -> TrainConfig:
        """The settings of a network's run."""
        options = (f"Board Size/{self.board(name)}",)
        return preset("tiny", game="Hex", options=options, seed=self.seed, **self.settings)


QUICK = Plan(
    small="3x3", large="4x4", epochs=3, games=4, uct_games=2, simulations=4, uct="uct:10",
    settings={"games": 16, "simulations": 4, "positions": 96, "warmup": 48, "batch": 32, "rating_share": 0.0},
)  # fmt: skip
"""The same in seconds; only to see that everything works."""


@dataclass
class Story:
    """What has happened so far; whoever watches reads it.

    Attributes:
        plan: what is to be done.
        step: what is being done.
        began: when.
        runs: the two runs.
        mapping: how the channels of the two boards correspond.
        results: the matches, as far as they were played.
    """

    plan: Plan
    folder: Path
    step: str = ""
    began: float = field(default_factory=time.perf_counter)
    runs: dict[Name, Run] = field(default_factory=dict)
    mapping: Mapping | None = None
    results: list[MatchResult] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        """How long it has taken."""
        return time.perf_counter() - self.began


Watch = Callable[[Story], None]


def run_demo(plan: Plan, folder: Path, watch: Watch) -> Story:
    """Do everything; calls ``watch`` now and then."""
    if plan.small == plan.large:
        raise LudoportError(f"the demonstration needs two boards of different size, not {plan.small} twice")
    _clear(folder)
    story = Story(plan, folder)
    names: tuple[Name, Name] = ("small", "large")
    story.runs = {name: Run(folder / f"hex-{plan.board(name)}", plan.config(name)) for name in names}
    story.step = f"learning Hex {plan.small} and, for comparison, Hex {plan.large} from nothing"
    _train(story, watch)
    story.step = f"carrying the network from {plan.small} to {plan.large}"
    watch(story)
    here, there = (find_side("Hex", plan.config(name).options) for name in names)
    story.mapping = map_channels(here, there)
    carried = transfer_file(
        story.runs["small"].network_file,
        there,
        story.mapping,
        folder / "carried",
        options=TransferOptions(unmapped="zero"),
    )
    _play(story, carried, watch)
    story.step = "done"
    return story


def _clear(folder: Path) -> None:
    """Make room: an earlier demonstration is replaced, anything else is left alone."""
    mark = folder / ".demo"
    if folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not mark.exists())):
        raise LudoportError(f"{folder} is there already and holds something else; choose another folder with --out")
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    mark.touch()


def _train(story: Story, watch: Watch) -> None:
    """Both networks learn at the same time, each in a process of its own and on one core."""
    plan = story.plan
    workers: list[tuple[subprocess.Popen[bytes], Path]] = []
    try:
        for run in story.runs.values():
            log = Path(tempfile.mkstemp(prefix="ludoport-demo-", suffix=".log")[1])
            workers.append((_start(plan, run, log), log))
        while any(process.poll() is None for process, _ in workers):
            watch(story)
            time.sleep(0.5)
        for process, log in workers:
            if process.returncode:
                raise LudoportError(f"training failed: {_last_line(log)}")
    finally:
        for process, log in workers:
            if process.poll() is None:
                process.terminate()
                process.wait()
            log.unlink(missing_ok=True)


def _start(plan: Plan, run: Run, log: Path) -> subprocess.Popen[bytes]:
    command = [
        sys.executable,
        "-m",
        "ludoport.cli",
        "train",
        "Hex",
        "--out",
        str(run.folder),
        "--device",
        "cpu",
        "--json",
    ]
    for choice in run.config.options:
        command += ["-o", choice]
    command += ["--minutes", str(plan.minutes), "--seed", str(plan.seed)]
    if plan.epochs is not None:
        command += ["--epochs", str(plan.epochs)]
    for name, value in plan.settings.items():
        command += ["--set", f"{name}={json.dumps(value)}"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    with log.open("wb") as file:
        return subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT, env=environment)


def _last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").split("\n")
    return next((line for line in reversed(lines) if line.strip()), "no reason was given")


def _play(story: Story, carried: Path, watch: Watch) -> None:
    """The carried network against the other one, and both against UCT."""
    plan = story.plan
    game = lp.load("Hex", options=[f"Board Size/{plan.large}"])
    ours = network_player(plan.config("large"), carried, plan.simulations)
    other = network_player(plan.config("large"), story.runs["large"].network_file, plan.simulations)
    pairs: list[tuple[str, Player, Player | str, int]] = [
        ("the carried network against the one that learned here", ours, other, plan.games),
        ("the carried network against UCT", ours, plan.uct, plan.uct_games),
        ("the one that learned here against UCT", other, plan.uct, plan.uct_games),
    ]
    for number, (what, a, b, games) in enumerate(pairs):
        story.step = f"Hex {plan.large}: {what}"

        def update(result: MatchResult, place: int = number) -> None:
            story.results[place:] = [result]
            watch(story)

        label = f"Hex {plan.large}"
        match(a, b, game, games, seed=plan.seed, store=story.folder / "matches.sqlite", label=label, progress=update)
