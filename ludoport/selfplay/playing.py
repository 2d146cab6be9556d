"""The protocol of self-play, for one process, a device, or the actors of a cluster."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Protocol

from numpy.typing import NDArray

if TYPE_CHECKING:
    from ludoport.nets.network import PolicyValueNet


@dataclass(frozen=True)
class Progress:
    """Results of a stretch of self-play.

    Attributes:
        games: finished games.
        moves: moves played.
        positions: positions recorded.
        evaluations: positions judged by the network.
        first_wins: wins of the player who moved first.
        draws: drawn games.
        resigned: games that a player resigned.
        played_on: games in which a player would have resigned, but had to play on.
        wrong: those of them that were not lost.
        play_seconds: duration.
    """

    games: int
    moves: int
    positions: int
    evaluations: int
    first_wins: int
    draws: int
    resigned: int = 0
    played_on: int = 0
    wrong: int = 0
    play_seconds: float = 0.0


def together(parts: list[Progress]) -> Progress:
    """Sum of several stretches; the number of actors is that of the last one."""
    names = [field.name for field in fields(parts[-1]) if field.name != "actors"]
    return replace(parts[-1], **{name: sum(getattr(part, name) for part in parts) for name in names})


def never() -> bool:
    """Do not stop."""
    return False


class Plays(Protocol):
    """Plays games of the newest network and writes their positions into a replay.

    A class that plays derives from this one; what it does not need stays as it is here.
    """

    def play(self, positions: int, stop: Callable[[], bool] = never) -> Progress:
        """Play until this many positions have been recorded, or ``stop`` returns True."""
        ...

    def update(self, net: PolicyValueNet) -> None:
        """Take over new weights."""

    def arrays(self) -> dict[str, Any]:
        """State of the games in progress, for a checkpoint: arrays, or tensors on a device."""
        ...

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take over what a checkpoint kept."""

    def at_work(self) -> AbstractContextManager[None]:
        """Context in which games are played, such as running actors; empty by default."""
        return nullcontext()

    def rest(self) -> None:
        """Begin no more games; by default nothing runs outside of ``play``."""
        return
