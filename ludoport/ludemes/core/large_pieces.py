"""Tiles that cover several cells: the walks that give their shapes, and the piece that stands for a covered cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.errors import LudError
from ludoport.lud.tree import Ludeme

if TYPE_CHECKING:
    from ludoport.ludemes.core.equipment import Component

TURNS = 4
"""Local states of a large piece for each of its walks."""

_MOST_CELLS = 64
"""Steps of one walk."""


def read_walks(item: Ludeme) -> tuple[tuple[str, ...], ...]:
    """The walks of a tile, each as its steps; none if the tile lies on one cell.

    Raises:
        LudoportError: a walk is too long.
    """
    one, many = item.get("walk"), item.get("walks")
    listed = [one] if one is not None else many if isinstance(many, list) else []
    walks = tuple(tuple(str(step) for step in walk) for walk in listed if isinstance(walk, list))
    if any(len(walk) > _MOST_CELLS for walk in walks):
        raise LudError(f"a tile has walks of at most {_MOST_CELLS} steps", item.source)
    return walks


def covering(components: list[Component]) -> int:
    """The number of the component that lies on cells covered by large pieces; 0 if no piece is large."""
    return len(components) if any(component.walks for component in components) else 0
