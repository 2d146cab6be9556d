"""What the dimensions of a network's tensors run over, so that channels can be moved about by their meaning."""

from __future__ import annotations

from typing import Literal

from torch import nn

from ludoport.nets.config import NetConfig
from ludoport.nets.layers import ConvNorm, PooledLinear
from ludoport.nets.network import PolicyValueNet

Axis = Literal["state", "move", "hidden", "pooled", "block input", "units", "cells", "move cells", "same"]
"""Planes of a state; planes of moves; hidden channels; their maxima and means; hidden channels and the pooled ones
beside them; hidden units of the value; hidden channels or planes of moves times the board's cells; anything that both
networks share."""

TRUNK = ("stem.", "blocks.")
"""How the names of tensors before the heads begin."""


def tensor_axes(net: PolicyValueNet) -> dict[str, tuple[Axis, ...]]:
    """The axes of every tensor in a network's state, as far as they are not ``same``; trailing ones are left out."""
    axes: dict[str, tuple[Axis, ...]] = {}
    for name, module in net.named_modules():
        if isinstance(module, ConvNorm):
            axes[f"{name}.conv.weight"] = ("hidden", _input_axis(name))
            axes[f"{name}.conv.bias"] = ("hidden",)
        elif isinstance(module, nn.BatchNorm2d):
            for part in ("weight", "bias", "running_mean", "running_var"):
                axes[f"{name}.{part}"] = ("hidden",)
        elif isinstance(module, nn.Conv2d | nn.Linear) and f"{name}.weight" not in axes:
            out, into = _dense_axes(name, isinstance(module, nn.Linear), isinstance(module, PooledLinear), net.config)
            axes[f"{name}.weight"], axes[f"{name}.bias"] = (out, into), (out,)
    known = net.state_dict()
    return {name: axes.get(name, ()) for name in known}


def _input_axis(name: str) -> Axis:
    if name == "stem":
        return "state"
    return "block input" if name.endswith("convs.0") else "hidden"


def _dense_axes(name: str, linear: bool, pools: bool, config: NetConfig) -> tuple[Axis, Axis]:
    """What comes out of a layer of the heads, or of a block's pooling, and what goes in."""
    ours = config.family == "residual"
    out: Axis = "same"
    if name in ("policy", "policy_global", "reply_head"):
        out = "move cells" if linear and name == "policy" else "move"
    elif name.startswith("blocks."):
        out = "hidden"
    elif name == "value_hidden" and not ours:
        out = "units"
    if pools:
        return out, "pooled"
    if name in ("policy", "value", "policy_global") and ours:
        return out, "same"
    if linear:
        return out, "units" if config.family == "conv-conv-pool-2" else "cells"
    return out, "hidden"
