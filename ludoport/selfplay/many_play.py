"""Self-play of many games with one network: each game has its own replay and plays its share."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from ludoport.selfplay.device import DeviceSelfPlay
from ludoport.selfplay.lanes import side_by_side
from ludoport.selfplay.learner_graph import CapturedStep
from ludoport.selfplay.playing import Plays, Progress, never, together

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.nets.universal.network import UniversalNet
    from ludoport.nets.universal.specialise import Specialiser
    from ludoport.selfplay.device_replay import DeviceReplay
    from ludoport.selfplay.replay import Replay
    from ludoport.tensors.layout import TensorLayout


@dataclass
class GamePart:
    """One game of a run of many.

    Attributes:
        line: the game in the run's list.
        game: the game.
        layout: layout of the tensors.
        network: the network for the game, written from that for many games.
        replay: receives the positions.
        play: plays it.
    """

    line: str
    game: Game
    layout: TensorLayout
    network: Specialiser
    replay: Replay | DeviceReplay
    play: Plays


class ManyReplays:
    """The replays of all games.

    Args:
        parts: the games by key.
    """

    def __init__(self, parts: Mapping[str, GamePart]) -> None:
        self.memories = {key: part.replay for key, part in parts.items()}

    @property
    def written(self) -> int:
        """Number of positions recorded so far."""
        return sum(replay.written for replay in self.memories.values())

    @property
    def ready(self) -> int:
        """Positions whose result is known."""
        return sum(replay.ready for replay in self.memories.values())

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take over what a checkpoint kept; games that have joined since begin without positions."""
        for key, replay in self.memories.items():
            if f"{key}replay_written" in arrays:
                replay.restore(_own(arrays, key))


class ManyPlays(Plays):
    """Plays each game for its share of the positions.

    Args:
        parts: the games by key.
        shares: the share of each game, by key; asked when positions are divided up.
    """

    def __init__(self, parts: Mapping[str, GamePart], shares: Callable[[], dict[str, float]]) -> None:
        self.parts, self.shares = parts, shares
        self.due = dict.fromkeys(parts, 0.0)
        """Positions that each game has still to play; negative where a step has recorded more than was asked for."""
        self._source: UniversalNet | None = None
        self._written: CapturedStep | None = None

    def play(self, positions: int, stop: Callable[[], bool] = never) -> Progress:
        """Play until this many positions have been recorded, or ``stop`` returns True."""
        clock = time.perf_counter()
        if max(self.due.values()) <= 0:
            for key, share in self.shares().items():
                self.due[key] += share * positions
        wanted = {key: math.ceil(due) for key, due in self.due.items() if due > 0}
        plays = {key: play for key in wanted if isinstance(play := self.parts[key].play, DeviceSelfPlay)}
        if len(plays) == len(wanted):
            found = side_by_side([(play, wanted[key]) for key, play in plays.items()], stop)
        else:
            found = [self.parts[key].play.play(count, stop) for key, count in wanted.items() if not stop()]
        for key, progress in zip(wanted, found, strict=False):  # if it is to stop, the last ones have not played
            self.due[key] -= progress.positions
        return replace(together([Progress(0, 0, 0, 0, 0, 0), *found]), play_seconds=time.perf_counter() - clock)

    def update(self, net: Any) -> None:
        """Take over new weights of the network for many games, on a device with a single launch."""
        universal: UniversalNet = net
        if universal is not self._source:
            self._source, self._written = universal, CapturedStep(universal.stem_bias.device)
        assert self._written is not None
        self._written(lambda _: self._write(universal), [])

    def _write(self, universal: UniversalNet) -> Tensor:
        for part in self.parts.values():
            part.play.update(part.network.write(universal))
        return universal.stem_bias

    def arrays(self) -> dict[str, Any]:
        """State of the games in progress, for a checkpoint."""
        kept = {f"{key}{name}": array for key, part in self.parts.items() for name, array in part.play.arrays().items()}
        return kept | {"many_due": np.frombuffer(json.dumps(self.due).encode(), dtype=np.uint8)}

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take over what a checkpoint kept; games that have joined since begin."""
        self.due |= json.loads(arrays["many_due"].tobytes())
        for key, part in self.parts.items():
            if f"{key}replay_written" in arrays:
                part.play.restore(_own(arrays, key))


def _own(arrays: dict[str, NDArray[Any]], key: str) -> dict[str, NDArray[Any]]:
    """The arrays of one game."""
    return {name.removeprefix(key): array for name, array in arrays.items() if name.startswith(key)}
