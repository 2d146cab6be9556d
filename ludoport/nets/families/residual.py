"""Our own network: a residual trunk that sees the whole board through pooling, for boards of any size.

Cells that are not sites are 0 after every layer and are left out of every average, so a board gives the same answer
whatever it is padded with.
"""

from __future__ import annotations

from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from ludoport.nets.config import NetConfig, require
from ludoport.nets.layers import ConvNorm, PooledLinear, conv_relu, pooled
from ludoport.nets.network import PolicyValueNet, value_outputs
from ludoport.nets.registry import NetworkFamily, register


class ResidualBlock(nn.Module):
    """Convolutions with a skip around them; some blocks add what they see on the whole board to every cell.

    Args:
        config: the network's shape.
        pool: whether this block looks at the whole board.
    """

    def __init__(self, config: NetConfig, pool: bool) -> None:
        super().__init__()
        width = config.hidden
        self.convs = nn.ModuleList(ConvNorm(width, width, config) for _ in range(config.layers))
        self.pool_bias = PooledLinear(2 * width, width) if pool else None

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        """``[B, hidden, H, W]`` to the same; nothing is negative, before and after."""
        bias = None if self.pool_bias is None else self.pool_bias(pooled(x, mask))[:, :, None, None]
        inner, last = x, len(self.convs) - 1
        for index, layer in enumerate(self.layers()):
            add = bias if index == 0 else None
            if index == last:
                add = x if add is None else x + add
            inner = conv_relu(layer, inner, mask, add)
        return inner

    def layers(self) -> list[ConvNorm]:
        """The convolutions, first to last."""
        return cast(list[ConvNorm], list(self.convs))


class ResidualNet(PolicyValueNet):
    """Residual trunk, convolutional policy with a global part, value from the pooled board.

    Args:
        config: its shape.
    """

    def __init__(self, config: NetConfig) -> None:
        super().__init__(config)
        width = config.hidden
        self.stem = ConvNorm(config.state_channels, width, config)
        every = config.pool_every
        self.blocks = nn.ModuleList(
            ResidualBlock(config, pool=every > 0 and index % every == every // 2) for index in range(config.blocks)
        )
        self.policy_hidden = nn.Conv2d(width, config.policy_width, 1)
        self.policy_bias = PooledLinear(2 * width, config.policy_width)
        self.policy = nn.Conv2d(config.policy_width, config.move_channels, 1)
        self.value_hidden = PooledLinear(2 * width, config.value_width)
        self.value = nn.Linear(config.value_width, value_outputs(config))
        self.policy_global = nn.Linear(config.value_width, config.move_channels)

    def trunk(self, planes: Tensor, mask: Tensor | None) -> Tensor:
        """``[B, hidden, H, W]``, not negative, 0 where there is no site."""
        x = conv_relu(self.stem, planes if mask is None else planes * mask.to(planes.dtype), mask)
        # Under autocast half precision begins here.
        mask = None if mask is None else mask.to(x.dtype)
        for block in self.blocks:
            x = block(x, mask)
        return x

    def heads(self, features: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
        """Logits of moves and of the result.

        Every plane of moves gets a number from the whole board on all its cells: that is what decides about pass and
        swap, which belong to no cell.
        """
        board = pooled(features, None if mask is None else mask.to(features.dtype))
        hidden = functional.relu(self.policy_hidden(features) + self.policy_bias(board)[:, :, None, None])
        judged = functional.relu(self.value_hidden(board))
        policy = self.policy(hidden) + self.policy_global(judged)[:, :, None, None]
        return policy, self.value(judged)

    def draw_weights(self) -> None:
        """Set the first weights; ``fixup`` lets blocks begin as the identity."""
        if self.config.init == "fixup":
            _fixup(self)
        else:
            super().draw_weights()


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


def _check(config: NetConfig) -> None:
    relu = config.activation == "relu"
    require(relu, f"activation {config.activation} belongs to the families of the paper; residual needs relu")
    require(not config.local_pooling, "local_pooling belongs to the families of the paper, not to residual")
    require(config.trunk_pooling == 0, "trunk_pooling belongs to family conv-conv-pool-2, not to residual")


register(
    NetworkFamily(
        "residual",
        ResidualNet,
        flows={
            "stem": ("state", "hidden"),
            "blocks.*": ("hidden", "hidden"),
            "blocks.*.pool_bias": ("pooled", "hidden"),
            "policy_hidden": ("hidden", "same"),
            "policy_bias": ("pooled", "same"),
            "policy": ("same", "move"),
            "policy_global": ("same", "move"),
            "value_hidden": ("pooled", "same"),
            "value": ("same", "same"),
        },
        presets={
            "default": {},
            "small": {"blocks": 4, "width": 32, "value_width": 32},
            "tiny": {"blocks": 2, "width": 16, "policy_width": 16, "value_width": 16, "pool_every": 2},
        },
        check=_check,
    )
)
