"""The network learns from the replay."""

from __future__ import annotations

import copy
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from ludoport.errors import LudoportError
from ludoport.nets.guide import network_mask
from ludoport.nets.network import NetOutput, PolicyValueNet
from ludoport.nets.registry import family_of
from ludoport.selfplay.config import TrainConfig
from ludoport.selfplay.device_replay import DeviceReplay
from ludoport.selfplay.learner_graph import CapturedStep
from ludoport.selfplay.losses import ownership_loss, policy_loss, reply_loss, value_loss
from ludoport.selfplay.optimiser import FusedAdam
from ludoport.tensors.layout import TensorLayout
from ludoport.tensors.symmetry import Symmetry


@dataclass(frozen=True)
class Losses:
    """Mean losses of a stretch of learning."""

    policy: float
    value: float
    reply: float
    ownership: float
    rate: float
    batches: int


class Sample(NamedTuple):
    """Positions to learn from, in the order of ``Replay.draw``."""

    seen: Tensor
    shares: Tensor
    judged: Tensor
    results: Tensor
    replies: Tensor
    owners: Tensor


class Memory(Protocol):
    """Source of the positions that the network learns from."""

    @property
    def memories(self) -> Mapping[str, Any]:
        """The replays by name."""

    def draw(self, rng: np.random.Generator, count: int) -> tuple[Any, ...]:
        """Tensors as bytes, policies, values of searches, results, replies, owners; see ``Replay.draw``."""


class DivergedError(LudoportError):
    """The loss or the weights became NaN.

    Args:
        what: ``loss`` or ``weights``, for the message.
        kept: whether the run has a checkpoint; None: not known.
    """

    def __init__(self, what: str, kept: bool | None = None) -> None:
        self.what = what
        advice = {
            None: "start again with",
            False: "the run has no checkpoint yet: start again in another folder with",
            True: "the last checkpoint is good: start again from it with --init and",
        }[kept]
        super().__init__(f"{what} became NaN; {advice} a lower learning rate, for example --set rate=0.0005")


N = TypeVar("N", bound=nn.Module)


def _frozen_trunk(net: nn.Module) -> list[nn.Module]:
    """Let the layers before the heads of a network keep their weights; returns these layers."""
    assert isinstance(net, PolicyValueNet)
    trunk = [child for name, child in net.named_children() if family_of(net.config).in_trunk(name)]
    for layer in trunk:
        layer.requires_grad_(False)
    return trunk


