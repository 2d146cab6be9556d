"""Moves that select a die by the number of its place."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludoport as lp
from ludoport.check import check_game
from ludoport.errors import UnsupportedError

GAME = """
(game "Choice" (players 2)
  (equipment {
    (board (square 2)) (piece "Disc" Each) (dice d:6 num:2) (regions "Dice" {4 5})
  })
  (rules
    (play (if (is Pending) (move Select (from (sites "Dice")) (then (and (roll) (moveAgain))))
      (move Add (piece (id "Disc" Mover)) (to SITES)
        (then (if (is Even (count Moves)) (and (set Pending) (moveAgain)))))))
    (end (if (is Full) (result Mover Win)))))
"""


def load(folder: Path, sites: str = "(sites Empty)") -> lp.Game:
    path = folder / "choice.lud"
    path.write_text(GAME.replace("SITES", sites))
    return lp.load(path, jit=False)


def test_dice_are_selected(tmp_path: Path) -> None:
    game = load(tmp_path)
    state = game.start(seed=3).play("0").play("1")
    assert [move.text for move in state.moves()] == ["4", "5"]
    assert len({move.label for move in state.moves()}) == 2
    shown = [game.start(seed=seed).play("0").play("1").play("5").pieces() for seed in range(20)]
    assert {tuple(pieces[site] for site in (0, 1)) for pieces in shown} == {("Disc1", "Disc2")}
    # The roll that follows shows up where the dice lie.
    assert len({(pieces[4], pieces[5]) for pieces in shown}) > 10
    check_game(game)


def test_pictures_of_positions_with_dice_to_select(tmp_path: Path) -> None:
    state = load(tmp_path).start(seed=3).play("0").play("1")
    for move in state.moves():
        after = state.play(move)
        assert after.picture()
        assert "<svg" in after.svg()
    assert "<svg" in state.svg()


@pytest.mark.parametrize("sites", ['(sites "Dice")', "(sites {1 4})", "(forEach (sites Empty) if:(< 0 (count at:4)))"])
def test_other_uses_are_refused(tmp_path: Path, sites: str) -> None:
    with pytest.raises(UnsupportedError, match="places of dice are not implemented yet except as what a move selects"):
        load(tmp_path, sites).start()
