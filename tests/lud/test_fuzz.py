"""Whatever is thrown at the reader, it answers with a tree or with a `LudError`."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludoport.errors import LudError
from ludoport.lud import read_text

PIECES = [
    "(", ")", "{", "}", "[", "]", "<", ">", '"', "\\", ":", "//", "\n", " ", "#1", "#2", "~", "..", "3", "-1.5", "*",
    '(game "G" ', "(players 2)", "(define ", '"A"', '("A" ', "(option ", "<S>", "<S:n>", "args:", '(item "x" <3> "y")',
    "(rulesets ", "(metadata ", "(move Add ", "(to ", "(sites Empty)", "if:", "(is Line 3)", '("StepToEmpty" ', "Mover",
    '"A1".."C3"', "(rules ", "(play ", "(end ", "(equipment {", "(board (square 3))", "é", "\t",
]  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_shuffled_pieces(text: str) -> None:
    with contextlib.suppress(LudError):
        read_text(text)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    with contextlib.suppress(LudError):
        read_text(text)


GAME = """(define "M" (move Step #1 (to if:(is Empty (to))) #2))
(game "G" (players 2) (equipment {(board (square <S:n>)) (piece "Disc" Each ("M" ~ (then (moveAgain))))})
(rules (start (place "Disc1" (sites {0..2}))) (play (forEach Piece)) (end (if (is Line 3) (result Mover Win)))))
(option "Size" <S> args:{<n>} {(item "3x3" <3> "x")* (item "4x4" <4> "y")})"""


@settings(max_examples=300, deadline=None)
@given(st.integers(0, len(GAME) - 1), st.integers(0, 12), st.sampled_from(["", *PIECES]))
def test_damaged_game(start: int, length: int, new: str) -> None:
    with contextlib.suppress(LudError):
        read_text(GAME[:start] + new + GAME[start + length :])
