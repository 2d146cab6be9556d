"""One network learns from the replays of many games."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from ludoport.nets.guide import network_mask
from ludoport.nets.network import NetOutput
from ludoport.nets.universal.network import UniversalNet
from ludoport.selfplay.device_replay import DeviceReplay
from ludoport.selfplay.lanes import follow, lane_streams, on_stream, wait_for
from ludoport.selfplay.learner import Learner, Losses, Memory, Sample, stacked_tables, turned_tables
from ludoport.selfplay.learner_graph import CapturedStep
from ludoport.selfplay.many_play import GamePart, ManyReplays
from ludoport.tensors.symmetry import Symmetry

if TYPE_CHECKING:
    from ludoport.selfplay.config import TrainConfig

FAST, SLOW = 0.1, 0.02
"""Rates of the two averages of a game's loss; a game whose averages differ still learns."""

EVEN = 0.5
"""The share of the positions that is divided equally where the rest goes to games that still learn."""


class ManyLearner(Learner[UniversalNet]):
    """Takes parts of each batch from several games.

    Args:
        net: the network.
        parts: the games by key.
        symmetries: turns and reflections of each game, by key.
        config: settings of the learning.
        device: device that learns.
        lanes: the lane of each game on a device, by key; see ``lanes.py``.
    """

    def __init__(
        self,
        net: UniversalNet,
        parts: Mapping[str, GamePart],
        symmetries: Mapping[str, Sequence[Symmetry]],
        config: TrainConfig,
        device: str,
        lanes: Mapping[str, int],
    ) -> None:
        self.parts, self.lanes = parts, lanes
        super().__init__(net, next(iter(parts.values())).layout, config, [], device)
        self._streams = lane_streams(config.lanes, self.device.type)
        on_device = self.device.type == "cuda"
        self._pools = [torch.cuda.graph_pool_handle() if on_device else None for _ in self._streams]
        self._captures: dict[tuple[str, int], CapturedStep] = {}
        self._sums: list[list[Tensor]] = []
        """Sums of gradients, those of each lane by themselves, because lanes work at the same time."""
        self._whole_step = CapturedStep(self.device)
        self.readings = {key: part.network.reading for key, part in parts.items()}
        self.masks = {key: network_mask(part.layout, device) for key, part in parts.items()}
        self.all_turns = {key: turned_tables(symmetries[key], device) for key in parts}
        self._stacked = {key: stacked_tables(turns) for key, turns in self.all_turns.items()}
        self.reading = next(iter(self.readings.values()))
        self._ready: list[str] = []
        self.losses: dict[str, list[float]] = {}
        """Slow and fast average of the loss of each game that was learned from."""

    def shares(self) -> dict[str, float]:
        """The share of each game in what is played and learned; they sum to 1."""
        even = 1 / len(self.parts)
        if self.config.sharing == "equal":
            return dict.fromkeys(self.parts, even)
        moved = {key: abs(slow - fast) for key, (slow, fast) in self.losses.items()}
        # A game that was never learned from counts as much as the one that learns most.
        found = {key: moved.get(key, max(moved.values(), default=1.0)) for key in self.parts}
        total = sum(found.values())
        return {key: EVEN * even + (1 - EVEN) * (part / total if total else even) for key, part in found.items()}

    def _look_at(self, key: str) -> None:
        """Switch to one game."""
        self.layout, self.mask, self.turns = self.parts[key].layout, self.masks[key], self.all_turns[key]
        self.reading, self._turn_tables = self.readings[key], self._stacked[key]

    def _judge(self, planes: Tensor) -> NetOutput:
        output: NetOutput = self.net(planes, self.reading, self.mask)
        return output

    def learn(self, replay: Memory, batches: int, progress: float) -> Losses:
        """Learns from a number of batches; see ``Learner``."""
        assert isinstance(replay, ManyReplays)
        self._ready = [key for key, memory in replay.memories.items() if memory.ready]
        self._seen: list[tuple[str, Tensor]] = []
        found = super().learn(replay, batches, progress)
        if self._seen:  # one copy from the device for all batches
            totals = torch.stack([losses for _, losses in self._seen])[:, :2].sum(1).tolist()
            for (key, _), loss in zip(self._seen, totals, strict=True):
                self._note(key, loss)
        return found

    def _batch(self, replay: Memory) -> Tensor:
        """Learn from one batch, with positions of several games."""
        assert isinstance(replay, ManyReplays)
        samples = self._draw(replay)
        while True:
            try:
                return self._learn_from(samples)
            except torch.OutOfMemoryError as error:
                self._shrink(error)

    def _steps_on_device(self, replay: Memory, batches: int) -> Callable[[int], Tensor]:
        """A function that learns from batch number k: gradients game by game, then a step, all captured."""
        assert isinstance(replay, ManyReplays)
        if not self._sums:  # captured steps add to gradients that stay where they are
            self._sums = [[torch.zeros_like(weight) for weight in self.net.parameters()] for _ in self._streams]
        chosen = [self._choose() for _ in range(batches)]
        drawn = {key: self._places(replay, key, chosen) for key in {key for keys in chosen for key in keys}}

        def step(number: int) -> Tensor:
            if self._captured is not None:
                try:
                    return self._captured_batch(replay, {key: next(drawn[key]) for key in chosen[number]})
                except torch.OutOfMemoryError as error:
                    self._captured = None
                    self._captures.clear()
                    self._shrink(error)
            return self._batch(replay)

        return step

    def _captured_batch(self, replay: ManyReplays, given: Mapping[str, Sequence[Tensor]]) -> Tensor:
        """Learn from one batch: places of positions of each game, and how they are turned."""
        total = torch.zeros(4, device=self.device)
        for stream in self._streams:
            follow(stream)
        for key, inputs in given.items():
            with on_stream(self._streams[self.lanes[key]]):
                self._seen.append((key, self._captured_gradients(replay, key, len(given), inputs).clone()))
        for stream in self._streams:
            wait_for(stream)
        for _, losses in self._seen[-len(given) :]:
            total += losses / len(given)
        self._whole_step(lambda _: self._step_and_clear(), [])
        return total

    def _places(self, replay: ManyReplays, key: str, chosen: Sequence[Sequence[str]]) -> Iterator[tuple[Tensor, ...]]:
        """For each batch with a game: the places of its positions, and how they are turned."""
        memory = replay.memories[key]
        assert isinstance(memory, DeviceReplay)
        times = [len(keys) for keys in chosen if key in keys]
        places = memory.choose(self.rng, len(times), self._part(times[0]))
        turns = torch.from_numpy(self.rng.integers(0, len(self.all_turns[key]) + 1, (len(times), 1))).to(self.device)
        return zip(places, turns, strict=True)

    def _captured_gradients(self, replay: ManyReplays, key: str, games: int, given: Sequence[Tensor]) -> Tensor:
        """Add the gradients of one game's part of a batch; returns its losses."""
        memory = replay.memories[key]
        assert isinstance(memory, DeviceReplay)
        lane = self.lanes[key]
        self._look_at(key)

        def gradients(inputs: Sequence[Tensor]) -> Tensor:
            self._add_to(lane)
            return self._gradients(self._turned_by(Sample(*memory.take(inputs[0])), inputs[1]), 1 / games)

        if (key, games) not in self._captures:
            self._captures[key, games] = CapturedStep(self.device, self._pools[lane], self._streams[lane])
        return self._captures[key, games](gradients, given)

    def _add_to(self, lane: int) -> None:
        """Let gradients be added to the sums of a lane."""
        for weight, own in zip(self.net.parameters(), self._sums[lane], strict=True):
            weight.grad = own

    def _step_and_clear(self) -> Tensor:
        whole, *others = self._sums
        for sums in others:
            torch._foreach_add_(whole, sums)
        self._add_to(0)
        self._step()
        for sums in self._sums:
            torch._foreach_zero_(sums)
        return self._follow

    def _choose(self) -> list[str]:
        """The games of a batch, drawn by their shares."""
        shares, keys = self.shares(), self._ready
        chances = np.array([shares[key] for key in keys])
        count = min(self.config.mixed, len(keys))
        chosen = self.rng.choice(len(keys), count, replace=False, p=chances / chances.sum())
        return [keys[number] for number in sorted(chosen.tolist())]

    def _part(self, games: int) -> int:
        """Positions of each game in a batch."""
        return max(1, self.config.batch // games)

    def _draw(self, replay: ManyReplays) -> dict[str, Sample]:
        """Positions of some games, the same number of each."""
        samples, keys = {}, self._choose()
        for key in keys:
            self._look_at(key)
            drawn = replay.memories[key].draw(self.rng, self._part(len(keys)))
            samples[key] = self._turned(Sample(*(torch.as_tensor(d, device=self.device) for d in drawn)))
        return samples

    def _learn_from(self, samples: Mapping[str, Sample]) -> Tensor:
        self.optimiser.zero_grad(set_to_none=True)
        total = torch.zeros(4, device=self.device)
        for key, sample in samples.items():
            self._look_at(key)
            losses = self._gradients(sample, 1 / len(samples))
            total += losses / len(samples)
            self._note(key, float(losses[0] + losses[1]))
        self._step()
        return total

    def _note(self, key: str, loss: float) -> None:
        slow, fast = self.losses.get(key, [loss, loss])
        self.losses[key] = [slow + SLOW * (loss - slow), fast + FAST * (loss - fast)]

    def arrays(self) -> dict[str, Any]:
        """State for a checkpoint."""
        words = json.dumps(self.losses).encode()
        return super().arrays() | {"many_losses": np.frombuffer(words, dtype=np.uint8)}

    def restore(self, arrays: dict[str, np.ndarray[Any, Any]]) -> None:
        """Take over what a checkpoint kept; vectors of tokens that have come since stay as they are drawn."""
        arrays = dict(arrays)
        for number, (name, parameter) in enumerate(self.net.named_parameters()):
            fresh = parameter.detach().cpu().numpy()
            for key in (f"net_{name}", f"averaged_{name}"):
                arrays[key] = _grown(arrays[key], fresh)
            for moment in ("exp_avg", "exp_avg_sq"):
                key = f"optimiser_{number}_{moment}"
                if key in arrays:
                    arrays[key] = _grown(arrays[key], np.zeros_like(fresh))
        super().restore(arrays)
        self.losses = json.loads(arrays["many_losses"].tobytes())


def _grown(kept: np.ndarray[Any, Any], fresh: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A kept array with the further rows of a fresh one."""
    return kept if kept.shape == fresh.shape else np.concatenate([kept, fresh[len(kept) :]])