class Learner(Generic[N]):
    """Takes batches from the replay and improves a network.

    Args:
        net: the network.
        layout: layout of the tensors.
        config: settings of the learning.
        symmetries: turns and reflections that leave the rules unchanged.
        device: device that learns.
    """

    def __init__(
        self,
        net: N,
        layout: TensorLayout,
        config: TrainConfig,
        symmetries: list[Symmetry] | None = None,
        device: str = "cpu",
    ) -> None:
        self.net = net.to(device)
        if torch.device(device).type == "cuda":
            # Tensor cores want the channels of a cell side by side.
            self.net = self.net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.config, self.layout, self.device = config, layout, torch.device(device)
        self.averaged = copy.deepcopy(self.net).eval()
        self._pairs = _averaged_pairs(self.averaged, self.net)
        self._resting = _frozen_trunk(self.net) if config.frozen else []
        self.optimiser = FusedAdam(
            self.net.parameters(), config.rate, epsilon=config.epsilon, decay=config.decay,
            decoupled=config.optimiser == "adamw",
        )  # fmt: skip
        self._follow = torch.tensor(1.0 - config.ema, device=device)
        self._captured: CapturedStep | None = CapturedStep(self.device)
        self.mask = network_mask(layout, device)
        self.rng = np.random.default_rng(config.seed + 1)
        self.batches = 0
        self.room = config.batch
        self.turns = turned_tables(symmetries or [], device)
        self._turn_tables = stacked_tables(self.turns)

    def learn(self, replay: Memory, batches: int, progress: float) -> Losses:
        """Learns from a number of batches.

        Args:
            replay: source of the positions.
            batches: number of batches.
            progress: share of the run that is over, from 0 to 1, for the learning rate.
        """
        self.net.train()
        for module in self._resting:
            module.eval()
        rate = self._rate(progress)
        totals = torch.zeros(4, device=self.device)
        on_device = all(isinstance(memory, DeviceReplay) for memory in replay.memories.values())
        step = self._steps_on_device(replay, batches) if on_device else None
        for number in range(batches):
            warm = min(1.0, (self.batches + 1) / self.config.warm_batches) if self.config.warm_batches else 1.0
            self._set_rate(rate * warm)
            # In the beginning the average follows faster, so that it forgets where it came from.
            self._follow.fill_(1.0 - min(self.config.ema, (1 + self.batches) / (10 + self.batches)))
            totals += step(number) if step is not None else self._batch(replay)
            self.batches += 1
        self.net.eval()
        policy, value, reply, ownership = (totals / max(1, batches)).tolist()
        if not math.isfinite(policy + value + reply + ownership):
            raise DivergedError("the loss")
        return Losses(policy, value, reply, ownership, rate, batches)

    def check(self) -> None:
        """Make sure that all weights are numbers.

        Raises:
            DivergedError: one of them is not.
        """
        sums = [tensor.sum() for net in (self.net, self.averaged) for tensor in net.state_dict().values()]
        if not bool(torch.isfinite(torch.stack([number.double() for number in sums])).all()):
            raise DivergedError("a weight of the network")

    def _rate(self, progress: float) -> float:
        kind, rate = self.config.schedule, self.config.rate
        if kind == "cosine":
            return rate * max(0.02, 0.5 + 0.5 * math.cos(math.pi * min(1.0, progress)))
        if kind == "trapezoid":
            return rate * max(0.02, min(1.0, (1.0 - progress) / 0.3))
        return rate

    def _set_rate(self, rate: float) -> None:
        for group in self.optimiser.param_groups:
            group["lr"].fill_(rate)

    def _steps_on_device(self, replay: Memory, batches: int) -> Callable[[int], Tensor]:
        """A function that learns from batch number k: all are drawn now, and a captured step takes them by itself."""
        assert isinstance(replay, DeviceReplay)
        places = replay.choose(self.rng, batches, self.config.batch)
        turns = torch.from_numpy(self.rng.integers(0, len(self.turns) + 1, (batches, 1))).to(self.device)

        def sample(inputs: Sequence[Tensor]) -> Sample:
            return self._turned_by(Sample(*replay.take(inputs[0])), inputs[1])

        def step(number: int) -> Tensor:
            inputs = places[number], turns[number]
            if self._captured is not None:
                try:
                    return self._captured(lambda given: self._improve(sample(given)), inputs)
                except torch.OutOfMemoryError as error:
                    self._captured = None
                    self._shrink(error)
            return self._in_parts(sample(inputs))

        return step

    def _batch(self, replay: Memory) -> Tensor:
        """Learn from one batch."""
        drawn = [torch.as_tensor(part, device=self.device) for part in replay.draw(self.rng, self.config.batch)]
        return self._in_parts(self._turned(Sample(*drawn)))

    def _in_parts(self, sample: Sample) -> Tensor:
        """Learn from a batch; where memory is short, from one part of it after another."""
        while True:
            try:
                return self._improve(sample)
            except torch.OutOfMemoryError as error:
                self._shrink(error)

    def _improve(self, sample: Sample) -> Tensor:
        """One step of the optimiser; returns the losses."""
        self.optimiser.zero_grad(set_to_none=True)
        losses = self._gradients(sample)
        self._step()
        return losses

    def _step(self) -> None:
        """Change the weights by their gradients."""
        if self.config.clip:
            nn.utils.clip_grad_norm_(self.net.parameters(), self.config.clip)
        self.optimiser.step()
        self._average()

    def _turned(self, sample: Sample) -> Sample:
        """The same positions, turned or mirrored as a draw says."""
        turn = int(self.rng.integers(0, len(self.turns) + 1)) if self.turns else 0
        if not turn:
            return sample
        return _images(sample, *self.turns[turn - 1])

    def _turned_by(self, sample: Sample, turn: Tensor) -> Sample:
        """The same positions, turned or mirrored as a number on the device says; 0 leaves them as they are."""
        if not self.turns:
            return sample
        return _images(sample, *(table.index_select(0, turn)[0] for table in self._turn_tables))

    def _gradients(self, sample: Sample, weight: float = 1.0) -> Tensor:
        """Add the gradients of some positions, times a weight; returns their losses."""
        total, count = torch.zeros(4, device=self.device), len(sample.seen)
        for first in range(0, count, self.room):
            part = Sample(*(tensor[first : first + self.room] for tensor in sample))
            losses, loss = self._losses(part)
            share = len(part.seen) / count
            (loss if share * weight == 1 else loss * (share * weight)).backward()  # type: ignore[no-untyped-call]
            total += losses * share
        return total

    def _judge(self, planes: Tensor) -> NetOutput:
        """Outputs of the network for positions."""
        output: NetOutput = self.net(planes, self.mask)
        return output

    def _losses(self, sample: Sample) -> tuple[Tensor, Tensor]:
        """The losses of some positions one by one, and together."""
        config = self.config
        planes = sample.seen.float().reshape(-1, *self.layout.shape)
        if self.device.type == "cuda":
            planes = planes.contiguous(memory_format=torch.channels_last)
        wanted = (1.0 - config.mix) * sample.results + config.mix * sample.judged
        half = config.half and self.device.type == "cuda"
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=half):
            output = self._judge(planes)
        policy, value = policy_loss(output.policy_logits.float(), sample.shares), value_loss(output, wanted)
        nothing = torch.zeros_like(value)
        reply = reply_loss(output, sample.replies) if config.reply_weight else nothing
        ownership = ownership_loss(output, sample.owners, self.mask) if config.ownership_weight else nothing
        loss = policy + config.value_weight * value + config.reply_weight * reply
        if config.ownership_weight:
            loss = loss + config.ownership_weight * ownership
        return torch.stack([policy, value, reply, ownership]).detach(), loss

    def _shrink(self, error: BaseException) -> None:
        """Learn from fewer positions at once; batches stay as large as they are."""
        if self.room == 1:
            raise LudoportError(f"{self.device} has too little memory to learn from one position") from error
        self.room = (self.room + 1) // 2
        self.optimiser.zero_grad(set_to_none=True)
        if self.device.type == "cuda":
            torch.cuda.empty_cache()
        warnings.warn(
            f"{self.device} ran out of memory: learning continues with {self.room} positions at once", stacklevel=4
        )

    @torch.no_grad()
    def _average(self) -> None:
        """The averaged weights follow."""
        mine, new, counters = self._pairs
        torch._foreach_lerp_(mine, new, [self._follow] * len(mine))
        for old, count in counters:
            old.copy_(count)

    def arrays(self) -> dict[str, Any]:
        """State for a checkpoint: weights, their average, and the optimiser, where they are."""
        kept: dict[str, Any] = {f"net_{name}": tensor for name, tensor in self.net.state_dict().items()}
        kept |= {f"averaged_{name}": tensor for name, tensor in self.averaged.state_dict().items()}
        for number, state in self.optimiser.state_dict()["state"].items():
            kept |= {f"optimiser_{number}_{name}": tensor for name, tensor in state.items()}
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


