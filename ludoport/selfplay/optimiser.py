"""Adam and AdamW as one fused kernel, on a CPU and on a CUDA device.

The kernel is torch's own. Its optimiser classes are not used, because their first step imports torch's compiler:
seconds of every run, for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor


class FusedAdam:
    """Adam whose step reads and writes nothing but tensors on the device, so that it can be captured.

    Args:
        parameters: the weights.
        rate: the learning rate; ``param_groups[0]["lr"]`` is a tensor that may be filled with another one.
        epsilon: keeps divisions finite.
        decay: weight decay.
        decoupled: whether the decay is that of AdamW.
    """

    BETAS = 0.9, 0.999

    def __init__(
        self, parameters: Iterable[Tensor], rate: float, *, epsilon: float, decay: float, decoupled: bool
    ) -> None:
        weights = list(parameters)
        self.param_groups: list[dict[str, Any]] = [
            {"params": weights, "lr": torch.tensor(rate, device=weights[0].device), "eps": epsilon}
        ]
        self.decay, self._kernel = decay, torch._fused_adamw_ if decoupled else torch._fused_adam_
        self._means = [torch.zeros_like(weight) for weight in weights]
        self._squares = [torch.zeros_like(weight) for weight in weights]
        self._steps = [torch.zeros((), device=weight.device) for weight in weights]

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget all gradients."""
        del set_to_none
        for weight in self.param_groups[0]["params"]:
            weight.grad = None

    @torch.no_grad()
    def step(self) -> None:
        """Change the weights by their gradients; weights without one stay as they are."""
        group = self.param_groups[0]
        used = [number for number, weight in enumerate(group["params"]) if weight.grad is not None]
        weights = [group["params"][number] for number in used]
        steps = [self._steps[number] for number in used]
        torch._foreach_add_(steps, 1)
        self._kernel(
            weights, [weight.grad for weight in weights], [self._means[number] for number in used],
            [self._squares[number] for number in used], [], steps, lr=group["lr"], beta1=self.BETAS[0],
            beta2=self.BETAS[1], weight_decay=self.decay, eps=group["eps"], amsgrad=False, maximize=False,
        )  # fmt: skip

    def state_dict(self) -> dict[str, Any]:
        """The same as torch's optimisers have: a checkpoint fits both."""
        parts = zip(self._steps, self._means, self._squares, strict=True)
        state = {
            number: {"step": step, "exp_avg": mean, "exp_avg_sq": square}
            for number, (step, mean, square) in enumerate(parts)
        }
        return {"state": state, "param_groups": []}

    @torch.no_grad()
    def load_state_dict(self, record: dict[str, Any]) -> None:
        """Take over what ``state_dict`` gave; tensors keep their places and the order of their channels in memory."""
        for number, kept in record["state"].items():
            self._steps[number].copy_(kept["step"])
            self._means[number].copy_(kept["exp_avg"])
            self._squares[number].copy_(kept["exp_avg_sq"])
