"""A game of chess or Chessplus as diagrams, all positions in one picture."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ludoport.chess.fen import read_fen
from ludoport.chess.position import Position
from ludoport.chess.variant import ChessVariant
from ludoport.studies.cleaver.pieces import definitions, piece

SQUARE, GAP, TITLE = 28, 18, 18
"""Sizes in pixels: a square, the space between diagrams, and the line above each."""

LIGHT, DARK, LAST = "#f3ead7", "#cdb28b", "#9fc78a"


def game_svg(variant: ChessVariant, positions: Sequence[str], moves: Sequence[str], columns: int = 6) -> str:
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
        definitions(),
    ]
    before: Position | None = None
    for number, fen in enumerate(positions):
        position = read_fen(fen, variant)
        left, top = GAP + number % columns * wide, GAP + number // columns * high
        title = "start" if number == 0 else f"{(number + 1) // 2}{'.' if number % 2 else '...'} {moves[number - 1]}"
        lines.append(f'<text x="{left}" y="{top + 12}" font-size="13">{escape(title)}</text>')
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
                lines.append(piece(here, x, y, SQUARE))
    return lines
