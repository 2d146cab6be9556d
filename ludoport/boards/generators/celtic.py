"""Boards after Celtic knotwork: a grid of lozenges with loops around its border."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ludoport.boards.elements import Vertex
from ludoport.boards.generators.square import join_units
from ludoport.boards.geometry import Point, bounds, in_polygon, inflate
from ludoport.boards.graph import Graph
from ludoport.boards.limits import check_size
from ludoport.boards.measure.perimeter import find_perimeters

_U = 1.0 / math.sqrt(2)
_CORNERS = ((_U, 0.0), (0.0, _U), (-_U, 0.0), (0.0, -_U))


def of_size(rows: int, columns: int) -> Graph:
    """A rectangle of lozenges."""
    return _knot([(c * 2 * _U, r * 2 * _U) for r in range(rows) for c in range(columns)])


def outline(corners: Sequence[Point]) -> Graph:
    """The lozenges inside a polygon."""
    grown = inflate(corners, 0.1)
    x, y, width, height = bounds(grown)
    middles = [
        (c * 2 * _U, r * 2 * _U)
        for r in range(int(y) - 1, int(y + height) + 2)
        for c in range(int(x) - 1, int(x + width) + 2)
    ]
    return _knot([middle for middle in middles if in_polygon(middle, grown)])


def corners_from_sides(sides: Sequence[int]) -> list[Point]:
    """Corners of the outline walked by side lengths."""
    step, x, y = 3, 0.0, 0.0
    corners: list[Point] = [(0.0, 0.0)]
    turns = ((2 * _U, 0.0), (0.0, 2 * _U), (-2 * _U, 0.0), (0.0, -2 * _U))
    for length in sides:
        step = (step + (-1 if length < 0 else 1)) % 4
        x += length * turns[step][0]
        y += length * turns[step][1]
        corners.append((x, y))
    return corners


def _knot(middles: Sequence[Point]) -> Graph:
    check_size(2 * len(middles))
    graph = Graph()
    for x, y in middles:
        for dx, dy in _CORNERS:
            graph.find_or_add_vertex(x + dx, y + dy)
    join_units(graph)
    graph.make_faces(check_crossings=True)
    if graph.vertices:
        _add_loops(graph, find_perimeters(graph)[0])
    graph.basis, graph.shape = "Celtic", "Square"
    graph.reorder()
    return graph


def _turn(a: Vertex, b: Vertex, c: Vertex) -> float:
    vx, vy, ux, uy = b.x - a.x, b.y - a.y, c.x - b.x, c.y - b.y
    return math.atan2(uy * vx - ux * vy, ux * vx + uy * vy)


def _add_loops(graph: Graph, border: list[Vertex]) -> None:
    count = len(border)
    keys: list[int] = []
    flat = 0
    for n in range(count):
        bend = _turn(border[n - 1], border[n], border[(n + 1) % count])
        if bend > 0.25 * math.pi:
            keys.append(n)
            flat = 0
        elif abs(bend) < 0.1 * math.pi:
            flat += 1
            if flat % 2 == 0:
                keys.append(n)
    for n in keys:
        b, c, d, e = (border[(n + k) % count] for k in (-1, 0, 1, 2))
        if _turn(c, d, e) < -0.25 * math.pi:
            graph.add_edge(c, e).tangents = ((e.x - d.x, e.y - d.y), (c.x - d.x, c.y - d.y))
            graph.add_face([d, c, e])
            continue
        tx, ty = c.x - b.x, c.y - b.y
        if abs(_turn(b, c, d)) < 0.1 * math.pi:
            tx, ty = d.y - c.y, -(d.x - c.x)
        tip = graph.add_vertex((c.x + d.x) / 2 + 0.9 * tx, (c.y + d.y) / 2 + 0.9 * ty)
        graph.add_edge(c, tip).tangents = ((tx, ty), (-tx, -ty))
        graph.add_edge(tip, d).tangents = ((-tx, -ty), (tx, ty))
        graph.add_face([c, tip, d])
