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
                f"the device has too little memory for a replay of {places:,} positions; take fewer, for example "
                f"--set replay={places // 4}"
            ) from None
        self.judged = make(places, dtype=torch.float32)
        self.persons = make(places, dtype=torch.int8)
        self.results = make(places, dtype=torch.float32).fill_(PENDING)
        self.replies = make(places, dtype=torch.int32).fill_(-1)
        self.written = 0
        self._known: Tensor | None = None

    @property
    def places(self) -> int:
        """Room for so many positions."""
        return len(self.results)

    @property
    def ready(self) -> int:
        """Positions whose result is known; asked once an epoch."""
        self._known = torch.nonzero(self.results != PENDING)[:, 0]
        return len(self._known)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What a checkpoint keeps."""
        used = min(self.written, self.places)
        kept = {f"replay_{name}": getattr(self, name)[:used].cpu().numpy() for name in Replay.ARRAYS}
        return kept | {"replay_written": np.array(self.written)}

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take over what a checkpoint kept."""
        self.written = int(arrays["replay_written"])
        for name in Replay.ARRAYS:
            kept = arrays[f"replay_{name}"]
            getattr(self, name)[: len(kept)] = torch.from_numpy(kept).to(self.device)

    def draw(self, rng: np.random.Generator, count: int) -> tuple[Tensor, ...]:
        """Positions at random; see ``Replay.draw``."""
        if self._known is None or len(self._known) == 0:
            raise LudoportError("no game has ended yet; there is nothing to learn from")
        numbers = torch.from_numpy(rng.integers(0, len(self._known), count)).to(self.device, non_blocking=True)
        chosen = self._known[numbers]
        policies = self.policies[chosen].float()
        shares = torch.where(policies >= 0, policies / SHARES, policies)
        owned = self.finals[chosen]
        owned = torch.where((owned > 0) & (self.persons[chosen, None] == 2), 3 - owned, owned)
        return self.seen[chosen], shares, self.judged[chosen], self.results[chosen], self.replies[chosen], owned
