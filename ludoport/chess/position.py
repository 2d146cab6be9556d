"""A position as plain data: pieces by square, and what else the rules need."""

from __future__ import annotations

from dataclasses import dataclass, field

from ludoport.chess.layout import KINDS, NAMES

ORDER = "KQRBNP"
"""The order in which halves are written."""


@dataclass(frozen=True)
class Piece:
    """One or two halves of one player on one square; the numbers of their kinds, the strongest first."""

    player: int
    halves: tuple[int, ...]

    @property
    def letters(self) -> str:
        """The letters of the halves, capitals for both players."""
        return "".join(KINDS[kind] for kind in self.halves)

    @property
    def text(self) -> str:
        """The piece as in a FEN: ``N``, ``n``, ``(NP)``."""
        text = self.letters if len(self.halves) == 1 else f"({self.letters})"
        return text if self.player == 1 else text.lower()

    @property
    def names(self) -> list[str]:
        """The names of the halves, such as ``Knight1``."""
        return [f"{NAMES[kind]}{self.player}" for kind in self.halves]


def piece(player: int, letters: str) -> Piece:
    """A piece of the halves with these letters, in any order."""
    ordered = sorted(letters.upper(), key=ORDER.index)
    return Piece(player, tuple(KINDS.index(letter) for letter in ordered))


@dataclass
class Position:
    """A position; a square is ``stride * rank + file``."""

    pieces: dict[int, Piece]
    stride: int
    mover: int = 1
    castles: set[int] = field(default_factory=set)
    passant: int | None = None
    clock: int = 0
    ply: int = 0

    def king(self, player: int) -> int:
        """The square of a player's king."""
        return next(square for square, here in self.pieces.items() if here == piece(player, "K"))

    def text(self, square: int) -> str:
        """The name of a square, such as ``e4``."""
        return f"{chr(ord('a') + square % self.stride)}{square // self.stride + 1}"

    def halves(self, player: int) -> int:
        """Number of a player's half-pieces."""
        return sum(len(here.halves) for here in self.pieces.values() if here.player == player)
