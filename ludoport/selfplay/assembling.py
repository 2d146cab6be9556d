"""Assembles the parts of a run: the replay, and self-play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ludoport as lp
from ludoport.nets.build import build_network
from ludoport.nets.opening import open_network
from ludoport.nets.registry import preset_for
from ludoport.selfplay.games import SelfPlay
from ludoport.selfplay.replay import Replay, replay_sizes
from ludoport.tensors.layout import refuse_hidden_dice, tensor_layout

if TYPE_CHECKING:
    from pathlib import Path

    from ludoport.game import Game
    from ludoport.nets.network import PolicyValueNet
    from ludoport.selfplay.cluster import OnRay
    from ludoport.selfplay.config import TrainConfig
    from ludoport.selfplay.device import DeviceSelfPlay
    from ludoport.selfplay.device_replay import DeviceReplay
    from ludoport.selfplay.playing import Plays
    from ludoport.selfplay.tournament import Tournament
    from ludoport.tensors.layout import TensorLayout


def find_game(config: TrainConfig) -> Game:
    """The game of a run."""
    return lp.load(config.game, options=list(config.options))


def first_network(game: Game, config: TrainConfig, start: Path | str | None) -> tuple[PolicyValueNet, TensorLayout]:
    """The network that a run begins with, from a file or with fresh weights, and how it sees the game."""
    if start is None:
        layout = tensor_layout(game, config.layout)  # type: ignore[arg-type]
        refuse_hidden_dice(layout)
        heads = {"reply": config.reply_weight > 0, "ownership": 3 if config.ownership_weight > 0 else 0}
        return build_network(preset_for(config.network, layout, **heads), seed=config.seed), layout
    return open_network(start, game)


def assembled(
    game: Game,
    layout: TensorLayout,
    config: TrainConfig,
    net: PolicyValueNet,
    tournament: Tournament | None,
    device: str,
    on: OnRay | None,
    *,
    warm: bool = False,
    stream: Any = None,
) -> tuple[Replay | DeviceReplay, Plays]:
    """The replay of a run and its self-play: on actors of a cluster if there is one, otherwise in this process.

    Args:
        game: the game.
        layout: layout of the tensors.
        config: every setting.
        net: the network that plays.
        tournament: opponents of the network; default: only itself.
        device: device of the replay and, without a cluster, of the games.
        on: the cluster.
        warm: whether to use what an earlier run of this process has left, and to leave it to the next; see ``warm.py``.
        stream: of the device, if other games are played at the same time.
    """
    sizes = replay_sizes(config, layout)
    replay: Replay | DeviceReplay
    if device == "cuda":
        from ludoport.selfplay.device_replay import DeviceReplay

        if on is None:
            return _on_device(game, layout, config, net, tournament, warm, stream)
        replay = DeviceReplay(*sizes)
    else:
        replay = Replay(*sizes)
    if on is not None:
        from ludoport.selfplay.cluster import ClusterSelfPlay

        return replay, ClusterSelfPlay(game, layout, config, replay, net, on, tournament)
    assert isinstance(replay, Replay)
    return replay, SelfPlay(game, layout, config, replay, net, tournament)


def _on_device(
    game: Game, layout: TensorLayout, config: TrainConfig, net: PolicyValueNet, tournament: Tournament | None,
    warm: bool, stream: Any,
) -> tuple[DeviceReplay, DeviceSelfPlay]:  # fmt: skip
    """Replay and self-play on the device of this process."""
    from ludoport.selfplay.device import DeviceSelfPlay
    from ludoport.selfplay.device_replay import DeviceReplay
    from ludoport.selfplay.warm import keep_play, kept_play, warm_key

    key = warm_key(game, layout, config, net.config)
    play = kept_play(key) if warm and tournament is None else None
    if play is not None:
        play.reset(config, net)
        return play.replay, play
    replay = DeviceReplay(*replay_sizes(config, layout))
    play = DeviceSelfPlay(game, layout, config, replay, net, tournament, stream=stream)
    if warm:
        keep_play(key, play)
    return replay, play


def begin_compiling(game: Game, config: TrainConfig) -> None:
    """Let other processes compile what the device needs, while this one prepares the rest."""
    if game.n_players == 2:
        from ludoport.selfplay.device_kernels import prepare_kernels

        prepare_kernels(game, tensor_layout(game, config.layout), wait=False)  # type: ignore[arg-type]
