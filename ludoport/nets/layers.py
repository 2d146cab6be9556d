"""The pieces that networks are made of."""

from __future__ import annotations

from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from ludoport.nets.config import NetConfig


class MaskedBatchNorm(nn.BatchNorm2d):
    """Batch normalisation whose averages are over sites only."""

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """Normalises ``x``, ``[B, channels, H, W]``; cells outside of ``mask`` have no influence on the others."""
        if mask is None or not self.training:
            return super().forward(x)
        assert self.running_mean is not None and self.running_var is not None and self.momentum is not None
        weights = mask.float().expand(x.shape[0], 1, *x.shape[2:])
        count = weights.sum()
        wide = x.float()
        mean = (wide * weights).sum((0, 2, 3)) / count
        centred = wide - mean[:, None, None]
        variance = (centred.square() * weights).sum((0, 2, 3)) / count
        with torch.no_grad():
            self.running_mean.lerp_(mean, self.momentum)
            self.running_var.lerp_(variance * (count / (count - 1).clamp(min=1)), self.momentum)
            if self.num_batches_tracked is not None:
                self.num_batches_tracked.add_(1)
        scale = self.weight * torch.rsqrt(variance + self.eps)
        return (centred * scale[:, None, None] + self.bias[:, None, None]).to(x.dtype)


class ConvNorm(nn.Module):
    """A convolution that keeps the board's size, then as many normalisations as wanted.

    Args:
        inputs: channels that come in.
        outputs: channels that go out.
        config: kernel and normalisation.
        norms: how many normalisations where the network has them; the second, a habit of some networks of the paper,
            has the momentum 0.1.
    """

    direct = False
    """Whether convolution, bias, sum and ReLU are one call of cuDNN; see ``ludoport.nets.fuse.use_cudnn``."""

    def __init__(self, inputs: int, outputs: int, config: NetConfig, norms: int = 1) -> None:
        super().__init__()
        if config.norm == "none":
            norms = 0
        self.conv = nn.Conv2d(inputs, outputs, config.kernel, padding=config.kernel // 2, bias=norms == 0)
        momenta = (config.norm_momentum, 0.1)[:norms]
        self.norms = nn.ModuleList(MaskedBatchNorm(outputs, momentum=momentum) for momentum in momenta)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """``[B, inputs, H, W]`` to ``[B, outputs, H, W]``."""
        x = self.conv(x)
        for norm in self.norms:
            x = norm(x, mask)
        return x


class PooledLinear(nn.Linear):
    """A dense layer whose inputs are ``pooled`` features: maxima first, then means."""


def conv_relu(layer: ConvNorm, x: Tensor, mask: Tensor | None = None, add: Tensor | None = None) -> Tensor:
    """ReLU of a layer's output plus something; 0 outside of the mask.

    Args:
        layer: the layer to apply.
        x: ``[B, channels, H, W]``.
        mask: ``[B or 1, 1, H, W]``.
        add: added before the ReLU; of the output's shape, or one number for each board and channel.
    """
    if layer.direct and (add is None or add.shape[2:] == x.shape[2:]):
        out = _cudnn_conv_relu(layer.conv, x, add)
    else:
        out = layer(x, mask)
        out = functional.relu(out if add is None else out + add)
    return out if mask is None else out * mask.to(out.dtype)


def _cudnn_conv_relu(conv: nn.Conv2d, x: Tensor, add: Tensor | None) -> Tensor:
    padding = cast(tuple[int, int], conv.padding)
    if add is None:
        return torch.cudnn_convolution_relu(x, conv.weight, conv.bias, (1, 1), padding, (1, 1), 1)
    return torch.cudnn_convolution_add_relu(x, conv.weight, add, 1.0, conv.bias, (1, 1), padding, (1, 1), 1)


def pooled(x: Tensor, mask: Tensor | None = None) -> Tensor:
    """Maximum and mean of every channel over the board.

    Args:
        x: ``[B, channels, H, W]``; where there is a mask, nowhere negative and 0 outside of it.
        mask: ``[B or 1, 1, H, W]``.

    Returns:
        ``[B, 2 * channels]``, maxima first.
    """
    mean = x.mean((2, 3))
    if mask is not None:
        mean = mean / mask.mean((2, 3))
    return torch.cat((x.amax((2, 3)), mean), 1)


def activate(name: str, x: Tensor) -> Tensor:
    """A nonlinearity by name; all of them map 0 to 0."""
    if name == "relu":
        return functional.relu(x)
    return functional.gelu(x) if name == "gelu" else functional.celu(x)
