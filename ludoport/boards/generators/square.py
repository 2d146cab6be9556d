"""Square tilings: squares, rectangles, diamonds, free outlines, pyramids, and their diagonals."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ludoport.boards.elements import Vertex
from ludoport.boards.geometry import Point, bounds, in_polygon, inflate
from ludoport.boards.graph import Graph
from ludoport.boards.limits import check_size

_NORTH_EAST = ((1, 0), (0, 1))


def rectangle(rows: int, columns: int, kind: str, diagonals: str = "", *, pyramid: bool = False) -> Graph:
    """A grid of ``rows`` x ``columns`` cells, or of points if play is not on cells."""
    dim = (rows, columns)
    if kind == "Cell":
        rows, columns = rows + 1, columns + 1
    check_size(max(rows, 0) * max(columns, 0))
    graph = Graph()
    grid = [[graph.add_vertex(float(c), float(r)) for c in range(columns)] for r in range(rows)]
    for r in range(rows):
        for c in range(columns):
            for dr, dc in _NORTH_EAST:
                if r + dr < rows and c + dc < columns:
                    graph.add_edge(grid[r][c], grid[r + dr][c + dc])
    if pyramid:
        _add_pyramid(graph, rows, columns)
    add_diagonals(graph, (0, rows), (0, columns), diagonals)
    graph.make_faces()
    graph.basis, graph.dim = "Square", dim
    graph.shape = "Square" if dim[0] == dim[1] else "Rectangle"
    graph.reorder()
    return graph


def _add_pyramid(graph: Graph, rows: int, columns: int) -> None:
    """Layers of points over the middles of the layer below; all edges one unit long."""
    rise = 1.0 / math.sqrt(2)
    for layer in range(1, rows):
        for r in range(rows - layer):
            for c in range(columns - layer):
                graph.find_or_add_vertex(layer * 0.5 + c, layer * 0.5 + r, layer * rise)
    join_units(graph)


def join_units(graph: Graph) -> None:
    """Join all vertices a unit apart in space, within 0.05."""
    grid: dict[tuple[int, int], list[Vertex]] = {}
    for v in graph.vertices:
        grid.setdefault((math.floor(v.x / 1.1), math.floor(v.y / 1.1)), []).append(v)
    for a in graph.vertices:
        i, j = math.floor(a.x / 1.1), math.floor(a.y / 1.1)
        near = [b for p in (i - 1, i, i + 1) for q in (j - 1, j, j + 1) for b in grid.get((p, q), ())]
        for b in sorted(near, key=lambda v: v.id):
            if a is not b and abs(math.dist((a.x, a.y, a.z), (b.x, b.y, b.z)) - 1.0) < 0.05:
                graph.find_or_add_edge(a, b)


def diamond(size: int, diagonals: str = "") -> Graph:
    """A diamond of ``2 * size - 1`` rows of cells."""
    span = 2 * size
    check_size(span * span // 2)
    points = [
        (float(c), float(r))
        for r in range(span)
        for c in range(span)
        if not (r + c < size - 1 or c - r > size or r - c > size or r + c >= 3 * size)
    ]
    graph = Graph.from_unit_points(points)
    add_diagonals(graph, (0, span), (0, span), diagonals)
    graph.make_faces()
    graph.basis, graph.shape, graph.dim = "Square", "Diamond", (size,)
    graph.reorder()
    return graph


def outline(corners: Sequence[Point], diagonals: str = "") -> Graph:
    """The part of a square grid inside a polygon."""
    grown = inflate(corners, 0.1)
    x, y, width, height = bounds(grown)
    # Truncation, not flooring: the margin of two covers the difference.
    columns = range(int(x) - 2, int(x + width) + 3)
    rows = range(int(y) - 2, int(y + height) + 3)
    check_size(len(rows) * len(columns) // 4)
    points = [(float(c), float(r)) for r in rows for c in columns if in_polygon((c, r), grown)]
    graph = Graph.from_unit_points(points)
    add_diagonals(graph, (rows[0], rows[-1]), (columns[0], columns[-1]), diagonals)
    graph.make_faces()
    graph.basis, graph.shape = "Square", "Custom"
    graph.reorder()
    return graph


def add_diagonals(graph: Graph, rows: tuple[int, int], columns: tuple[int, int], style: str) -> None:
    """Add diagonal edges inside the unit squares of a grid.

    Args:
        graph: to be changed.
        rows: first and last row to look at.
        columns: first and last column to look at.
        style: ``Alternating``, ``Solid``, ``SolidNoSplit``, ``Concentric``, ``Radiating`` or anything else for none.
    """
    if style == "Radiating":
        _add_rays(graph, rows, columns)
        return
    if style not in ("Alternating", "Solid", "SolidNoSplit", "Concentric"):
        return
    middle_row, middle_column = _half(rows[0] + rows[1]), _half(columns[0] + columns[1])
    for r in range(rows[0], rows[1] + 1):
        for c in range(columns[0], columns[1] + 1):
            square = [graph.find_vertex(c + dc, r + dr) for dr, dc in ((0, 0), (1, 0), (1, 1), (0, 1))]
            a, b, d, e = square
            if a is None or b is None or d is None or e is None:
                continue
            if style == "Solid":
                centre = graph.find_or_add_vertex(c + 0.5, r + 0.5)
                for corner in (a, b, d, e):
                    graph.find_or_add_edge(corner, centre)
            elif style == "SolidNoSplit":
                graph.find_or_add_edge(a, d)
                graph.find_or_add_edge(b, e)
            elif style == "Alternating":
                _ = graph.find_or_add_edge(a, d) if (r + c) % 2 == 0 else graph.find_or_add_edge(b, e)
            elif (r < middle_row) == (c < middle_column):
                graph.find_or_add_edge(b, e)
            else:
                graph.find_or_add_edge(a, d)


def _add_rays(graph: Graph, rows: tuple[int, int], columns: tuple[int, int]) -> None:
    middle_row, middle_column = _half(rows[0] + rows[1]), _half(columns[0] + columns[1])
    steps = max(_half(rows[1] - rows[0]), _half(columns[1] - columns[0])) + 1
    for n in range(steps):
        for dr, dc in ((1, 1), (1, -1), (-1, -1), (-1, 1)):
            a = graph.find_vertex(middle_row + n * dr, middle_column + n * dc)
            b = graph.find_vertex(middle_row + (n + 1) * dr, middle_column + (n + 1) * dc)
            if a is not None and b is not None:
                graph.find_or_add_edge(a, b)


def _half(value: int) -> int:
    return math.trunc(value / 2)
