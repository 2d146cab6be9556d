"""Goals of training on a device, measured in parts that are kept: a call may do some, the next one others."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludoport.bench import whole
from ludoport.errors import LudoportError
from ludoport.files import read_json, replacing
from ludoport.languages import known_games
from ludoport.selfplay.costs import useful_share

MOST_COLD = 45.0
"""Seconds from the start of the process to the first step of Shogi, with an empty cache."""

MOST_WRITTEN = 1.5
"""Bytes that 10 checkpoints write, as a multiple of the replay's."""

LEAST_SCORE = 0.95
"""The score against ``ANCHOR`` after a run of some minutes."""

LEAST_STUDY = 0.8
"""The share of a study's time that is play, learning and matches."""

ANCHOR = "uct:800,rollouts=10"
"""The opponent of trained networks."""

SIDE_BY_SIDE = 4
"""Starts that are measured at once; twice as many fill the cache."""

REFUSAL = "training is for games "
"""Part of the message that a game cannot be learned."""

MOMENT = 0.01
"""Minutes of a run that is only started."""


@dataclass(frozen=True)
class Goal:
    """One figure and what it should be.

    Attributes:
        what: the quantity that was measured.
        value: its value; None if it could not be measured.
        goal: the bound.
        least: whether the value should be at least that, otherwise at most.
        detail: more about it.
    """

    what: str
    value: float | None
    goal: float
    least: bool
    detail: str = ""

    @property
    def reached(self) -> bool:
        """Whether the value is on the right side of its bound."""
        if self.value is None:
            return False
        return self.value >= self.goal if self.least else self.value <= self.goal

    def record(self) -> dict[str, Any]:
        """The figure for programs."""
        return {**vars(self), "reached": self.reached}

    def told(self) -> str:
        """The figure in a line."""
        mark = "reached" if self.reached else "not reached"
        bound = f"{'at least' if self.least else 'at most'} {self.goal:g}"
        value = "failed" if self.value is None else f"{self.value:.3g}"
        return f"{self.what}: {value} ({bound}: {mark}){'; ' if self.detail else ''}{self.detail}"


@dataclass(frozen=True)
class Measuring:
    """Settings of a measurement.

    Attributes:
        device: where.
        folder: folder of results, runs and matches.
        minutes: length of a run; the runs whose strength is measured take one and a half times that on Hex 11x11.
        games: games of a match.
        settings: further settings of all runs, such as ``games=64``.
        only: games whose start is measured; all if empty.
        study: size of the study of networks with different seeds.
    """

    device: str
    folder: Path
    minutes: float = 2.0
    games: int = 300
    settings: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    study: str = "small"

    def run(self, name: str, game: str, options: Sequence[str], minutes: float, settings: Sequence[str] = ()) -> Any:
        """A whole run with a warm cache; a moment of training fills the cache first."""
        out, more = self.folder / "runs" / name, [*self.settings, *settings]
        with tempfile.TemporaryDirectory(prefix="ludoport-bench-") as folder:
            whole.run(self.device, game, options, Path(folder) / "run", MOMENT, False, more)
        return whole.run(self.device, game, options, _free(out), minutes, True, more)


def _free(path: Path) -> Path:
    """A name that nothing has: a run that was cut off would resume and not be a whole one."""
    number = 1
    while path.exists():
        number += 1
        path = path.with_name(f"{path.name.partition('~')[0]}~{number}")
    return path


def _whole(
    name: str, game: str, options: tuple[str, ...], longer: float = 1.0
) -> Callable[[Measuring], Iterator[Goal]]:
    """A whole run, for its shares; its network stays for the match of the same name."""

    def measure(plan: Measuring) -> Iterator[Goal]:
        # The goal is by the clock, with the start: a run counts its minutes from the first step on.
        run = plan.run(name, game, options, plan.minutes * longer * 0.965)
        detail = run.told()
        yield Goal(f"useful share, {run.game}", run.useful, whole.GOAL, True, detail)
        yield Goal(f"checkpoints and ratings, {run.game}", run.keeping, whole.MOST_KEEPING, False)
        yield Goal(f"seconds to the first step, {run.game}", run.spent["start"], whole.MOST_START, False)
        after = {kind: seconds for kind, seconds in run.spent.items() if kind != "start"}
        yield Goal(f"useful share after the start, {run.game}", useful_share(after), 0.95, True)

    return measure


