"""Speed of self-play next to the bare network, and strength of short runs."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

import ludoport as lp
from ludoport.bench.search import SpeedLine
from ludoport.nets.build import build_network
from ludoport.nets.guide import network_mask
from ludoport.nets.infer import Evaluator
from ludoport.nets.registry import preset as network_preset
from ludoport.selfplay.assembling import find_game
from ludoport.selfplay.config import TrainConfig, preset
from ludoport.selfplay.games import SelfPlay
from ludoport.selfplay.rating import network_player
from ludoport.selfplay.replay import Replay
from ludoport.selfplay.train import Budget, Trainer
from ludoport.tensors.layout import tensor_layout

GOAL = 0.9
"""The share of the bare network's speed that self-play aims at."""

CPU_GOAL = 0.7
"""The same on a CPU, where games and network share a core."""

CASES = tuple(("Hex", (f"Board Size/{size}x{size}",)) for size in (5, 7, 9, 11))
"""Games whose speed is measured."""


def measure(device: str, seconds: float, repeats: int = 3) -> Iterator[SpeedLine]:
    """Evaluations per second in self-play beside those of the bare network, at the same batch size in one run."""
    for game, options in CASES:
        config = preset("modern" if device == "cuda" else "tiny", game=game, options=options, rating_share=0.0)
        yield speed(config, device, seconds, repeats)


def speed(config: TrainConfig, device: str, seconds: float, repeats: int = 3) -> SpeedLine:
    """One game's speed; both are measured in turns, and the best of each counts."""
    game = lp.load(config.game, options=list(config.options))
    layout = tensor_layout(game, config.layout)  # type: ignore[arg-type]
    net = build_network(network_preset(config.network, layout.shape[0], layout.move_shape[0]), seed=1).eval()
    sizes = config.replay, int(np.prod(layout.shape)), int(np.prod(layout.move_shape))
    play: Any
    if device == "cuda":
        from ludoport.selfplay.device import DeviceReplay, DeviceSelfPlay

        play = DeviceSelfPlay(game, layout, config, DeviceReplay(*sizes), net)
        evaluator = Evaluator(net, device=device, batch=config.games, engine="cudnn")
    else:
        play = SelfPlay(game, layout, config, Replay(*sizes), net)
        evaluator = play.guide.evaluator
    planes = torch.randint(0, 2, (config.games, *layout.shape), dtype=torch.uint8, device=device)
    mask = network_mask(layout, device)
    bare, with_games = 0.0, 0.0
    play.step()
    for _ in range(repeats):
        bare = max(bare, _bare(evaluator, planes, mask, seconds))
        with_games = max(with_games, _with_games(play, seconds))
    what = f"self-play of {' '.join([config.game, *config.options])}, {config.games} games, network {config.network}"
    return SpeedLine(
        what,
        with_games,
        "evaluations/s",
        bare,
        f"the bare network on {device}, same run",
        GOAL if device == "cuda" else CPU_GOAL,
    )


def _bare(evaluator: Evaluator, planes: torch.Tensor, mask: torch.Tensor | None, seconds: float) -> float:
    begin, done = time.perf_counter(), 0
    while time.perf_counter() - begin < seconds:
        for _ in range(4):
            evaluator.evaluate(planes, mask)
            done += len(planes)
        if evaluator.cuda:
            torch.cuda.synchronize()
    return done / (time.perf_counter() - begin)


def _with_games(play: Any, seconds: float) -> float:
    begin, first = time.perf_counter(), play.evaluations
    while time.perf_counter() - begin < seconds:
        play.play(play.config.games)
    return float(play.evaluations - first) / (time.perf_counter() - begin)


@dataclass(frozen=True)
class Check:
    """One check of strength.

    Attributes:
        game: the game.
        options: its choices.
        minutes: training time of a network.
        simulations: of the network when it plays.
        opponent: the player it plays against.
        games: number of games.
        goal: the score aimed at; 0 if it is only measured.
        lossless: whether no game may be lost.
    """

    game: str
    options: tuple[str, ...]
    minutes: float
    simulations: int
    opponent: str
    games: int = 100
    goal: float = 0.0
    lossless: bool = False


CHECKS = (
    Check("Tic-Tac-Toe", (), 1.0, 40, "uct:800", lossless=True),
    Check("Hex", ("Board Size/5x5",), 4.0, 40, "uct:100", goal=0.85),
    Check("Hex", ("Board Size/5x5",), 4.0, 40, "uct:800,rollouts=10", goal=0.45),
    Check("Breakthrough", ("Board Size/6x6",), 4.0, 40, "uct:100"),
    Check("Connect Four", (), 4.0, 40, "uct:100"),
)
"""Goals of short runs; the last ones are only measured."""


@dataclass(frozen=True)
class CheckOutcome:
    """Outcome of a check."""

    check: Check
    epochs: int
    wins: int
    draws: int
    losses: int
    score: float
    interval: tuple[float, float]

    @property
    def reached(self) -> bool:
        """Whether the goal was reached."""
        return self.score >= self.check.goal and not (self.check.lossless and self.losses)

    def record(self) -> dict[str, Any]:
        """The outcome for programs."""
        return {**vars(self), "check": vars(self.check), "reached": self.reached}


def strength(checks: tuple[Check, ...] = CHECKS, device: str = "cpu", seed: int = 1) -> Iterator[CheckOutcome]:
    """Train and play; checks of the same game and time share their network."""
    with tempfile.TemporaryDirectory(prefix="ludoport-bench-") as folder:
        trained: dict[tuple[str, tuple[str, ...], float], Trainer] = {}
        for check in checks:
            key = (check.game, check.options, check.minutes)
            if key not in trained:
                name = "modern" if device == "cuda" else "tiny"
                config = preset(name, game=check.game, options=check.options, seed=seed, rating_share=0.0)
                trained[key] = Trainer(config, Path(folder) / str(len(trained)), device=device)
                trained[key].train(Budget(minutes=check.minutes))
            trainer = trained[key]
            player = network_player(trainer.config, trainer.run.network_file, check.simulations)
            record = lp.match(player, check.opponent, find_game(trainer.config), check.games, seed=seed).record
            yield CheckOutcome(
                check, trainer.epoch, record.wins, record.draws, record.losses, record.score, record.interval()
            )
