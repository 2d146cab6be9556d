"""Actors of a cluster: they play, and hand over the positions of games that have ended."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from ludoport.gamespec import pack_game, unpack_game
from ludoport.nets.build import build_network
from ludoport.nets.config import NetConfig
from ludoport.nets.network import PolicyValueNet
from ludoport.selfplay.config import TrainConfig
from ludoport.selfplay.games import SelfPlay
from ludoport.selfplay.replay import Replay, replay_sizes
from ludoport.selfplay.shards import Harvest, Shard, take_finished
from ludoport.selfplay.tournament import NEWEST, Tournament
from ludoport.tensors.layout import LayoutName, TensorLayout, tensor_layout

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.selfplay.device import DeviceReplay, DeviceSelfPlay

Weights = Shard
"""The weights of a network by name, as arrays; they travel like positions."""


@dataclass(frozen=True)
class ActorStart:
    """Everything that an actor needs to begin.

    Attributes:
        game: the game, packed.
        layout: name of the layout.
        config: settings of the run.
        network: the shape of the network.
        device: ``cpu`` or ``cuda``.
    """

    game: bytes
    layout: LayoutName
    config: TrainConfig
    network: NetConfig
    device: str


def part_of(game: Game, layout: TensorLayout, config: TrainConfig, net: PolicyValueNet, device: str) -> ActorStart:
    """Everything that actors need to play as a run does."""
    return ActorStart(pack_game(game), layout.layout, config, net.config, device)


def weights_of(net: PolicyValueNet) -> Weights:
    """The weights of a network, ready to travel."""
    return {name: tensor.detach().cpu().numpy() for name, tensor in net.state_dict().items()}


@dataclass(frozen=True)
class News:
    """News of an epoch, from the learner to the actors.

    Attributes:
        weights: current weights of the network.
        rating: of that network in the tournament.
        ratings: of the checkpoints in the tournament, by their epochs.
        files: these checkpoints as bytes, or references of Ray to them.
    """

    weights: Weights
    rating: float = 0.0
    ratings: dict[int, float] = field(default_factory=dict)
    files: dict[int, Any] = field(default_factory=dict)


def opened(kept: Any) -> Any:
    """The value itself, or the value behind a reference of Ray."""
    if isinstance(kept, (bytes, News)):
        return kept
    import ray

    return ray.get(kept)


class Delegate(Tournament):
    """The part of a tournament that an actor plays: it draws opponents by the ratings that it hears, and reports.

    Args:
        seed: random seed.
    """

    def __init__(self, seed: int) -> None:
        super().__init__(seed, self.file)
        self.folder = tempfile.TemporaryDirectory()
        self.news = News({})
        self.verdicts: list[tuple[int, int]] = []

    def file(self, epoch: int) -> Path:
        """A checkpoint, fetched from who learns when it is played against."""
        path = Path(self.folder.name) / f"{epoch}.safetensors"
        if not path.exists():
            path.write_bytes(opened(self.news.files[epoch]))
        return path

    def hear(self, news: News) -> None:
        """Take over ratings."""
        self.news, self.rating, self.ratings = news, news.rating, dict(news.ratings)

    def settle(self, verdicts: Sequence[int]) -> bool:
        """See ``Tournament``; what is to be reported is kept."""
        if self.opponent != NEWEST:
            self.verdicts += [(self.opponent, verdict) for verdict in verdicts]
        return super().settle(verdicts)

    def report(self) -> tuple[tuple[int, int], ...]:
        """Games that were not reported yet: the opponent's epoch, and what the game says."""
        verdicts, self.verdicts = tuple(self.verdicts), []
        return verdicts


def count_verdicts(tournament: Tournament, verdicts: Sequence[tuple[int, int]]) -> None:
    """Rate by what actors reported; opponents are drawn where games are played."""
    for epoch, verdict in verdicts:
        tournament.opponent, tournament.games = epoch, 0
        tournament.settle([verdict])
    tournament.opponent, tournament.games = NEWEST, 0


class SelfPlayActor:
    """Plays the games of one process; prepares in the first step, so that errors are reported by a step.

    Args:
        part: everything that it needs to begin.
        number: of this actor; each number that ever was in a run has random numbers of its own.
    """

    def __init__(self, part: ActorStart, number: int) -> None:
        self.part = part
        self.config = replace(part.config, seed=part.config.seed + 7919 * (number + 1))
        self.play: SelfPlay | DeviceSelfPlay | None = None
        self.delegate = Delegate(self.config.seed) if part.config.tournament else None
        self.version = -1

    def step(self, version: int, box: list[Any]) -> Harvest:
        """Play a move in all games, or several until one was recorded; returns the games that ended.

        Args:
            version: of the news.
            box: the news, or where Ray keeps them; they are opened if they are new.
        """
        if self.play is None:
            self._prepare()
        assert self.play is not None
        if version != self.version:
            self._hear(opened(box[0]))
            self.version = version
        progress = self.play.play(1)
        shard = take_finished(self.replay)
        verdicts = self.delegate.report() if self.delegate is not None else ()
        return Harvest(replace(progress, positions=len(shard["results"])), shard, verdicts)

    def _hear(self, news: News) -> None:
        assert self.play is not None
        # What Ray keeps must not be written, so torch gets a copy.
        self.net.load_state_dict({name: torch.tensor(array) for name, array in news.weights.items()})
        self.play.update(self.net)
        if self.delegate is not None:
            self.delegate.hear(news)

    def _prepare(self) -> None:
        game, part = unpack_game(self.part.game), self.part
        layout = tensor_layout(game, part.layout)
        self.net = build_network(part.network, seed=0).to(part.device).eval()
        # Capacity for unfinished games; a run's own replay would not keep more of a long game either.
        places = min(self.config.replay, self.config.games * (self.config.ply_limit + 1))
        sizes = places, *replay_sizes(self.config, layout)[1:]
        self.replay: Replay | DeviceReplay
        if part.device == "cuda":
            from ludoport.selfplay.device import DeviceReplay, DeviceSelfPlay

            self.replay = DeviceReplay(*sizes)
            self.play = DeviceSelfPlay(game, layout, self.config, self.replay, self.net, tournament=self.delegate)
        else:
            self.replay = Replay(*sizes)
            self.play = SelfPlay(game, layout, self.config, self.replay, self.net, tournament=self.delegate)
