"""What changes between the two games of a pair: the size of the board, its shape, the goal, or the whole game."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from ludoport.studies.published import Board, published

Kind = Literal["smaller board", "larger board", "other board shape", "other win condition", "other game", "unknown"]

KINDS: tuple[Kind, ...] = (
    "smaller board",
    "larger board",
    "other board shape",
    "other win condition",
    "other game",
    "unknown",
)
"""What the target is, seen from the source; the first four are the panels of Figures 3 and 8."""

PANELS: dict[Kind, str] = {
    "smaller board": "(a) larger to smaller boards",
    "larger board": "(b) smaller to larger boards",
    "other board shape": "(c) other board shape",
    "other win condition": "(d) other win condition",
}
"""Titles of the panels of Figures 2, 3 and 8."""


@cache
def kind_of_pair(family: str, source: str, target: str) -> Kind:
    """What the target is, seen from the source.

    A pair that changes several things counts for the last of them: Broken Line with lines of 3 on a hexagon to lines
    of 5 on a square is a change of the win condition.

    Example:
        >>> kind_of_pair("Hex", "7×7", "11×11"), kind_of_pair("Hex", "7×7", "11×11 Misere")
        ('larger board', 'other win condition')
        >>> kind_of_pair("Breakthrough", "Square6", "Hexagon4"), kind_of_pair("shogi", "Shogi", "Minishogi")
        ('other board shape', 'other game')
    """
    if family not in published().boards:
        return "other game"
    a, b = board_of(family, source), board_of(family, target)
    if a is None or b is None:
        return "unknown"
    if a.goal != b.goal:
        return "other win condition"
    if a.shape != b.shape:
        return "other board shape"
    return "larger board" if b.sites > a.sites else "smaller board"


def board_of(family: str, name: str) -> Board | None:
    """The board of a variant; one that the paper has not, if another one differs from it only in size.

    Example:
        >>> board_of("Hex", "5×5")
        Board(sites=25, shape='rhombus', goal='connect')
        >>> board_of("Hex", "round") is None
        True
    """
    boards = published().boards.get(family, {})
    if name in boards:
        return boards[name]
    for other, board in boards.items():
        size, other_size = _size(name), _size(other)
        same = re.sub(r"\d+", "", name.replace("x", "×")) == re.sub(r"\d+", "", other)
        if same and size and other_size and board.sites == _sites(board.shape, other_size):
            return Board(_sites(board.shape, size), board.shape, board.goal)
    return None


def site_ratio(family: str, source: str, target: str) -> float | None:
    """Sites of the target over sites of the source: where nobody counted epochs, it stands for their ratio."""
    a, b = board_of(family, source), board_of(family, target)
    return None if a is None or b is None else b.sites / a.sites


def _size(name: str) -> int | None:
    found = re.search(r"\d+", name)
    return int(found.group()) if found else None


def _sites(shape: str, size: int) -> int:
    return 3 * size * (size - 1) + 1 if shape == "hexagon" else size * size
