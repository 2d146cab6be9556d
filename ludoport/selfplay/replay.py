"""The memory of a run: positions, what their policy and value should be."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.selfplay.config import TrainConfig
from ludoport.selfplay.kernels import PENDING, SHARES
from ludoport.tensors.layout import TensorLayout


def replay_sizes(config: TrainConfig, layout: TensorLayout) -> tuple[int, int, int, int]:
    """The sizes of a replay: places, numbers of a state, places of moves, cells whose owner is kept."""
    channels, height, width = layout.shape
    cells = height * width if config.ownership_weight > 0 else 0
    return config.replay, channels * height * width, len(layout.move_channels) * height * width, cells


class Replay:
    """A ring of positions; self-play writes into it, the learner draws from it.

    Attributes:
        seen: state tensors as bytes; shape (places, channels * x * y).
        policies: shares of the moves up to ``SHARES``, -1 where there is no legal move; shape (places, slots).
        judged: the value that the search found for the person to move; shape (places,).
        persons: the person to move; shape (places,).
        results: result of the game for that seat, ``PENDING`` until it ends; shape (places,).
        replies: the place in the policy of the opponent's next move, -1 if it is not known; shape (places,).
        finals: seat that owned each cell when the game ended, 0 for none, -1 if the rules did not end it; shape
            (places, cells), without cells if they are not needed.
        written: number of places given out so far.
    """

    ARRAYS = ("seen", "policies", "judged", "persons", "results", "replies", "finals")

    def __init__(self, places: int, inputs: int, slots: int, cells: int = 0) -> None:
        try:
            self.seen: NDArray[np.uint8] = np.zeros((places, inputs), dtype=np.uint8)
            self.policies: NDArray[np.int16] = np.zeros((places, slots), dtype=np.int16)
        except MemoryError:
            raise LudoportError(f"there is not enough memory for a replay of {places:,} positions") from None
        self.judged: NDArray[np.float32] = np.zeros(places, dtype=np.float32)
        self.persons: NDArray[np.int8] = np.zeros(places, dtype=np.int8)
        self.results: NDArray[np.float32] = np.full(places, PENDING, dtype=np.float32)
        self.replies: NDArray[np.int32] = np.full(places, -1, dtype=np.int32)
        self.finals: NDArray[np.int8] = np.full((places, cells), -1, dtype=np.int8)
        self.written = 0

    @property
    def places(self) -> int:
        """Capacity in positions."""
        return len(self.results)

    @property
    def memories(self) -> dict[str, Replay]:
        """All replays of a run by name: this one."""
        return {"": self}

    @property
    def ready(self) -> int:
        """Positions whose result is known."""
        return int((self.results != PENDING).sum())

    def draw(self, rng: np.random.Generator, count: int) -> tuple[NDArray[Any], ...]:
        """Positions at random.

        Returns:
            Tensors as bytes, policies with -1 where there is no legal move, values of searches, results, places of
            replies in the policy, -1 where there is none; who owned each cell in the end: 1 the person to move, 2 the
            other one, 0 none, -1 if that is not known.
        """
        known = np.flatnonzero(self.results != PENDING)
        if len(known) == 0:
            raise LudoportError("no game has ended yet; there is nothing to learn from")
        chosen = known[rng.integers(0, len(known), count)]
        policies = self.policies[chosen].astype(np.float32)
        shares = np.where(policies >= 0, policies / SHARES, policies)
        owned = self.finals[chosen]
        owned = np.where((owned > 0) & (self.persons[chosen, None] == 2), 3 - owned, owned)
        return self.seen[chosen], shares, self.judged[chosen], self.results[chosen], self.replies[chosen], owned

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take over what a checkpoint kept."""
        self.written = int(arrays["replay_written"])
        for name in self.ARRAYS:
            kept = arrays[f"replay_{name}"]
            getattr(self, name)[: len(kept)] = kept
