"""``sites Winning``: only moves that win, or keep the next player from winning, as long as there are some."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import ludoport as lp
from ludoport.errors import UnsupportedError

HERE = Path(__file__).parent
GAME = HERE / "games" / "winning.lud"
SIZE = 4


def in_line(discs: set[int], site: int) -> bool:
    """Whether a site completes three discs in a row or in a column."""
    column, row = site % SIZE, site // SIZE
    for dx, dy in ((1, 0), (0, 1)):
        length = 1
        for way in (1, -1):
            x, y = column + way * dx, row + way * dy
            while 0 <= x < SIZE and 0 <= y < SIZE and x + SIZE * y in discs:
                length, x, y = length + 1, x + way * dx, y + way * dy
        if length >= 3:
            return True
    return False


@pytest.mark.parametrize("seed", range(6))
def test_winning_sites_come_first(seed: int) -> None:
    game = lp.load(GAME, jit=False)
    what, rank = (game.rules.fields[name] for name in ("WHAT", "RANK"))
    state, draw, forced = game.start(), random.Random(seed), 0
    while not state.over:
        held = [int(state.row[what + site]) for site in range(SIZE**2)]
        empty = {site for site in range(SIZE**2) if held[site] == 0}
        order = [(state.mover - 1 + step) % 3 + 1 for step in (1, 2)]
        following = next(player for player in order if state.row[rank + player] == 0)
        urgent = {
            site
            for player in (state.mover, following)
            for site in empty
            if in_line({s for s in range(SIZE**2) if held[s] == player}, site)
        }
        moves = state.moves()
        if empty:
            assert {int(move.text) for move in moves} == (urgent or empty)
        forced += bool(urgent)
        state = state.play(draw.choice(moves))
    assert forced


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("Winning Next (add", "Winning P2 (add", "roles Mover and Next"),
        ("(result Mover Loss)", "(result Next Win)", "results of the mover"),
        ("(is Line 3 Diagonal)", "(no Moves Next)", "`no Moves`"),
    ],
)
def test_what_cannot_be_decided_is_refused(old: str, new: str, named: str, tmp_path: Path) -> None:
    file = tmp_path / "Winning.lud"
    text = GAME.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(UnsupportedError, match=named):
        lp.load(file, jit=False).start()


ENDLESS = """
(game "Endless" (players 2) (equipment {(board (square 3)) (piece "Disc" Each)})
  (rules (play (move Add (to (sites Empty)) THEN)) (end (if END (result Mover Win)))))
"""
WINNING = "(sites Winning Mover (add (to (sites Empty))))"


@pytest.mark.parametrize(
    ("then", "end"),
    [
        ("", f"(is In (last To) {WINNING})"),
        (f"(then (forEach Site {WINNING} (remove (site))))", "(is Line 3)"),
        (f"(then (if (< 0 (count Sites in:{WINNING})) (moveAgain)))", "(is Line 3)"),
    ],
)
def test_moves_that_ask_which_moves_win_are_refused(then: str, end: str, tmp_path: Path) -> None:
    """Playing them would play further moves, and those others again; machine code cannot even be made."""
    file = tmp_path / "Endless.lud"
    file.write_text(ENDLESS.replace("THEN", then).replace("END", end), encoding="utf-8")
    with pytest.raises(UnsupportedError, match="in results, and in what follows a move, is not implemented yet"):
        lp.load(file, jit=False).start()
