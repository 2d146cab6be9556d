"""Sizes of boards, as protocols and records of other programs name them."""

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
