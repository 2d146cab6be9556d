"""Who chooses a player's moves: what every agent can do, and how a text becomes an agent.

Each kind of agent is one file in ``agents``; it calls ``register`` and is found by being there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ludoport.arena.registry import Registry

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.ggp.positions import Position


class Agent(ABC):
    """Somebody who plays one role of one match."""

    def begin(self, role: int, seed: int) -> None:  # noqa: B027 (many agents have nothing to do)
        """A match begins, in which the agent has this role."""

    def prepare(self, position: Position, until: float) -> None:  # noqa: B027
        """The rest of the start clock, which ends at ``until``; ``position`` is where the match stands.

        It is left out where the game is not ready before the clock ends.
        """

    @abstractmethod
    def think(self, position: Position, role: int, until: float) -> Iterator[str]:
        """Better and better moves; the last one counts that was given when the time is up.

        Between two moves there should be some milliseconds only. ``until`` is when the time is up, by
        ``time.monotonic``; nobody has to look at it, since whoever asks stops asking.
        """

    def moved(self, position: Position, moves: Sequence[str]) -> None:  # noqa: B027
        """A joint move was made in a position."""

    def end(self, position: Position) -> None:  # noqa: B027
        """The match has ended in this position."""

    def warm(self, game: Game) -> None:  # noqa: B027
        """Compile what thinking about this game needs."""


REGISTRY: Registry[Agent] = Registry("agent", "ludoport.ggp.agents")
register = REGISTRY.register
kinds = REGISTRY.kinds


def agent(text: str) -> Agent:
    """The agent that a text describes.

    Example:
        >>> type(agent("random")).__name__
        'RandomAgent'
    """
    return REGISTRY.make(text)
