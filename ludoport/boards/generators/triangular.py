"""Triangular tilings in all outlines."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from ludoport.boards.generators.outlines import in_star, six_way_walk
from ludoport.boards.geometry import Point, bounds, in_polygon, inflate
from ludoport.boards.graph import Graph
from ludoport.boards.limits import check_size

_HEIGHT = math.sqrt(3) / 2.0


def place(row: int, column: int) -> Point:
    """A point of the grid in horizontal rows, each shifted half a unit to the left."""
    return (column - 0.5 * row, _HEIGHT * row)


def _upright(row: int, column: int) -> Point:
    return (_HEIGHT * (column - row), (row + column) * 0.5)


def _finish(graph: Graph, shape: str, dim: tuple[int, ...]) -> Graph:
    graph.basis, graph.shape, graph.dim = "Triangular", shape, dim
    graph.reorder()
    return graph


def _of_points(points: Iterable[Point], shape: str, dim: tuple[int, ...]) -> Graph:
    return _finish(Graph.from_unit_points(list(points)), shape, dim)


def _points_a_side(size: int, kind: str) -> int:
    return size + 1 if kind == "Cell" else size


def hexagon(size: int, kind: str) -> Graph:
    """A hexagon with ``size`` cells or points a side."""
    side = _points_a_side(size, kind)
    span = 2 * side - 1
    check_size(6 * side * side)
    half = span // 2
    graph = Graph()
    rows = []
    for row in range(span):
        columns = range(max(0, row - half), min(span, half + row + 1))
        rows.append([graph.add_vertex(*place(row, column)) for column in columns])
    for line in rows:
        for a, b in pairwise(line):
            graph.add_edge(a, b)
    for lower, upper in pairwise(rows[: half + 1]):
        for n, vertex in enumerate(lower):
            graph.add_edge(vertex, upper[n])
            graph.add_edge(vertex, upper[n + 1])
    for lower, upper in pairwise(rows[half:]):
        for n, vertex in enumerate(upper):
            graph.add_edge(vertex, lower[n])
            graph.add_edge(vertex, lower[n + 1])
    graph.make_faces()
    return _finish(graph, "Hexagon", (size,))


def triangle(size: int, kind: str) -> Graph:
    """A triangle with its long row at the bottom."""
    side = _points_a_side(size, kind)
    check_size(side * side)
    return _of_points((place(r, c) for r in range(side) for c in range(r, side)), "Triangle", (size,))


def diamond(size: int, kind: str) -> Graph:
    """A rhombus standing on a corner."""
    side = _points_a_side(size, kind)
    check_size(2 * side * side)
    return _of_points((_upright(r, c) for r in range(side) for c in range(side)), "Diamond", (size,))


def prism(rows: int, columns: int, kind: str) -> Graph:
    """A rhombus stretched to a hexagon."""
    a, b = _points_a_side(rows, kind), _points_a_side(columns, kind)
    span = a + b - 1
    check_size(2 * span * span)
    points = (_upright(r, c) for r in range(span) for c in range(span) if abs(r - c) < a)
    return _of_points(points, "Prism", (rows, columns))


def rectangle(rows: int, columns: int, kind: str) -> Graph:
    """Rows in turn of full length and one less."""
    a, b = _points_a_side(rows, kind), _points_a_side(columns, kind)
    check_size(2 * a * b)
    points = (place(r, c) for r in range(a) for c in range(b + a) if (r + 1) // 2 <= c < b + r // 2)
    return _of_points(points, "Square" if rows == columns else "Rectangle", (rows, columns))


def star(size: int) -> Graph:
    """A six-pointed star."""
    span = 4 * size + 1
    check_size(span * span)
    points = (place(r, c) for r in range(span) for c in range(span) if in_star(size, r, c))
    return _of_points(points, "Star", (size,))


def outline(corners: Sequence[Point], shape: str = "Custom", margin: int = 2) -> Graph:
    """The points of the grid inside a polygon."""
    grown = inflate(corners, 0.1)
    x, y, width, height = bounds(grown)
    rows = range(int(y) - margin, int(y + height) + margin + 1)
    columns = range(int(x) - margin, int(x + width) + margin + 1)
    check_size(len(rows) * len(columns) // 4)
    points = (place(r, c) for r in rows for c in columns)
    return _of_points((p for p in points if in_polygon(p, grown)), shape, ())


def of_sides(sides: Sequence[int]) -> Graph:
    """The board inside an outline walked by side lengths; a negative length turns the other way."""
    limping = len(sides) == 2 and sides[0] == sides[1] - 1
    corners = six_way_walk(place, sides)
    return outline(corners, "Limping", sides[0]) if limping else outline(corners)
