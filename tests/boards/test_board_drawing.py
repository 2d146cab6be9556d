"""Pictures of boards."""

from __future__ import annotations

from collections.abc import Callable

from ludoport.boards import Board, draw_text


def test_square_board_in_text(board: Callable[[str], Board]) -> None:
    assert draw_text(board("(board (square 3))"), lambda site: "X" if site == 1 else ".") == "\n".join(
        ["3 . . .", "2 . . .", "1 . X .", "  A B C"]
    )


def test_hexagonal_rows_are_shifted(board: Callable[[str], Board]) -> None:
    assert draw_text(board("(board (hex 2))"), str) == "\n".join(["3  5 6", "2 2 3 4", "1  0 1"])


def test_wide_glyphs_keep_their_distance(board: Callable[[str], Board]) -> None:
    made = board("(board (hex 2))")
    assert draw_text(made, lambda site: made.default.label[site]).splitlines()[1] == "2 A2  B2  C2"


def test_every_site_is_drawn(board: Callable[[str], Board]) -> None:
    for text in ("(board (concentric {1 4 8}))", "(mancalaBoard 2 6)", "(board (square 3 pyramidal:True) use:Vertex)"):
        made = board(text)
        assert draw_text(made, lambda site: "#").count("#") == made.default.n
