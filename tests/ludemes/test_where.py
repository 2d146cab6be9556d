"""``where`` is the first site of a piece in the order of the board, whoever owns it and whenever it came there."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludoport.game import load

GAME = """
(game "Where"
    (players 2)
    (equipment {
        (board (square 4))
        (piece "Man" Each (move Step (to if:(is Empty (to)))))
        (piece "Rock" Neutral)
    })
    (rules
        (start { (place "Man1" {9 5}) (place "Man2" {15 14}) (place "Rock0" 3) })
        (play (forEach Piece))
        (end (if HERE (result Mover Win)))
    )
)
"""


@pytest.mark.parametrize(
    ("condition", "moves", "ends"),
    [
        ('(= 5 (where "Man" P1))', ["9-10"], True),  # the man on 9 was placed first
        ('(= 4 (where "Man" P1))', ["9-8", "14-13", "8-4"], True),
        ('(= 8 (where "Man" P1))', ["9-8"], False),
        ("(= 3 (where (what at:3)))", ["9-8"], True),
        ("(= 5 (where (what at:(last To))))", ["9-8"], True),
    ],
)
def test_first_site(condition: str, moves: list[str], ends: bool, tmp_path: Path) -> None:
    path = tmp_path / "Where.lud"
    path.write_text(GAME.replace("HERE", condition))
    state = load(path, jit=False).start()
    for text in moves:
        assert not state.over
        state = state.play(next(move for move in state.moves() if move.text == text))
    assert state.over is ends
