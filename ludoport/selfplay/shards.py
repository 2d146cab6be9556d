"""Finished positions on their way from who plays to who learns."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludoport.selfplay.kernels import PENDING
from ludoport.selfplay.playing import Progress
from ludoport.selfplay.replay import Replay

if TYPE_CHECKING:
    from ludoport.selfplay.device import DeviceReplay

COUNTS = 9
"""Numbers of a ``Progress`` that count something; the seconds are not kept."""

Shard = dict[str, NDArray[Any]]
"""A piece of a replay: some positions whose results are known, by the names of ``Replay.ARRAYS``."""


@dataclass(frozen=True)
class Harvest:
    """Results of a step of an actor.

    Attributes:
        progress: progress of the stretch; its positions are those that have their result.
        shard: the positions of the games that ended.
        verdicts: on games of a tournament: the opponent's epoch, and what the game says; see ``Tournament.settle``.
    """

    progress: Progress
    shard: Shard
    verdicts: tuple[tuple[int, int], ...] = ()

    def __len__(self) -> int:
        return len(self.shard["results"])


def total(parts: list[Progress]) -> Progress:
    """Sum of several stretches; nothing if there are none."""
    return Progress(*(sum(column) for column in zip(*map(astuple, parts), strict=True))) if parts else nothing()


def nothing() -> Progress:
    """An empty step."""
    return Progress(games=0, moves=0, positions=0, evaluations=0, first_wins=0, draws=0)


def take_finished(replay: Replay | DeviceReplay) -> Shard:
    """Take all positions whose game has ended out of a replay."""
    known: Any
    if isinstance(replay, Replay):
        known = np.flatnonzero(replay.results != PENDING)
    else:
        known = (replay.results != PENDING).nonzero()[:, 0]
    taken = {name: _here(getattr(replay, name)[known]) for name in Replay.ARRAYS}
    replay.results[known] = PENDING
    return taken


def _here(array: Any) -> NDArray[Any]:
    return array if isinstance(array, np.ndarray) else array.cpu().numpy()


def add_shard(replay: Replay | DeviceReplay, shard: Shard) -> None:
    """Write positions into a replay, in the place of the oldest ones; of too many, the last."""
    skipped = max(0, len(shard["results"]) - replay.places)
    numbers = replay.written + np.arange(skipped, len(shard["results"]))
    for name in Replay.ARRAYS:
        _write(getattr(replay, name), numbers % replay.places, shard[name][skipped:])
    replay.written += len(shard["results"])


def _write(target: Any, places: NDArray[np.int64], values: NDArray[Any]) -> None:
    if isinstance(target, np.ndarray):
        target[places] = values
        return
    import torch

    # What arrives from another process may lie in memory that must not be written, which torch warns of.
    target[torch.from_numpy(places).to(target.device)] = torch.tensor(values, device=target.device)


class Inbox:
    """Results that have arrived and are not in the replay yet; one thread puts, another takes."""

    def __init__(self) -> None:
        self._arrived: deque[Harvest] = deque()
        self._changed = threading.Condition()
        self.waiting = 0

    def put(self, harvest: Harvest) -> None:
        """Add what has arrived."""
        with self._changed:
            self._arrived.append(harvest)
            self.waiting += len(harvest)
            self._changed.notify()

    def take(self, seconds: float) -> Harvest | None:
        """The harvest that arrived first; None if none arrives within this time."""
        with self._changed:
            if not self._changed.wait_for(lambda: bool(self._arrived), seconds):
                return None
            harvest = self._arrived.popleft()
            self.waiting -= len(harvest)
            return harvest

    def arrays(self) -> dict[str, NDArray[Any]]:
        """State for a checkpoint."""
        with self._changed:
            kept = list(self._arrived)
        arrays: dict[str, NDArray[Any]] = {
            "play_inbox_progress": np.array(astuple(total([harvest.progress for harvest in kept]))[:COUNTS]),
            "play_inbox_verdicts": np.array([pair for harvest in kept for pair in harvest.verdicts]).reshape(-1, 2),
        }
        for name in Replay.ARRAYS if kept else ():
            arrays[f"play_inbox_{name}"] = np.concatenate([harvest.shard[name] for harvest in kept])
        return arrays

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take over what a checkpoint kept."""
        if "play_inbox_results" in arrays:
            shard = {name: arrays[f"play_inbox_{name}"] for name in Replay.ARRAYS}
            verdicts = tuple((int(epoch), int(verdict)) for epoch, verdict in arrays["play_inbox_verdicts"])
            self.put(Harvest(Progress(*arrays["play_inbox_progress"].tolist()), shard, verdicts))