Tables = tuple[Tensor, ...]
"""A turn or reflection: where cells and slots come from, and where slots go."""


def turned_tables(symmetries: Sequence[Symmetry], device: str) -> list[Tables]:
    """Turns and reflections as tables on a device."""
    return [
        tuple(torch.from_numpy(part).to(device) for part in (s.planes, s.slots, np.argsort(s.slots)))
        for s in symmetries
    ]


def _images(sample: Sample, cells: Tensor, slots: Tensor, images: Tensor) -> Sample:
    """Positions under a symmetry, given as tables of cells, of slots and of moves."""
    replies = sample.replies
    return sample._replace(
        seen=sample.seen[:, cells],
        shares=sample.shares[:, slots],
        replies=torch.where(replies >= 0, images[replies.clamp(min=0).long()], replies.long()),
        owners=sample.owners[:, cells[: sample.owners.shape[1]]],
    )


def stacked_tables(turns: Sequence[Tables]) -> list[Tensor]:
    """The same as one tensor a kind, the table that changes nothing first; empty without turns."""
    same = [torch.arange(len(part), device=part.device) for part in turns[0]] if turns else []
    return [torch.stack([one, *parts]) for one, *parts in zip(same, *turns, strict=True)]


def _averaged_pairs(
    averaged: nn.Module, net: nn.Module
) -> tuple[list[Tensor], list[Tensor], list[tuple[Tensor, Tensor]]]:
    """Real numbers of both networks, and pairs of whole ones; ``load_state_dict`` writes into the same tensors."""
    pairs = list(zip(averaged.state_dict().values(), net.state_dict().values(), strict=True))
    real = [(mine, new) for mine, new in pairs if mine.dtype.is_floating_point]
    whole = [(mine, new) for mine, new in pairs if not mine.dtype.is_floating_point]
    return [mine for mine, _ in real], [new for _, new in real], whole
