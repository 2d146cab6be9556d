"""``forEach Team``: for each team, ``(team)`` are its players."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludoport as lp
from ludoport.errors import UnsupportedError

GAME = """
(game "Teams"
    (players 4)
    (equipment {(board (square 3)) (piece "Disc" Each)})
    (rules
        (start {(set Team 1 {P1 P3}) (set Team 2 {P2 P4})})
        (play (move Add (to (sites Empty)) (then THEN)))
        (end (if (is Line 3) (result Mover Win)))
    )
)
"""


def scores(folder: Path, then: str, *moves: str, text: str = GAME) -> list[int]:
    file = folder / "Teams.lud"
    file.write_text(text.replace("THEN", then), encoding="utf-8")
    state = lp.load(file, jit=False).start()
    for move in moves:
        state = state.play(move)
    first = state.game.rules.fields["SCORE"]
    return [int(state.row[first + player]) for player in range(1, 5)]


HELD = "(forEach Team (if (<= 2 (count Sites in:(forEach (team) (sites Occupied by:Player)))) EFFECT))"


def test_effects_of_each_team(tmp_path: Path) -> None:
    then = HELD.replace("EFFECT", "(forEach (team) (addScore (player (player)) 1))")
    assert scores(tmp_path, then, "A1", "B1") == [0, 0, 0, 0]
    assert scores(tmp_path, then, "A1", "B1", "C1") == [1, 0, 1, 0]
    # The first team still has two sites after the fourth move.
    assert scores(tmp_path, then, "A1", "B1", "C1", "A2") == [2, 1, 2, 1]


def test_numbers_of_teams_may_have_gaps(tmp_path: Path) -> None:
    text = GAME.replace("(set Team 2 {P2 P4})", "(set Team 4 {P2 P4})")
    then = "(forEach Team (forEach (team) (addScore (player (player)) 1)))"
    assert scores(tmp_path, then, "A1", text=text) == [1, 1, 1, 1]
    # Players without a team are in none.
    text = GAME.replace("(set Team 2 {P2 P4})", "")
    assert scores(tmp_path, then, "A1", text=text) == [1, 0, 1, 0]


def test_sites_of_each_team(tmp_path: Path) -> None:
    sites = "(forEach Team (intersection (forEach (team) (sites Occupied by:Player)) (sites Bottom)))"
    then = f"(set Score P1 (count Sites in:{sites}))"
    assert scores(tmp_path, then, "A1", "A2", "C1")[0] == 2
    assert scores(tmp_path, then, "A1", "B1", "C1", "A2")[0] == 3


def test_a_team_without_a_loop_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="only within `forEach Team`"):
        scores(tmp_path, "(forEach (team) (addScore (player (player)) 1))", "A1")
