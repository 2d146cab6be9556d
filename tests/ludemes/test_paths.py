"""``is Path``: edges or vertices of one player that form a path or a circle."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludoport as lp

GAME = """
(game "Paths"
    (players 2)
    (equipment {(board (square SIZE) use:Vertex)})
    (rules
        (play (or (move Add (to KIND (sites Empty KIND)) (then (moveAgain))) (move Pass)))
        (end (if (is Path KIND Mover PATH) (result Mover Win)))
    )
)
"""


def ended(kind: str, size: int, path: str, sites: list[int], folder: Path) -> list[bool]:
    """Whether the game is over after each of some placements."""
    file = folder / "Paths.lud"
    file.write_text(GAME.replace("SIZE", str(size)).replace("KIND", kind).replace("PATH", path), encoding="utf-8")
    letter = "e" if kind == "Edge" else ""
    state, seen = lp.load(file, jit=False).start(), []
    for site in sites:
        assert not state.over
        state = state.play(f"{letter}{site}")
        seen.append(state.over)
    assert not state.over or list(state.utilities) == [1.0, -1.0]
    return seen


@pytest.mark.parametrize(
    ("path", "edges", "ends"),
    [
        ("length:(exact 1)", [0], [True]),
        ("length:(exact 2)", [0, 2], [False, True]),
        ("length:(exact 2)", [0, 3, 2], [False, False, False]),
        # Of a range only the upper end counts.
        ("length:(range 2 3)", [0], [True]),
        ("length:(exact 4)", [0, 2, 3, 1], [False, False, False, False]),
        ("length:(exact 4) closed:True", [0, 2, 3, 1], [False, False, False, True]),
        ("length:(range 3 4) closed:True", [0, 2, 3, 1], [False, False, False, True]),
    ],
)
def test_edges_of_one_square(path: str, edges: list[int], ends: list[bool], tmp_path: Path) -> None:
    assert ended("Edge", 2, path, edges, tmp_path) == ends


# Edges of 3x3 points: 0 1 below, 2 3 4 upwards from them, 5 6 in the middle row, 7 8 9 upwards, 10 11 on top.
@pytest.mark.parametrize(
    ("path", "edges", "ends"),
    [
        # Edges that hang on a circle do not matter.
        ("length:(exact 4) closed:True", [1, 7, 0, 2, 5, 3], [False, False, False, False, False, True]),
        # The last edge is no part of the circle.
        ("length:(exact 5) closed:True", [0, 2, 5, 3, 6], [False, False, False, False, False]),
        # Two circles with one edge in common: the one through the last edge counts.
        ("length:(exact 4) closed:True", [0, 1, 4, 6, 5, 2, 3], [False, False, False, False, False, False, True]),
        ("length:(exact 7) closed:True", [0, 1, 4, 6, 5, 2, 3], [False, False, False, False, False, False, True]),
        ("length:(exact 3)", [0, 1, 3], [False, False, False]),
        ("length:(exact 3)", [0, 4, 1], [False, False, True]),
    ],
)
def test_edges_of_four_squares(path: str, edges: list[int], ends: list[bool], tmp_path: Path) -> None:
    assert ended("Edge", 3, path, edges, tmp_path) == ends


@pytest.mark.parametrize(
    ("path", "sites", "ends"),
    [
        ("length:(exact 1)", [8], [True]),
        ("length:(exact 3)", [0, 2, 1], [False, False, True]),
        ("length:(exact 3)", [2, 1, 0], [False, False, True]),
        ("length:(exact 3)", [3, 5, 4], [False, False, True]),
        ("length:(exact 4)", [3, 5, 1, 4], [False, False, False, False]),
        ("length:(exact 4)", [0, 1, 4, 3], [False, False, False, False]),
        ("length:(exact 4) closed:True", [0, 1, 4, 3], [False, False, False, True]),
        ("length:(exact 4) closed:True", [0, 1, 4, 5, 3], [False, False, False, False, True]),
        ("length:(exact 6) closed:True", [0, 1, 2, 3, 5, 4], [False, False, False, False, False, True]),
    ],
)
def test_vertices(path: str, sites: list[int], ends: list[bool], tmp_path: Path) -> None:
    assert ended("Vertex", 3, path, sites, tmp_path) == ends
