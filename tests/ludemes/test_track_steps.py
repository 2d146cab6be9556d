"""``count StepsOnTrack``: how far one site is behind another along a track."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludoport as lp
from ludoport.errors import UnsupportedError

GAME = """
(game "Steps"
    (players 2)
    (equipment {
        (board (square 3) {
            (track "Round" "0,E,N,W" loop:True)
            (track "Way1" {0 1 2 5 4} P1)
            (track "Way2" {8 7 6 3 4} P2)
        })
        (piece "Disc" Each)
    })
    (rules
        (play (move Add (to (sites Empty)) (then (set Score Mover STEPS))))
        (end (if (>= (count Moves) 4) (result Mover Win)))
    )
)
"""


def scores(folder: Path, steps: str, *moves: str, text: str = GAME) -> list[int]:
    file = folder / "Steps.lud"
    file.write_text(text.replace("STEPS", steps), encoding="utf-8")
    state = lp.load(file, jit=False).start()
    for move in moves:
        state = state.play(move)
    first = state.game.rules.fields["SCORE"]
    return [int(state.row[first + player]) for player in (1, 2)]


@pytest.mark.parametrize(
    ("steps", "moves", "expected"),
    [
        # Each player has a track: A1 is the first site of one, B2 the last of both.
        ("(count StepsOnTrack (last To) 4)", ["A1", "C3"], [4, 4]),
        ("(count StepsOnTrack (last To) 4)", ["C1", "A3"], [2, 2]),
        ("(count StepsOnTrack 4 (last To))", ["C1", "A3"], [3, 3]),
        ("(count StepsOnTrack P2 (last To) 4)", ["B3", "C3"], [3, 4]),
        # The same site is no step away; a site beside the track is never reached.
        ("(count StepsOnTrack (last To) (last To))", ["A1", "C3"], [0, 0]),
        ("(count StepsOnTrack 0 8)", ["A1"], [-1, 0]),
        # From beside the track steps count from before its first site.
        ("(count StepsOnTrack (last To) 4)", ["C3"], [4, 0]),
        # No track of the player has this name, so the first one of the player is meant.
        ('(count StepsOnTrack "Round" 0 2)', ["A1"], [2, 0]),
        ('(count StepsOnTrack "Way" 0 2)', ["A1"], [2, 0]),
    ],
)
def test_steps_are_counted(steps: str, moves: list[str], expected: list[int], tmp_path: Path) -> None:
    assert scores(tmp_path, steps, *moves) == expected


def test_a_loop_continues_at_its_start(tmp_path: Path) -> None:
    text = GAME.replace('(track "Way1" {0 1 2 5 4} P1)', "").replace('(track "Way2" {8 7 6 3 4} P2)', "")
    assert scores(tmp_path, "(count StepsOnTrack 6 1)", "A1", text=text) == [2, 0]


def test_sites_that_a_track_passes_twice_are_refused(tmp_path: Path) -> None:
    text = GAME.replace("{0 1 2 5 4}", "{0 1 2 5 4 1 0}")
    with pytest.raises(UnsupportedError, match="pass a site twice"):
        scores(tmp_path, "(count StepsOnTrack 0 2)", "A1", text=text)
