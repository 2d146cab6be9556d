"""Start rules that look at what earlier ones have placed, and start rules that are repeated."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludoport as lp

GAME = """
(game "Start" (players 2)
  (equipment {(board (square 3)) (piece "Disc" Each) (piece "Dot" Neutral)})
  (rules (start {RULES}) (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))
"""
BOTTOM = '(place "Disc1" (sites Bottom))'

CASES = [
    (f'{BOTTOM} (place "Disc2" (difference (sites Empty) (sites Top)))', "DDD ddd ..."),
    (f'{BOTTOM} (place "Disc2" (expand (sites Occupied by:P1) Orthogonal))', "DDD ddd ..."),
    (f'{BOTTOM} (forEach Site (sites Right) if:(is Empty (site)) (place "Disc2" (site)))', "DDD ..d ..d"),
    (f'{BOTTOM} (forEach Site (sites Right) if:(is Occupied (site)) (place "Disc2" (+ 3 (site))))', "DDD ..d ..."),
    ('(forEach Value min:1 max:2 (place "Dot0" (+ 3 (value))))', "... .## ..."),
    ('(forEach Player (place "Dot0" (player)))', ".## ... ..."),
    ('(forEach (array {2}) (place "Dot0" (player)))', "..# ... ..."),
]


def load(folder: Path, rules: str) -> lp.State:
    path = folder / "start.lud"
    path.write_text(GAME.replace("RULES", rules))
    return lp.load(path, jit=False).start()


@pytest.mark.parametrize(("rules", "expected"), CASES)
def test_position(tmp_path: Path, rules: str, expected: str) -> None:
    rows = [line.split()[1:] for line in load(tmp_path, rules).picture().splitlines()[:3]]
    assert " ".join("".join(row) for row in reversed(rows)) == expected


def test_scores_count_what_was_placed_before(tmp_path: Path) -> None:
    count = "(set Score P1 (count Sites in:(sites Occupied by:P1)))"
    assert load(tmp_path, f"{BOTTOM} {count}").scores == [3, 0]
    assert load(tmp_path, f"{count} {BOTTOM}").scores == [0, 0]


@pytest.mark.parametrize("sites", ["{0 (- -1 (last To))}", "{0 (* (count Moves) 50000)}"])
def test_hiding_sites_that_have_to_be_collected(tmp_path: Path, sites: str) -> None:
    """Start rules have no scratch space; a game that asks what is hidden is refused."""
    hide = f"(set Hidden (sites {sites}) to:P2)"
    assert "unknown" in str(load(tmp_path, f"{BOTTOM} {hide}").game.rules.compiled.program.wants)
    path = tmp_path / "hidden.lud"
    path.write_text(GAME.replace("RULES", hide).replace("(sites Empty)", "(sites Hidden to:Mover)"))
    with pytest.raises(lp.LudoportError, match="a start rule that hides sites which have to be collected is not"):
        lp.load(path, jit=False).start()
