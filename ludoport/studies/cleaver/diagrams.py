"""A game of chess or Chessplus as diagrams, all positions in one picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from ludoport.chess.fen import read_fen
from ludoport.chess.layout import NAMES
from ludoport.chess.position import Piece, Position
from ludoport.chess.variant import ChessVariant
from ludoport.drawing.colours import FILLS, edge_of, ink_on
from ludoport.drawing.glyphs import CHESS
from ludoport.drawing.symbols import PREFIX, symbols

SQUARE, GAP, TITLE = 28, 18, 18
"""Sizes in pixels: a square, the space between diagrams, and the line above each."""

LIGHT, DARK, LAST = "#f3ead7", "#cdb28b", "#9fc78a"
HALF = 0.68
"""Size of the halves of a merged piece: the stronger one above on the left, the other below on the right."""


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
    size = columns * wide + GAP, rows * high + GAP
    diagrams, used = [], set[tuple[int, int, float]]()
    before: Position | None = None
    for number, fen in enumerate(positions):
        position = read_fen(fen, variant)
        left, top = GAP + number % columns * wide, GAP + number // columns * high
        title = "start" if number == 0 else f"{(number + 1) // 2}{'.' if number % 2 else '...'} {moves[number - 1]}"
        diagrams.append(f'<text x="{left}" y="{top + 12}" font-size="13">{escape(title)}</text>')
        diagrams += [f'<g transform="translate({left} {top + TITLE})">', '<use href="#board"/>']
        diagrams += [*_squares(variant.size, position, before, used), "</g>"]
        before = position
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}" '
            f'viewBox="0 0 {size[0]} {size[1]}" font-family="sans-serif">',
            f'<rect width="{size[0]}" height="{size[1]}" fill="white"/>',
            *_definitions(variant.size, sorted(used)),
            *diagrams,
            "</svg>\n",
        ]
    )


def _squares(
    size: tuple[int, int], position: Position, before: Position | None, used: set[tuple[int, int, float]]
) -> Iterator[str]:
    """The squares that the last move changed, and all pieces; ``used`` collects player, kind and size of the pieces."""
    width, height = size
    for rank in range(height):
        for file in range(width):
            square = position.stride * rank + file
            x, y = file * SQUARE, (height - 1 - rank) * SQUARE
            here = position.pieces.get(square)
            if before is not None and before.pieces.get(square) != here:
                yield f'<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="{LAST}"/>'
            if here is not None:
                yield from _piece(here, x, y, used)


def _piece(here: Piece, x: int, y: int, used: set[tuple[int, int, float]]) -> Iterator[str]:
    scale = 1.0 if len(here.halves) == 1 else HALF
    for number, kind in enumerate(here.halves):
        shift = number * SQUARE * (1 - scale)
        used.add((here.player, kind, scale))
        yield f'<use href="#{_name(here.player, kind, scale)}" x="{x + shift:g}" y="{y + shift:g}"/>'


def _definitions(size: tuple[int, int], used: Sequence[tuple[int, int, float]]) -> Iterator[str]:
    """SVG definitions that the diagrams share: symbols, coloured pieces, and an empty board."""
    width, height = size
    yield f"<defs>\n{symbols(CHESS[NAMES[kind]] for _, kind, _ in used)}"
    for player, kind, scale in used:
        fill = FILLS["White" if player == 1 else "Black"]
        yield (
            f'<use id="{_name(player, kind, scale)}" href="#{PREFIX}{CHESS[NAMES[kind]]}" width="{SQUARE * scale:g}" '
            f'height="{SQUARE * scale:g}" fill="{fill}" stroke="{edge_of(fill)}" color="{ink_on(fill)}" '
            'stroke-width="3" stroke-linejoin="round"/>'
        )
    yield '<g id="board">'
    yield f'<rect width="{width * SQUARE}" height="{height * SQUARE}" fill="{LIGHT}"/>'
    dark = "".join(
        f"M{file * SQUARE} {(height - 1 - rank) * SQUARE}h{SQUARE}v{SQUARE}h-{SQUARE}z"
        for rank in range(height)
        for file in range(width)
        if (rank + file) % 2 == 0
    )
    yield f'<path fill="{DARK}" d="{dark}"/></g></defs>'


def _name(player: int, kind: int, scale: float) -> str:
    return f"{'wb'[player - 1]}{kind}{'' if scale == 1.0 else 'half'}"
