"""Generators and operators: how many sites they make, and what is refused."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from ludoport.boards import Board
from ludoport.errors import LudoportError
from tests.boards.conftest import make_board


@pytest.mark.parametrize(
    ("text", "kind", "count"),
    [
        ("(board (square Limping 3))", "Cell", 12),
        ("(board (square 3 diagonals:Solid) use:Vertex)", "Vertex", 13),
        ("(board (rectangle 5 5 diagonals:Alternating) use:Vertex)", "Edge", 56),
        ("(board (square {4 3 4 3}))", "Cell", 12),
        ("(board (tri Hexagon 3) use:Vertex)", "Vertex", 19),
        ("(board (tri Hexagon 2))", "Cell", 24),
        ("(board (tri Star 2) use:Vertex)", "Vertex", 37),
        ("(board (tri Limping 3) use:Vertex)", "Vertex", 27),
        ("(board (hex (+ 2 3)))", "Cell", 61),
        ("(board (hex 3 4))", "Cell", 27),
        ("(board (concentric Square rings:3) use:Vertex)", "Vertex", 24),
        ("(board (concentric {8}) use:Vertex)", "Vertex", 8),
        ("(board (concentric {1 4 8}))", "Cell", 13),
        ("(board (concentric Target rings:4))", "Cell", 4),
        ("(board (wedge 3) use:Vertex)", "Vertex", 7),
        ("(board (regular Star 5) use:Vertex)", "Vertex", 5),
        ("(board (splitCrossings (regular Star 5)) use:Vertex)", "Vertex", 10),
        ("(board (spiral turns:4 sites:40) use:Vertex)", "Vertex", 40),
        ("(board (repeat 3 4 step:{{1 0} {0 1}} (poly {{0 0} {0 1} {1 1} {1 0}})))", "Cell", 12),
        ("(board (tiling T3464 2))", "Cell", 61),
        ("(board (tiling T488 3))", "Cell", 13),
        ("(board (tiling T3636 2))", "Cell", 19),
        ("(board (tiling T33344 2 3))", "Cell", 12),
        ("(board (brick Spiral 3))", "Cell", 13),
        ("(board (quadhex 4))", "Cell", 96),
        ("(board (graph vertices:{{0 0} {1 0} {0 1}} edges:{{0 1} {1 2} {2 0}}))", "Cell", 1),
        ("(board (dual (square 5)) use:Vertex)", "Vertex", 16),
        ("(board (complete (regular 5)) use:Vertex)", "Edge", 10),
        ("(board (remove (square 4) cells:{0 3 12 15}))", "Cell", 12),
        ("(board (remove (square 4) vertices:{0 15}) use:Vertex)", "Vertex", 14),
        ("(board (hole (square 5) (poly {{2 2} {2 3} {3 3} {3 2}})))", "Cell", 24),
        ("(board (keep (square 5) (poly {{0 0} {0 3} {3 3} {3 0}})))", "Cell", 9),
        ("(board (clip (square 5) (poly {{-1 -1} {-1 6} {1.5 6} {1.5 -1}})))", "Cell", 15),
        ("(board (add (square 2) cells:{{{2 0} {2 1} {3 1} {3 0}}}))", "Cell", 5),
        ("(board (add (square 3) vertices:{{3 1}} connect:True) use:Vertex)", "Edge", 13),
        ("(board (merge (square 3) (shift 2 2 (square 3))))", "Cell", 17),
        ("(board (union (square 3) (shift 5 0 (square 3))))", "Cell", 18),
        ("(board (subdivide (square 2)))", "Cell", 16),
        ("(board (layers 2 (square 3)))", "Cell", 18),
        ("(board (trim (add (square 2) edges:{{{2 2} {3 3}}})))", "Vertex", 9),
        ("(board (skew 0.5 (scale 2 (square 3))))", "Cell", 9),
        ("(board (renumber (rotate 180 (square 3))))", "Cell", 9),
        ("(mancalaBoard 2 6)", "Vertex", 14),
        ("(mancalaBoard 2 6 store:None)", "Vertex", 12),
        ("(mancalaBoard 4 8)", "Vertex", 34),
        ("(boardless Hexagonal)", "Cell", 1261),
    ],
)
def test_count(text: str, kind: str, count: int, board: Callable[[str], Board]) -> None:
    assert board(text).sites(kind).n == count


def test_mancala_numbers_the_left_store_first(board: Callable[[str], Board]) -> None:
    made = board("(mancalaBoard 2 6)")
    assert made.options.mancala == (2, 6, "Outer", 2)
    assert made.vertices.left == [0]
    assert made.vertices.right == [13]
    assert made.vertices.steps(1, "N") == [7]
    assert made.vertices.steps(1, "E") == [2]


def test_surakarta_loops(board: Callable[[str], Board]) -> None:
    made = board("(surakartaBoard (square 6) loops:2)")
    assert [loop.name for loop in made.options.loops] == ["Track1F", "Track1B", "Track2F", "Track2B"]
    first = made.options.loops[0].sites
    assert first[:8] == (6, 7, 8, 9, 10, 11, 11, 4)
    assert len(first) == 24 + 4
    assert set(made.options.loops[1].sites) == set(first)


def test_kinds_of_play_change_the_size_of_grids(board: Callable[[str], Board]) -> None:
    assert board("(board (square 3))").vertices.n == 16
    assert board("(board (square 3) use:Vertex)").vertices.n == 9
    assert board("(board (square 3) use:Edge)").edges.n == 12


@pytest.mark.parametrize(
    "text",
    [
        "(board (square 1000))",
        "(board (rectangle 1 1000000))",
        "(board (hex 1000))",
        "(board (hex Diamond 100000))",
        "(board (tri 1000))",
        "(board (rotate 45 (square 1000)))",
        "(board (brick 1000))",
        "(board (concentric {1 100000}))",
    ],
)
def test_too_large_a_board_is_refused_at_once(text: str) -> None:
    started = time.process_time()
    with pytest.raises(LudoportError, match="is too large; at most 20,000 are supported"):
        make_board(text)
    assert time.process_time() - started < 1.0


@pytest.mark.parametrize("text", ["(board (square 0))", "(board (hex 0))", "(board (wedge 3))"])
def test_a_board_without_sites_is_refused(text: str) -> None:
    with pytest.raises(LudoportError, match="no sites"):
        make_board(text)


@pytest.mark.parametrize(("text", "seconds"), [("(board (square 8))", 0.2), ("(board (hex Diamond 19))", 1.5)])
def test_building_is_quick(text: str, seconds: float) -> None:
    """Generous limits: four times what a slow machine needs."""
    made = make_board(text)
    started = time.process_time()
    fresh = make_board(text)
    assert fresh.default.adjacent == made.default.adjacent
    assert time.process_time() - started < seconds
