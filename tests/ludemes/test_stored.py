"""``remember State`` and ``avoidStoredState``: moves that would lead back to the stored position are no moves."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludoport as lp
from ludoport.errors import UnsupportedError

GAME = """
(game "Stored"
    (players 2)
    (equipment {(board (square 3)) (piece "Disc" Each (move Step Orthogonal (to if:(is Empty (to)))))})
    (rules
        (start {(place "Disc1" 0) (place "Disc2" 8)})
        (play (avoidStoredState (forEach Piece THEN)))
        (end (if (no Moves Next) (result Mover Win)))
    )
)
"""


def load(folder: Path, then: str, rest: str = "") -> lp.State:
    file = folder / "Stored.lud"
    inner = "(move Step Orthogonal (to if:(is Empty (to))) (then THEN))".replace("THEN", then)
    file.write_text(GAME.replace("(forEach Piece THEN)", f"(forEach Piece {inner}){rest}"), encoding="utf-8")
    return lp.load(file, jit=False).start()


def texts(state: lp.State) -> set[str]:
    return {move.text for move in state.moves()}


def played(state: lp.State, *moves: str) -> lp.State:
    for move in moves:
        state = state.play(move)
    return state


def test_nothing_is_avoided_before_anything_is_stored(tmp_path: Path) -> None:
    state = played(load(tmp_path, "(moveAgain)"), "0-1")
    assert "1-0" in texts(state)


STORES = "(and (moveAgain) (if (or (= (count Moves) 1) (= (count Moves) 3)) (remember State)))"
"""Player 1 moves on and on; the positions after the first and the third move are stored."""


def test_the_stored_position_is_avoided(tmp_path: Path) -> None:
    state = played(load(tmp_path, STORES), "0-1", "1-2")
    assert texts(state) == {"2-5"}


def test_only_the_last_stored_position_counts(tmp_path: Path) -> None:
    state = played(load(tmp_path, STORES), "0-1", "1-2", "2-5", "5-4")
    # One step leads to 1, stored first, and another to 5, stored last.
    assert texts(state) == {"4-1", "4-3", "4-7"}


def test_a_move_is_compared_with_the_position_stored_before_it(tmp_path: Path) -> None:
    state = load(tmp_path, "(remember State)")
    assert texts(state) == {"0-1", "0-3"}


def test_whose_turn_it_is_does_not_count(tmp_path: Path) -> None:
    after = "(if (= (count Moves) 1) (remember State))"
    state = played(load(tmp_path, after), "0-1", "8-7", "1-0", "7-8")
    # Disc1 on 1 and Disc2 on 8 was stored when player 2 was to move.
    assert texts(state) == {"0-3"}


def test_the_phase_does_not_count(tmp_path: Path) -> None:
    phases = """phases:{
        (phase "First" (play (forEach Piece)) (nextPhase (= (count Moves) 3) "Second"))
        (phase "Second" (play (avoidStoredState (forEach Piece))))
    }"""
    text = GAME.replace("(play (avoidStoredState (forEach Piece THEN)))", phases).replace(
        "(is Empty (to)))", "(is Empty (to))) (then (if (= (count Moves) 1) (remember State)))"
    )
    file = tmp_path / "Stored.lud"
    file.write_text(text, encoding="utf-8")
    state = played(lp.load(file, jit=False).start(), "0-1", "8-7", "1-0", "7-8")
    assert texts(state) == {"0-3"}


@pytest.mark.parametrize(("value", "avoided"), [("7", True), ("(count Moves)", False)])
def test_the_variable_without_a_name_counts(value: str, avoided: bool, tmp_path: Path) -> None:
    then = f"(and {{(set Var {value}) (moveAgain) (if (= (count Moves) 1) (remember State))}})"
    state = played(load(tmp_path, then), "0-1", "1-2")
    assert ("2-1" not in texts(state)) == avoided


def test_what_follows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="what follows `avoidStoredState`"):
        load(tmp_path, "(moveAgain)", "(then (remember State))")
