"""Players of one role in a match: a player of ``arena``, or one of the kinds in ``kinds``."""

from __future__ import annotations

import logging
import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ludoport.arena.player import Player
from ludoport.arena.players import REGISTRY as PLAYERS
from ludoport.arena.playing import derived
from ludoport.arena.registry import PlayerKind, Registry
from ludoport.arena.specification import near, read
from ludoport.errors import LudoportError
from ludoport.ggp.positions import CompiledPosition

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.ggp.positions import SheetPosition

log = logging.getLogger(__name__)


class RolePlayer(ABC):
    """Plays one role of one match."""

    def begin(self, role: int, seed: int) -> None:  # noqa: B027 (many players have nothing to do)
        """A match begins, in which the player has this role."""

    def prepare(self, position: SheetPosition, until: float) -> None:  # noqa: B027
        """The rest of the start clock, which ends at ``until``; ``position`` is the current position.

        It is left out where the game is not ready before the clock ends.
        """

    @abstractmethod
    def think(self, position: SheetPosition, role: int, until: float) -> Iterator[str]:
        """Better and better moves; the last one counts that was given when the time is up.

        Between two moves there should be some milliseconds only. ``until`` is when the time is up, by
        ``time.monotonic``; the caller stops asking then.
        """

    def moved(self, position: SheetPosition, moves: Sequence[str]) -> None:  # noqa: B027
        """A joint move was made in a position."""

    def end(self, position: SheetPosition) -> None:  # noqa: B027
        """The match has ended in this position."""

    def warm(self, game: Game) -> None:  # noqa: B027
        """Compile what thinking about this game needs."""


class ArenaRole(RolePlayer):
    """A player of ``arena`` in a match.

    It answers at once with any legal move, and then with what the player thinks of. Where only the interpreter plays,
    or where the player cannot play such a game, that first answer stays.
    """

    def __init__(self, player: Player) -> None:
        self.player = player
        self._watches = type(player).played is not Player.played
        self.begin(0, 0)

    def begin(self, role: int, seed: int) -> None:
        """A match begins; the player hears of it as soon as the game is compiled."""
        del role  # is given with every question
        self.seed, self.rng = seed, random.Random(seed)
        self._game: Game | None = None
        self._able, self._asked = True, 0

    def warm(self, game: Game) -> None:
        """Compile what the player needs."""
        self.player.warm(game)

    def think(self, position: SheetPosition, role: int, until: float) -> Iterator[str]:
        """Any legal move, then those of the player."""
        legal, state = position.legal[role], position.state
        yield self.rng.choice(legal)
        self._asked += 1
        if len(legal) == 1 or state is None or not self._enter(state.game, role):
            return
        if state.mover == role + 1 or self.player.foresees:
            for move in self.player.think(state, derived(self.seed, "move", self._asked)):
                yield str(getattr(move, "text", move))

    def _enter(self, game: Game, role: int) -> bool:
        """Let the player begin with a game, once; whether it can play it."""
        if self._game is not game:
            self._game = game
            try:
                self.player.begin(game, role + 1, self.seed)
            except LudoportError as error:
                log.warning("%s plays at random: %s", self.player.name, error)
                self._able = False
        return self._able

    def moved(self, position: SheetPosition, moves: Sequence[str]) -> None:
        """Notify a player that watches."""
        if not self._watches or not isinstance(position, CompiledPosition) or self._game is not position.game:
            return
        state = position.state
        for role in position.choosers():
            move = state.find(moves[role])
            self.player.played(state, move)
            state = state.play(move)

    def end(self, position: SheetPosition) -> None:
        """Notify a player that has played."""
        if position.state is not None and self._game is position.state.game:
            self.player.end(position.state)


REGISTRY: Registry[RolePlayer] = Registry("player", "ludoport.ggp.kinds")
register = REGISTRY.register


def kinds() -> list[PlayerKind[Any]]:
    """All kinds of players that can take part in matches, by name."""
    found: list[PlayerKind[Any]] = [*REGISTRY.kinds(), *(kind for kind in PLAYERS.kinds() if kind.name != "human")]
    return sorted(found, key=lambda kind: kind.name)


def role_player(text: str) -> RolePlayer:
    """The player that a text describes; where it has no limit of its own, it thinks until the clock ends.

    Example:
        >>> type(role_player("legal")).__name__
        'LegalRole'
    """
    kind, known = read(text).kind, {kind.name for kind in kinds()}
    if kind.lower() not in known:
        raise LudoportError(f"unknown player `{kind}`{near(kind, sorted(known), 'players are')}")
    if kind.lower() in {own.name for own in REGISTRY.kinds()}:
        return REGISTRY.make(text)
    return ArenaRole(PLAYERS.make(text))
