"""Rows have room for the highest stack of the setup only where no stack grows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ludoport as lp
from ludoport.board_geometry import figures
from ludoport.ludemic import LudemicRules, read_rules
from tests.ludemes.test_shortcuts import BUNDLED, Way

PILES = """
(define "Foe" (is Enemy (who at:(to))))
(define "Free" (not (is Friend (who at:(to)))))
(define "Self" (from (from) level:(level)))
(define "Pile" (forEach Level (to) (remove (to) level:(level))))
(game "Piles"
    (players 2)
    (equipment {{
        (board (square 4))
        (piece "Man" Each {man})
        {more}
    }})
    (rules
        (start {{ (place Stack items:{{"Man1" "Man1" "Man1"}} 1) (place Stack items:{{"Man2" "Man2"}} 14)
            (place "Man1" (sites {{0 2}})) (place "Man2" (sites {{13 15}})) }})
        (play {play})
        (end (if (no Moves Next) (result Mover Win)))
    )
)
"""

STEP = '(move Step "Self" (to if:"Free" (apply (if "Foe" "Pile"))))'
LOW = {
    "step": STEP,
    "slide": '(move Slide "Self" Orthogonal (to if:"Foe" (apply "Pile")))',
    "hop": '(move Hop "Self" Diagonal (between if:True) (to if:"Free" (apply "Pile")))',
    "several": f'(or {STEP} (move Leap "Self" {{{{F F R F}}}} (to if:(and "Free" (not "Foe")))))',
    "promote": STEP[:-1] + ' (then (promote (last To) (piece (id "Man" Mover)))))',
}
HIGH = {
    "onto friends": '(move Step "Self" (to if:True (apply (if "Foe" "Pile"))))',
    "onto enemies": '(move Step "Self" (to if:"Free"))',
    "top only": '(move Step "Self" (to if:"Free" (apply (remove (to)))))',
    "elsewhere": STEP[:-1] + " (then (fromTo (from (last To)) (to 5))))",
    "unknown": '(move Step "Self" (to if:(or "Foe" (is In (to) (sites Top))) (apply (if "Foe" "Pile"))))',
    "leaves first": STEP.replace('(apply (if "Foe" "Pile"))', '(apply (if "Foe" "Pile" (remove (from))))'),
}


def text(man: str, more: str = "", play: str = "(forEach Piece)") -> str:
    return PILES.format(man=man, more=more, play=play)


def height(rules: LudemicRules) -> int:
    return rules.compiled.program.module.constants["MAX_HEIGHT"]


def written(folder: Path, game: str) -> Path:
    path = folder / "Piles.lud"
    path.write_text(game)
    return path


def compare(path: Path, monkeypatch: pytest.MonkeyPatch, positions: int) -> None:
    """Both heights give the same moves, draws and pieces."""
    monkeypatch.setenv("LUDOPORT_PLAIN", "low")
    rules = [read_rules(path)]
    assert rules[0].source
    monkeypatch.setenv("LUDOPORT_PLAIN", "")
    rules.append(read_rules(path))
    assert height(rules[0]) > height(rules[1])
    ways = [Way(each) for each in rules]
    for _ in range(positions):
        high, low = (way.step() for way in ways)
        assert (high.legal, high.played, high.rng) == (low.legal, low.played, low.rng)
        high_row, low_row = (np.asarray(way.state) for way in ways)
        assert figures(rules[0].compiled, high_row) == figures(rules[1].compiled, low_row)
        if ways[0].over:
            for way in ways:
                way.kernels["start"](way.state, way.rng)


@pytest.mark.parametrize("man", LOW)
def test_stacks_that_never_grow(man: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, text(LOW[man]))
    assert height(read_rules(path)) == 3
    compare(path, monkeypatch, 150)


@pytest.mark.parametrize("man", HIGH)
def test_stacks_that_may_grow(man: str, tmp_path: Path) -> None:
    assert height(read_rules(written(tmp_path, text(HIGH[man])))) > 3


@pytest.mark.parametrize(
    ("more", "play"),
    [
        ('(piece "Rock" Neutral)', "(forEach Piece)"),
        ("", '(or (forEach Piece) (move Add (piece (id "Man" Mover)) (to (sites Empty)) stack:True))'),
        ("", "(or (forEach Piece) (move (from 0) (to 1)))"),
    ],
)
def test_other_pieces_may_make_them_grow(more: str, play: str, tmp_path: Path) -> None:
    assert height(read_rules(written(tmp_path, text(STEP, more, play)))) > 3


@pytest.mark.slow
def test_short_assize(monkeypatch: pytest.MonkeyPatch) -> None:
    compare(BUNDLED / "Short Assize.lud", monkeypatch, 400)
    assert lp.load("Short Assize").rules.state_size < 600


def test_pieces_that_step_onto_friends_pile_up(tmp_path: Path) -> None:
    steps = "(move Step (to if:(or (is Friend (who at:(to))) (is Empty (to)))))"
    assert height(read_rules(written(tmp_path, text(steps)))) == 9  # all pieces of the setup
    leaves = "(move Step (to if:(is Empty (to))) (then (remove (ahead (last To)))))"
    assert height(read_rules(written(tmp_path, text(leaves)))) == 5  # two more than the highest of the setup
