"""A network for many games written as an ordinary network for one of them.

Everything that depends on the game becomes weights of the family ``residual``. Only who is to move is not known, so the
stem's channels are two halves, one for each player: the weight of the plane that says that the other one is to move is
so low that a half is 0 then. The first block adds both halves, of which one is 0, in the first half of its channels.
"""

from __future__ import annotations

from typing import cast

import torch
from torch import Tensor, nn

from ludoport.descriptions.game import GameDescription
from ludoport.nets.build import build_network
from ludoport.nets.families.residual import ResidualBlock, ResidualNet
from ludoport.nets.layers import PooledLinear
from ludoport.nets.universal.network import Modulated, UniversalBlock, UniversalNet
from ludoport.nets.universal.reading import Reading

CENTRE = 1
"""Index of the middle of a 3x3 window, in both directions."""


class Specialiser:
    """The network of the family ``residual`` for one game; ``write`` gives it the weights of a universal network.

    Writing again allocates no weights and asks nothing of the CPU, so that it can be captured as a CUDA graph.

    Args:
        universal: a network for many games; tokens of the game that it has no vectors for count nothing.
        game: the description of the game.

    Attributes:
        reading: the game as the universal network reads it.
        net: the network for the game, on the same device.
    """

    def __init__(self, universal: UniversalNet, game: GameDescription) -> None:
        self.reading = universal.read(game)
        net = build_network(universal.config.specialised(len(game.views[0]), len(game.moves)), seed=0)
        assert isinstance(net, ResidualNet)
        self.net = net.to(universal.stem_bias.device).eval()

    @torch.no_grad()
    def write(self, universal: UniversalNet) -> ResidualNet:
        """Take over the weights of the universal network, or of one with the same tokens; returns ``net``."""
        net, reading = self.net, self.reading
        rules = universal.rule_vector(reading)
        _write_stem(universal, net, reading, rules)
        blocks = cast(list[ResidualBlock], list(net.blocks))
        _write_first_block(universal.universal_blocks()[0], blocks[0], rules, reading.taps)
        for source, target in zip(universal.universal_blocks()[1:], blocks[1:], strict=True):
            _write_block(source, target, rules, reading.taps)
        _write_heads(universal, net, reading, rules)
        return net


def specialise(universal: UniversalNet, game: GameDescription) -> ResidualNet:
    """The network of the family ``residual`` that judges positions of a game as the universal one does.

    It lies on the same device, and agrees with the universal network up to rounding.

    Args:
        universal: a network for many games; tokens of the game that it has no vectors for count nothing.
        game: the description of the game.
    """
    return Specialiser(universal, game).write(universal)


def _write_stem(universal: UniversalNet, net: ResidualNet, reading: Reading, rules: Tensor) -> None:
    scale, shift = universal.stem_rules(rules)
    weights = universal.stem_weights(reading) * scale[:, None, None, None]
    bias = universal.stem_bias * scale + shift
    for view in (0, 1):
        absent = reading.turns[1 - view]
        weights[view, :, absent] = 0
        # More than all other planes together can bring about.
        bound = 1 + bias.abs() + (weights[view].abs().sum((2, 3)) * reading.most).sum(1)
        weights[view, :, absent, CENTRE, CENTRE] = -bound
    _set(net.stem.conv, weights.flatten(0, 1), torch.cat([bias, bias]))


def _write_first_block(source: UniversalBlock, target: ResidualBlock, rules: Tensor, taps: Tensor) -> None:
    (first, first_bias), (last, last_bias) = _folded(source, rules, taps)
    seen, device = first.shape[0], first.device
    same = torch.zeros(seen, seen, 3, 3, device=device)
    same[:, :, CENTRE, CENTRE] = torch.eye(seen, device=device)
    opening, closing = target.layers()
    # The second half passes through, is added to the first one, and taken from itself.
    top, bottom = torch.cat([first, first], 1), torch.cat([torch.zeros_like(same), same], 1)
    _set(opening.conv, torch.cat([top, bottom]), torch.cat([first_bias, torch.zeros(seen, device=device)]))
    _set(closing.conv, torch.cat([last, torch.cat([same, -same])], 1), last_bias)


def _write_block(source: UniversalBlock, target: ResidualBlock, rules: Tensor, taps: Tensor) -> None:
    (first, first_bias), (last, last_bias) = _folded(source, rules, taps)
    opening, closing = target.layers()
    _set(opening.conv, first, first_bias)
    _set(closing.conv, last, last_bias)
    if source.pool_bias is not None:
        assert target.pool_bias is not None
        scale, _ = source.first_rules(rules)
        _set(target.pool_bias, source.pool_bias.weight * scale[:, None], source.pool_bias.bias * scale)


def _write_heads(universal: UniversalNet, net: ResidualNet, reading: Reading, rules: Tensor) -> None:
    _set(net.policy_hidden, *_scaled(universal.policy_hidden, universal.policy_rules, rules))
    scale, _ = universal.policy_rules(rules)
    _set(net.policy_bias, universal.policy_bias.weight * scale[:, None], universal.policy_bias.bias * scale)
    _set(net.value_hidden, *_scaled(universal.value_hidden, universal.value_rules, rules))
    _set(net.value, universal.value.weight, universal.value.bias + universal.value_shift(rules))
    cells, whole, bias = universal.move_weights(reading)
    _set(net.policy, cells[:, :, None, None], torch.zeros_like(bias))
    _set(net.policy_global, whole, bias)


def _folded(block: UniversalBlock, rules: Tensor, taps: Tensor) -> tuple[tuple[Tensor, Tensor], tuple[Tensor, Tensor]]:
    """Weights and biases of a block's convolutions for one game."""
    pairs = ((block.first, block.first_rules), (block.last, block.last_rules))
    first, last = ((weight * taps, bias) for weight, bias in (_scaled(conv, by, rules) for conv, by in pairs))
    return first, last


def _scaled(layer: nn.Conv2d | PooledLinear, by: Modulated, rules: Tensor) -> tuple[Tensor, Tensor]:
    scale, shift = by(rules)
    assert layer.bias is not None
    return layer.weight * scale.reshape(-1, *[1] * (layer.weight.dim() - 1)), layer.bias * scale + shift


def _set(layer: nn.Conv2d | nn.Linear, weight: Tensor, bias: Tensor) -> None:
    assert layer.bias is not None
    layer.weight.copy_(weight)
    layer.bias.copy_(bias)
