"""Layout of rows and moves; chess and Chessplus share both, so a row of one is a row of the other.

Up to 8x8, squares are bits of 64-bit words, eight bits a rank whatever the width of the board: bit ``8 * rank + file``.
A square has the bit of each kind of half that stands there. Two equal halves have one bit of their kind; ``MERGED``
distinguishes them from one half alone. So the order of halves does not exist, and equal positions are equal rows.

On larger boards a row has a number for each square, ``width * rank + file``: the bits of its kinds, ``MERGED_BIT``, and
the player times ``PLAYER_UNIT``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

KINDS = "PNBRQK"
"""Half-pieces by number; on small boards, the word of kind k is number k of the row."""

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
WHOLE = 6
"""Stands in a move for the kind of a merged piece that moves as a whole."""

NAMES = ("Pawn", "Knight", "Bishop", "Rook", "Queen", "King")

MERGED_BIT = 64
PLAYER_UNIT = 128

WORDS = ("PAWNS", "KNIGHTS", "BISHOPS", "ROOKS", "QUEENS", "KINGS", "WHITE", "BLACK", "MERGED", "CASTLES", "PASSANT")
"""Words of small boards; CASTLES are the rooks that may still castle, PASSANT is the square behind a double step."""

NUMBERS = ("MOVER", "CLOCK", "PLY", "FIRST", "CHESSPLUS", "OVER", "WINNER")
"""CLOCK counts since the last capture or move of a pawn, PLY since the row was written, FIRST what was before that."""

MOVE_SIZE = 1
FROM, TO, PIECE, SPLIT, PROMOTION, SPECIAL = 0, 10, 20, 23, 24, 27
"""Lowest bits of the parts of a move."""

EN_PASSANT, CASTLING = 1, 2
"""Values of ``SPECIAL``; a castling king moves to the square of its rook."""


@dataclass(frozen=True)
class BoardLayout:
    """The rows of a board.

    Args:
        width: files of the board.
        height: ranks of the board.
        words: whether sets of squares are words, or each square has a number.
    """

    width: int
    height: int
    words: bool

    @property
    def stride(self) -> int:
        """Distance of neighbouring squares of a file."""
        return 8 if self.words else self.width

    @cached_property
    def fields(self) -> dict[str, int]:
        """Start of each field in a row; the position itself ends with PASSANT."""
        if self.words:
            names = {name: place for place, name in enumerate(WORDS)}
        else:
            sites = self.width * self.height
            # Four rights: for each player the rook on the lower files and the one on the higher files, or -1.
            names = {"SQUARES": 0, "KING_OF": sites - 1, "CASTLES": sites + 2, "PASSANT": sites + 6}
        behind = names["PASSANT"] + 1
        return names | {name: behind + place for place, name in enumerate(NUMBERS)}

    @property
    def state_size(self) -> int:
        """Numbers in a row."""
        return self.fields["WINNER"] + 1


def signed(word: int) -> int:
    """64 bits as a number of a row."""
    return word - (1 << 64) if word >> 63 & 1 else word


def squares(word: int) -> list[int]:
    """The bits that are set, the lowest first."""
    return [bit for bit in range(64) if word >> bit & 1]
