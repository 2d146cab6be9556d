"""A piece that moves from a level of a stack takes its state along."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludoport as lp

TEXT = """(game "Levels" (players 2)
    (equipment {(board (square 3)) (piece "Disc" Each)})
    (rules
        (start {(place Stack "Disc1" 0 count:3) (place Stack "Disc2" 8 count:3)})
        (play (move (from (sites Occupied by:Mover) level:1) (to (sites Empty))
            (then (set State at:(last From) level:1 3))))
        (end (if (= 3 (state at:4)) (result Mover Win)))))"""


def test_the_state_of_a_level_moves_with_its_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOPORT_BOUNDS", "1")
    path = tmp_path / "levels.lud"
    path.write_text(TEXT)
    state = lp.load(path, jit=False).start()
    # The second move from A1 takes the piece whose state the first one set.
    for start, end in (("A1", "A2"), ("C3", "C2"), ("A1", "B2")):
        state = state.play(next(move for move in state.moves() if str(move).startswith(start) and end in str(move)))
    assert state.over
