"""Two ways of the compiler are compared position by position, and a difference is found."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ludoport.game import Game
from ludoport.ludemic import read_rules
from ludoport.verify.ways import compare_ways, compiled, main

JUMPS = Path(__file__).parents[1] / "ludemes" / "games" / "jumps.lud"


def test_both_ways_agree() -> None:
    before = os.environ.get("LUDOPORT_PLAIN")
    assert main([str(JUMPS), "--plies", "8"]) == 0
    assert os.environ.get("LUDOPORT_PLAIN") == before


def test_a_game_that_is_refused_does_not_end_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.lud").write_text('(match "A" (players 2) (games {(subgame "B")}) (end (if True (result P1 Win))))')
    assert main([str(tmp_path)]) == 0
    assert "1 not compiled; 0 positions agree" in capsys.readouterr().out


def test_a_difference_is_found(tmp_path: Path) -> None:
    text = '(game "Row" (players 2) (rules (play (move Add (to (REGION)))) (end (if (is Line 3) (result Mover Win)))))'
    games = []
    for region in ("sites Empty", "difference (sites Empty) (sites Centre)"):
        path = tmp_path / f"{len(games)}.lud"
        path.write_text(text.replace("REGION", region))
        games.append(Game(read_rules(path), jit=False))
    assert compare_ways(*games, seed=1, plies=5) == ("seed 1, ply 0: without -, with 4 compared with the plain way", 0)
    assert compare_ways(games[0], compiled(tmp_path / "0.lud", "all"), seed=1, plies=5) == ("", 5)
