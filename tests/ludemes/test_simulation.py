"""Games without players: everything that the rules of play do is one step."""

from __future__ import annotations

import json
from pathlib import Path

import ludoport as lp
from ludoport.check import check_game
from ludoport.verify.report import FileComparison
from ludoport.verify.trace import compare_file

GAME = """
(game "Growth" (players 0)
  (equipment {(board (rectangle 1 6)) (piece "Disc" Shared)})
  (rules
    (start (place "Disc" 0))
    (play (forEach Site (sites Board)
      (if (and (is Empty (to)) (is Occupied (ahead (to) W))) (add (piece "Disc") (to (to))))))
    (end (if (= (count Moves) 100) (result Mover Win)))))
"""
RECORD = {
    "id": "growth#1",
    "plies": [{"m": 0, "legal": ["step"], "mv": "step"}] * 5,
    "over": True,
    "winner": 0,
    "final": dict.fromkeys(map(str, range(6)), "Disc"),
}


def load(folder: Path) -> lp.Game:
    path = folder / "growth.lud"
    path.write_text(GAME)
    return lp.load(path, jit=False)


def test_steps_end_when_nothing_happens(tmp_path: Path) -> None:
    state = load(tmp_path).start()
    for step in range(5):
        assert not state.over
        assert sorted(state.pieces()) == list(range(step + 1))
        (move,) = state.moves()
        assert (move.text, move.label) == ("step", "step")
        state = state.play(move)
    assert (state.over, state.winner, sorted(state.pieces())) == (True, 0, list(range(6)))


def test_contract(tmp_path: Path) -> None:
    check_game(load(tmp_path))


def test_records_without_players_are_compared(tmp_path: Path) -> None:
    trace = tmp_path / "growth.jsonl"
    for final, agreeing in ((RECORD["final"], 1), ({"5": "Disc"}, 0)):
        trace.write_text(json.dumps({**RECORD, "final": final}))
        found = FileComparison("growth")
        compare_file(load(tmp_path), trace, found)
        assert (found.agreeing, found.agreeing_trials) == (5, agreeing)
