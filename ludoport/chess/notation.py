"""Names of moves: as people write them (``Nf3``, ``exd5``, ``O-O``), and by coordinates (``g1f3``, ``e5d6``, ``e1g1``).

Chessplus adds to what people write:

- ``Nxc3`` takes, ``N&c3`` joins the friend on c3; for a pawn ``e&e4``, as in ``exd5``;
- ``(NP)d4`` moves a knight and a pawn together;
- ``N/Pf3`` moves a knight that leaves a pawn behind, ``N/P&f3`` one that joins the next friend at once.

By coordinates, a half that leaves names itself (``N:d2f3``), and a capture en passant ends with ``ep``, because a
bishop with a pawn may come to the same square in another way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from ludoport.chess import layout
from ludoport.chess.layout import CASTLING, EN_PASSANT, KINDS, PAWN, WHOLE
from ludoport.chess.position import Position


@dataclass(frozen=True)
class SanStep:
    """The parts of a move; a castling king goes to the square of its rook."""

    source: int
    target: int
    kind: int
    split: bool
    promotion: int
    special: int

    @property
    def castling(self) -> bool:
        """Whether king and rook castle."""
        return self.special == CASTLING


def unpack(move: int) -> SanStep:
    """The parts of a move as rows have it."""
    return SanStep(
        move >> layout.FROM & 1023,
        move >> layout.TO & 1023,
        move >> layout.PIECE & 7,
        bool(move >> layout.SPLIT & 1),
        move >> layout.PROMOTION & 7,
        move >> layout.SPECIAL,
    )


def king_target(position: Position, step: SanStep, width: int) -> int:
    """The square where a move ends; a castling king that does not go two squares ends on that of its rook."""
    if not step.castling:
        return step.target
    goal = step.source - step.source % position.stride + (width - 2 if step.target > step.source else 2)
    return goal if abs(goal - step.source) == 2 else step.target


def coordinate_text(position: Position, move: int, width: int, chessplus: bool) -> str:
    """A move by its squares; castling by those of the king, or of king and rook if the king does not go two squares."""
    step = unpack(move)
    text = position.text(step.source) + position.text(king_target(position, step, width))
    if step.split:
        text = f"{KINDS[step.kind]}:{text}"
    if step.promotion:
        text += KINDS[step.promotion].lower()
    if chessplus and step.special == EN_PASSANT:
        text += "ep"
    return text


def short_texts(position: Position, moves: Sequence[int]) -> list[str]:
    """The moves of one position as people write them, without signs for check; all different."""
    steps = [unpack(move) for move in moves]
    groups: dict[tuple[str, str, int, int], list[int]] = defaultdict(list)
    for step in steps:
        groups[_group(position, step)].append(step.source)
    return [_short(position, step, groups[_group(position, step)]) for step in steps]


def _group(position: Position, step: SanStep) -> tuple[str, str, int, int]:
    """Moves that differ in nothing but where they come from."""
    return _who(position, step), _mark(position, step), step.target, step.promotion


def _short(position: Position, step: SanStep, sources: list[int]) -> str:
    if step.castling:
        return "O-O" if step.target > step.source else "O-O-O"
    who, mark = _who(position, step), _mark(position, step)
    # A lone pawn has no letter; its file stands in front of captures and merges.
    origin = (position.text(step.source)[0] if mark else "") if not who else _origin(position, step.source, sources)
    promotion = f"={KINDS[step.promotion]}" if step.promotion else ""
    return f"{who}{origin}{mark}{position.text(step.target)}{promotion}"


def _who(position: Position, step: SanStep) -> str:
    letters = position.pieces[step.source].letters
    if step.kind == WHOLE:
        return f"({letters})"
    letter = KINDS[step.kind]
    if step.split:
        return f"{letter}/{letters.replace(letter, '', 1)}"
    return "" if step.kind == PAWN else letter


def _mark(position: Position, step: SanStep) -> str:
    there = position.pieces.get(step.target)
    if step.special == EN_PASSANT:
        return "x"
    if there is None:
        return ""
    return "&" if there.player == position.mover else "x"


def _origin(position: Position, source: int, sources: list[int]) -> str:
    """As much of a square as distinguishes it from the others: nothing, its file, its rank, or both."""
    if len(sources) == 1:
        return ""
    text, stride = position.text(source), position.stride
    if sum(other % stride == source % stride for other in sources) == 1:
        return text[0]
    if sum(other // stride == source // stride for other in sources) == 1:
        return text[1:]
    return text
