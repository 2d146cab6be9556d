"""Who plays: what every player can do, and how a text becomes a player.

Each kind of player is one file in ``kinds``; it calls ``register`` and is found by being there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from ludoport.arena.registry import Registry

if TYPE_CHECKING:
    from ludoport.game import Game, Move, State


class Player(ABC):
    """Somebody who chooses moves.

    A match sends copies of its players to other processes, so a player can be pickled before ``begin`` is called.
    """

    interactive: ClassVar[bool] = False
    """Whether a person sits behind it, who can play only one game at a time."""

    @property
    @abstractmethod
    def spec(self) -> str:
        """The text that makes this player again."""

    @property
    def name(self) -> str:
        """How people call it."""
        return self.spec

    @property
    def identity(self) -> str:
        """The same for two players exactly if they play alike; stored matches go on only with the same players."""
        return self.spec

    def begin(self, game: Game, seat: int, seed: int) -> None:  # noqa: B027 (many players have nothing to do)
        """A game begins, in which this player is person number ``seat`` (state.agent)."""

    @abstractmethod
    def choose(self, state: State, seed: int) -> Move:
        """A legal move; all randomness comes from the seed, which is another one for every move."""

    def played(self, state: State, move: Move) -> None:  # noqa: B027
        """Somebody, perhaps this player, played a move in a position."""

    def end(self, state: State) -> None:  # noqa: B027
        """The game has ended, or was stopped, in this position."""

    def __str__(self) -> str:
        return self.name


REGISTRY: Registry[Player] = Registry("player", "ludoport.arena.kinds")
register = REGISTRY.register
kinds = REGISTRY.kinds


def player(text: str) -> Player:
    """The player that a text describes.

    Example:
        >>> player("uct:800,exploration=1.4").spec
        'uct:800,exploration=1.4'
    """
    return REGISTRY.make(text)


def as_player(given: Player | str) -> Player:
    """A player, or the one that a text describes."""
    return player(given) if isinstance(given, str) else given