def _strength(name: str, game: str, options: tuple[str, ...]) -> Callable[[Measuring], Iterator[Goal]]:
    """The match of a run's network; its games are kept, so a match that was cut off resumes."""

    def measure(plan: Measuring) -> Iterator[Goal]:
        runs = sorted(plan.folder.glob(f"runs/{name}*/network.safetensors"))
        if not runs:
            raise LudoportError(f"{plan.folder}: no run of {name}; measure --part {name} first")
        player = f"net:{runs[-1].parent},simulations=40"
        command = ["match", player, ANCHOR, "--game", game, *_options(options), "--games", str(plan.games)]
        found = _called(plan, *command, "--out", str(plan.folder / f"{name}.match"), "--json")
        low, high = found["interval"]
        detail = f"+{found['wins']} ={found['draws']} -{found['losses']}, 95 % interval {low:.3f} to {high:.3f}"
        yield Goal(f"score against {ANCHOR}, {' '.join([game, *options])}", found["score"], LEAST_SCORE, True, detail)

    return measure


def _starts(plan: Measuring) -> Iterator[Goal]:
    """The start of every game with a warm cache, some side by side; those over the limit are measured again alone."""
    names = [game.name for game in known_games() if not plan.only or game.name in plan.only]

    def start(name: str) -> Goal:
        what = f"seconds to the first step, {name}"
        try:
            with tempfile.TemporaryDirectory(prefix="ludoport-bench-") as folder:
                return Goal(what, _start(plan, name, Path(folder) / "run"), whole.MOST_START, False)
        except LudoportError as error:
            why = str(error).strip().splitlines()[-1].rpartition("ludoport: ")[2]
            return Goal(what, None, whole.MOST_START, False, why)

    with ThreadPoolExecutor(2 * SIDE_BY_SIDE) as pool:
        first = dict(zip(names, pool.map(start, names), strict=True))
    learned = [name for name in names if REFUSAL not in first[name].detail]
    for name in first.keys() - set(learned):
        yield Goal(f"not trained: {name}", 0.0, 0.0, False, first[name].detail)
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        slow = []
        for name, goal in zip(learned, pool.map(start, learned), strict=True):
            yield goal
            if not goal.reached:
                slow.append(name)
    yield from map(start, slow)


def _start(plan: Measuring, game: str, out: Path, **environment: str) -> float:
    run = whole.run(plan.device, game, (), out, MOMENT, True, [*plan.settings, "rating_share=0"], environment)
    return run.spent["start"]


def _cold(plan: Measuring) -> Iterator[Goal]:
    """The start of Shogi with an empty cache."""
    game = plan.only[0] if plan.only else "Shogi"
    with tempfile.TemporaryDirectory(prefix="ludoport-bench-") as folder:
        (Path(folder) / "cache").mkdir(mode=0o700)
        seconds = _start(plan, game, Path(folder) / "run", LUDOPORT_CACHE=str(Path(folder) / "cache"))
    yield Goal(f"seconds to the first step with an empty cache, {game}", seconds, MOST_COLD, False)


def _checkpoints(plan: Measuring) -> Iterator[Goal]:
    """Bytes of 10 checkpoints of a run that records a million positions."""
    each = 100_000 if plan.device == "cuda" else 512
    settings = [f"positions={each}", f"replay={16 * each}", "checkpoint_epochs=1", "checkpoint_minutes=1000"]
    settings.append("rating_share=0")
    out = _free(plan.folder / "runs/checkpoints")
    board = ("Board Size/7x7",)
    run = whole.run(plan.device, "Hex", board, out, 0.0, True, [*plan.settings, *settings], epochs=10)
    memory = run.positions * run.position_bytes
    detail = f"{run.written_bytes:,} bytes for {run.positions:,} positions, {memory:,} bytes in memory"
    yield Goal("bytes of 10 checkpoints, times the replay's", run.written_bytes / memory, MOST_WRITTEN, False, detail)
    packed = sum(file.stat().st_size for file in (out / "state").glob("[pe]*-*.npz"))
    yield Goal("the same, times the replay's packed bytes", run.written_bytes / packed, MOST_WRITTEN, False)


def _ratio(plan: Measuring) -> Iterator[Goal]:
    """Self-play next to the bare network."""
    from ludoport.bench import selfplay

    for line in selfplay.measure(plan.device, min(1.0, plan.minutes)):
        detail = f"{line.value:,.0f} of {line.beside:,.0f} {line.unit}"
        yield Goal(f"{line.what}, times the bare network", line.ratio, line.goal, True, detail)


