"""Moves that cannot be drawn by a number are listed, so that all of them are equally likely."""

from pathlib import Path

import ludoport as lp
from ludoport.check import check_game

PUZZLE = """
(game "Square of Two"
    (players 1)
    (equipment {(board (square 2) (values Cell (range 1 2))) (regions {Columns Rows})})
    (rules (play (satisfy (all Different))) (end (if (is Solved) (result P1 Win))))
)
"""


def test_every_value_of_a_puzzle_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "Square of Two.lud"
    path.write_text(PUZZLE, encoding="utf-8")
    check_game(lp.load(path, jit=False))
