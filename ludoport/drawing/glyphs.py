"""Pictures of pieces: a symbol that people recognise, otherwise a disc with letters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ludoport.drawing import shogi
from ludoport.drawing.symbols import MOST_SEEDS
from ludoport.kernels.geometry import Figure, Geometry

CHESS = {"King": "king", "Queen": "queen", "Rook": "rook", "Bishop": "bishop", "Knight": "knight", "Pawn": "pawn"}

SYMBOLS = {
    **CHESS,
    "Ferz": "queen", "Marker": "stone", "Ball": "stone", "Stone": "stone", "": "stone", "Disc": "disc",
    "Counter": "disc", "DoubleCounter": "double", "Cross": "cross", "x": "cross", "o": "ring", "Ring": "ring",
    "Dot": "dot", "Arrow": "dot", "Square": "square", "Triangle": "triangle", "Hex": "hexagon", "Stick": "stick",
    **{name: f"shogi-{stroke}" for name, stroke in shogi.NAMES.items()},
}  # fmt: skip
"""Symbols by the names of pieces, without endings such as ``_noCross``."""

HEAPS = frozenset({"Seed", "Bean", "Shell"})
"""Pieces that lie in heaps."""

PIT = 0.46
"""Radius of a pit, in tiles."""

HOLE = 0.42
"""Radius of a hole of a rack, in tiles."""


@dataclass(frozen=True)
class Glyph:
    """Symbol of a piece.

    Attributes:
        symbol: name of its symbol.
        text: letters on it; empty for none.
        turned: degrees, clockwise; pieces of the second player that point somewhere are turned around.
    """

    symbol: str
    text: str = ""
    turned: int = 0


def glyph_of(figure: Figure, letters: Mapping[str, str]) -> Glyph:
    """The picture of a piece, with the letters of its kind (see `kind_letters`)."""
    if figure.name in HEAPS:
        return Glyph(f"seeds-{max(1, min(figure.count, MOST_SEEDS))}")
    symbol = symbol_of(figure.name)
    text = letters.get(figure.name, "")
    if symbol is None:
        symbol = "tile" if _is_general(figure.name) else "plain"
    elif text and symbol in ("stone", "disc"):
        symbol = "plain"
    points = symbol == "tile" or symbol.startswith("shogi-")
    return Glyph(symbol, text, (180 if points and figure.owner == 2 else 0) + 45 * figure.rotation)


def has_pits(geometry: Geometry, kinds: Iterable[tuple[int, str]]) -> bool:
    """Whether a board is one of pits for seeds, whose lines are not drawn."""
    return bool(geometry.edges) and any(name in HEAPS for _, name in kinds)


def symbol_of(name: str) -> str | None:
    """The symbol for a name; None where letters must do."""
    return SYMBOLS.get(re.sub(r"(_noCross|3d)$", "", name))


def kind_letters(kinds: Iterable[tuple[int, str]]) -> dict[str, str]:
    """Letters for pieces without a symbol, and for kinds of one owner that have the same one.

    Args:
        kinds: owner and name of all kinds of pieces.
    """
    alike: dict[tuple[int, str], set[str]] = {}
    wanted = set()
    for owner, name in kinds:
        symbol = symbol_of(name)
        if symbol is not None:
            alike.setdefault((owner, symbol), set()).add(name)
        elif name not in HEAPS:
            wanted.add(name)
    wanted = wanted.union(*(names for names in alike.values() if len(names) > 1)) - {""}
    letters: dict[str, str] = {}
    for name in sorted(wanted):
        plain = [c for c in name if c.isalnum()] or ["?"]
        stem = name.rstrip("0123456789")
        # Kinds that differ by a number, such as the tiles of 2048, show it.
        numbered = not stem or sum(other.rstrip("0123456789") == stem for other in wanted) > 1
        choices = [name[len(stem) :]] if numbered and name != stem else [c.upper() for c in plain]
        letters[name] = next((choice for choice in choices if choice not in letters.values()), name[:3])
    return letters


def _is_general(name: str) -> bool:
    """Whether a name is of a large shogi, whose pieces are tiles too."""
    return name.endswith("General")
