"""Who chooses a player's moves: what every agent can do, and how a text becomes an agent.

Each kind of agent is one file in ``agents``; it calls ``register`` and is found by being there.
"""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludoport.arena.specification import Specification, near, read
from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.ggp.positions import Position


class Agent(ABC):
    """Somebody who plays one role of one match."""

    def begin(self, role: int, seed: int) -> None:  # noqa: B027 (many agents have nothing to do)
        """A match begins, in which the agent has this role."""

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


@dataclass(frozen=True)
class Kind:
    """One kind of agent: its name, how its text is written, and how it is made."""

    name: str
    usage: str
    make: Callable[[Specification], Agent]


_KINDS: dict[str, Kind] = {}


def register(name: str, usage: str) -> Callable[[Callable[[Specification], Agent]], Callable[[Specification], Agent]]:
    """Make a kind of agent known; decorates the function that makes one from its text."""

    def decorate(make: Callable[[Specification], Agent]) -> Callable[[Specification], Agent]:
        _KINDS[name] = Kind(name, usage, make)
        return make

    return decorate


def kinds() -> list[Kind]:
    """All kinds of agents, by name."""
    from ludoport.ggp import agents as package

    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return [_KINDS[name] for name in sorted(_KINDS)]


def agent(text: str) -> Agent:
    """The agent that a text describes.

    Example:
        >>> type(agent("random")).__name__
        'RandomAgent'
    """
    specification = read(text)
    known = {kind.name: kind for kind in kinds()}
    kind = known.get(specification.kind.lower())
    if kind is None:
        hint = near(specification.kind, list(known), "agents are")
        raise LudoportError(f"there is no agent `{specification.kind}`{hint}")
    return kind.make(specification)