def _networks(plan: Measuring) -> Iterator[Goal]:
    """Networks with different seeds and their matches, in one call of ``study``."""
    from ludoport.studies.engine.store import Store

    out, begin = _free(plan.folder / "runs/seeds"), time.perf_counter()
    _called(plan, "study", "seeds", "--preset", plan.study, "--device", plan.device, "--out", str(out), "--json")
    wall, learned, played = time.perf_counter() - begin, 0.0, 0.0
    with Store(out, create=False) as store:
        done = list(store.entries("WHERE state = 'done'"))
    for entry in done:
        if entry.result and "spent" in entry.result:
            learned += useful_share(entry.result["spent"]) * sum(entry.result["spent"].values())
        else:
            played += entry.seconds or 0.0
    detail = f"{len(done)} jobs, {wall:.1f} s: {learned:.1f} s of play and learning, {played:.1f} s of matches"
    yield Goal("useful share of a study of seeds", (learned + played) / wall, LEAST_STUDY, True, detail)


@dataclass(frozen=True)
class GoalGroup:
    """A part of the measurement, and its seconds on an H200 as estimated."""

    seconds: int
    measure: Callable[[Measuring], Iterator[Goal]]


HEX9, HEX11, BREAKTHROUGH = ("Board Size/9x9",), ("Board Size/11x11",), ("Board Size/8x8",)

PARTS = {
    "hex-9x9": GoalGroup(140, _whole("hex-9x9", "Hex", HEX9)),
    "breakthrough-8x8": GoalGroup(140, _whole("breakthrough-8x8", "Breakthrough", BREAKTHROUGH)),
    "gardner": GoalGroup(150, _whole("gardner", "Gardner chess", ())),
    "hex-7x7": GoalGroup(140, _whole("hex-7x7", "Hex", ("Board Size/7x7",))),
    "hex-11x11": GoalGroup(200, _whole("hex-11x11", "Hex", HEX11, longer=1.5)),
    "hex-9x9-strength": GoalGroup(180, _strength("hex-9x9", "Hex", HEX9)),
    "breakthrough-8x8-strength": GoalGroup(120, _strength("breakthrough-8x8", "Breakthrough", BREAKTHROUGH)),
    "hex-11x11-strength": GoalGroup(300, _strength("hex-11x11", "Hex", HEX11)),
    "networks": GoalGroup(170, _networks),
    "ratio": GoalGroup(60, _ratio),
    "checkpoints": GoalGroup(60, _checkpoints),
    "starts": GoalGroup(200, _starts),
    "cold": GoalGroup(60, _cold),
}
"""All parts, those with most to say first; matches need no device and can run beside others."""


def measure(plan: Measuring, parts: Sequence[str]) -> Iterator[tuple[str, Goal]]:
    """Measure parts that the folder does not have yet; yields each figure with the name of its part.

    A figure is kept as soon as it is there. One that is measured again replaces the one before. A part that was cut off
    keeps what it had until it is measured again.

    Args:
        plan: how.
        parts: names from ``PARTS``; all if empty.
    """
    for name in parts:
        if name not in PARTS:
            raise LudoportError(f"unknown part `{name}`; choose from {', '.join(PARTS)}")
    plan.folder.mkdir(parents=True, exist_ok=True)
    for name in parts or PARTS:
        path = plan.folder / f"{name}.json"
        record = read_json(path) if path.exists() else {}
        if record.get("complete"):
            yield from ((name, Goal(**{k: v for k, v in goal.items() if k != "reached"})) for goal in record["goals"])
            continue
        begin, found = time.perf_counter(), dict[str, Goal]()
        for goal in PARTS[name].measure(plan):
            found[goal.what] = goal
            _keep(path, begin, found, complete=False)
            yield name, goal
        _keep(path, begin, found, complete=True)


def _keep(path: Path, begin: float, found: dict[str, Goal], *, complete: bool) -> None:
    """Write the figures of a part."""
    seconds = round(time.perf_counter() - begin, 1)
    record = {"complete": complete, "seconds": seconds, "goals": [goal.record() for goal in found.values()]}
    with replacing(path) as file:
        file.write(json.dumps(record, indent=1).encode())


def _options(options: Sequence[str]) -> list[str]:
    return [part for option in options for part in ("-o", option)]


def _called(plan: Measuring, *arguments: str) -> dict[str, Any]:
    """The JSON output of a command."""
    command = [sys.executable, "-m", "ludoport.cli", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise LudoportError(f"{' '.join(command)} failed: {done.stderr.strip()[-2000:]}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer
