"""Boards from texts, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ludoport.boards import Board, build_board
from ludoport.lud import read_text


def make_board(text: str) -> Board:
    """The board that a ``(board ...)`` text describes."""
    game = f'(game "T" (players 2) (equipment {{{text} (piece "Disc" Each)}}) (rules (play (move Pass)) (end)))'
    description = read_text(game.replace("(end)", "(end (if (no Moves Next) (result Mover Win)))"))
    return build_board(next(item for item in description.root.walk() if item.kind == "container"))


@pytest.fixture(scope="session")
def board() -> Callable[[str], Board]:
    """Builds boards; equal texts share one board."""
    known: dict[str, Board] = {}

    def build(text: str) -> Board:
        if text not in known:
            known[text] = make_board(text)
        return known[text]

    return build
