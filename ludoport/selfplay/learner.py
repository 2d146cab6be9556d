"""The network learns from the replay."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from ludoport.errors import LudoportError
from ludoport.nets.guide import network_mask
from ludoport.nets.network import NetOutput, PolicyValueNet
from ludoport.selfplay.config import TrainConfig
from ludoport.tensors.layout import TensorLayout
from ludoport.tensors.symmetry import Symmetry


@dataclass(frozen=True)
class Losses:
    """Mean losses of a stretch of learning."""

    policy: float
    value: float
    reply: float
    rate: float
    batches: int


class Memory(Protocol):
    """Where positions come from."""

    def draw(self, rng: np.random.Generator, count: int) -> tuple[Any, ...]:
        """Tensors as bytes, policies with -1 where there is no legal move, values of searches, results, replies."""


class DivergedError(LudoportError):
    """The loss or the weights are no numbers any more."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} is no number any more; the run keeps its last checkpoint, which is good: "
            "begin anew from it with --init and a lower learning rate, for example --set rate=0.0005"
        )


class Learner:
    """Takes batches from the replay and improves a network.

    Args:
        net: the network.
        layout: how positions became tensors.
        config: how to learn.
        symmetries: turns and reflections that leave the rules unchanged.
        device: where to learn.
    """

    def __init__(
        self,
        net: PolicyValueNet,
        layout: TensorLayout,
        config: TrainConfig,
        symmetries: list[Symmetry] | None = None,
        device: str = "cpu",
    ) -> None:
        self.net = net.to(device)
        self.config, self.layout, self.device = config, layout, torch.device(device)
        self.averaged = copy.deepcopy(self.net).eval()
        kind: Any = {"adamw": torch.optim.AdamW, "adam": torch.optim.Adam}[config.optimiser]
        self.optimiser = kind(self.net.parameters(), lr=config.rate, eps=config.epsilon, weight_decay=config.decay)
        self.mask = network_mask(layout, device)
        self.rng = np.random.default_rng(config.seed + 1)
        self.batches = 0
        self.turns = [
            tuple(torch.from_numpy(part).to(device) for part in (s.planes, s.slots, np.argsort(s.slots)))
            for s in symmetries or []
        ]

    def learn(self, replay: Memory, batches: int, progress: float) -> Losses:
        """Learn from so many batches.

        Args:
            replay: where positions come from.
            batches: how many.
            progress: how much of the run is over, from 0 to 1, for the learning rate.
        """
        self.net.train()
        rate = self._rate(progress)
        totals = torch.zeros(3, device=self.device)
        for _ in range(batches):
            warm = min(1.0, (self.batches + 1) / self.config.warm_batches) if self.config.warm_batches else 1.0
            for group in self.optimiser.param_groups:
                group["lr"] = rate * warm
            totals += self._batch(replay)
            self.batches += 1
        self.net.eval()
        policy, value, reply = (totals / max(1, batches)).tolist()
        if not math.isfinite(policy + value + reply):
            raise DivergedError("the loss")
        return Losses(policy, value, reply, rate, batches)

    def check(self) -> None:
        """Make sure that all weights are numbers.

        Raises:
            DivergedError: one of them is not.
        """
        for net in (self.net, self.averaged):
            if not all(bool(torch.isfinite(tensor).all()) for tensor in net.state_dict().values()):
                raise DivergedError("a weight of the network")

    def _rate(self, progress: float) -> float:
        kind, rate = self.config.schedule, self.config.rate
        if kind == "cosine":
            return rate * max(0.02, 0.5 + 0.5 * math.cos(math.pi * min(1.0, progress)))
        if kind == "trapezoid":
            return rate * max(0.02, min(1.0, (1.0 - progress) / 0.3))
        return rate

    def _batch(self, replay: Memory) -> Tensor:
        config = self.config
        seen, shares, judged, results, replies = (
            torch.as_tensor(part, device=self.device) for part in replay.draw(self.rng, config.batch)
        )
        planes = seen.float()
        if self.turns:
            turn = int(self.rng.integers(0, len(self.turns) + 1))
            if turn:
                cells, slots, images = self.turns[turn - 1]
                planes, shares = planes[:, cells], shares[:, slots]
                replies = torch.where(replies >= 0, images[replies.clamp(min=0).long()], replies.long())
        planes = planes.reshape(-1, *self.layout.shape)
        wanted = (1.0 - config.mix) * results + config.mix * judged
        half = config.half and self.device.type == "cuda"
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=half):
            output = self.net(planes, self.mask)
        policy = policy_loss(output.policy_logits.float(), shares)
        value = value_loss(output, wanted)
        reply = reply_loss(output, replies) if config.reply_weight else torch.zeros_like(value)
        loss = policy + config.value_weight * value + config.reply_weight * reply
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        if config.clip:
            nn.utils.clip_grad_norm_(self.net.parameters(), config.clip)
        self.optimiser.step()
        self._average()
        return torch.stack([policy, value, reply]).detach()

    @torch.no_grad()
    def _average(self) -> None:
        """The averaged weights follow; in the beginning faster, so that they forget where they came from."""
        keep = min(self.config.ema, (1 + self.batches) / (10 + self.batches))
        for mine, new in zip(self.averaged.state_dict().values(), self.net.state_dict().values(), strict=True):
            if mine.dtype.is_floating_point:
                mine.lerp_(new, 1.0 - keep)
            else:
                mine.copy_(new)

    def arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """What a checkpoint keeps: weights, their average, and the optimiser."""
        kept = {f"net_{name}": tensor.cpu().numpy() for name, tensor in self.net.state_dict().items()}
        kept |= {f"averaged_{name}": tensor.cpu().numpy() for name, tensor in self.averaged.state_dict().items()}
        for number, state in self.optimiser.state_dict()["state"].items():
            kept |= {f"optimiser_{number}_{name}": tensor.cpu().numpy() for name, tensor in state.items()}
        return kept | {"learner_batches": np.array(self.batches)}

    def restore(self, arrays: dict[str, np.ndarray[Any, Any]]) -> None:
        """Take over what a checkpoint kept."""
        for prefix, net in (("net_", self.net), ("averaged_", self.averaged)):
            names = net.state_dict()
            net.load_state_dict({name: torch.from_numpy(arrays[prefix + name]) for name in names})
        record = self.optimiser.state_dict()
        state: dict[int, dict[str, Tensor]] = {}
        for key, array in arrays.items():
            if key.startswith("optimiser_"):
                _, number, name = key.split("_", 2)
                state.setdefault(int(number), {})[name] = torch.from_numpy(array)
        self.optimiser.load_state_dict({"state": state, "param_groups": record["param_groups"]})
        self.batches = int(arrays["learner_batches"])


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
        output: what the network said, with logits of replies.
        replies: ``[B]``, places in the policy; -1 where there is no reply.
    """
    if output.reply is None:
        raise LudoportError("the network has no head for replies; set reply_weight to 0")
    logits = output.reply.float().flatten(1)
    known = (replies >= 0).sum().clamp(min=1)
    return functional.cross_entropy(logits, replies.long(), ignore_index=-1, reduction="sum") / known


def value_loss(output: NetOutput, wanted: Tensor) -> Tensor:
    """How far the value is from what it should be: cross-entropy of win, draw and loss, or the squared error.

    Args:
        output: what the network said.
        wanted: ``[B]``, from -1 to 1; what is between lies between a draw and a win or loss.
    """
    logits = output.value_logits.float()
    if logits.shape[1] == 1:
        return functional.mse_loss(logits[:, 0].tanh(), wanted)
    chances = torch.stack([wanted.clamp(min=0.0), 1.0 - wanted.abs(), (-wanted).clamp(min=0.0)], dim=1)
    return -(chances * logits.log_softmax(dim=1)).sum(dim=1).mean()
