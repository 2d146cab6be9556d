"""Small games for these tests, written by hand."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import ludoport as lp
from ludoport.game import Game

NOUGHTS = """
(game "Noughts" (players 2)
    (equipment {(board (square 3)) (piece "Nought" P1) (piece "Cross" P2)})
    (rules
        (play (move Add (to (sites Empty))))
        (end {(if (is Line 3) (result Mover Win)) (if (is Full) (result Mover Draw))})))
"""
"""Tic-tac-toe that ends with the last stone, as the game description language writes it."""

MISERE = NOUGHTS.replace("(is Line 3) (result Mover Win)", "(is Line 3) (result Mover Loss)").replace(
    "Noughts", "Misere"
)

TINY = """
(game "Pairs" (players 2)
    (equipment {(board (rectangle 1 4)) (piece "Disc" Each)})
    (rules
        (play (move Add (to (sites Empty))))
        (end {(if (is Line 2) (result Mover Win)) (if (is Full) (result Mover Draw))})))
"""
"""Two in a row on four squares."""


@cache
def small_game(text: str, jit: bool = False) -> Game:
    """A game from its text."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.lud"
        path.write_text(text)
        return lp.load(path, jit=jit)
