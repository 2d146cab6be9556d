"""Time of a run of many games, part by part.

    python -m ludoport.bench.many games.txt --device cuda
    python -m ludoport.bench.many "Tic-Tac-Toe, Hex; Board Size/3x3" --preset tiny --set games=16 --set positions=128

One network learns all games of a list for two epochs. Rows with *one game at a time* do the same work without lanes.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from ludoport.selfplay.config import preset
from ludoport.selfplay.device import DeviceSelfPlay
from ludoport.selfplay.games import SelfPlay
from ludoport.selfplay.lists import game_list
from ludoport.selfplay.many_games import ManyGames
from ludoport.selfplay.run import Run

SETTINGS: dict[str, Any] = {
    "games": 512, "staggered": True, "positions": 65_536, "replay": 100_000, "mixed": 8, "rating_share": 0.0,
}  # fmt: skip
"""Settings of the study ``universal`` that differ from the preset, for a GPU."""


@dataclass(frozen=True, slots=True)
class PartTime:
    """One part of a run.

    Attributes:
        what: its name.
        seconds: duration.
        evaluations: positions that the network judged.
    """

    what: str
    seconds: float
    evaluations: int = 0

    def line(self) -> str:
        """As a row of a table."""
        pace = f"{self.evaluations / self.seconds:,.0f}" if self.evaluations else ""
        return f"| {self.what} | {self.seconds:.3f} | {pace} |"


def measure(subject: ManyGames) -> Iterator[PartTime]:
    """The parts of a run, in the order in which they happen."""
    config, device = subject.config, subject.device
    yield _timed("make networks, kernels and graphs", device, lambda: subject.assemble(None))
    parts, play, learner = subject.parts.values(), subject.play, subject.learner
    replay: Any = subject.replay

    def alone() -> int:
        share = -(-config.positions // len(parts))
        return sum(part.play.play(share).evaluations for part in parts)

    def together() -> int:
        return play.play(config.positions).evaluations

    yield _timed("play, first time", device, together)
    yield _timed("play", device, together)
    yield _timed("play, one game at a time", device, alone)
    ready = 0
    while not ready:  # until the first games have ended
        together()
        ready = replay.ready
    yield _timed("count the positions that are ready", device, lambda: replay.ready)
    batches = config.batches_of_epoch()
    yield _timed(f"learn from {batches} batches, first time", device, lambda: learner.learn(replay, batches, 0.0))
    yield _timed(f"learn from {batches} batches", device, lambda: learner.learn(replay, batches, 0.0))
    yield _timed("give each game its network, first time", device, lambda: play.update(learner.averaged))
    for _ in range(3):
        play.update(learner.averaged)
    yield _timed("give each game its network", device, lambda: play.update(learner.averaged))
    yield _timed("play, with what was learned", device, together)


@torch.no_grad()
def difference(subject: ManyGames, positions: int = 64) -> float:
    """The largest difference between the values that a game plays with and those of the network for many games.

    Self-play on a device has weights in half precision, which a captured graph has written.
    """
    found, learner = 0.0, subject.learner
    for key, part in subject.parts.items():
        if not part.replay.ready:
            continue
        seen = torch.as_tensor(part.replay.draw(learner.rng, positions)[0], device=subject.device)
        planes = seen.float().reshape(-1, *part.layout.shape)
        play = part.play
        assert isinstance(play, (DeviceSelfPlay, SelfPlay))
        evaluator = play.evaluator if isinstance(play, DeviceSelfPlay) else play.guide.evaluator
        wanted = learner.averaged(planes, learner.readings[key], learner.masks[key]).value()
        values = evaluator.evaluate(planes, learner.masks[key])[1]
        found = max(found, float((values - wanted).abs().max()))
    return found


def _timed(what: str, device: str, work: Callable[[], object]) -> PartTime:
    begin = time.perf_counter()
    found = work()
    if device == "cuda":
        torch.cuda.synchronize()
    return PartTime(what, time.perf_counter() - begin, found if isinstance(found, int) and "play" in what else 0)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(prog="python -m ludoport.bench.many", description=__doc__)
    parser.add_argument("games", help="list of games: a file, or names with commas")
    parser.add_argument("--preset", default="modern", help="preset of settings")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="setting to change")
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--json", help="also write the rows to this file")
    given = parser.parse_args(arguments)
    changes = tomllib.loads("\n".join(given.set))
    config = preset(given.preset, **{**SETTINGS, **changes, "game": "", "game_list": list(game_list(given.games))})
    print(f"{len(config.game_list)} games, {config.positions:,} positions, {config.lanes} lanes\n")
    print("| part | seconds | evaluations/s |\n|---|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        subject = ManyGames(Run(Path(folder) / "run", config), given.device)
        rows = [PartTime("read the games", time.perf_counter() - begin)]
        print(rows[0].line())
        for row in measure(subject):
            rows.append(row)
            print(row.line(), flush=True)
    print(f"\nlargest difference of a value from that of the network for many games: {difference(subject):.4f}")
    if given.device == "cuda":
        print(f"\nmemory of the device, at most: {torch.cuda.max_memory_reserved() / 1e9:.1f} GB")
    if given.json:
        Path(given.json).write_text(json.dumps([asdict(row) for row in rows]), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
