"""Games with chance: which searches know them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from ludoport.game import Game


def has_chance(game: Game) -> bool:
    """Whether rows of the game hold random words."""
    return "LUCK" in game.rules.fields


def refuse_chance(game: Game, what: str) -> None:
    """Refuse a game with chance where only games without it are supported.

    Raises:
        LudoportError: the game has chance.
    """
    if has_chance(game):
        raise LudoportError(f"{game.name} has chance, which {what} does not support yet; players `uct` and `random` do")
