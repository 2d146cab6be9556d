"""Keys of puzzles tell positions apart in which different values are struck out."""

from __future__ import annotations

from pathlib import Path

import ludoport as lp


def test_every_move_of_a_puzzle_leads_to_a_key_of_its_own() -> None:
    state = lp.load(Path(__file__).parent / "games" / "puzzles.lud", jit=False).start()
    moves = state.moves()
    assert len({state.play(move).key for move in moves}) == len(moves) > 1
