"""``is Path``: edges of one player that form a path or a circle, and nothing more."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludoport as lp

GAME = """
(game "Edges"
    (players 2)
    (equipment {(board (square 2) use:Vertex)})
    (rules
        (play (or (move Add (to Edge (sites Empty Edge)) (then (moveAgain))) (move Pass)))
        (end (if (is Path Edge Mover PATH) (result Mover Win)))
    )
)
"""

AROUND = ("eB1", "eC2", "eB3", "eA2")
"""The edges of one square in their order around it."""

CASES = [
    ("length:(exact 1)", [0], [True]),
    ("length:(exact 2)", [0, 1], [False, True]),
    ("length:(exact 2)", [0, 2, 1], [False, False, False]),
    ("length:(range 2 3)", [0, 2, 1], [False, False, True]),
    ("length:(exact 4)", [0, 1, 2, 3], [False, False, False, False]),
    ("length:(exact 4) closed:True", [0, 1, 2, 3], [False, False, False, True]),
]


@pytest.mark.parametrize(("path", "edges", "ended"), CASES)
def test_edges_form_a_path(path: str, edges: list[int], ended: list[bool], tmp_path: Path) -> None:
    file = tmp_path / "Edges.lud"
    file.write_text(GAME.replace("PATH", path), encoding="utf-8")
    game = lp.load(file, jit=False)
    state, seen = game.start(), []
    for edge in edges:
        assert not state.over
        state = state.play(AROUND[edge])
        seen.append(state.over)
    assert seen == ended
    assert not state.over or list(state.utilities) == [1.0, -1.0]
