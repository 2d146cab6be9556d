"""The networks of the transfer paper (Soemers et al.), section 4.1, Figure 1 and appendix E.

A family is a trunk, a policy head and a value head. None of them knows a mask: cells that are not sites count like all
others.
"""

from __future__ import annotations

from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from ludoport.errors import LudoportError
from ludoport.nets.axes import Flow, Flows
from ludoport.nets.config import NetConfig, require
from ludoport.nets.layers import ConvNorm, PooledLinear, activate, conv_relu, pooled
from ludoport.nets.network import PolicyValueNet, value_outputs
from ludoport.nets.registry import NetworkFamily, register


class ConvBlock(nn.Module):
    """Activation, convolution, normalisation, as often as a block has layers.

    Args:
        config: the network's shape.
        skip: whether the block's input is added to its output.
        norms: normalisations after each convolution.
    """

    def __init__(self, config: NetConfig, *, skip: bool, norms: int) -> None:
        super().__init__()
        width = config.hidden
        self.config = config
        self.skip = skip
        self.shared = int(width * config.trunk_pooling)
        self.convs = nn.ModuleList(
            ConvNorm(width if layer else width + 2 * self.shared, width, config, norms)
            for layer in range(config.layers)
        )

    def forward(self, x: Tensor) -> Tensor:
        """``[B, hidden, H, W]`` to the same, before any activation."""
        *others, last = self.convs
        inner = activate(self.config.activation, self._with_pooled(x))
        for layer in others:
            inner = self._activated(layer, inner)
        inner = self._local_pool(last(inner))
        return inner + x if self.skip else inner

    def _activated(self, layer: nn.Module, x: Tensor) -> Tensor:
        if self.config.activation == "relu" and not self.config.local_pooling:
            assert isinstance(layer, ConvNorm)
            return conv_relu(layer, x)
        return activate(self.config.activation, self._local_pool(layer(x)))

    def _with_pooled(self, x: Tensor) -> Tensor:
        if not self.shared:
            return x
        board = pooled(x[:, : self.shared])[:, :, None, None]
        return torch.cat((x, board.expand(-1, -1, *x.shape[2:])), 1)

    def _local_pool(self, x: Tensor) -> Tensor:
        if not self.config.local_pooling:
            return x
        kernel = self.config.kernel
        return functional.max_pool2d(x, kernel, stride=1, padding=kernel // 2)


class PaperNet(PolicyValueNet):
    """A network of the paper.

    Args:
        config: its shape; the family decides about trunk and heads.
    """

    def __init__(self, config: NetConfig) -> None:
        super().__init__(config)
        family, width, outputs = config.family, config.hidden, value_outputs(config)
        self.stem = ConvNorm(config.state_channels, width, config)
        self.long_skips = family.startswith("u-")
        blocks = 0 if family.startswith("nano-") else config.blocks
        # All residual families but the one of the transfer experiments normalise twice, by their authors' oversight.
        norms = 1 if self.long_skips or family == "conv-conv-pool-2" else 2
        self.blocks = nn.ModuleList(ConvBlock(config, skip=not self.long_skips, norms=norms) for _ in range(blocks))
        cells = 0 if config.board is None else config.board[0] * config.board[1]
        self.policy: nn.Conv2d | nn.Linear
        if family.endswith("-fc"):
            self.policy = nn.Linear(width * cells, config.move_channels * cells)
        else:
            self.policy = nn.Conv2d(width, config.move_channels, config.kernel, padding=config.kernel // 2)
        self.value_hidden = PooledLinear(2 * width, 2 * width) if family == "conv-conv-pool-2" else None
        self.value: nn.Linear
        if self.value_hidden is not None:
            self.value = nn.Linear(2 * width, outputs)
        else:
            self.value = nn.Linear(width * cells, outputs) if cells else PooledLinear(2 * width, outputs)

    def trunk(self, planes: Tensor, mask: Tensor | None) -> Tensor:
        """``[B, hidden, H, W]``, after the activation."""
        del mask
        x = self.stem(planes)
        if self.long_skips:
            x = self._u_blocks(x)
        else:
            for block in self.blocks:
                x = block(x)
        return activate(self.config.activation, x)

    def _u_blocks(self, x: Tensor) -> Tensor:
        """The first half of the blocks is added to the second half, the first of one to the first of the other."""
        half = len(self.blocks) // 2
        kept: list[Tensor] = []
        for index, block in enumerate(self.blocks):
            x = block(x)
            if index < half:
                kept.append(x)
            elif index > half:
                x = x + kept[index - half - 1]
        return x

    def heads(self, features: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
        """Logits of moves and of the result."""
        del mask
        if self.config.board is None:
            board = pooled(features)
        elif tuple(features.shape[2:]) == self.config.board:
            board = features.flatten(1)
        else:
            wanted, got = ("x".join(map(str, sides)) for sides in (self.config.board, features.shape[2:]))
            raise LudoportError(f"this network is for boards of {wanted}, not of {got}: family {self.config.family}")
        if isinstance(self.policy, nn.Linear):
            policy = self.policy(board).unflatten(1, (self.config.move_channels, *features.shape[2:]))
        else:
            policy = self.policy(features)
        if self.value_hidden is not None:
            board = activate(self.config.activation, self.value_hidden(board))
        return policy, self.value(board)


def _check(config: NetConfig) -> None:
    family = config.family
    odd = not family.startswith("u-") or config.blocks % 2 == 1
    require(odd, f"family {family} has {config.blocks} blocks; it needs an odd number")
    pooled_trunk = family == "conv-conv-pool-2" or config.trunk_pooling == 0
    require(pooled_trunk, f"trunk_pooling belongs to family conv-conv-pool-2, not to {family}")
    fixup = config.init == "fixup"
    require(not fixup, f"init fixup belongs to family residual; {family} needs xavier-uniform or another")


def _flows(policy: Flow, value: Flow) -> Flows:
    return {
        "stem": ("state", "hidden"),
        "blocks.*": ("hidden", "hidden"),
        "blocks.*.convs.0.conv": ("block input", "hidden"),
        "policy": policy,
        "value_hidden": ("pooled", "units"),
        "value": value,
    }


_FIGURE: dict[str, Any] = {
    "blocks": 5,
    "layers": 3,
    "width": None,
    "width_factor": 2.0,
    "norm": "batch",
    "norm_momentum": 0.01,
    "value": "scalar",
    "init": "xavier-uniform",
    "pool_every": 0,
}
"""The networks of Figure 1."""

for _name, _policy, _value in (
    ("conv-conv-pool-2", ("hidden", "move"), ("units", "same")),
    ("conv-conv-pool", ("hidden", "move"), ("pooled", "same")),
    ("conv-conv", ("hidden", "move"), ("cells", "same")),
    ("conv-fc", ("cells", "move cells"), ("cells", "same")),
    ("u-conv-conv", ("hidden", "move"), ("cells", "same")),
    ("u-conv-fc", ("cells", "move cells"), ("cells", "same")),
    ("nano-conv", ("hidden", "move"), ("cells", "same")),
    ("nano-fc", ("cells", "move cells"), ("cells", "same")),
):
    _transferred = {"paper": {**_FIGURE, "blocks": 10, "layers": 6}} if _name == "conv-conv-pool-2" else {}
    register(
        NetworkFamily(
            _name,
            PaperNet,
            flows=_flows(cast(Flow, _policy), cast(Flow, _value)),
            presets={**_transferred, _name: _FIGURE},
            every_board="pool" in _name,
            masked=False,
            check=_check,
        )
    )
