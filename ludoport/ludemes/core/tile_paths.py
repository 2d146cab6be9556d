"""Paths on tiles: coloured ways between the sides of a square, numbered clockwise from north."""

from __future__ import annotations

from dataclasses import dataclass

from ludoport.errors import LudError, UnsupportedError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.arguments import settle
from ludoport.ludemes.core.traits import declare

declare("util:path", reads=[], known=True)

SIDES = 4
"""Sides of a tile with paths."""

MOST_COLOURS, MOST_SLOTS = 100, 100
"""Largest number of a colour, and most ends of paths on a side: tables have a row for each."""


@dataclass(frozen=True)
class TilePath:
    """A way on a tile from one side to another; where sides have several ends of paths, each end is in a slot."""

    sides: tuple[int, int]
    slots: tuple[int, int]
    colour: int


def read_paths(item: Ludeme) -> tuple[TilePath, ...]:
    """The paths of a tile.

    Raises:
        LudoportError: the paths of the tile are unlike those of a square.
    """
    listed = item.get("paths")
    if not isinstance(listed, list):
        settle(item.get("slots"), item.get("slotsPerSide"))
        return ()
    if item.get("numSides") not in (None, SIDES):
        raise UnsupportedError("paths on tiles that are not square are not implemented yet", item.source)
    slots = item.get("slotsPerSide")
    slots = slots if isinstance(slots, int) else 1
    if not 1 <= slots <= MOST_SLOTS:
        raise LudError(f"a side of a tile has 1 to {MOST_SLOTS} slots, not {slots:,}", item.source)
    paths = tuple(_read_path(path, slots) for path in listed)
    if len({path.colour for path in paths}) < len(paths):
        raise UnsupportedError("several paths of one colour on a tile are not implemented yet", item.source)
    return paths


def _read_path(node: object, slots: int) -> TilePath:
    assert isinstance(node, Ludeme)
    numbers = [node.get(name) for name in ("from", "to", "slotsFrom", "slotsTo", "colour")]
    start, end, first, last, colour = (value if isinstance(value, int) else 0 for value in numbers)
    if not all(0 <= side < SIDES for side in (start, end)):
        raise LudError(f"the sides of a square are numbered from 0 to {SIDES - 1}", node.source)
    if not all(0 <= slot < slots for slot in (first, last)):
        raise LudError(f"the slots of a side are numbered from 0 to {slots - 1}", node.source)
    if not 0 <= colour <= MOST_COLOURS:
        raise LudError(f"the colours of paths are numbered from 0 to {MOST_COLOURS}, not {colour:,}", node.source)
    return TilePath((start, end), (first, last), colour)


def side_colours(paths: tuple[TilePath, ...], slots: int) -> list[tuple[int, ...]]:
    """The colours in the slots of each side; 0 where no path ends."""
    colours = [[0] * slots for _ in range(SIDES)]
    for path in paths:
        for side, slot in zip(path.sides, path.slots, strict=True):
            colours[side][slot] = path.colour
    return [tuple(each) for each in colours]
