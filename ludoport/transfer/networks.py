"""Transfer of a network from one game to another (Soemers et al., section 3 and appendix B).

The first convolution takes over the planes of states, the last one the planes of moves: channels are copied, reordered,
duplicated or dropped as a mapping says. Everything between them is copied as it is. If both games were the same game
with other tensors, the outputs would be the same.
"""

from __future__ import annotations

from collections.abc import Mapping as Dict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ludoport.errors import LudoportError
from ludoport.nets.axes import Axis
from ludoport.nets.build import build_network
from ludoport.nets.config import NetConfig, with_channels
from ludoport.nets.network import PolicyValueNet
from ludoport.nets.registry import families, family_of
from ludoport.transfer.mapping import NONE, Mapping
from ludoport.transfer.options import TransferOptions

Sources = NDArray[np.int64]


def transfer_network(
    net: PolicyValueNet,
    mapping: Mapping,
    options: TransferOptions | None = None,
    board: tuple[int, int] | None = None,
) -> PolicyValueNet:
    """A network for the target game that begins with what a network of the source game knows.

    Args:
        net: the network of the source game; stays as it is.
        mapping: mapping of the channels of both games.
        options: treatment of the remaining weights.
        board: height and width of the target's tensors; only needed for families that are not size-free.

    Returns:
        The new network, in evaluation mode. It has no optimiser; training starts with a new one.

    Raises:
        LudoportError: the mapping is for other channels, or the network for boards of one size.
    """
    options = options or TransferOptions()
    config = target_config(net.config, mapping, adjust_width=options.adjust_width)
    _check(net.config, mapping, board)
    made = build_network(config, seed=options.seed)
    family, known = family_of(config), net.state_dict()
    axes = family.tensor_axes(made)
    sources = _sources(net, made, mapping, np.random.default_rng(options.seed))
    state = made.state_dict()
    with torch.no_grad():
        for name, tensor in state.items():
            if options.reinit_heads and not family.in_trunk(name):
                continue
            _fill(tensor, known[name].cpu(), axes[name], sources, zero=options.unmapped == "zero")
    return made.eval()


def target_config(config: NetConfig, mapping: Mapping, *, adjust_width: bool = False) -> NetConfig:
    """The shape of a network for the target game."""
    state, moves = len(mapping.state), len(mapping.moves)
    if adjust_width:
        return replace(config, state_channels=state, move_channels=moves)
    return with_channels(config, state, moves)


def _check(config: NetConfig, mapping: Mapping, board: tuple[int, int] | None) -> None:
    for what, count, sources in (
        ("states", config.state_channels, mapping.state_sources),
        ("moves", config.move_channels, mapping.move_sources),
    ):
        if max(sources, default=NONE) >= count:
            raise LudoportError(
                f"the mapping from {mapping.source} uses plane {max(sources)} of {what}, "
                f"but the network has {count} of them, from 0"
            )
    if not config.size_free and board != config.board:
        made = "x".join(map(str, config.board or ()))
        wanted = "an unknown size" if board is None else "x".join(map(str, board))
        others = ", ".join(name for name, family in families().items() if family.every_board)
        raise LudoportError(
            f"a network of family {config.family} is for boards of one size, here {made}, and {mapping.target} has "
            f"{wanted}; the families {others} fit every board"
        )


def _sources(
    net: PolicyValueNet, made: PolicyValueNet, mapping: Mapping, rng: np.random.Generator
) -> Dict[Axis, Sources]:
    """For every axis, the index in the source of each index in the target, or -1."""
    hidden = resized(net.config.hidden, made.config.hidden, rng)
    units = resized(2 * net.config.hidden, 2 * made.config.hidden, rng)
    moves = np.array(mapping.move_sources, dtype=np.int64)
    cells = 1 if net.config.board is None else net.config.board[0] * net.config.board[1]
    return {
        "state": np.array(mapping.state_sources, dtype=np.int64),
        "move": moves,
        "hidden": hidden,
        "pooled": np.concatenate((hidden, _shifted(hidden, net.config.hidden))),
        "block input": _block_input(net.config, made.config, hidden),
        "units": units,
        "cells": _repeated(hidden, cells),
        "move cells": _repeated(moves, cells),
    }


def resized(before: int, after: int, rng: np.random.Generator) -> Sources:
    """Places of the channels that remain: random ones are dropped, new ones (-1) come last.

    >>> resized(2, 4, np.random.default_rng(1)).tolist()
    [0, 1, -1, -1]
    """
    if after < before:
        return np.sort(rng.choice(before, after, replace=False))
    return np.concatenate((np.arange(before), np.full(after - before, NONE)))


def _shifted(sources: Sources, by: int) -> Sources:
    return np.where(sources == NONE, NONE, sources + by)


def _repeated(sources: Sequence[int] | Sources, cells: int) -> Sources:
    """The same for tensors in which each channel stands once for every cell."""
    wide = np.asarray(sources)[:, None] * cells + np.arange(cells)
    return np.where(np.asarray(sources)[:, None] == NONE, NONE, wide).reshape(-1)


def _block_input(before: NetConfig, after: NetConfig, hidden: Sources) -> Sources:
    """Hidden channels, then maxima and means of the first ones of them where a block pools these."""
    shared, kept = int(before.hidden * before.trunk_pooling), int(after.hidden * after.trunk_pooling)
    pools = np.where(hidden[:kept] < shared, hidden[:kept], NONE)
    return np.concatenate((hidden, _shifted(pools, before.hidden), _shifted(pools, before.hidden + shared)))


def _fill(tensor: Tensor, source: Tensor, axes: tuple[Axis, ...], sources: Dict[Axis, Sources], *, zero: bool) -> None:
    """Copies a tensor along its axes; what has no source keeps its first weights, or is 0 where no plane has any."""
    indices = []
    for dimension in range(tensor.dim()):
        axis = axes[dimension] if dimension < len(axes) else "same"
        wanted = np.arange(tensor.shape[dimension]) if axis == "same" else sources[axis]
        if zero and axis in ("state", "move", "move cells"):
            tensor.index_fill_(dimension, torch.from_numpy(np.flatnonzero(wanted == NONE)), 0)
        indices.append(wanted)
    there = [torch.from_numpy(np.flatnonzero(wanted != NONE)) for wanted in indices]
    from_ = [torch.from_numpy(wanted[wanted != NONE]) for wanted in indices]
    if not indices:
        tensor.copy_(source)
    elif all(len(index) for index in there):
        tensor[torch.meshgrid(*there, indexing="ij")] = source[torch.meshgrid(*from_, indexing="ij")]
