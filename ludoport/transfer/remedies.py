"""Remedies for a transferred network, without training.

Each is a switch of ``TransferOptions``, off by default; ``explained`` says what each would do to a pair of games.

- ``statistics``: normalisations keep means and variances of the source's positions. They are measured again on
  positions of random games of the target.
- ``rescale_pooled``: means over the board shrink when the board grows and the things that matter do not. Weights of
  means are multiplied by the ratio of the numbers of sites.
- ``move_taps``: a kernel of a square board sees other directions on a hexagonal one. Every tap takes the weights of the
  tap whose direction on the board of the source is nearest to its own.
- ``turn_value``: in a misere game the winner of the source loses. Win and loss of the value change places.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.nets.config import NetConfig
from ludoport.nets.guide import network_mask
from ludoport.nets.network import PolicyValueNet
from ludoport.nets.registry import family_of
from ludoport.tensors.encoder import TensorEncoder
from ludoport.tensors.layout import LayoutName, TensorLayout, tensor_layout
from ludoport.transfer.options import TransferOptions

POSITIONS = 4_096
"""Positions of random games on which normalisations are measured."""

Offset = tuple[int, int]


def remedied(
    net: PolicyValueNet, source: Game | None, target: Game, layout: LayoutName, options: TransferOptions
) -> None:
    """Apply the remedies that the options ask for to a transferred network, in place.

    Args:
        net: the network for the target.
        source: the game that it comes from; None where its game file is not known.
        target: the game that it is to play.
        layout: tensor layout of both.
        options: the wanted remedies.

    Raises:
        LudoportError: a remedy compares both boards, and that of the source is not known; or the network has nothing
            that it could change.
    """
    if options.move_taps:
        _move_taps(net, taps_of(known(source), target, layout, net.config.kernel))
    if options.rescale_pooled:
        _rescale_pooled(net, size_ratio(known(source), target))
    if options.turn_value:
        _turn_value(net)
    if options.statistics:
        _measure_norms(net, target, layout, options.seed)


def explained(source: Game | None, target: Game, layout: LayoutName, options: TransferOptions) -> Iterator[str]:
    """One line for each remedy that the options ask for: what it changes between these games."""
    if options.move_taps:
        taps = taps_of(known(source), target, layout, 3)
        moved = [f"{list(to)} from {list(at)}" for to, at in taps.items() if to != at]
        yield "taps of 3x3 kernels: " + (", ".join(moved) or "none moves, both boards have the same directions")
    if options.rescale_pooled:
        before, after = _sites(known(source)), _sites(target)
        yield f"means over the board: weights times {after / before:.3g} ({after} sites, {before} before)"
    if options.turn_value:
        yield "value: win and loss change places"
    if options.statistics:
        yield f"normalisations: measured on {POSITIONS:,} positions of random games of {target.name}"


def known(source: Game | None) -> Game:
    """The source game, which some remedies need."""
    if source is None:
        raise LudoportError("the source's game file is unknown, so boards cannot be compared; name it with --source")
    return source


def size_ratio(source: Game, target: Game) -> float:
    """Sites of the target's board for each of the source's."""
    return _sites(target) / _sites(source)


def _sites(game: Game) -> int:
    return len(tensor_layout(game, "compact").containers[0])


def _rescale_pooled(net: PolicyValueNet, ratio: float) -> None:
    axes = family_of(net.config).tensor_axes(net)
    scaled = 0
    with torch.no_grad():
        for name, tensor in net.state_dict().items():
            for dimension, axis in enumerate(axes[name]):
                means = _means(net.config, axis, tensor.shape[dimension])
                if means is not None:
                    tensor.narrow(dimension, means.start, means.stop - means.start).mul_(ratio)
                    scaled += 1
    if not scaled:
        raise LudoportError(f"a network of family {net.config.family} has no means over the board to rescale")


def _means(config: NetConfig, axis: str, size: int) -> slice | None:
    """Slice of the inputs along an axis that are means over the board, behind their maxima; None without them."""
    if axis == "pooled":
        return slice(size // 2, size)
    shared = int(config.hidden * config.trunk_pooling)
    return slice(size - shared, size) if axis == "block input" and shared else None


def _turn_value(net: PolicyValueNet) -> None:
    value = net.get_submodule("value")
    assert isinstance(value, nn.Linear)
    with torch.no_grad():
        for tensor in (value.weight, value.bias):
            tensor.copy_(-tensor if len(tensor) == 1 else tensor.flip(0))


@torch.no_grad()
def _measure_norms(net: PolicyValueNet, target: Game, layout: LayoutName, seed: int) -> None:
    norms = [module for module in net.modules() if isinstance(module, nn.BatchNorm2d)]
    if not norms:
        raise LudoportError("the network has no normalisations whose statistics could be measured again")
    encoder = TensorEncoder(target, layout)
    batch = encoder.wander(POSITIONS, seed)
    planes = torch.from_numpy(encoder.planes(batch.rows, batch.histories, dtype=np.float32))
    mask = network_mask(encoder.layout, "cpu")
    momenta = [norm.momentum for norm in norms]
    for norm in norms:
        norm.reset_running_stats()
        norm.train()
    # Each batch of positions counts as much as each other one.
    for number, part in enumerate(torch.split(planes, 512), 1):
        for norm in norms:
            norm.momentum = 1 / number
        net(part, mask)
    for norm, momentum in zip(norms, momenta, strict=True):
        norm.momentum = momentum
        norm.eval()


def taps_of(source: Game, target: Game, layout: LayoutName, kernel: int) -> dict[Offset, Offset]:
    """The source's tap whose direction is nearest, for every tap of a kernel on the target's board.

    Directions are those of the drawn boards; of two that are equally near, the one with the nearer distance counts.
    """
    reach = range(-(kernel // 2), kernel // 2 + 1)
    offsets = list(product(reach, reach))
    here, there = (_vectors(game, tensor_layout(game, layout), offsets) for game in (source, target))

    def nearest(offset: Offset) -> Offset:
        if offset not in there or offset == (0, 0):
            return offset
        way = there[offset]
        length = float(np.linalg.norm(way))

        def apart(one: Offset) -> tuple[float, float, bool]:
            other = float(np.linalg.norm(here[one]))
            turn = np.arccos(np.clip(here[one] @ way / (other * length), -1, 1))
            return round(float(turn), 4), round(abs(other - length), 4), one != offset

        return min((one for one in here if one != (0, 0)), key=apart, default=offset)

    return {offset: nearest(offset) for offset in offsets}


def _vectors(game: Game, layout: TensorLayout, offsets: list[Offset]) -> dict[Offset, NDArray[np.float64]]:
    """Vector to the cell at each offset of the tensor, as the board is drawn; the shortest has length 1."""
    sites = game.rules.geometry.sites
    board = [site for site in layout.containers[0] if site < len(sites)]
    place = {(int(layout.grid.x[site]), int(layout.grid.y[site])): site for site in board}
    centre = {site: np.array([sites[site].x, sites[site].y]) for site in board}
    found: dict[Offset, NDArray[np.float64]] = {}
    for dx, dy in offsets:
        pairs = [(site, place[x + dx, y + dy]) for (x, y), site in place.items() if (x + dx, y + dy) in place]
        if pairs:
            found[dx, dy] = np.mean([centre[other] - centre[site] for site, other in pairs], axis=0)
    unit = min((float(np.linalg.norm(vector)) for offset, vector in found.items() if offset != (0, 0)), default=1.0)
    return {offset: vector / unit for offset, vector in found.items()}


def _move_taps(net: PolicyValueNet, taps: dict[Offset, Offset]) -> None:
    middle = net.config.kernel // 2
    for module in net.modules():
        if isinstance(module, nn.Conv2d) and module.kernel_size == (net.config.kernel, net.config.kernel):
            before: Tensor = module.weight.detach().clone()
            with torch.no_grad():
                for (x, y), (a, b) in taps.items():
                    module.weight[:, :, middle + x, middle + y] = before[:, :, middle + a, middle + b]
