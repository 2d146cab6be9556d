"""Losses of a network."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from ludoport.errors import LudoportError
from ludoport.nets.network import NetOutput


def policy_loss(logits: Tensor, shares: Tensor) -> Tensor:
    """Cross-entropy between the policy and the shares of moves.

    Args:
        logits: ``[B, A, H, W]``.
        shares: ``[B, A * H * W]``, negative where there is no legal move.
    """
    legal = shares >= 0
    masked = logits.reshape(len(logits), -1).masked_fill(~legal, -1.0e9)
    wanted = shares.clamp(min=0.0)
    wanted = wanted / wanted.sum(dim=1, keepdim=True).clamp(min=1.0e-9)
    return -(wanted * masked.log_softmax(dim=1)).sum(dim=1).mean()


def reply_loss(output: NetOutput, replies: Tensor) -> Tensor:
    """Cross-entropy of the opponent's next move, where it is known.

    Args:
        output: output of the network, with logits of replies.
        replies: ``[B]``, places in the policy; -1 where there is no reply.
    """
    if output.reply is None:
        raise LudoportError("the network has no head for replies; set reply_weight to 0")
    logits = output.reply.float().flatten(1)
    known = (replies >= 0).sum().clamp(min=1)
    return functional.cross_entropy(logits, replies.long(), ignore_index=-1, reduction="sum") / known


def ownership_loss(output: NetOutput, owners: Tensor, mask: Tensor | None) -> Tensor:
    """Cross-entropy of who owns each cell in the end, where that is known.

    Args:
        output: output of the network, with logits for none, the seat to move and the other one.
        owners: ``[B, H * W]``; 0 none, 1 the seat to move, 2 the other one, -1 where it is not known.
        mask: ``[1, 1, H, W]``, 1 where there is a site; None where every cell is one.
    """
    if output.ownership is None:
        raise LudoportError("the network has no head for owners; set ownership_weight to 0")
    logits, wanted = output.ownership.float().flatten(2), owners.long()
    if mask is not None:
        wanted = torch.where(mask.flatten(1) > 0, wanted, -1)
    known = (wanted >= 0).sum().clamp(min=1)
    return functional.cross_entropy(logits, wanted, ignore_index=-1, reduction="sum") / known


def value_loss(output: NetOutput, wanted: Tensor) -> Tensor:
    """Value loss: cross-entropy of win, draw and loss, or the squared error.

    Args:
        output: output of the network.
        wanted: ``[B]``, from -1 to 1; what is between lies between a draw and a win or loss.
    """
    logits = output.value_logits.float()
    if logits.shape[1] == 1:
        return functional.mse_loss(logits[:, 0].tanh(), wanted)
    chances = torch.stack([wanted.clamp(min=0.0), 1.0 - wanted.abs(), (-wanted).clamp(min=0.0)], dim=1)
    return -(chances * logits.log_softmax(dim=1)).sum(dim=1).mean()
