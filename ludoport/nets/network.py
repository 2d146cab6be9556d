"""Base of all networks: inputs and outputs.

Shapes, here and everywhere in this room: ``B`` positions in a batch, ``C`` planes of a state, ``A`` planes of moves,
``H`` and ``W`` the height and width of the board's tensor.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from ludoport.errors import LudoportError
from ludoport.nets.config import NetConfig
from ludoport.tensors.channels import StateChannel

INITS: dict[str, Callable[[Tensor], Tensor]] = {
    "xavier-uniform": nn.init.xavier_uniform_,
    "xavier-normal": nn.init.xavier_normal_,
    "kaiming-uniform": nn.init.kaiming_uniform_,
    "kaiming-normal": nn.init.kaiming_normal_,
}
"""Initialisers of weights, by the names in ``NetConfig.init``; ``fixup`` is a matter of the family ``residual``."""


class NetOutput(NamedTuple):
    """Outputs of a network for a batch of positions.

    Attributes:
        policy_logits: ``[B, A, H, W]``; a softmax over the legal moves makes probabilities of them.
        value_logits: ``[B, 3]`` for win, draw and loss, or ``[B, 1]`` before tanh; for the player to move.
        ownership: ``[B, planes, H, W]`` auxiliary logits of the final board, where the network has them.
        reply: ``[B, A, H, W]`` auxiliary logits of the opponent's next move, where the network has them.
    """

    policy_logits: Tensor
    value_logits: Tensor
    ownership: Tensor | None = None
    reply: Tensor | None = None

    def value(self) -> Tensor:
        """``[B]`` in float32: the expected result for the player to move, from -1 (lost) to 1 (won)."""
        logits = self.value_logits.float()
        if logits.shape[1] == 1:
            return logits[:, 0].tanh()
        chances = logits.softmax(1)
        return chances[:, 0] - chances[:, 2]


class PolicyValueNet(nn.Module):
    """A network that judges positions and suggests moves.

    Args:
        config: its shape.
    """

    def __init__(self, config: NetConfig) -> None:
        super().__init__()
        self.config = config
        padding = config.kernel // 2
        self.ownership_head: nn.Conv2d | None = None
        self.reply_head: nn.Conv2d | None = None
        if config.ownership:
            self.ownership_head = nn.Conv2d(config.hidden, config.ownership, config.kernel, padding=padding)
        if config.reply:
            self.reply_head = nn.Conv2d(config.hidden, config.move_channels, config.kernel, padding=padding)

    def forward(self, planes: Tensor, mask: Tensor | None = None) -> NetOutput:
        """Judges a batch of positions.

        Args:
            planes: ``[B, C, H, W]``, floating point.
            mask: ``[B, 1, H, W]`` or ``[1, 1, H, W]``, 1 where there is a site and 0 elsewhere; None where every cell
                counts. The networks of the paper have no use for it.
        """
        features = self.trunk(planes, mask)
        policy, value = self.heads(features, mask)
        ownership = None if self.ownership_head is None else self.ownership_head(features)
        reply = None if self.reply_head is None else self.reply_head(features)
        return NetOutput(policy, value, ownership, reply)

    @abstractmethod
    def trunk(self, planes: Tensor, mask: Tensor | None) -> Tensor:
        """``[B, hidden, H, W]``: what all heads look at."""

    @abstractmethod
    def heads(self, features: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
        """Logits of the policy, ``[B, A, H, W]``, and of the value, ``[B, 1 or 3]``."""

    def draw_weights(self) -> None:
        """Set the first weights as ``config.init`` says; biases keep those of torch."""
        for parameter in self.parameters():
            if parameter.dim() > 1:
                INITS[self.config.init](parameter)

    def parameter_count(self) -> int:
        """Number of parameters."""
        return sum(parameter.numel() for parameter in self.parameters())


def value_outputs(config: NetConfig) -> int:
    """Logits of the value head."""
    return 1 if config.value == "scalar" else 3


def site_mask(planes: Tensor, channels: Sequence[StateChannel]) -> Tensor:
    """Mask of sites, from the planes that say which cell belongs to which container.

    Args:
        planes: ``[B, C, H, W]``.
        channels: meanings of the planes.

    Returns:
        ``[B, 1, H, W]``, as the networks want it.
    """
    containers = [index for index, channel in enumerate(channels) if channel.kind == "container"]
    if not containers:
        raise LudoportError("the planes of this layout do not say where sites are: none of them shows a container")
    return torch.amax(planes[:, containers], dim=1, keepdim=True)
