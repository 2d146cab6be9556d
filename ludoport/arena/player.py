"""Interface of all players."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from ludoport.game import Game, Move, State
    from ludoport.search.result import SearchResult


REPORTED = 0.1
"""Seconds between two results of a search that is watched."""


class TakeBack(Exception):  # noqa: N818 (nothing went wrong)
    """Raised by ``choose`` to take back the player's last move and everything after it."""


class Player(ABC):
    """A program or a person that chooses moves.

    To write one, subclass it and define ``choose``; a plain function ``state -> move`` is a player, too.
    A match with several workers sends copies of its players to other processes, so a player must be picklable before
    ``begin`` is called.
    """

    interactive: ClassVar[bool] = False
    """Whether a person plays, one game at a time."""

    foresees: ClassVar[bool] = False
    """Whether ``think`` finds a move of its seat also where other seats choose before it in the same step."""

    @property
    def spec(self) -> str:
        """The text that makes this player again, such as ``uct:800``; default: the name of the class."""
        return type(self).__name__

    @property
    def name(self) -> str:
        """The name that results show."""
        return self.spec

    @property
    def identity(self) -> str:
        """Equal for two players exactly if they play alike; a stored match resumes only with the same players."""
        return self.spec

    def begin(self, game: Game, seat: int, seed: int) -> None:  # noqa: B027 (many players have nothing to do)
        """A game begins, in which this player has the seat ``seat`` (``state.seat``)."""

    @abstractmethod
    def choose(self, state: State, seed: int) -> Move | str:
        """A legal move or its text; all randomness comes from the seed, which differs for every move."""

    @property
    def missing_limit(self) -> str:
        """Message about the missing limit of a player without a clock; empty for players that end by themselves."""
        return ""

    def think(self, state: State, seed: int) -> Iterator[Move | str]:
        """Better and better moves, for callers with a clock, which stop asking when the time is up.

        Between two moves there should be some milliseconds only.
        """
        yield self.choose(state, seed)

    def so_far(self) -> SearchResult | None:
        """Result so far of the search that ``think`` runs; None for players that keep none."""
        return None

    @property
    def simulations_so_far(self) -> int:
        """Simulations so far of the search that ``think`` runs; 0 for players that do not count them."""
        return 0

    def warm(self, game: Game) -> None:  # noqa: B027
        """Compile what choosing a move in this game needs."""

    def search(self, state: State, seed: int = 0) -> SearchResult:
        """Result of this player's search of a position; call ``begin`` first.

        Raises:
            LudoportError: this kind of player does not search.
        """
        raise LudoportError(f"player {self.name} does not search; `uct:1000` does")

    def searching(self, state: State, seed: int = 0) -> Iterator[SearchResult]:
        """Results of this player's search while it runs; the last one is that of ``search``."""
        yield self.search(state, seed)

    def played(self, state: State, move: Move) -> None:  # noqa: B027
        """One of the players, perhaps this one, played a move in a position."""

    def rewind(self, game: Game, seat: int, seed: int, line: Sequence[tuple[State, Move]]) -> None:
        """Moves were taken back: the game is where it was after these moves, each given with its position."""
        self.begin(game, seat, seed)
        for state, move in line:
            self.played(state, move)

    def end(self, state: State) -> None:  # noqa: B027
        """The game has ended, or was stopped, in this position."""

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"player({self.spec!r})"
