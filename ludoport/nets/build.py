"""Builds networks with their first weights from configurations."""

from __future__ import annotations

import torch

from ludoport.nets.config import NetConfig
from ludoport.nets.network import PolicyValueNet
from ludoport.nets.registry import checked, family_of


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
    config = checked(config)
    net = family_of(config).build(config)
    net.draw_weights()
    return net
