"""Moves as values, and finding the legal move that a text means."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from typing import Any

from numpy.typing import NDArray

from ludoport.errors import LudoportError

MOST_SHOWN = 8
"""Messages list at most this many moves."""


class Move:
    """A legal move of a position.

    ``str(move)`` is its label, which people read and type: ``E2-E4``, ``D4``, ``e7e8q``. Two moves are equal if their
    rows and texts are.

    Attributes:
        row: the numbers that kernels play.
    """

    __slots__ = ("_label", "_text", "row")

    def __init__(
        self, row: NDArray[Any], text: str | Callable[[], str], label: str | Callable[[], str] | None = None
    ) -> None:
        self.row, self._text, self._label = row, text, text if label is None else label

    @property
    def text(self) -> str:
        """The recorded notation, which files of games hold; in ludemic games it names sites by number."""
        if not isinstance(self._text, str):
            self._text = self._text()
        return self._text

    @property
    def label(self) -> str:
        """The move as people read and type it, by the coordinates that the board shows."""
        if not isinstance(self._label, str):
            self._label = self._label()
        return self._label

    def __str__(self) -> str:
        return self.label

    def __repr__(self) -> str:
        return f"Move({self.label!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        return self.row.tolist() == other.row.tolist() and self.text == other.text

    def __hash__(self) -> int:
        return hash((*self.row.tolist(),))

    def __reduce__(self) -> tuple[type[Move], tuple[NDArray[Any], str, str]]:
        return Move, (self.row, self.text, self.label)


def find_move(text: str, moves: Sequence[Move]) -> Move:
    """The one move that a text means: its label, its recorded text, or either in another spelling.

    Letter case, hyphens, brackets, blanks and signs for check do not matter where only one move can be meant.

    Raises:
        LudoportError: no legal move is meant, or several are; the message lists the nearest ones.
    """
    for exact in ([move for move in moves if move.label == text], [move for move in moves if move.text == text]):
        if len(exact) == 1:
            return exact[0]
    wanted = _plain(text)
    found = [move for move in moves if wanted in (_plain(move.label), _signless(move.text))]
    if len(found) == 1:
        return found[0]
    if found:
        raise LudoportError(f"`{text}` may be {few(moves_named(found))}")
    raise illegal(text, moves)


def illegal(text: str, moves: Sequence[Move]) -> LudoportError:
    """The error for a move that is none of the legal ones; it lists the nearest."""
    return LudoportError(f"`{text}` is not a legal move here; {_nearest(text, moves)}")


def split_moves(text: str) -> list[str]:
    """The moves of one line of text: separated by commas, or by blanks where no move contains any.

    >>> split_moves("E2-E4 E7-E5"), split_moves("(claim 1 2) (claim 2 2)"), split_moves("claim 1 2, claim 2 2")
    (['E2-E4', 'E7-E5'], ['(claim 1 2)', '(claim 2 2)'], ['claim 1 2', 'claim 2 2'])
    """
    if "," in text:
        return [part.strip() for part in text.split(",") if part.strip()]
    return re.findall(r"\((?:[^()]|\([^()]*\))*\)|\S+", text)


def few(texts: Sequence[str], most: int = MOST_SHOWN) -> str:
    """Texts in a row; the number of those left out."""
    shown = ", ".join(texts[:most])
    return f"{shown} and {len(texts) - most} more" if len(texts) > most else shown or "none"


def moves_named(moves: Sequence[Move]) -> list[str]:
    """The labels of moves."""
    return [move.label for move in moves]


def _nearest(text: str, moves: Sequence[Move]) -> str:
    by_name = {name.casefold(): move.label for move in moves for name in (move.text, move.label)}
    near = difflib.get_close_matches(text.casefold(), list(by_name), 3, 0.6)
    labels = list(dict.fromkeys(by_name[name] for name in near))
    if not moves:
        return "the game is over"
    if labels:
        return f"did you mean {' or '.join(labels)}?"
    return f"legal moves are {few(moves_named(moves))}"


def _signless(text: str) -> str:
    """A recorded text without signs for check; hyphens stay, because site numbers need them."""
    return text.rstrip("+#!?").casefold()


def _plain(text: str) -> str:
    """A text without anything that people write in several ways; castling is often written with zeros."""
    if text.startswith("0-0"):
        text = text.replace("0", "o")
        return _signless(text)
    return "".join(c for c in _signless(text) if c not in "-() ")
