"""Arranges the pieces of one site: side by side or stacked, with a number where there are many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ludoport.drawing.glyphs import CHESS, HEAPS, Glyph, glyph_of
from ludoport.kernels.geometry import Figure

MOST_SHOWN = 4
"""Number of pieces drawn of a higher stack, from the top."""


@dataclass(frozen=True)
class Placed:
    """A piece of a pile as it is drawn.

    Attributes:
        figure: the piece.
        level: its level, from 0 at the bottom.
        glyph: its picture.
        right: shift from the centre of the site, in tiles.
        up: shift upwards, in tiles.
        size: relative to a piece that is alone.
    """

    figure: Figure
    level: int
    glyph: Glyph
    right: float = 0.0
    up: float = 0.0
    size: float = 1.0


def arranged(pile: Sequence[Figure], letters: Mapping[str, str], rack: int = 0) -> list[Placed]:
    """The pieces of a site that are drawn, the lowest first.

    Args:
        pile: the pieces, from the bottom.
        letters: those of kinds without a symbol.
        rack: levels of a board that stands upright; 0 for one that lies flat.
    """
    glyphs = [glyph_of(figure, letters) for figure in pile]
    if rack:
        return [Placed(figure, n, glyphs[n], 0.0, float(n)) for n, figure in enumerate(pile)]
    if len(pile) == 2 and {figure.name for figure in pile} <= CHESS.keys():
        # Merged pieces of Chessplus stand side by side.
        return [Placed(pile[n], n, glyphs[n], right, 0.0, 0.62) for n, right in enumerate((-0.2, 0.2))]
    first = max(0, len(pile) - MOST_SHOWN)
    middle = (len(pile) - 1 - first) / 2
    return [
        Placed(pile[n], n, glyphs[n], 0.0, 0.14 * (n - first - middle), 1.0 if len(pile) == 1 else 0.9)
        for n in range(first, len(pile))
    ]


def badge(pile: Sequence[Figure], rack: int = 0) -> str:
    """The number beside a pile: of equal pieces, or of levels; empty where one can see it."""
    if len(pile) > MOST_SHOWN and not rack:
        return str(len(pile))
    number = max((figure.count for figure in pile), default=1)
    heap = any(figure.name in HEAPS for figure in pile)
    return str(number) if number > 1 or heap else ""
