"""A network and another game: how their channels correspond, and what the network thinks before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludoport.drawing.scenes import board_scene, moves_scene, position_scene
from ludoport.errors import LudoportError
from ludoport.game import Game, State, load
from ludoport.nets import load_torch
from ludoport.tensors.encoder import TensorEncoder
from ludoport.tensors.layout import tensor_layout
from ludoport.transfer.mapping import Mapping, map_channels
from ludoport.transfer.overrides import override
from ludoport.transfer.sides import Side, find_side

if TYPE_CHECKING:
    from ludoport.nets.files import SavedNetwork
    from ludoport.nets.network import PolicyValueNet

PLIES = 4
"""Moves after which a position is shown where no moves are given, so that there is something to think about."""


def explain(file: Path, target: str, options: Sequence[str] = (), edits: Any = None) -> dict[str, Any]:
    """Mapping between the channels of a network and of a game, with reasons.

    Args:
        file: the network.
        target: name or path of the game that it is to play.
        options: of that game.
        edits: rows that a person changed, as ``ludoport transfer --map`` reads them; None for none.

    Returns:
        ``source`` and ``target`` (names), ``state`` and ``moves``: rows with ``target``, ``source`` (None for none),
        ``index``, ``reason`` and ``distance``; ``choices``: the channels of the source, ``state`` and ``moves``.
    """
    here, there = sides(file, target, options)
    mapping = mapped(here, there, edits)
    record: dict[str, Any] = asdict(mapping)
    return record | {"choices": {"state": list(here.state_names), "moves": list(here.move_names)}}


def sides(file: Path, target: str, options: Sequence[str] = ()) -> tuple[Side, Side]:
    """The game of a network, and the one that it is to play."""
    load_torch()
    from ludoport.transfer.network_files import source_side

    return source_side(_saved(file).header), _side(target, tuple(options))


def mapped(here: Side, there: Side, edits: Any = None) -> Mapping:
    """The mapping by meaning, with what a person changed."""
    mapping = map_channels(here, there)
    return override(mapping, edits, here, there) if edits else mapping


def carry(file: Path, target: str, out: Path, options: Sequence[str] = (), edits: Any = None) -> Path:
    """Write the carried network into a folder; returns its file."""
    from ludoport.transfer.network_files import transfer_network_file

    mapping = mapped(*sides(file, target, options), edits)
    return transfer_network_file(file, load(target, options), out, mapping=mapping).file


def compare(
    file: Path,
    target: str,
    options: Sequence[str] = (),
    edits: Any = None,
    moves: Sequence[str] | None = None,
    own_moves: Sequence[str] | None = None,
    seed: int = 1,
) -> dict[str, Any]:
    """Outputs of a network in its own game, and in the target transferred and untrained.

    Args:
        file: the network.
        target: name or path of the target.
        options: of the target.
        edits: see `explain`.
        moves: that lead to the position of the target; default: some random ones.
        own_moves: that lead to the position of the source; default: some random ones.
        seed: of the random moves, and of the weights of the untrained network.

    Returns:
        ``source`` and ``target``: ``title``, ``board`` and ``position`` (see ``drawing/scenes.py``) and ``line`` (the
        moves that led there); ``own``, ``carried`` and ``untrained``: ``value`` for the player to move, from -1 to
        1, and ``moves``: those of ``moves_scene`` with their ``share``, the likeliest first.
    """
    from ludoport.nets.build import build_network
    from ludoport.transfer.networks import target_config, transfer_network

    saved = _saved(file)
    mapping = mapped(*sides(file, target, options), edits)
    origin = saved.header.origin
    home, away = _game(origin.game, origin.options), _game(target, tuple(options))
    own_line, line = _line(home, own_moves, seed), _line(away, moves, seed)
    layout = origin.layout
    board = None if saved.net.config.size_free else _board(away, layout)
    carried = transfer_network(saved.net, mapping, board=board)
    config = target_config(saved.net.config, mapping)
    untrained = build_network(config if config.size_free else replace(config, board=board), seed=seed)
    return {
        "source": _shown(own_line),
        "target": _shown(line),
        "own": judged(saved.net, own_line, layout),
        "carried": judged(carried, line, layout),
        "untrained": judged(untrained.eval(), line, layout),
    }


def judged(net: PolicyValueNet, line: list[State], layout: str) -> dict[str, Any]:
    """Outputs of a network for the last position of a line, without search.

    Args:
        net: the network.
        line: the positions of a game, from its start.
        layout: tensor layout of the network.
    """
    import torch

    from ludoport.nets.guide import network_mask

    state = line[-1]
    scenes = moves_scene(state)
    encoder = _encoder(state.game, layout)
    batch = encoder.trial([after.last for after in line[1:] if after.last is not None])
    planes = torch.from_numpy(encoder.planes(batch.rows[-1:], batch.histories[-1:], dtype=np.float32))
    with torch.inference_mode():
        output = net(planes, network_mask(encoder.layout, "cpu"))
    value = float(output.value()[0])
    if not scenes:
        return {"value": value, "moves": []}
    logits = output.policy_logits.reshape(-1).numpy()[encoder.slots(state.row[None]).slots].astype(np.float64)
    shares = np.exp(logits - logits.max())
    shares /= shares.sum()
    for scene, share in zip(scenes, shares.tolist(), strict=True):
        scene["share"] = round(share, 6)
    return {"value": round(value, 4), "moves": sorted(scenes, key=lambda scene: -float(scene["share"]))}


def _line(game: Game, moves: Sequence[str] | None, seed: int) -> list[State]:
    """The positions of a game from its start; after some random moves where none are given."""
    state = game.start()
    line = [state]
    if moves is not None:
        for text in moves:
            line.append(line[-1].play(text))
        return line
    rng = np.random.default_rng(seed)
    for _ in range(PLIES):
        found = line[-1].moves()
        after = line[-1].play(found[int(rng.integers(len(found)))]) if found else line[-1]
        if after.over or after is line[-1]:
            break
        line.append(after)
    return line


def _shown(line: list[State]) -> dict[str, Any]:
    state = line[-1]
    texts = [after.last.text for after in line[1:] if after.last is not None]
    title = state.game.title
    return {"title": title, "board": board_scene(state.game), "position": position_scene(state), "line": texts}


@lru_cache(maxsize=8)
def _game(name: str, options: tuple[str, ...]) -> Game:
    # One position at a time: plain Python is quicker than compiling.
    return load(name, options, jit=False)


@lru_cache(maxsize=8)
def _side(name: str, options: tuple[str, ...]) -> Side:
    return find_side(name, options)


@lru_cache(maxsize=8)
def _encoder(game: Game, layout: str) -> TensorEncoder:
    from ludoport.transfer.network_files import as_layout

    return TensorEncoder(game, as_layout(layout))


def _saved(file: Path) -> SavedNetwork:
    from ludoport.nets.finding import find_network

    found = find_network(file)
    return _read(found, found.stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _read(file: Path, changed: int) -> SavedNetwork:
    del changed  # a run that learns writes its network again
    load_torch()
    from ludoport.nets.files import load_network

    return load_network(file)


def _board(game: Game, layout: str) -> tuple[int, int]:
    from ludoport.transfer.network_files import as_layout

    shape = tensor_layout(game, as_layout(layout)).shape[1:]
    if len(shape) != 2:
        raise LudoportError(f"{game.name}: its tensors have no two dimensions")
    return int(shape[0]), int(shape[1])
