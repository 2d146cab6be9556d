"""The terms of matches: clocks and limits."""

from __future__ import annotations

from dataclasses import dataclass

from ludoport.errors import LudoportError


@dataclass(frozen=True)
class Terms:
    """Clocks and limits of a match.

    Attributes:
        startclock: seconds before the first step.
        playclock: seconds for a move.
        grace: seconds by which an answer may be late, to allow for the network.
        limit: maximum number of steps of a match.
        compute: maximum number of seconds for computing one position.
        states: whether records hold all facts of every state, not only their hash.
    """

    startclock: float = 10.0
    playclock: float = 5.0
    grace: float = 0.5
    limit: int = 1000
    compute: float = 60.0
    states: bool = True

    def __post_init__(self) -> None:
        for name in ("startclock", "playclock", "compute"):
            value = getattr(self, name)
            if not 0 < value <= 1_000_000:
                raise LudoportError(f"the {name} must be positive and at most 1,000,000 seconds, not {value:g}")
        if not self.grace >= 0:
            raise LudoportError(f"the grace is {self.grace:g} seconds; it must be at least 0")
        if self.limit < 1:
            raise LudoportError(f"the limit of steps must be at least 1, not {self.limit}")
