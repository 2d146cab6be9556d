"""FEN in and out, with merged pieces in brackets: ``(NP)`` is a knight and a pawn of White on one square.

Castling rights may be written as in chess (``KQkq``: the outermost rook of that side) or as the files of the rooks
(``HAha``), so that Fischer random positions can be told apart. On boards with a file k or q, ``(K)`` is the rook of
that file and ``K`` the outermost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import ascii_lowercase

from ludoport.chess.layout import KINDS, PAWN, ROOK
from ludoport.chess.position import Piece, Position, piece
from ludoport.chess.variant import ChessVariant
from ludoport.errors import LudoportError

COLOURS = {1: "White", 2: "Black"}

SIDES = "KQkq"
"""Castling rights that name no file but a side."""

MOST = 10**6
"""Neither the halfmove clock nor the move number may be larger."""


class FenError(LudoportError):
    """A position is written in a way that cannot be read, or that is not a position of the game."""

    def __init__(self, fen: str, message: str) -> None:
        super().__init__(f"in the FEN `{fen}` {message}")


def read_fen(fen: str, variant: ChessVariant) -> Position:
    """The position that a FEN describes.

    Args:
        fen: six fields, or four; then the clock is 0 and the move number 1.
        variant: the game; its board gives the size.

    Raises:
        FenError: the text cannot be read, or the position cannot occur in this game.
    """
    fields = fen.split()
    if len(fields) not in (4, 6):
        raise FenError(
            fen,
            f"there are {len(fields)} fields; write six: pieces, player (w or b), castling, en passant, "
            "halfmove clock, move number",
        )
    board, mover, castling, passant, clock, number = (*fields, "0", "1")[:6]
    position = Position(_read_board(fen, board, variant), variant.layout.stride)
    if mover not in ("w", "b"):
        raise FenError(fen, f"the player to move is `{mover}`; it must be w or b")
    position.mover = 1 if mover == "w" else 2
    _check_pieces(fen, position, variant)
    position.castles = _read_castling(fen, castling, position, variant)
    position.passant = _read_passant(fen, passant, position, variant)
    position.clock = _read_number(fen, "the halfmove clock", clock, 0)
    full = _read_number(fen, "the move number", number, 1)
    position.ply = 2 * (full - 1) + position.mover - 1
    return position


def write_fen(position: Position, variant: ChessVariant) -> str:
    """The FEN of a position."""
    ranks = [_write_rank(position, rank, variant.width) for rank in reversed(range(variant.height))]
    return " ".join(
        (
            "/".join(ranks),
            "w" if position.mover == 1 else "b",
            _write_castling(position),
            "-" if position.passant is None else position.text(position.passant),
            str(position.clock),
            str(position.ply // 2 + 1),
        )
    )


def _read_board(fen: str, board: str, variant: ChessVariant) -> dict[int, Piece]:
    ranks = board.split("/")
    if len(ranks) != variant.height:
        raise FenError(fen, f"the board has {len(ranks)} ranks; {variant.name} has {variant.height}")
    pieces = {}
    for rank, text in zip(reversed(range(variant.height)), ranks, strict=True):
        file = 0
        for item in _items(fen, text):
            if isinstance(item, int):
                file += item
            else:
                pieces[variant.layout.stride * rank + file] = _read_piece(fen, item, variant)
                file += 1
        if file != variant.width:
            raise FenError(fen, f"rank {rank + 1} (`{text}`) has {file} squares; {variant.name} has {variant.width}")
    return pieces


def _items(fen: str, text: str) -> Iterator[int | str]:
    """Numbers of empty squares, and letters of pieces; those of merged ones together, in their brackets."""
    at = 0
    while at < len(text):
        if text[at] == "(":
            end = text.find(")", at)
            if end < 0:
                raise FenError(fen, f"a bracket in `{text}` is not closed; a merged piece is written like (NP)")
            yield text[at : end + 1]
            at = end + 1
        elif text[at].isdecimal():
            end = at
            while end < len(text) and text[end].isdecimal():
                end += 1
            yield int(text[at : min(end, at + 9)])  # a longer number is too large in any case
            at = end
        else:
            yield text[at]
            at += 1


def _read_piece(fen: str, shown: str, variant: ChessVariant) -> Piece:
    letters = shown[1:-1] if shown.startswith("(") else shown
    unknown = [letter for letter in letters if letter.upper() not in KINDS]
    if unknown:
        raise FenError(
            fen, f"`{unknown[0]}` is not a piece; the pieces are {', '.join(KINDS)} and small letters for Black"
        )
    if letters == shown:
        return piece(1 if letters.isupper() else 2, letters)
    if len(letters) != 2:
        count = "1 half" if len(letters) == 1 else f"{len(letters)} halves"
        raise FenError(fen, f"`{shown}` has {count}; a merged piece has two, like (NP)")
    if not variant.chessplus:
        raise FenError(fen, f"there is a merged piece {shown}; pieces merge only in Chessplus")
    if letters.isupper() == letters.islower():
        raise FenError(fen, f"the merged piece {shown} has halves of both players; only pieces of one player merge")
    if "K" in letters.upper():
        raise FenError(fen, f"the merged piece {shown} has a king; kings never merge")
    return piece(1 if letters.isupper() else 2, letters)


def _check_pieces(fen: str, position: Position, variant: ChessVariant) -> None:
    for player, name in COLOURS.items():
        kings = [square for square, here in position.pieces.items() if here == piece(player, "K")]
        if len(kings) != 1:
            shown = f"kings on {' and '.join(map(position.text, sorted(kings)))}" if kings else "no king"
            raise FenError(fen, f"{name} has {shown}; each player must have one king")
    top = variant.height - 1
    for square, here in sorted(position.pieces.items()):
        if PAWN not in here.halves:
            continue
        rank = square // position.stride
        last, first = (top, 0) if here.player == 1 else (0, top)
        where = f"a pawn of {COLOURS[here.player]} stands on {position.text(square)}"
        if rank == last:
            raise FenError(fen, f"{where}, its last rank, where it would have been promoted")
        if rank == first and not variant.chessplus:
            raise FenError(fen, f"{where}, its first rank, where no pawn can be")


def _read_castling(fen: str, text: str, position: Position, variant: ChessVariant) -> set[int]:
    if text == "-":
        return set()
    if not variant.castling:
        raise FenError(fen, f"the castling rights are `{text}`; {variant.name} has no castling, so write -")
    found = set()
    for letter in re.findall(r"\([A-Za-z]\)|.", text):
        rook = _castling_rook(fen, letter, position, variant)
        if rook in found:
            raise FenError(fen, f"the castling right `{letter}` is given twice")
        found.add(rook)
    for player, name in COLOURS.items():
        king = position.king(player)
        for high in (False, True):
            same = [rook for rook in found if position.pieces[rook].player == player and (rook > king) == high]
            if len(same) > 1:
                raise FenError(fen, f"{name} has two castling rights on the same side of the king")
    return found


def _castling_rook(fen: str, letter: str, position: Position, variant: ChessVariant) -> int:
    """The rook of a right such as ``K``, ``H`` or ``(K)``."""
    player = 1 if letter.isupper() else 2
    name, wanted = COLOURS[player], letter.lower().strip("()")
    by_side = letter in SIDES
    first = 0 if player == 1 else position.stride * (variant.height - 1)
    king = position.king(player)
    is_file = letter.isascii() and wanted.isalpha() and wanted in ascii_lowercase[: variant.width]
    if not (by_side or is_file):
        raise FenError(fen, f"`{letter}` is not a castling right; write K, Q, k, q, files of rooks, or -")
    if king - first not in range(variant.width):
        raise FenError(fen, f"{name} has the castling right `{letter}`, but the king is not on its first rank")
    rooks = [first + x for x in range(variant.width) if _has_rook(position, first + x, player)]
    if by_side:
        side = [rook for rook in rooks if (rook > king) == (wanted == "k")]
        if not side:
            where = "right" if wanted == "k" else "left"
            raise FenError(fen, f"{name} has the castling right `{letter}`, but no rook {where} of the king")
        return side[-1] if wanted == "k" else side[0]
    square = first + ord(wanted) - ord("a")
    if square not in rooks:
        raise FenError(fen, f"{name} has the castling right `{letter}`, but no rook on {position.text(square)}")
    return square


def _has_rook(position: Position, square: int, player: int) -> bool:
    here = position.pieces.get(square)
    return here is not None and here.player == player and ROOK in here.halves


def _read_passant(fen: str, text: str, position: Position, variant: ChessVariant) -> int | None:
    if text == "-":
        return None
    if not variant.double_step:
        raise FenError(fen, f"the en passant square is `{text}`; {variant.name} has no double step, so write -")
    square = _square_named(text, variant)
    if square is None:
        raise FenError(fen, f"the en passant square is `{text}`, which is not on the board; write a square or -")
    # The pawn that may be taken belongs to the player who is not to move.
    stride = position.stride
    rank, step = (variant.height - 3, -stride) if position.mover == 1 else (2, stride)
    if square // stride != rank:
        raise FenError(fen, f"the en passant square {text} is on the wrong rank; it must be on rank {rank + 1}")
    victim = position.pieces.get(square + step)
    pawns_only = victim is not None and set(victim.halves) == {PAWN}
    any_victim = variant.ep_victim == "any" and victim is not None and PAWN in victim.halves
    if victim is None or victim.player == position.mover or not (pawns_only or any_victim):
        raise FenError(fen, f"no pawn on {position.text(square + step)} can be taken en passant on {text}")
    origin = position.pieces.get(square - step)
    stayed = variant.chessplus and origin is not None and origin.player != position.mover and len(origin.halves) == 1
    if square in position.pieces or (origin is not None and not stayed):
        raise FenError(fen, f"no pawn can just have made a double step over {text}, because pieces stand in its way")
    return square


def _square_named(text: str, variant: ChessVariant) -> int | None:
    """The square of a name; None if there is none on the board."""
    file, rank = ord(text[0]) - ord("a"), text[1:]
    if not (
        rank.isascii()
        and rank.isdecimal()
        and len(rank) < 4
        and 0 <= file < variant.width
        and 1 <= int(rank) <= variant.height
    ):
        return None
    return variant.layout.stride * (int(rank) - 1) + file


def _read_number(fen: str, what: str, text: str, least: int) -> int:
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(MOST))
    if not is_number or not least <= int(text) <= MOST:
        raise FenError(fen, f"{what} is `{text}`; it must be a number from {least} to {MOST}")
    return int(text)


def _write_rank(position: Position, rank: int, width: int) -> str:
    text, empty = "", 0
    for file in range(width):
        here = position.pieces.get(position.stride * rank + file)
        if here is None:
            empty += 1
            continue
        text += f"{empty or ''}{here.text}"
        empty = 0
    return text + str(empty or "")


def _write_castling(position: Position) -> str:
    """The rights in the order of chess; a rook that is not the outermost is written as its file.

    File k and file q are in brackets, because a K alone is the outermost rook.
    """
    text = ""
    for player in (1, 2):
        king = position.king(player)
        first = king - king % position.stride
        rooks = [first + x for x in range(position.stride) if _has_rook(position, first + x, player)]
        rights = [rook for rook in sorted(position.castles, reverse=True) if position.pieces[rook].player == player]
        for rook in rights:
            outermost = max(rooks) if rook > king else min(rooks)
            file = chr(ord("A") + rook % position.stride)
            inner = f"({file})" if file in SIDES else file
            letter = inner if rook != outermost else "K" if rook > king else "Q"
            text += letter if player == 1 else letter.lower()
    return text or "-"
