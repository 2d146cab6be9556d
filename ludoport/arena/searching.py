"""``lp.search``: look into a position with any player that searches."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ludoport.arena.player import Player
from ludoport.arena.players import as_player
from ludoport.errors import LudoportError
from ludoport.game import State

if TYPE_CHECKING:
    from ludoport.game import Move
    from ludoport.search.result import SearchResult


def search(
    state: State, player: Player | str | Callable[[State], Move | str] = "uct:1000", *, seed: int = 0
) -> SearchResult:
    """Search a position.

    Args:
        state: a position in which the game is not over.
        player: the player that searches: ``uct:1000``, ``net:runs/hex5``, ``minimax:4``, ``tree:FILE``, or a player.
        seed: random seed.

    Returns:
        The legal moves, the best first, with visits, values and priors, and the expected line of play.

    Example:
        >>> import ludoport as lp
        >>> state = lp.load("Tic-Tac-Toe", jit=False).start().play("A1").play("A2").play("B1").play("B2")
        >>> found = search(state, "uct:200")
        >>> str(found.best), [str(move) for move in found.line]
        ('C1', ['C1'])
    """
    if not isinstance(state, State):
        raise LudoportError(f"search needs a position, as `game.start()` gives it, not {state!r}")
    if state.over:
        raise LudoportError("the game is over; there is no move to search for")
    searching = as_player(player)
    searching.begin(state.game, state.seat, seed)
    return searching.search(state, seed)
