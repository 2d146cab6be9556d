"""Mancala boards: rows of holes, with a store at each end."""

from __future__ import annotations

from ludoport.boards.generators import square
from ludoport.boards.geometry import float32
from ludoport.boards.graph import Graph
from ludoport.boards.operators import shift, union
from ludoport.errors import LudoportError

# For each number of rows: x of the left store, x of the right store less the columns, y of both.
_STORES = {
    2: (-0.85, -0.15, 0.5),
    3: (-1.0, 0.0, 1.0),
    4: (-0.9, -0.1, 1.5),
    5: (-1.0, 0.0, 2.0),
    6: (-0.9, -0.1, 2.5),
}


def mancala(rows: int, columns: int, store: str = "Outer", stores: int = 2) -> Graph:
    """The graph of a mancala board.

    With outer stores the left store is site 0, then come the rows from the bottom, the right store is last; without
    stores the rows begin at 0.

    Args:
        rows: of holes, 2 to 6.
        columns: holes of each row.
        store: ``Outer``, ``Inner`` or ``None``.
        stores: how many; other numbers than two give a plain grid, as inner stores do.
    """
    if not 2 <= rows <= 6:
        raise LudoportError("A mancala board has 2 to 6 rows.")
    if store == "Inner" or stores != 2:
        return square.rectangle(rows, rows, "Vertex")
    parts = [shift(square.rectangle(1, columns, "Vertex"), 0.0, float(row)) for row in range(rows)]
    if store != "None":
        left, right, height = _STORES[rows]
        parts.insert(0, Graph.from_lists([(left, height)]))
        # Two steps in single precision, as the position is stored and then shifted.
        offset = float32(right)
        parts.append(shift(Graph.from_lists([(float(columns), height)]), offset, 0.0))
    return union(parts, connect=True)
