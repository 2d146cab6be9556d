"""The loop of a run: play, learn, keep."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import ludoport as lp
from ludoport.errors import LudoportError
from ludoport.nets.build import build_network
from ludoport.nets.config import preset as network_preset
from ludoport.nets.files import load_network, save_network
from ludoport.nets.guide import fitting_layout, origin_of
from ludoport.nets.network import PolicyValueNet
from ludoport.selfplay.config import TrainConfig
from ludoport.selfplay.games import SelfPlay
from ludoport.selfplay.learner import Learner
from ludoport.selfplay.replay import Replay
from ludoport.selfplay.run import Run
from ludoport.tensors.layout import TensorLayout, tensor_layout
from ludoport.tensors.symmetry import symmetries

if TYPE_CHECKING:
    from ludoport.selfplay.device import DeviceReplay, DeviceSelfPlay


@dataclass(frozen=True)
class Budget:
    """How long a run goes: minutes of work or epochs, whichever comes first."""

    minutes: float | None = None
    epochs: int | None = None

    def __post_init__(self) -> None:
        if self.minutes is None and self.epochs is None:
            raise LudoportError("a run needs a number of minutes or of epochs")
        for name, value in (("minutes", self.minutes), ("epochs", self.epochs)):
            if value is not None and not value > 0:
                raise LudoportError(f"the number of {name} must be positive, not {value}")

    def progress(self, seconds: float, epoch: int) -> float:
        """How much of the run is over, from 0 to 1."""
        parts = [seconds / (60 * self.minutes)] if self.minutes is not None else []
        parts += [epoch / self.epochs] if self.epochs is not None else []
        return max(parts)


class Trainer:
    """A run at work.

    Args:
        config: every setting.
        folder: where the run lies.
        start: a network to start from instead of fresh weights; a path.
        device: where network and learner are.
    """

    def __init__(
        self, config: TrainConfig, folder: Path | str, *, start: Path | str | None = None, device: str = "cpu"
    ) -> None:
        self.config = config
        self.game = lp.load(config.game, options=list(config.options))
        if self.game.n_players != 2:
            raise LudoportError(f"training is for games of two players; {self.game.name} has {self.game.n_players}")
        net, self.layout = self._network(start)
        self.run = Run(Path(folder), config)
        turns = symmetries(self.game, self.layout) if config.symmetries else []
        self.learner = Learner(net, self.layout, config, turns, device)
        sizes = config.replay, int(np.prod(self.layout.shape)), int(np.prod(self.layout.move_shape))
        self.replay: Replay | DeviceReplay
        self.play: SelfPlay | DeviceSelfPlay
        if device == "cuda":
            from ludoport.selfplay.device import DeviceReplay, DeviceSelfPlay

            self.replay = DeviceReplay(*sizes)
            self.play = DeviceSelfPlay(self.game, self.layout, config, self.replay, self.learner.averaged)
        else:
            self.replay = Replay(*sizes)
            self.play = SelfPlay(self.game, self.layout, config, self.replay, self.learner.averaged)
        self.epoch = 0
        self.seconds = 0.0
        self.records: list[dict[str, Any]] = []
        self._resume()

    def _network(self, start: Path | str | None) -> tuple[PolicyValueNet, TensorLayout]:
        if start is None:
            layout = tensor_layout(self.game, self.config.layout)  # type: ignore[arg-type]
            config = network_preset(self.config.network, layout.shape[0], layout.move_shape[0])
            return build_network(config, seed=self.config.seed), layout
        saved = load_network(start)
        return saved.net, fitting_layout(self.game, saved.header.origin, str(start))

    def _resume(self) -> None:
        kept = self.run.load_state()
        if kept is None:
            return
        arrays, facts = kept
        self.replay.restore(arrays)
        self.play.restore(arrays)
        self.learner.restore(arrays)
        self.learner.rng.bit_generator.state = facts["learner_rng"]
        self.epoch, self.seconds = facts["epoch"], facts["seconds"]
        self.records = self.run.metrics()[: self.epoch]
        self.play.update(self.learner.averaged)

    def train(self, budget: Budget, watch: Callable[[dict[str, Any]], None] | None = None) -> Path:
        """Go on until the budget is used up; returns the file of the newest network.

        Args:
            budget: how long.
            watch: called with the record of every epoch.
        """
        begin = time.perf_counter() - self.seconds
        try:
            while budget.progress(self.seconds, self.epoch) < 1:
                record = self._epoch(budget, begin)
                if watch is not None:
                    watch(record)
                if self.epoch % self.config.checkpoint_epochs == 0:
                    self.save()
        finally:
            self.save()
            self.run.export_metrics()
        return self.run.network_file

    def _epoch(self, budget: Budget, begin: float) -> dict[str, Any]:
        clock = time.perf_counter()
        played = self.play.play(self.config.positions)
        played_seconds = time.perf_counter() - clock
        learned = None
        if self.replay.ready >= min(self.config.warmup, self.config.replay // 2):
            progress = budget.progress(time.perf_counter() - begin, self.epoch)
            learned = self.learner.learn(self.replay, self.config.batches_of_epoch(), progress)
            self.play.update(self.learner.averaged)
        self.epoch += 1
        self.seconds = time.perf_counter() - begin
        record = {
            "epoch": self.epoch,
            "seconds": round(self.seconds, 3),
            "play_seconds": round(played_seconds, 3),
            "ready": self.replay.ready,
            **asdict(played),
            "policy_loss": learned.policy if learned else None,
            "value_loss": learned.value if learned else None,
            "rate": learned.rate if learned else None,
            "games_per_second": round(played.games / played_seconds, 3),
            "positions_per_second": round(played.positions / played_seconds, 3),
            "evaluations_per_second": round(played.evaluations / played_seconds, 3),
        }
        self.records.append(record)
        self.run.keep_metrics(self.records)
        self.run.log(json.dumps(record))
        return record

    def save(self) -> None:
        """Keep the network and all that the next epoch needs."""
        training = {"epochs": self.epoch, "seconds": round(self.seconds, 1), "seed": self.config.seed}
        origin = origin_of(self.game, self.layout, self.config.options)
        for path in (self.run.checkpoint_file(self.epoch), self.run.network_file):
            save_network(path, self.learner.averaged, origin, training)
        facts = {
            "epoch": self.epoch,
            "seconds": self.seconds,
            "learner_rng": self.learner.rng.bit_generator.state,
        }
        self.run.save_state({**self.replay.arrays(), **self.play.arrays(), **self.learner.arrays()}, facts)
