"""Chess pieces as outlines: fonts draw them too differently, and some show a pawn as a coloured emoji."""

from __future__ import annotations

from ludoport.chess.layout import KINDS
from ludoport.chess.position import Piece

BOX = 20
"""Size of the square that holds a shape."""

SHAPES = {
    "P": "M6 17 L14 17 L14 15.6 L12 13.6 Q11.3 11.4 11.5 9.6 L12.4 8.4 Q13 7.4 13 6.4 Q13 3.4 10 3.4 Q7 3.4 7 6.4 "
    "Q7 7.4 7.6 8.4 L8.5 9.6 Q8.7 11.4 8 13.6 L6 15.6 Z",
    "N": "M6 17 L15 17 Q15.6 9.5 12.6 6.2 Q11.4 4.8 9.6 4.4 L9 2.6 L7.8 4.8 Q5.8 6.6 4.2 10.4 Q3.9 12.2 5.2 12.4 "
    "L6.2 11.6 Q7.6 11.6 8.8 10.4 Q9.6 10.2 10 9.6 Q10 11.6 8 13.2 Q6.2 14.6 6 17 Z",
    "B": "M5.5 17 L14.5 17 L14.5 15.4 Q11.6 15 11.9 13.2 Q14.2 11.2 13.4 8.6 Q12.6 6.4 10.6 4.8 L11 3.6 L10 2.4 "
    "L9 3.6 L9.4 4.8 Q7.4 6.4 6.6 8.6 Q5.8 11.2 8.1 13.2 Q8.4 15 5.5 15.4 Z M10 7 L10 11 M8.2 9 L11.8 9",
    "R": "M5 17 L15 17 L15 15.2 L13.6 14 L13.2 8.6 L14.6 7.4 L14.6 4 L12.6 4 L12.6 5.6 L11 5.6 L11 4 L9 4 L9 5.6 "
    "L7.4 5.6 L7.4 4 L5.4 4 L5.4 7.4 L6.8 8.6 L6.4 14 L5 15.2 Z",
    "Q": "M5.4 17 L14.6 17 L14.4 14.6 L17 6.6 L13.5 10.6 L12.9 4 L10 10 L7.1 4 L6.5 10.6 L3 6.6 L5.6 14.6 Z",
    "K": "M9.3 2 L10.7 2 L10.7 3.4 L12 3.4 L12 4.8 L10.7 4.8 L10.7 6.6 Q14.8 5.6 16.2 8.4 Q17 11 14.4 13.6 L14.4 17 "
    "L5.6 17 L5.6 13.6 Q3 11 3.8 8.4 Q5.2 5.6 9.3 6.6 L9.3 4.8 L8 4.8 L8 3.4 L9.3 3.4 Z M10 7.6 L10 12.4",
}
"""Outlines by letter."""

FILL = {1: "#ffffff", 2: "#2b2b2b"}
LINE = {1: "#2b2b2b", 2: "#2b2b2b"}
HALF = 0.68
"""Halves of a merged piece are drawn smaller: the stronger one above on the left, the other below on the right."""


def definitions() -> str:
    """The shapes, for ``piece`` to use; they stand once at the beginning of a picture."""
    shapes = (f'<path id="{letter}" d="{outline}"/>' for letter, outline in SHAPES.items())
    return f"<defs>{''.join(shapes)}</defs>"


def piece(here: Piece, x: float, y: float, square: float) -> str:
    """A piece with one or two halves in a square that begins at x, y."""
    single = len(here.halves) == 1
    scale = square / BOX * (1 if single else HALF)
    offsets = [0.0] if single else [0.0, square * (1 - HALF)]
    shown = (
        f'<use href="#{KINDS[kind]}" transform="translate({x + offset:g} {y + offset:g}) scale({scale:.3g})"/>'
        for kind, offset in zip(here.halves, offsets, strict=True)
    )
    style = f'fill="{FILL[here.player]}" stroke="{LINE[here.player]}" stroke-width="1" stroke-linejoin="round"'
    return f"<g {style}>{''.join(shown)}</g>"
