"""From a configuration to a network with its first weights."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from ludoport.nets.config import NetConfig
from ludoport.nets.network import PolicyValueNet
from ludoport.nets.paper import PaperNet
from ludoport.nets.residual import ResidualBlock, ResidualNet


def build_network(config: NetConfig, seed: int | None = None) -> PolicyValueNet:
    """A new network.

    Args:
        config: its shape.
        seed: the seed of its weights, which leaves torch's own generator as it was; None to draw from that one.
    """
    if seed is None:
        return _built(config)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return _built(config)


def _built(config: NetConfig) -> PolicyValueNet:
    net = ResidualNet(config) if config.family == "residual" else PaperNet(config)
    if config.init == "fixup":
        assert isinstance(net, ResidualNet)
        _fixup(net)
    else:
        for parameter in net.parameters():
            if parameter.dim() > 1:
                _INITS[config.init](parameter)
    return net


_INITS: dict[str, Callable[[Tensor], Tensor]] = {
    "xavier-uniform": nn.init.xavier_uniform_,
    "xavier-normal": nn.init.xavier_normal_,
    "kaiming-uniform": nn.init.kaiming_uniform_,
    "kaiming-normal": nn.init.kaiming_normal_,
}


def _fixup(net: ResidualNet) -> None:
    """Blocks begin as the identity (Zhang et al. 2019) and heads with small outputs, so that depth does no harm."""
    for module in net.modules():
        if isinstance(module, (nn.Conv2d, nn.Linear)):
            nn.init.kaiming_normal_(module.weight, nonlinearity="relu")
            if module.bias is not None:
                nn.init.zeros_(module.bias)
    layers = net.config.layers
    scale = max(1, net.config.blocks) ** (-1 / (2 * layers - 2)) if layers > 1 else 1.0
    with torch.no_grad():
        for block in net.blocks:
            assert isinstance(block, ResidualBlock)
            _fixup_block(block, scale)
        for head in (net.policy, net.policy_global, net.value, net.ownership_head, net.reply_head):
            if head is not None:
                head.weight.mul_(0.1)


def _fixup_block(block: ResidualBlock, scale: float) -> None:
    *others, last = block.layers()
    for norm in last.norms:
        assert isinstance(norm, nn.BatchNorm2d)
        nn.init.zeros_(norm.weight)
    if not last.norms:
        nn.init.zeros_(last.conv.weight)
        for layer in others:
            layer.conv.weight.mul_(scale)
    if block.pool_bias is not None:
        block.pool_bias.weight.mul_(0.1)
