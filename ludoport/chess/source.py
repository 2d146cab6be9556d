"""The complete text of the kernels of a variant."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ludoport.chess.layout import MOVE_SIZE, WORDS
from ludoport.chess.tables import KNIGHT_STEPS, Squares, large_tables, tables
from ludoport.chess.text.attacks import ATTACKS
from ludoport.chess.text.bits import BITS, WORD
from ludoport.chess.text.chess import CHESS
from ludoport.chess.text.contract import CONTRACT
from ludoport.chess.text.large import LARGE
from ludoport.chess.text.pawns import PAWNS
from ludoport.chess.text.plus import PLUS
from ludoport.chess.variant import ChessVariant
from ludoport.kernels.library import BASICS, START, entries
from ludoport.kernels.tidy import tidied

_CALLED = re.compile(r"(?<!def )\b([a-z]\w*)\(")
_DEFINED = re.compile(r"^def (\w+)", re.MULTILINE)


def kernel_source(variant: ChessVariant, initial: Sequence[int], halves: int) -> str:
    """The kernels of a variant.

    Args:
        variant: the game.
        initial: the row of the start position.
        halves: most half-pieces of one player.
    """
    chosen = flags(variant)
    width, height = variant.size
    if variant.layout.words:
        lookups = tables(Squares(width, height))
        texts = [BITS, ATTACKS, PAWNS, PLUS if variant.chessplus else CHESS]
    else:
        lookups = large_tables(width, height)
        texts = [WORD, LARGE]
    parts = [
        _lines(_constants(variant, halves) | (_sets(width, height) if variant.layout.words else {})),
        _lines(chosen),
        _lines({name: _array(values) for name, values in lookups.items()}),
        f"INITIAL = {_array(initial)}",
        BASICS,
        START,
        *texts,
        CONTRACT,
        entries(),
    ]
    return "import numpy as np\n\n" + "\n\n\n".join(without(part, chosen).strip() for part in parts) + "\n"


def most_moves(variant: ChessVariant, halves: int) -> int:
    """Upper bound on the legal moves of a position: every half moves at most like a queen, and castling comes on top.

    In Chessplus the whole moves too, as queen and knight at most, which two halves share.
    """
    width, height = variant.size
    straight = width + height - 2
    diagonal = 2 * (min(width, height) - 1)  # from the middle of the board; from elsewhere fewer
    queen = straight + diagonal
    pawn = 14  # three squares to promote on in four ways, and two to take en passant
    alone = halves * max(queen, pawn) + 2
    if not variant.chessplus:
        return alone
    ways = 4 if variant.merged_promo == "QRBN" else 1
    return alone + (halves // 2) * (queen + len(KNIGHT_STEPS) + 2) * ways


def _constants(variant: ChessVariant, halves: int) -> dict[str, int]:
    layout, most = variant.layout, most_moves(variant, halves)
    return {
        "STATE_SIZE": layout.state_size,
        "MOVE_SIZE": MOVE_SIZE,
        "MAX_MOVES": most,
        "WORK_SIZE": most + 1,
        "N_PLAYERS": 2,
        **layout.fields,
        "KEY_SIZE": layout.fields["PASSANT"] + 1,
        "SITES": variant.width * variant.height,
        "WIDTH": variant.width,
        "HEIGHT": variant.height,
        "PLY_CAP": variant.most_plies,
    }


def _sets(width: int, height: int) -> dict[str, int]:
    """Sets of squares that the kernels of small boards know."""
    board = Squares(width, height)
    return {
        "COLOURS": WORDS.index("WHITE") - 1,
        "BOARD": board.board(),
        "NOT_LOW": board.without_file(0),
        "NOT_HIGH": board.without_file(width - 1),
        "THIRD_RANK_1": board.rank(2),
        "THIRD_RANK_2": board.rank(height - 3),
        "LAST_RANK_1": board.rank(height - 1),
        "LAST_RANK_2": board.rank(0),
        "LAST_RANKS": board.rank(height - 1) | board.rank(0),
    }


def flags(variant: ChessVariant) -> dict[str, bool]:
    """Switches of the kernel text by name."""
    return {
        "MERGING": variant.chessplus,
        "DOUBLE_STEP": variant.double_step,
        "CASTLING": variant.castling,
        "MERGED_PROMOTES_TO_ALL": variant.merged_promo == "QRBN",
        "PAWNS_JOIN_FORWARD": variant.pawn_merge in ("forward", "both"),
        "PAWNS_JOIN_DIAGONALLY": variant.pawn_merge in ("diagonal", "both"),
        "ANY_VICTIM": variant.ep_victim == "any",
        "CASTLE_MERGED": variant.castle_merged == "whole",
    }


def without(text: str, flags: dict[str, bool]) -> str:
    """A text without the blocks that begin with ``if FLAG:`` or ``if FLAG and`` for a flag that is not set."""
    kept: list[str] = []
    outside: int | None = None
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        if outside is not None and (indent > outside or not line):
            continue
        words = line.replace(":", " ").split()
        guards = words[:1] == ["if"] and words[2:3] in ([], ["and"])
        outside = indent if guards and not flags.get(words[1], True) else None
        if outside is None:
            kept.append(line)
    return "\n".join(kept)


def without_unused(source: str) -> str:
    """A text without functions that no other one calls, such as castling where there is none, and unread values."""
    wanted = {*_DEFINED.findall(CONTRACT), *_DEFINED.findall(entries())}
    blocks = source.split("\n\n\n")
    while True:
        called = wanted.union(*(_CALLED.findall(block) for block in blocks))
        kept = [block for block in blocks if called.issuperset(_DEFINED.findall(block))]
        if len(kept) == len(blocks):
            return "\n\n\n".join(_tidied(block) for block in kept)
        blocks, source = kept, "\n\n\n".join(kept)


def _tidied(block: str) -> str:
    return "\n".join(tidied(block.split("\n"))) if _DEFINED.search(block) else block


def _lines(values: Mapping[str, object]) -> str:
    return "\n".join(f"{name} = {value}" for name, value in values.items())


def _array(values: Sequence[int]) -> str:
    return f"np.array([{', '.join(map(str, values))}], dtype=np.int64)"
