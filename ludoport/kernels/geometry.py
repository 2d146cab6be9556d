"""Boards as shapes and pieces as figures, so that drawing needs to know no language."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

Point = tuple[float, float]
"""Place on the plane; x grows to the right, y upwards."""


@dataclass(frozen=True)
class Site:
    """A place for pieces.

    Attributes:
        label: its coordinates, as moves name them: ``E4``.
        x: centre.
        y: centre.
        kind: ``cell``, ``vertex`` or ``edge``.
        column: the part of the label that names the column; empty where labels have no columns.
        row: the part of the label that names the row.
        outline: corners of a cell, in order; the two ends of an edge; empty for points.
        shade: which of a few colours the cell has, so that neighbours differ.
        owners: players whose side of the board this is.
    """

    label: str
    x: float
    y: float
    kind: str = "cell"
    column: str = ""
    row: str = ""
    outline: tuple[Point, ...] = ()
    shade: int = 0
    owners: tuple[int, ...] = ()


@dataclass(frozen=True)
class HandSites:
    """Sites of a player beside the board: their numbers, which follow those of the board."""

    owner: int
    sites: tuple[int, ...]


@dataclass(frozen=True)
class Geometry:
    """A board.

    Attributes:
        sites: the sites of the board, by number; empty where a game has no board.
        edges: lines of the board.
        hands: sites beside it.
        others: sites of further kinds with their numbers, such as the cells of a board that is played on edges.
        rack: levels of a board that stands upright, one column a site, as in Connect Four; 0 for boards that lie flat.
    """

    sites: tuple[Site, ...] = ()
    edges: tuple[tuple[Point, Point], ...] = ()
    hands: tuple[HandSites, ...] = ()
    others: tuple[tuple[int, Site], ...] = ()
    rack: int = 0

    @cached_property
    def by_number(self) -> dict[int, Site]:
        """All sites but those of hands, by number."""
        return {**dict(enumerate(self.sites)), **dict(self.others)}


@dataclass(frozen=True)
class Figure:
    """A piece on a site.

    Attributes:
        name: its kind, without the owner: ``Knight``.
        owner: player number; 0 for none.
        count: how many.
        state: local state, such as the side of a disc that lies up.
        rotation: eighths of a turn.
        value: a number on the piece; 0 for none.
    """

    name: str
    owner: int = 0
    count: int = 1
    state: int = 0
    rotation: int = 0
    value: int = 0


@dataclass(frozen=True)
class Die:
    """A die as the player to move sees it.

    Attributes:
        value: the number that it shows.
        owner: the player it belongs to; 0 where all share it.
        used: whether its number has been played this turn.
    """

    value: int
    owner: int = 0
    used: bool = False


@dataclass(frozen=True)
class MoveSites:
    """Where a move happens, so that it can be shown and clicked.

    Attributes:
        kind: ``move``, ``place``, ``promote``, ``pass``, ``swap`` or ``other``.
        start: site where it begins; None for placements and moves without a site.
        end: site where it ends; None for moves without a site.
        between: sites that it passes, jumps over or captures on.
        piece: what moves, is put down, or is promoted to; None where that is unknown.
        level: level of a stack at which it begins; None where that makes no difference.
    """

    kind: str
    start: int | None = None
    end: int | None = None
    between: tuple[int, ...] = ()
    piece: Figure | None = None
    level: int | None = None

    @property
    def ends(self) -> tuple[int, ...]:
        """The sites where it begins and ends, without repetition."""
        return tuple(dict.fromkeys(site for site in (self.start, self.end) if site is not None))
