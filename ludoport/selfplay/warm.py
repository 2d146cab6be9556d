"""What a process keeps for the next run of the same kind: memory on the device, kernels and captured graphs.

The networks of a study differ in their random seeds and first weights, and in nothing that a graph was captured with.
So the next one begins with what the one before has left, within a second.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.nets.network import PolicyValueNet
    from ludoport.selfplay.config import TrainConfig
    from ludoport.selfplay.device import DeviceSelfPlay
    from ludoport.tensors.layout import TensorLayout

_KEPT: dict[tuple[Any, ...], DeviceSelfPlay] = {}
"""What plays, by all that it was made for; one at a time, because memory is short."""


def _key(game: Game, layout: TensorLayout, config: TrainConfig, net: PolicyValueNet) -> tuple[Any, ...]:
    same = replace(config, seed=0)
    return game.rules.fingerprint, layout.layout, layout.shape, net.config, same


def kept_play(game: Game, layout: TensorLayout, config: TrainConfig, net: PolicyValueNet) -> DeviceSelfPlay | None:
    """What an earlier run of this process played with, with its replay, as if it were new; None if there is none."""
    play = _KEPT.get(_key(game, layout, config, net))
    if play is not None:
        play.reset(config, net)
    return play


def keep_play(play: DeviceSelfPlay, net: PolicyValueNet) -> None:
    """Keep what plays for the next run; a run with a tournament has opponents of its own."""
    _KEPT.clear()
    if play.tournament is None:
        _KEPT[_key(play.game, play.layout, play.config, net)] = play


def forget() -> None:
    """Give the memory back."""
    _KEPT.clear()
