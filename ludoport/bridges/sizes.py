"""Sizes of boards and komi, as protocols and records of other programs name them."""

from __future__ import annotations

from collections.abc import Sequence

from ludoport.catalogue import options_of
from ludoport.errors import LudoportError
from ludoport.game import Game, as_game

LARGEST = 140
"""Most columns or rows."""


def board_size(game: Game) -> tuple[int, int]:
    """Columns and rows of a board whose points have a letter and a number."""
    labels = [site.label for site in game.rules.geometry.sites]
    return len({label[:1] for label in labels}), len({label[1:] for label in labels})


def sized(game: str, options: Sequence[str], width: int, height: int) -> tuple[str, ...]:
    """The options of a game with the board of another size."""
    if not (1 <= width <= LARGEST and 1 <= height <= LARGEST):
        raise LudoportError("unacceptable size")
    wanted = f"{width}x{height}"
    for category, items in options_of(game).items():
        if wanted in items:
            return (*(option for option in options if not option.startswith(f"{category}/")), f"{category}/{wanted}")
    if board_size(as_game(game, options)) == (width, height):
        return tuple(options)
    raise LudoportError("unacceptable size")


def komi_choices(game: str) -> list[str]:
    """The points for moving second that the rules of a game can give; none where they know no komi."""
    return list(options_of(game).get("Komi", {}))


def komi_of(options: Sequence[str]) -> str:
    """The komi that options choose; empty if they choose none.

    >>> komi_of(["Board Size/9x9", "Komi/6.5"])
    '6.5'
    """
    return next((option.partition("/")[2] for option in options if option.startswith("Komi/")), "")


def with_komi(game: str, options: Sequence[str], komi: float) -> tuple[str, ...] | None:
    """The options of a game with another komi; None if the rules do not have it."""
    if f"{komi:g}" not in komi_choices(game):
        return None
    return (*(option for option in options if not option.startswith("Komi/")), f"Komi/{komi:g}")
