"""Warnings about games that compile but look wrong."""

from __future__ import annotations

import pytest

from ludoport.lud import read_text
from ludoport.ludemes import compile_description
from ludoport.ludemes.advice import advice

GAME = """
(game "Advice" (players 2)
  (equipment {(board (square 3)) (piece "Disc" Each) ITEM})
  (rules START PLAY (end {(if (is Line 3) (result Mover Win)) END})))
"""
PLAIN = {"ITEM": "", "START": "", "PLAY": "(play (move Add (to (sites Empty))))", "END": ""}

CASES = [
    ({}, []),
    ({"ITEM": '(piece "King" Each)'}, ["the piece `King1` is never placed", "the piece `King2` is never placed"]),
    ({"ITEM": '(piece "King" P1)', "START": '(start (place "King1" 0))'}, []),
    (
        {
            "ITEM": "(dice d:2 num:1)",
            "PLAY": '(play (do (roll) next:(move Add (piece (id "Disc" Mover)) (to (sites Empty)))))',
        },
        [],
    ),
    (
        {
            "ITEM": '(piece "King" Each) (map "Next" {(pair (id "Disc" P1) (id "King" P1))})',
            "PLAY": (
                "(play (move Add (to (sites Empty)) (then"
                ' (promote (last To) (piece (mapEntry "Next" (what at:(last To))))))))'
            ),
        },
        [],
    ),
    ({"ITEM": '(regions "Home" (sites Bottom))'}, ["the region `Home` has no owner and is not named by any rule"]),
    (
        {"ITEM": '(regions "Home" (sites Bottom))', "END": '(if (is In 0 (sites "Home")) (result P1 Win))'},
        [],
    ),
    ({"ITEM": "(regions P3 (sites Top))"}, ["the region of P3 belongs to a player who does not exist"]),
    ({"END": "(if (is Full) (result P3 Win))"}, ["the result is for P3, and the game has 2 players"]),
    (
        {"END": "(if (> 1 2) (result P1 Win))"},
        ["the condition `(> ...)` never holds, so this rule never applies"],
    ),
    (
        {
            "PLAY": 'phases:{(phase "A" (play (move Add (to (sites Empty))))) (phase "B" (play (move Pass)))}',
        },
        ["the phase `B` is never reached"],
    ),
    (
        {
            "PLAY": (
                'phases:{(phase "A" (play (move Add (to (sites Empty)))) (nextPhase "B"))'
                ' (phase "B" (play (move Pass)))}'
            ),
        },
        [],
    ),
]


@pytest.mark.parametrize(("changes", "expected"), CASES)
def test_warnings(changes: dict[str, str], expected: list[str]) -> None:
    text = GAME
    for name, value in {**PLAIN, **changes}.items():
        text = text.replace(name, value)
    found = advice(compile_description(read_text(text)).program)
    assert [warning.split(": ", 1)[1] for warning in found] == expected


def test_a_piece_is_found_in_the_text() -> None:
    text = GAME.replace("ITEM", '\n(piece "King" P1)').replace("END", "").replace("START", "")
    found = advice(compile_description(read_text(text.replace("PLAY", PLAIN["PLAY"]))).program)
    assert [warning.split(": ", 1)[0].rsplit(":", 2)[1:] for warning in found] == [["4", "1"]]
