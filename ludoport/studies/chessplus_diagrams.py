"""A game of chess or Chessplus as diagrams, all positions in one picture."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ludoport.chess.fen import read_fen
from ludoport.chess.layout import KINDS
from ludoport.chess.position import Piece, Position
from ludoport.chess.variant import Variant

GLYPHS = {1: "♙♘♗♖♕♔", 2: "♟♞♝♜♛♚"}
SQUARE, GAP, TITLE = 20, 14, 16
"""Sizes in pixels: a square, the space between diagrams, and the line above each."""

LIGHT, DARK, LAST = "#f3ead7", "#cdb28b", "#9fc78a"


def game_svg(variant: Variant, positions: Sequence[str], moves: Sequence[str], columns: int = 6) -> str:
    """Draw a game.

    Args:
        variant: the game.
        positions: its positions as FEN; one more than moves.
        moves: its moves.
        columns: diagrams beside each other.
    """
    width, height = variant.size
    wide, high = width * SQUARE + GAP, height * SQUARE + GAP + TITLE
    rows = -(-len(positions) // columns)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{columns * wide + GAP}" height="{rows * high + GAP}" '
        f'viewBox="0 0 {columns * wide + GAP} {rows * high + GAP}" font-family="sans-serif">',
        f'<rect width="{columns * wide + GAP}" height="{rows * high + GAP}" fill="white"/>',
    ]
    before: Position | None = None
    for number, fen in enumerate(positions):
        position = read_fen(fen, variant)
        left, top = GAP + number % columns * wide, GAP + number // columns * high
        title = "start" if number == 0 else f"{(number + 1) // 2}{'.' if number % 2 else '...'} {moves[number - 1]}"
        lines.append(f'<text x="{left}" y="{top + 10}" font-size="11">{escape(title)}</text>')
        lines += _board(position, before, variant.size, left, top + TITLE)
        before = position
    return "\n".join([*lines, "</svg>\n"])


def _board(position: Position, before: Position | None, size: tuple[int, int], left: int, top: int) -> list[str]:
    width, height = size
    lines = []
    for rank in range(height):
        for file in range(width):
            square = position.stride * rank + file
            x, y = left + file * SQUARE, top + (height - 1 - rank) * SQUARE
            here = position.pieces.get(square)
            changed = before is not None and before.pieces.get(square) != here
            colour = LAST if changed else DARK if (rank + file) % 2 == 0 else LIGHT
            lines.append(f'<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="{colour}"/>')
            if here is not None:
                lines.append(_piece(here, x, y))
    return lines


def _piece(here: Piece, x: int, y: int) -> str:
    """One glyph, or two smaller ones for a merged piece."""
    glyphs = "".join(GLYPHS[here.player][kind] for kind in here.halves)
    size = 17 if len(glyphs) == 1 else 11
    assert len(KINDS) == len(GLYPHS[1])
    return (
        f'<text x="{x + SQUARE / 2:g}" y="{y + SQUARE / 2 + size * 0.36:.1f}" font-size="{size}" '
        f'text-anchor="middle">{glyphs}</text>'
    )
