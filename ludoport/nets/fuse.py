"""Copies of networks that compute the same, faster: nothing to normalise, and channels in numbers that GPUs like."""

from __future__ import annotations

import copy
from dataclasses import replace

import torch
from torch import Tensor, nn
from torch.nn import functional

from ludoport.errors import LudoportError
from ludoport.nets.build import build_network
from ludoport.nets.layers import ConvNorm, PooledLinear
from ludoport.nets.network import NetOutput, PolicyValueNet


def fuse_for_inference(net: PolicyValueNet) -> PolicyValueNet:
    """A copy of a network in which each normalisation is part of the convolution before it.

    Its outputs are those of ``net.eval()``, but for rounding. It has no auxiliary heads, and it cannot be trained.
    """
    fused = copy.deepcopy(net).eval().requires_grad_(False)
    fused.ownership_head = fused.reply_head = None
    fused.config = replace(net.config, norm="none", ownership=0, reply=False)
    for layer in fused.modules():
        if isinstance(layer, ConvNorm):
            _fold(layer)
    return fused


def _fold(layer: ConvNorm) -> None:
    conv = layer.conv
    if not layer.norms:
        return
    weight = conv.weight.double()
    bias = weight.new_zeros(weight.shape[0]) if conv.bias is None else conv.bias.double()
    for norm in layer.norms:
        assert isinstance(norm, nn.BatchNorm2d) and norm.running_mean is not None and norm.running_var is not None
        scale = norm.weight.double() * torch.rsqrt(norm.running_var.double() + norm.eps)
        weight = weight * scale[:, None, None, None]
        bias = (bias - norm.running_mean.double()) * scale + norm.bias.double()
    dtype = conv.weight.dtype
    conv.weight = nn.Parameter(weight.to(dtype), requires_grad=False)
    conv.bias = nn.Parameter(bias.to(dtype), requires_grad=False)
    layer.norms = nn.ModuleList()


class PaddedNet(nn.Module):
    """A network inside of one with more channels, of which the additional ones are 0.

    Args:
        inner: the larger network.
        state_channels: planes of a state, as the original has them.
        move_channels: planes of moves, as the original has them.
    """

    def __init__(self, inner: PolicyValueNet, state_channels: int, move_channels: int) -> None:
        super().__init__()
        self.inner = inner
        self.state_channels = state_channels
        self.move_channels = move_channels

    def forward(self, planes: Tensor, mask: Tensor | None = None) -> NetOutput:
        """As the original; ``planes`` may have the larger number of channels already, the others being 0."""
        missing = self.inner.config.state_channels - planes.shape[1]
        if missing:
            planes = functional.pad(planes, (0, 0, 0, 0, 0, missing))
        output = self.inner(planes, mask)
        return NetOutput(output.policy_logits[:, : self.move_channels], output.value_logits)


def pad_for_tensor_cores(net: PolicyValueNet, multiple: int = 8) -> PaddedNet:
    """A copy for inference whose planes and hidden channels come in multiples of a number.

    The tensor cores of GPUs work on 8 or more channels of half precision at once; 18 channels cost more than 24.
    Additional channels are 0 in every layer, so the outputs are those of the network but for rounding.
    """
    net = fuse_for_inference(net)
    config = net.config

    def up(channels: int) -> int:
        return -(-channels // multiple) * multiple

    # With pooled channels in its blocks a network would pool other channels if it had more of them.
    width = config.hidden if config.trunk_pooling else up(config.hidden)
    planes, moves = up(config.state_channels), up(config.move_channels)
    larger = replace(config, width=width, state_channels=planes, move_channels=moves)
    inner = build_network(larger, seed=0).eval().requires_grad_(False).to(next(net.parameters()))
    for parameter in inner.parameters():
        parameter.zero_()
    _write_corners(inner, net)
    return PaddedNet(inner, config.state_channels, config.move_channels)


def take_over(prepared: nn.Module, net: PolicyValueNet) -> None:
    """Write the weights of a network into what ``fuse_for_inference`` or ``pad_for_tensor_cores`` made of its like.

    Where there is nothing to fold, this only copies from tensor to tensor, so that it can be captured as a CUDA graph.
    """
    source = net if net.config.norm == "none" else fuse_for_inference(net)
    _write_corners(prepared.inner if isinstance(prepared, PaddedNet) else prepared, source)


@torch.no_grad()
def _write_corners(target: nn.Module, source: nn.Module) -> None:
    """Copy all weights of a network into one that may have more channels."""
    for name, module in target.named_modules():
        for key, mine in module.named_parameters(recurse=False):
            new = source.get_submodule(name).get_parameter(key)
            if isinstance(module, PooledLinear) and mine.dim() == 2:
                _write_halves(mine, new)
            else:
                mine[tuple(map(slice, new.shape))].copy_(new)


def _write_halves(mine: Tensor, new: Tensor) -> None:
    """Weights for maxima and means: two halves, each of which has become longer."""
    rows, was, half = len(new), new.shape[1] // 2, mine.shape[1] // 2
    mine[:rows, :was].copy_(new[:, :was])
    mine[:rows, half : half + was].copy_(new[:, was:])


def use_cudnn(net: nn.Module) -> nn.Module:
    """Lets convolution, bias, sum and ReLU be one call of cuDNN, in place; for fused networks on CUDA."""
    for module in net.modules():
        if isinstance(module, ConvNorm):
            if module.norms:
                raise LudoportError("only a network from fuse_for_inference can be run by cuDNN alone")
            module.direct = True
    return net
