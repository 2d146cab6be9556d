"""Kinds of pairs of games: the size of the board changes, its shape, the goal, or the whole game."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from ludoport.studies.soemers.published import PublishedBoard, published
from ludoport.studies.soemers.report.jobs import Played

Kind = Literal["smaller board", "larger board", "other board shape", "other win condition", "other game", "unknown"]

KINDS: tuple[Kind, ...] = (
    "smaller board",
    "larger board",
    "other board shape",
    "other win condition",
    "other game",
    "unknown",
)
"""Relation of the target to the source; the first four are the panels of Figures 3 and 8."""

PANELS: dict[Kind, str] = {
    "smaller board": "(a) larger to smaller boards",
    "larger board": "(b) smaller to larger boards",
    "other board shape": "(c) other board shape",
    "other win condition": "(d) other win condition",
}
"""Titles of the panels of Figures 2, 3 and 8."""


@cache
def kind_of_pair(family: str, source: str, target: str) -> Kind:
    """Relation of the target to the source.

    A pair that changes several things counts for the last of them: Broken Line with lines of 3 on a hexagon to lines
    of 5 on a square is a change of the win condition.

    Example:
        >>> kind_of_pair("Hex", "7×7", "11×11"), kind_of_pair("Hex", "7×7", "11×11 Misere")
        ('larger board', 'other win condition')
        >>> kind_of_pair("Breakthrough", "Square6", "Hexagon4"), kind_of_pair("shogi", "Shogi", "Minishogi")
        ('other board shape', 'other game')
        >>> kind_of_pair("a study of one's own", "Hex 4", "Hex 5")
        'unknown'
    """
    if family not in published().boards:
        return "other game" if family in _families() else "unknown"
    a, b = board_of(family, source), board_of(family, target)
    if a is None or b is None:
        return "unknown"
    if a.goal != b.goal:
        return "other win condition"
    if a.shape != b.shape:
        return "other board shape"
    return "larger board" if b.sites > a.sites else "smaller board"


@cache
def _families() -> set[str]:
    """The families of the paper."""
    return {table.family for table in published().tables}


_OPTIONS: dict[str, Kind] = {
    "End Rules": "other win condition",
    "Line Size": "other win condition",
    "Board": "other board shape",
    "Board Size": "larger board",  # or a smaller one
}
"""Kinds of change that options make, by the names that the bundled games give them."""


def kind_of_games(source: Played, target: Played) -> Kind:
    """Relation of the target to the source, by their options; a new goal outranks a new shape, and that a new size.

    Example:
        >>> kind_of_games(("Hex", ("Board Size/4x4",)), ("Hex", ("Board Size/5x5",)))
        'larger board'
        >>> kind_of_games(("Hex", ("Board Size/4x4",)), ("Hex", ("Board Size/5x5", "End Rules/Misere")))
        'unknown'
        >>> kind_of_games(("Hex", ("Board Size/4x4",)), ("Squava", ()))
        'other game'
    """
    if source[0] != target[0]:
        return "other game"
    before, after = (dict(_option(text) for text in side[1]) for side in (source, target))
    changed = {name for name in (*before, *after) if before.get(name) != after.get(name)}
    # An option that only one of them names may be the default of the other.
    if not changed or not changed <= before.keys() & after.keys() & _OPTIONS.keys():
        return "unknown"
    kinds = {_OPTIONS[name] for name in changed}
    if "other win condition" in kinds:
        return "other win condition"
    if "other board shape" in kinds:
        return "other board shape"
    small, large = _size(before["Board Size"]), _size(after["Board Size"])
    if small is None or large is None:
        return "unknown"
    return "larger board" if large > small else "smaller board"


def _option(text: str) -> tuple[str, str]:
    """The name of an option, and what was chosen."""
    name, _, choice = text.rpartition("/")
    return name, choice


def board_of(family: str, name: str) -> PublishedBoard | None:
    """The board of a variant; one that the paper has not, if another one differs from it only in size.

    Example:
        >>> board_of("Hex", "5×5")
        PublishedBoard(sites=25, shape='rhombus', goal='connect')
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
            return PublishedBoard(_sites(board.shape, size), board.shape, board.goal)
    return None


def site_ratio(family: str, source: str, target: str) -> float | None:
    """Sites of the target over sites of the source, a substitute for unknown epochs."""
    a, b = board_of(family, source), board_of(family, target)
    return None if a is None or b is None else b.sites / a.sites


def _size(name: str) -> int | None:
    found = re.search(r"\d+", name)
    return int(found.group()) if found else None


def _sites(shape: str, size: int) -> int:
    return 3 * size * (size - 1) + 1 if shape == "hexagon" else size * size
