"""Networks for tests in which every number matters: fresh ones have zeros where mistakes could hide."""

import torch

from ludoport.nets.build import build_network
from ludoport.nets.config import NetConfig
from ludoport.nets.network import PolicyValueNet


def lively(config: NetConfig, seed: int = 1) -> PolicyValueNet:
    """A network with random weights, biases and running averages of moderate size, in evaluation mode."""
    net = build_network(config, seed=seed).eval()
    generator = torch.Generator().manual_seed(seed)
    for name, tensor in net.state_dict().items():
        if not tensor.is_floating_point():
            continue
        noise = torch.rand(tensor.shape, generator=generator)
        if name.endswith("running_var"):
            tensor.copy_(0.5 + noise)
        elif tensor.dim() == 1:
            tensor.copy_(noise - 0.5 if "running_mean" in name or "bias" in name else 0.5 + noise)
        else:
            tensor.copy_((noise - 0.5) * (6 / tensor[0].numel()) ** 0.5 * 2)
    return net


def positions(config: NetConfig, count: int, height: int, width: int, seed: int = 1) -> torch.Tensor:
    """Random planes."""
    generator = torch.Generator().manual_seed(seed)
    return torch.rand(count, config.state_channels, height, width, generator=generator)
