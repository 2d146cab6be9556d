"""``is Line`` where lines are short: a site without neighbours is on no line, not even on one of a single piece."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludoport as lp

GAME = """
(game "Pyramid"
    (players 2)
    (equipment { (board (square 2 pyramidal:True) use:Vertex) (piece "Ball" Each) })
    (rules
        (play (move Add (to (sites Empty))))
        (end (if (is Line LENGTH SameLayer) (result Mover Win)))
    )
)
"""
TOP = "2"


@pytest.mark.parametrize(
    ("length", "moves", "ended"),
    [
        ("1", [TOP, "0"], [False, True]),
        ("(- 2 (layer of:(last To)))", [TOP, "0", "1", "4"], [False, False, False, True]),
        ("(+ 1 (layer of:(last To)))", [TOP, "0"], [False, True]),
    ],
)
def test_top_of_a_pyramid(length: str, moves: list[str], ended: list[bool], tmp_path: Path) -> None:
    file = tmp_path / "Pyramid.lud"
    file.write_text(GAME.replace("LENGTH", length), encoding="utf-8")
    state, seen = lp.load(file, jit=False).start(), []
    for move in moves:
        assert not state.over
        state = state.play(move)
        seen.append(state.over)
    assert seen == ended
