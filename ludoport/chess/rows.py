"""Positions to rows and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from ludoport.chess.layout import KINDS, MERGED_BIT, PLAYER_UNIT, BoardLayout, signed, squares
from ludoport.chess.position import Piece, Position, piece


def position_of(row: Sequence[int] | NDArray[Any], layout: BoardLayout) -> Position:
    """The position of a row."""
    values = [int(value) for value in row]
    fields = layout.fields
    pieces = _pieces_of_words(values, layout) if layout.words else _pieces_of_squares(values, layout)
    position = Position(pieces, layout.stride, values[fields["MOVER"]])
    castles, passant = fields["CASTLES"], values[fields["PASSANT"]]
    if layout.words:
        position.castles = set(squares(values[castles]))
        position.passant = squares(passant)[0] if passant else None
    else:
        position.castles = {square for square in values[castles : castles + 4] if square >= 0}
        position.passant = passant if passant >= 0 else None
    position.clock = values[fields["CLOCK"]]
    position.ply = values[fields["FIRST"]] + values[fields["PLY"]]
    return position


def row_of(position: Position, layout: BoardLayout, chessplus: bool) -> list[int]:
    """The row of a position; whether the game is over there is not known yet."""
    values = [0] * layout.state_size
    (_write_words if layout.words else _write_squares)(position, layout, values)
    fields = layout.fields
    values[fields["MOVER"]] = position.mover
    values[fields["CLOCK"]] = position.clock
    values[fields["FIRST"]] = position.ply
    values[fields["CHESSPLUS"]] = int(chessplus)
    return values


def _piece(player: int, kinds: int, merged: bool) -> Piece:
    letters = "".join(letter for kind, letter in enumerate(KINDS) if kinds >> kind & 1)
    return piece(player, letters * 2 if merged and len(letters) == 1 else letters)


def _pieces_of_words(values: list[int], layout: BoardLayout) -> dict[int, Piece]:
    pieces = {}
    for player, colour in ((1, "WHITE"), (2, "BLACK")):
        for square in squares(values[layout.fields[colour]]):
            kinds = sum((values[kind] >> square & 1) << kind for kind in range(len(KINDS)))
            pieces[square] = _piece(player, kinds, bool(values[layout.fields["MERGED"]] >> square & 1))
    return pieces


def _pieces_of_squares(values: list[int], layout: BoardLayout) -> dict[int, Piece]:
    codes = enumerate(values[: layout.width * layout.height])
    return {square: _piece(code // PLAYER_UNIT, code, bool(code & MERGED_BIT)) for square, code in codes if code}


def _write_words(position: Position, layout: BoardLayout, values: list[int]) -> None:
    fields = layout.fields
    for square, here in position.pieces.items():
        names = ["WHITE" if here.player == 1 else "BLACK"] + ["MERGED"] * (len(here.halves) > 1)
        for number in (*here.halves, *(fields[name] for name in names)):
            values[number] |= 1 << square
    values[fields["CASTLES"]] = sum(1 << square for square in position.castles)
    values[fields["PASSANT"]] = 0 if position.passant is None else 1 << position.passant
    values[:] = [signed(word) for word in values]


def _write_squares(position: Position, layout: BoardLayout, values: list[int]) -> None:
    fields = layout.fields
    for square, here in position.pieces.items():
        kinds = sum({1 << kind for kind in here.halves})
        values[square] = here.player * PLAYER_UNIT + (MERGED_BIT if len(here.halves) > 1 else 0) + kinds
    castles = fields["CASTLES"]
    values[castles : castles + 4] = [-1] * 4
    for player in (1, 2):
        king = position.king(player)
        values[fields["KING_OF"] + player] = king
        for rook in position.castles:
            if position.pieces[rook].player == player:
                values[castles + 2 * (player - 1) + (rook > king)] = rook
    values[fields["PASSANT"]] = -1 if position.passant is None else position.passant
