"""Several games on one device at the same time.

The kernels of a few hundred boards leave most of a large device idle. So games are dealt to lanes: those of one lane
play and are learned from one after another, on a stream of their own, and lanes work at the same time. The CPU only
starts moves; it stays a few ahead of each lane.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any, Protocol

import torch

from ludoport.selfplay.playing import Progress

AHEAD = 2
"""Moves that a lane may be asked for before it has played the first of them, so that a run ends in time."""


@cache
def lane_streams(count: int, device: str) -> list[Any]:
    """The streams of lanes, the same ones for all runs of a process; None for the current one.

    Args:
        count: number of lanes.
        device: device of the streams; a CPU has no streams, and a single lane needs none.
    """
    if device != "cuda" or count == 1:
        return [None] * count
    return [torch.cuda.Stream() for _ in range(count)]  # type: ignore[no-untyped-call]


def on_stream(stream: Any) -> AbstractContextManager[Any]:
    """Context in which kernels run on a stream."""
    return nullcontext() if stream is None else torch.cuda.stream(stream)


def follow(stream: Any) -> None:
    """Let a stream wait for all that was started on the current one."""
    if stream is not None:
        stream.wait_stream(torch.cuda.current_stream())


def wait_for(stream: Any) -> None:
    """Let the current stream wait for all that was started on another one."""
    if stream is not None:
        torch.cuda.current_stream().wait_stream(stream)


def dealt(sizes: Mapping[str, float], lanes: int) -> dict[str, int]:
    """The lane of each game, so that lanes have about equally much to do: large games first, to the emptiest lane."""
    full, found = [0.0] * lanes, dict[str, int]()
    for key in sorted(sizes, key=lambda key: -sizes[key]):
        lane = min(range(lanes), key=lambda number: full[number])
        full[lane] += sizes[key]
        found[key] = lane
    return found


class PlaysAhead(Protocol):
    """Interface of self-play on a device; see ``DeviceSelfPlay``."""

    stream: Any

    @property
    def recorded(self) -> int:
        """Positions recorded in this stretch."""

    def begin(self) -> None:
        """Begin a stretch."""

    def step_marked(self) -> Callable[[], None]:
        """Start a move in all games; returns what waits for its end."""
        ...

    def ended(self) -> Progress:
        """Results of the stretch."""
        ...


class _Lane:
    """Stretches of playing that follow each other.

    Args:
        stop: whether to stop.
    """

    def __init__(self, stop: Callable[[], bool]) -> None:
        self.waiting: deque[tuple[PlaysAhead, int]] = deque()
        self._stop, self._under_way = stop, deque[Callable[[], None]]()

    def go_on(self) -> bool:
        """Start the next move; False if there is none."""
        while self.waiting:
            play, positions = self.waiting[0]
            if play.recorded < positions and not self._stop():
                self._under_way.append(play.step_marked())
                if len(self._under_way) > AHEAD:
                    self._under_way.popleft()()
                return True
            self.waiting.popleft()
        return False

    def wait(self) -> None:
        """Wait for the last move."""
        if self._under_way:
            self._under_way.pop()()


def side_by_side(wanted: Sequence[tuple[PlaysAhead, int]], stop: Callable[[], bool]) -> list[Progress]:
    """Play stretches of several games, those of different streams at the same time; returns what each did.

    Args:
        wanted: self-play of each game, and the number of positions that it is to record.
        stop: whether to stop.
    """
    lanes: dict[int, _Lane] = {}
    for play, positions in wanted:
        play.begin()
        lanes.setdefault(id(play.stream), _Lane(stop)).waiting.append((play, positions))
    going = list(lanes.values())
    while going:
        going = [lane for lane in going if lane.go_on()]
    for lane in lanes.values():
        lane.wait()
    return [play.ended() for play, _ in wanted]
