"""Hexagonal tilings in all outlines."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from ludoport.boards.generators.outlines import in_star, six_way_walk
from ludoport.boards.geometry import Point, bounds, in_polygon, inflate
from ludoport.boards.graph import Graph
from ludoport.boards.limits import check_size

_UX = math.sqrt(3) / 2
# Corners of a hexagon that stands on a point, clockwise from the top.
CORNERS: tuple[Point, ...] = ((0.0, 1.0), (_UX, 0.5), (_UX, -0.5), (0.0, -1.0), (-_UX, -0.5), (-_UX, 0.5))


def centre(row: int, column: int) -> Point:
    """Middle of a cell in horizontal rows, each shifted half a cell to the left."""
    return (math.sqrt(3) * (column - 0.5 * row), 1.5 * row)


def _flat_centre(row: int, column: int) -> Point:
    return (1.5 * (column - row), math.sqrt(3) * (row + column) * 0.5)


def _finish(graph: Graph, shape: str, dim: tuple[int, ...]) -> Graph:
    graph.basis, graph.shape, graph.dim = "Hexagonal", shape, dim
    graph.reorder()
    return graph


def _of_centres(middles: Iterable[Point], *, flat: bool = False) -> Graph:
    cells = ([(x + (dy if flat else dx), y + (dx if flat else dy)) for dx, dy in CORNERS] for x, y in middles)
    return Graph.from_cells(cells)


def hexagon(size: int) -> Graph:
    """A hexagon of hexagons with ``size`` cells a side.

    Vertices are laid in zigzag rows from the bottom, then joined along and between the rows; this order, in double
    precision, is what the numbering of its edges and faces rests on.
    """
    span = 2 * size - 1
    check_size(3 * size * (size - 1) + 1)
    graph = Graph()
    half = span // 2
    for row in range(half + 1):
        for column in range(half + row + 1):
            x, y = centre(row, column)
            corners = [4, 3, 2] if column == half + row else [4, 3]
            for n in corners:
                graph.add_vertex(x + CORNERS[n][0], y + CORNERS[n][1])
    for row in range(half, span):
        for column in range(row - half, span):
            x, y = centre(row, column)
            corners = [5, 0, 1] if column == span - 1 else [5, 0]
            for n in corners:
                graph.add_vertex(x + CORNERS[n][0], y + CORNERS[n][1])
    widths = [half + 1 + row for row in range(half + 1)] + [span + half - row for row in range(half, span)]
    starts = [0]
    for width in widths:
        starts.append(starts[-1] + 2 * width + 1)
    vertices = graph.vertices
    for start, width in zip(starts, widths, strict=False):
        for n in range(start, start + 2 * width):
            graph.add_edge(vertices[n], vertices[n + 1])
    for row in range(len(widths) - 1):
        # Downward corners stand at even places of a lower row, upward ones at odd places where rows grow narrower.
        lower, upper = starts[row], starts[row + 1]
        if row < half:
            pairs = [(lower + 2 * n, upper + 2 * n + 1) for n in range(widths[row] + 1)]
        elif row == half:
            pairs = [(lower + 2 * n, upper + 2 * n) for n in range(widths[row] + 1)]
        else:
            pairs = [(lower + 2 * n + 1, upper + 2 * n) for n in range(widths[row])]
        for a, b in pairs:
            graph.add_edge(vertices[a], vertices[b])
    graph.make_faces()
    return _finish(graph, "Hexagon", (size,))


def diamond(size: int) -> Graph:
    """A rhombus of ``size`` x ``size`` flat-topped cells standing on a blunt corner."""
    check_size(size * size)
    graph = _of_centres((_flat_centre(r, c) for r in range(size) for c in range(size)), flat=True)
    return _finish(graph, "Diamond", (size,))


def prism(rows: int, columns: int) -> Graph:
    """A hexagon with two pairs of sides of ``columns`` and one of ``rows`` cells, flat-topped."""
    span = rows + columns - 1
    check_size(span * span)
    middles = (_flat_centre(r, c) for r in range(span) for c in range(span) if abs(r - c) < rows)
    return _finish(_of_centres(middles, flat=True), "Prism", (rows, columns))


def triangle(size: int) -> Graph:
    """A triangle with its long row at the bottom."""
    check_size(size * size // 2)
    return _finish(_of_centres(centre(r, c) for r in range(size) for c in range(r, size)), "Triangle", (size,))


def rectangle(rows: int, columns: int) -> Graph:
    """Rows of ``columns`` and ``columns - 1`` cells in turn."""
    check_size(rows * columns)
    middles = (centre(r, c) for r in range(rows) for c in range(columns + rows) if (r + 1) // 2 <= c < columns + r // 2)
    return _finish(_of_centres(middles), "Square" if rows == columns else "Rectangle", (rows, columns))


def star(size: int) -> Graph:
    """A six-pointed star."""
    span = 4 * size + 1
    check_size(span * span // 2)
    middles = (centre(r, c) for r in range(span) for c in range(span) if in_star(size, r, c))
    return _finish(_of_centres(middles), "Star", (size,))


def outline(corners: Sequence[Point], shape: str = "Custom") -> Graph:
    """The cells whose centres are inside a polygon."""
    grown = inflate(corners, 0.1)
    x, y, width, height = bounds(grown)
    rows = range(int(y) - 3, int(y + height) + 4)
    columns = range(int(x) - 3, int(x + width) + 4)
    check_size(len(rows) * len(columns) // 8)
    middles = (centre(r, c) for r in rows for c in columns)
    return _finish(_of_centres(m for m in middles if in_polygon(m, grown)), shape, ())


def of_sides(sides: Sequence[int]) -> Graph:
    """The board inside an outline walked by side lengths; a negative length turns the other way."""
    shape = "Limping" if len(sides) == 2 and sides[0] == sides[1] - 1 else "Custom"
    return outline(six_way_walk(centre, sides), shape)
