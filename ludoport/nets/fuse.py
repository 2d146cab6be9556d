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
    for name, module in inner.named_modules():
        if isinstance(module, (nn.Conv2d, nn.Linear)):
            _copy_corner(net.get_submodule(name), module)
    return PaddedNet(inner, config.state_channels, config.move_channels)


def _copy_corner(source: nn.Module, target: nn.Conv2d | nn.Linear) -> None:
    assert isinstance(source, (nn.Conv2d, nn.Linear))
    old, new = source.weight, target.weight
    new.zero_()
    if isinstance(target, PooledLinear):  # maxima and means are two halves, each of which has become longer
        was, half = old.shape[1] // 2, new.shape[1] // 2
        new[: old.shape[0], :was] = old[:, :was]
        new[: old.shape[0], half : half + was] = old[:, was:]
    else:
        new[: old.shape[0], : old.shape[1]] = old
    assert source.bias is not None and target.bias is not None
    target.bias.zero_()
    target.bias[: source.bias.shape[0]] = source.bias


def use_cudnn(net: nn.Module) -> nn.Module:
    """Lets convolution, bias, sum and ReLU be one call of cuDNN, in place; for fused networks on CUDA."""
    for module in net.modules():
        if isinstance(module, ConvNorm):
            if module.norms:
                raise LudoportError("only a network from fuse_for_inference can be run by cuDNN alone")
            module.direct = True
    return net
