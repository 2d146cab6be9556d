"""Of several captures only those that take most; steps between sites of another kind than the board's."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludoport as lp

GAME = """
(game "Most"
    (players 2)
    (equipment {(board (square 3)) (piece "Disc" Each)})
    (rules
        (start {(place "Disc1" 8) (place "Disc2" {0 1} value:1) (place "Disc2" 2 value:VALUE)})
        (play (max Captures WITH (or
            (move Select (from 0) (then (remove (sites {0 1}))))
            (move Select (from 2) (then (remove 2))))))
        (end (if (no Pieces P2) (result P1 Win)))
    )
)
"""


@pytest.mark.parametrize(
    ("value", "chosen", "expected"),
    [("1", "", ["0"]), ("3", "", ["0"]), ("1", "withValue:True", ["0"]), ("3", "withValue:True", ["2"])],
)
def test_most_captures(value: str, chosen: str, expected: list[str], tmp_path: Path) -> None:
    file = tmp_path / "Most.lud"
    file.write_text(GAME.replace("VALUE", value, 1).replace("WITH", chosen), encoding="utf-8")
    state = lp.load(file, jit=False).start()
    assert [move.text for move in state.moves()] == expected


STEPS = """
(game "Cells"
    (players 2)
    (equipment {(board (square 4) use:Vertex)
        (piece "Disc" Each (move Step (from Cell) Orthogonal (to Cell if:(is Empty Cell (to)))))})
    (rules
        (start {(place "Disc1" Cell (sites {4})) (place "Disc2" Cell (sites {5}))})
        (play (forEach Piece))
        (end (if (no Moves Next) (result Mover Win)))
    )
)
"""


def test_steps_on_another_kind_of_sites(tmp_path: Path) -> None:
    file = tmp_path / "Cells.lud"
    file.write_text(STEPS, encoding="utf-8")
    state = lp.load(file, jit=False).start()
    assert sorted(move.text for move in state.moves()) == ["c4-c1", "c4-c3", "c4-c7"]
    state = state.play("c4-c7")
    assert sorted(move.text for move in state.moves()) == ["c5-c2", "c5-c4", "c5-c8"]
