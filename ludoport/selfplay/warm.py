"""Kept for the next run of the same kind: memory on the device, kernels and captured graphs.

The networks of a study differ in their random seeds and first weights, and in nothing that a graph was captured with.
So the next one begins with what the one before has left, within a second.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.nets.config import NetConfig
    from ludoport.selfplay.config import TrainConfig
    from ludoport.selfplay.device import DeviceSelfPlay
    from ludoport.tensors.layout import TensorLayout

Key = tuple[Any, ...]

_KEPT: dict[Key, DeviceSelfPlay] = {}
"""Self-play by all that it was made for; only that of one run, because memory is short."""

_NOT_PLAYED: dict[str, Any] = {
    "seed": 0, "sharing": "equal", "mixed": 1, "lanes": 1, "rule_vectors": True, "token_sums": True,
}  # fmt: skip
"""Settings that games are not played by."""


def warm_key(game: Game, layout: TensorLayout, config: TrainConfig, shape: NetConfig) -> Key:
    """All that memory and graphs depend on.

    Args:
        game: the game.
        layout: layout of the tensors.
        config: every setting.
        shape: of the network.
    """
    return game.rules.fingerprint, layout.layout, layout.shape, shape, replace(config, **_NOT_PLAYED)


def keep_only(keys: Iterable[Key]) -> None:
    """Give back the memory of everything else, before more is asked for."""
    wanted = set(keys)
    for key in [key for key in _KEPT if key not in wanted]:
        del _KEPT[key]


def kept_play(key: Key) -> DeviceSelfPlay | None:
    """Self-play that an earlier run of this process left; ``reset`` makes it new. None if there is none."""
    return _KEPT.get(key)


def keep_play(key: Key, play: DeviceSelfPlay) -> None:
    """Keep what plays for the next run; a run with a tournament has opponents of its own."""
    if play.tournament is None:
        _KEPT[key] = play
