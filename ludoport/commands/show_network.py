"""``ludoport show GAME --network``: the tensors of a game and the network that reads them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, cast, get_args

from ludoport.errors import LudoportError
from ludoport.tensors.layout import LayoutName, TensorLayout, tensor_layout

if TYPE_CHECKING:
    from ludoport.game import Game


def network_record(game: Game, preset: str, layout: str | None) -> dict[str, Any]:
    """Shapes, the meaning of every channel, and the size of the network.

    Args:
        game: the game.
        preset: the network.
        layout: layout of the tensors; None for the paper's with its own network, else the compact one.
    """
    from ludoport.nets import load_torch

    load_torch()
    from ludoport.nets.build import build_network
    from ludoport.nets.registry import preset_for

    found = _layout(game, layout or ("paper" if preset == "paper" else "compact"))
    config = preset_for(preset, found)
    return {
        "layout": found.layout,
        "state_shape": list(found.shape),
        "move_shape": list(found.move_shape),
        "state_channels": _meanings(found.state_names, found.state_channels),
        "move_channels": _meanings(found.move_names, found.move_channels),
        "preset": preset,
        "network": config.to_dict(),
        "parameters": build_network(config, seed=0).parameter_count(),
    }


def _layout(game: Game, name: str) -> TensorLayout:
    if name not in get_args(LayoutName):
        raise LudoportError(f"unknown layout `{name}`; choose from {', '.join(get_args(LayoutName))}")
    return tensor_layout(game, cast(LayoutName, name))


def _meanings(names: tuple[str, ...], channels: tuple[Any, ...]) -> list[dict[str, Any]]:
    return [{"name": name, **asdict(channel)} for name, channel in zip(names, channels, strict=True)]


def network_lines(record: dict[str, Any]) -> Iterator[str]:
    """The same for people."""
    yield f"State: {' x '.join(map(str, record['state_shape']))} ({record['layout']} layout)"
    yield from _channel_lines(record["state_channels"])
    yield f"Moves: {' x '.join(map(str, record['move_shape']))}"
    yield from _channel_lines(record["move_channels"])
    yield f"Network `{record['preset']}`: {record['parameters']:,} parameters"


def _channel_lines(channels: list[dict[str, Any]]) -> Iterator[str]:
    for number, channel in enumerate(channels):
        said = ", ".join(f"{k} {v}" for k, v in channel.items() if k not in ("name", "kind") and v not in ("", 0))
        yield f"  {number:>3}  {channel['name']:<48} {channel['kind']}{f' ({said})' if said else ''}"
