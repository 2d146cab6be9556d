"""The memory of a run on a CUDA device."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ludoport.errors import LudoportError
from ludoport.selfplay.kernels import PENDING, SHARES
from ludoport.selfplay.replay import Replay


class DeviceReplay:
    """A ring of positions on the device; see ``Replay``."""

    def __init__(self, places: int, inputs: int, slots: int, cells: int = 0, device: str = "cuda") -> None:
        self.device = device

        def make(*shape: int, dtype: torch.dtype) -> Tensor:
            return torch.zeros(shape, dtype=dtype, device=device)

        try:
            self.seen = make(places, inputs, dtype=torch.uint8)
            self.policies = make(places, slots, dtype=torch.int16)
            self.finals = make(places, cells, dtype=torch.int8).fill_(-1)
        except torch.OutOfMemoryError:
            raise LudoportError(
                f"the device has too little memory for a replay of {places:,} positions; use fewer, for example "
                f"--set replay={places // 4}"
            ) from None
        self.judged = make(places, dtype=torch.float32)
        self.persons = make(places, dtype=torch.int8)
        self.results = make(places, dtype=torch.float32).fill_(PENDING)
        self.replies = make(places, dtype=torch.int32).fill_(-1)
        self.written = 0
        self._known: Tensor | None = None

    def reset(self) -> None:
        """Forget all positions."""
        self.written, self._known = 0, None
        self.results.fill_(PENDING)
        self.replies.fill_(-1)
        self.finals.fill_(-1)

    @property
    def places(self) -> int:
        """Capacity in positions."""
        return len(self.results)

    @property
    def memories(self) -> dict[str, DeviceReplay]:
        """All replays of a run by name: this one."""
        return {"": self}

    @property
    def ready(self) -> int:
        """Positions whose result is known; asked once an epoch."""
        self._known = torch.nonzero(self.results != PENDING)[:, 0]
        return len(self._known)

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take over what a checkpoint kept."""
        self.written = int(arrays["replay_written"])
        for name in Replay.ARRAYS:
            kept = arrays[f"replay_{name}"]
            getattr(self, name)[: len(kept)] = torch.from_numpy(kept).to(self.device)

    def draw(self, rng: np.random.Generator, count: int) -> tuple[Tensor, ...]:
        """Positions at random; see ``Replay.draw``."""
        return self.take(self.choose(rng, 1, count)[0])

    def choose(self, rng: np.random.Generator, batches: int, count: int) -> Tensor:
        """The places of positions at random, shape (batches, count)."""
        if self._known is None or len(self._known) == 0:
            raise LudoportError("no game has ended yet; there is nothing to learn from")
        numbers = rng.integers(0, len(self._known), (batches, count))
        return self._known[torch.from_numpy(numbers).to(self.device)]

    def take(self, places: Tensor) -> tuple[Tensor, ...]:
        """The positions of some places, in the order of ``Replay.draw``."""
        policies = self.policies[places].float()
        shares = torch.where(policies >= 0, policies / SHARES, policies)
        owned = self.finals[places]
        owned = torch.where((owned > 0) & (self.persons[places, None] == 2), 3 - owned, owned)
        return self.seen[places], shares, self.judged[places], self.results[places], self.replies[places], owned
