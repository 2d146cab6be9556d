"""Single shapes: wedges, regular polygons, spirals, and polygons repeated on a lattice."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ludoport.boards.generators.concentric import add_ring_of_points
from ludoport.boards.geometry import Point
from ludoport.boards.graph import Graph
from ludoport.boards.limits import check_size
from ludoport.errors import LudoportError


def wedge(rows: int, columns: int = 3) -> Graph:
    """A triangle with its tip at the top, as arms of alquerque boards; it has no faces of its own."""
    check_size(rows * columns)
    graph = Graph()
    middle = rows - 1
    graph.add_vertex(float(middle), float(middle))
    for r in range(1, rows):
        for c in range(columns):
            t = c / (columns - 1) if columns > 1 else 0.0
            graph.add_vertex((middle - r) + t * 2 * r, float(middle - r))
    vertices = graph.vertices
    for r in range(rows):
        if r == 0:
            for c in range(columns):
                if c + 1 < len(vertices):
                    graph.add_edge(vertices[0], vertices[c + 1])
            continue
        start = (r - 1) * columns + 1
        for c in range(columns - 1):
            graph.add_edge(vertices[start + c], vertices[start + c + 1])
        if r < rows - 1:
            for c in range(columns):
                graph.add_edge(vertices[start + c], vertices[start + columns + c])
    graph.shape = "Wedge"
    return graph


def regular(sides: int, kind: str, *, star: bool = False) -> Graph:
    """A regular polygon, or the star that joins each corner with the one almost opposite."""
    check_size(sides)
    graph = Graph()
    add_ring_of_points(graph, sides)
    step = (sides - 1) // 2 if star else 1
    for n in range(sides):
        graph.add_edge(graph.vertices[n], graph.vertices[(n + step) % sides])
    if kind == "Cell":
        graph.make_faces(check_crossings=True)
    graph.shape = "Star" if star else "Polygon"
    graph.reorder()
    return graph


def repeat(rows: int, columns: int, steps: Sequence[Point], polygons: Sequence[Sequence[Point]]) -> Graph:
    """Polygons repeated on a lattice.

    Args:
        rows: how many rows.
        columns: how many columns.
        steps: the way to the next column and to the next row.
        polygons: what to repeat.
    """
    check_size(rows * columns * len(polygons))
    (cx, cy), (rx, ry) = steps[:2] if len(steps) >= 2 else ((1.0, 0.0), (0.0, 1.0))
    graph = Graph()
    for row in range(rows):
        for column in range(columns):
            x, y = column * cx + row * rx, column * cy + row * ry
            for polygon in polygons:
                for a, b in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
                    start = graph.find_or_add_vertex(x + a[0], y + a[1])
                    graph.find_or_add_edge(start, graph.find_or_add_vertex(x + b[0], y + b[1]))
    graph.make_faces()
    graph.reorder()
    return graph


def spiral(turns: int, sites: int, *, clockwise: bool = True) -> Graph:
    """A spiral path of vertices from the middle outwards, as on the Mehen board."""
    if sites > 1000:
        raise LudoportError(f"A spiral of {sites:,} sites is too large; at most 1,000 are supported.")
    graph = Graph()
    pivot = graph.add_vertex(0.0, 0.0)
    angles = _spiral_angles(turns, sites)
    for angle in angles[1:sites]:
        x = angle * math.cos(angle)
        graph.add_vertex(-x if clockwise else x, angle * math.sin(angle))
    vertices = graph.vertices
    for n in range(len(vertices) - 1):
        before, here, following = vertices[max(0, n - 1)], vertices[n], vertices[n + 1]
        edge = graph.add_edge(here, following)
        edge.tangents = (
            (following.x - before.x, following.y - before.y),
            (following.x - here.x, following.y - here.y),
        )
    for vertex in vertices:
        vertex.pivot = pivot
    graph.basis, graph.shape, graph.dim = "Spiral", "Spiral", (turns, sites)
    return graph


def _spiral_angles(turns: int, sites: int) -> list[float]:
    angles = [0.0] * (4 * sites)
    steps = _spiral_base(turns, sites)
    place = 1
    for ring in range(1, turns + 2):
        if steps < 1:
            break
        arc = math.pi * 2 / steps
        angle = math.pi * 2 * ring
        if ring <= 2 or ring % 2 == 1:
            angle -= arc / 2
        for _ in range(steps):
            if place < len(angles):
                angles[place] = angle
            place += 1
            angle += arc
        if ring <= 2:
            steps *= 2
    for _ in range(2):
        for n in range(2, sites):
            angles[n] = (angles[n - 1] + angles[n + 1]) / 2.0
    angles[1] -= 0.5 * (angles[2] - angles[1])
    return angles


def _spiral_base(turns: int, sites: int) -> int:
    """How many sites the first turn has, when the second has twice and the later ones four times as many."""
    for base in range(1, sites):
        steps, total = base, 1
        for ring in range(1, turns):
            total += steps
            if total > sites:
                return base - 1
            if ring <= 2:
                steps *= 2
    return 0
