"""Variants of chess: board, start position, and the rules that differ."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from ludoport.chess.frc import start_rank
from ludoport.chess.layout import BoardLayout
from ludoport.errors import LudoportError

CHESS_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
GARDNER_START = "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1"
GARDNER_LITERAL_START = "rnbqk/ppppp/5/PPPPP/RNBQK w Qq - 0 1"

CHESSPLUS_CAP = 2000
"""Five times the mean length of random games, so that hardly one reaches it."""
NO_CAP = 10**6

LARGEST = 26
"""Most files and ranks: files are letters."""


@dataclass(frozen=True)
class ChessVariant:
    """One game of the family.

    Args:
        name: the game's name.
        start: the start position as FEN; it gives the size of the board too.
        chessplus: whether pieces may merge.
        double_step: whether pawns may step two squares from their home rank, and be taken en passant.
        castling: whether kings may castle.
        pawn_merge: how a pawn joins a friend: by its step forward (as in the rules), diagonally, or both.
        merged_promo: what a merged piece with a pawn becomes on the last rank: a queen, or any piece.
        ep_victim: what may be taken en passant: pawns only (alone or two of them), or any piece with a pawn.
        castle_merged: whether a merged rook castles as a whole, or not at all.
        ply_cap: number of moves after which the game is a draw. The clock ends all games of chess, but not of
            Chessplus, where pawns may be carried back; by default only Chessplus has a cap.
        large: keep the board square by square, as boards of more than 8 files or ranks are always kept; much slower.
    """

    name: str
    start: str
    chessplus: bool = False
    double_step: bool = True
    castling: bool = True
    pawn_merge: Literal["forward", "diagonal", "both"] = "forward"
    merged_promo: Literal["Q", "QRBN"] = "Q"
    ep_victim: Literal["pawns", "any"] = "pawns"
    castle_merged: Literal["whole", "no"] = "whole"
    ply_cap: int | None = None
    large: bool = False

    def __post_init__(self) -> None:
        choices = {
            "pawn_merge": ("forward", "diagonal", "both"),
            "merged_promo": ("Q", "QRBN"),
            "ep_victim": ("pawns", "any"),
            "castle_merged": ("whole", "no"),
        }
        for option, allowed in choices.items():
            if getattr(self, option) not in allowed:
                raise LudoportError(f"{option} is `{getattr(self, option)}`; it must be {' or '.join(allowed)}")
        if self.ply_cap is not None and self.ply_cap < 1:
            raise LudoportError(f"ply_cap is {self.ply_cap}; it must be at least 1")
        width, height = self.size
        if not (3 <= width <= LARGEST and 4 <= height <= LARGEST):
            raise LudoportError(
                f"a board of {width} files and {height} ranks is not supported: from 3x4 to {LARGEST}x{LARGEST}"
            )

    @property
    def most_plies(self) -> int:
        """Number of moves after which the game is a draw."""
        if self.ply_cap is not None:
            return self.ply_cap
        return CHESSPLUS_CAP if self.chessplus else NO_CAP

    @property
    def size(self) -> tuple[int, int]:
        """Files and ranks of the board."""
        ranks = self.start.split(" ")[0].split("/")
        return rank_width(ranks[0]), len(ranks)

    @cached_property
    def layout(self) -> BoardLayout:
        """The rows of this game."""
        width, height = self.size
        return BoardLayout(width, height, words=not self.large and width <= 8 and height <= 8)

    @property
    def width(self) -> int:
        """Files of the board."""
        return self.size[0]

    @property
    def height(self) -> int:
        """Ranks of the board."""
        return self.size[1]

    def with_start(self, fen: str) -> ChessVariant:
        """The same rules from another position, on a board of the same size."""
        other = replace(self, start=fen)
        if other.size != self.size:
            shown, own = ("{}x{}".format(*size) for size in (other.size, self.size))
            raise LudoportError(f"the start position `{fen}` has a board of {shown}; {self.name} has {own}")
        return other


def rank_width(rank: str) -> int:
    """Number of squares in a rank of a FEN."""
    width, number, merged = 0, "", False
    for character in rank + " ":
        if character.isdecimal():
            number += character
            continue
        width += int(number or 0)
        number = ""
        if character == "(":
            merged = True
            width += 1
        elif character == ")":
            merged = False
        elif character != " " and not merged:
            width += 1
    return width


NAMED = {
    "chess": ChessVariant("Chess 8x8", CHESS_START),
    "chessplus": ChessVariant("Chessplus", CHESS_START, chessplus=True),
    "gardner": ChessVariant("Gardner chess", GARDNER_START, double_step=False, castling=False),
    "gardner-chessplus": ChessVariant(
        "Gardner Chessplus", GARDNER_START, chessplus=True, double_step=False, castling=False
    ),
    "gardner-literal": ChessVariant("Gardner chess, literal", GARDNER_LITERAL_START),
    "gardner-literal-chessplus": ChessVariant("Gardner Chessplus, literal", GARDNER_LITERAL_START, chessplus=True),
}
"""The games that have names, by their short names; ``chess960:N`` is another, for N from 0 to 959."""


def named_variant(name: str) -> ChessVariant | None:
    """The game of a name such as ``gardner``, ``Chess 8x8`` or ``chess960:518``; None if it is none of this family."""
    head, _, number = name.partition(":")
    head = head.replace(" ", "").lower()
    if head in ("chess960", "chessplus960"):
        if not number.isdecimal() or int(number) > 959:
            raise LudoportError(f"`{name}` names no start position: write {head}:N with N from 0 to 959")
        rank = start_rank(int(number))
        fen = f"{rank.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w KQkq - 0 1"
        plus = head == "chessplus960"
        return ChessVariant(f"{'Chessplus' if plus else 'Chess'} 960:{int(number)}", fen, chessplus=plus)
    return NAMED.get(name) or {variant.name: variant for variant in NAMED.values()}.get(name)
