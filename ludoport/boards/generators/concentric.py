"""Boards of rings around a centre: circles, targets and nested polygons."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from ludoport.boards.elements import Vertex
from ludoport.boards.geometry import Point
from ludoport.boards.graph import Graph
from ludoport.boards.limits import check_size
from ludoport.errors import LudoportError

_NORTH = math.pi / 2


def _unit(x: float, y: float) -> Point:
    length = math.hypot(x, y) or 1.0
    return (x / length, y / length)


def _curved(graph: Graph, a: Vertex, b: Vertex, tangents: tuple[Point, Point]) -> None:
    if a.edge_to(b) is None:
        graph.add_edge(a, b).tangents = tangents


def _join_ring(graph: Graph, ring: Sequence[Point]) -> None:
    """Curved edges around a ring of points."""
    count = len(ring)
    for n in range(count):
        before, here, following, after = (ring[(n + k) % count] for k in (-1, 0, 1, 2))
        a, b = graph.find_or_add_vertex(*here), graph.find_or_add_vertex(*following)
        if a is not b:
            tangents = (
                _unit(following[0] - before[0], following[1] - before[1]),
                _unit(here[0] - after[0], here[1] - after[1]),
            )
            _curved(graph, a, b, tangents)


def _by_angle(samples: list[tuple[float, Point]], tolerance: float) -> list[Point]:
    """Points in order of angle, without neighbours at the same place."""
    samples.sort(key=lambda sample: sample[0])
    points = [point for _, point in samples]
    for n in range(len(points) - 1, 0, -1):
        if math.dist(points[n], points[n - 1]) < tolerance:
            del points[n]
    return points


def _offset(stagger: bool, ring: int, count: int) -> float:
    return math.pi / count if stagger and ring % 2 == 1 and count else 0.0


def circle(counts: Sequence[int], kind: str, *, stagger: bool = False) -> Graph:
    """Rings with given numbers of cells or points, from the inside.

    Args:
        counts: sites of each ring; a first 0 is a centre point between cells, a first 1 a centre site.
        kind: of the sites that play is on.
        stagger: turn every second ring by half a site.
    """
    check_size(sum(abs(count) for count in counts))
    if not counts:
        raise LudoportError("A concentric board needs at least one ring.")
    if kind == "Cell":
        graph = _circle_of_cells(counts, stagger)
    elif len(counts) == 1:
        graph = _ring(counts[0])
    else:
        graph = _circle_of_points(counts, stagger)
    graph.basis, graph.shape = "Concentric", "Circle"
    return graph


def _circle_of_cells(counts: Sequence[int], stagger: bool) -> Graph:
    graph = Graph()
    pivot = graph.add_vertex(0.0, 0.0)
    samples: list[list[tuple[float, Point]]] = [[] for _ in range(len(counts) + 1)]
    spokes: list[tuple[Point, Point]] = []
    for ring, count in enumerate(abs(c) for c in counts):
        if count < 2:
            continue
        inner, outer = max(0.0, ring - 0.5), ring + 0.5
        for step in range(count):
            theta = _NORTH + _offset(stagger, ring, count) - 2 * math.pi * step / count
            wrapped = theta
            while wrapped < -math.pi:
                wrapped += 2 * math.pi
            while wrapped > math.pi:
                wrapped -= 2 * math.pi
            for place, radius in ((ring, inner), (ring + 1, outer)):
                samples[place].append((wrapped, (radius * math.cos(wrapped), radius * math.sin(wrapped))))
            cos, sin = math.cos(theta), math.sin(theta)
            spokes.append(((inner * cos, inner * sin), (outer * cos, outer * sin)))
    rings = [_by_angle(sample, 0.001) for sample in samples]
    for points in rings:
        for point in points:
            graph.find_or_add_vertex(*point)
    for points in rings:
        if len(points) >= 2:
            _join_ring(graph, points)
    for near, far in spokes:
        a, b = graph.find_or_add_vertex(*near), graph.find_or_add_vertex(*far)
        if a is not b:
            graph.find_or_add_edge(a, b)
    for vertex in graph.vertices:
        vertex.pivot = pivot
    graph.make_faces(check_crossings=True)
    return graph


def _circle_of_points(counts: Sequence[int], stagger: bool) -> Graph:
    graph = Graph()
    if abs(counts[0]) > 1:
        counts = [0, *counts]
    rings: list[list[Point]] = []
    for ring, count in enumerate(counts):
        samples: list[tuple[float, Point]] = []
        for step in range(abs(count)):
            theta = _NORTH + _offset(stagger, ring, abs(count)) - 2 * math.pi * step / abs(count)
            samples.append((theta, (ring * math.cos(theta), ring * math.sin(theta))))
        rings.append(_by_angle(samples, 0.1) if ring else [point for _, point in samples])
    for points in rings:
        for point in points:
            graph.find_or_add_vertex(*point)
    for ring, points in enumerate(rings):
        # A negative count keeps the points but draws no ring through them.
        if ring > 0 and counts[ring] >= 2 and len(points) >= 2:
            _join_ring(graph, points)
    _join_spokes(graph, rings, pivoted=counts[0] != 0)
    return graph


def _join_spokes(graph: Graph, rings: list[list[Point]], *, pivoted: bool) -> None:
    for ring, points in enumerate(rings[:-1]):
        for point in points:
            a = graph.find_vertex(*point)
            if a is None:
                continue
            if ring == 0:
                for other in rings[1]:
                    b = graph.find_vertex(*other)
                    if b is not None:
                        graph.find_or_add_edge(a, b)
                continue
            ratio = (ring + 1) / ring
            b = graph.find_vertex(point[0] * ratio, point[1] * ratio)
            if b is not None:
                graph.find_or_add_edge(a, b)
                if not pivoted:
                    b.pivot = a
    if pivoted:
        pivot = graph.find_vertex(0.0, 0.0)
        for vertex in graph.vertices:
            vertex.pivot = pivot


def _ring(sides: int) -> Graph:
    graph = Graph()
    add_ring_of_points(graph, sides)
    for n in range(sides):
        graph.add_edge(graph.vertices[n], graph.vertices[(n + 1) % sides])
    graph.reorder()
    return graph


def add_ring_of_points(graph: Graph, sides: int) -> None:
    """The corners of a regular polygon with sides of about one unit, anticlockwise."""
    radius = sides / (2 * math.pi)
    start = math.pi / 4 if sides == 4 else math.pi / 2
    for n in range(sides):
        theta = start + n / sides * 2 * math.pi
        graph.add_vertex(radius * math.cos(theta), radius * math.sin(theta))


def target(rings: int, kind: str) -> Graph:
    """Rings that are one cell each."""
    if kind != "Cell":
        raise LudoportError("A concentric target board is played on its cells only.")
    check_size(8 * rings)
    graph = Graph()
    for ring in range(rings):
        base = len(graph.vertices)
        for step in range(8):
            theta = _NORTH + math.pi / 4 * step
            graph.find_or_add_vertex((ring + 1) * math.cos(theta), (ring + 1) * math.sin(theta))
        around = graph.vertices[base:]
        for n, a in enumerate(around):
            b = around[(n + 1) % len(around)]
            ta, tb = _unit(-a.y, a.x), _unit(b.y, -b.x)
            graph.add_edge(a, b).tangents = (ta, tb)
    graph.make_faces(check_crossings=True)
    for n, face in enumerate(graph.faces):
        # All faces share a middle; each gets a place of its own below it.
        face.x, face.y, face.z = 0.0, (0.0 if n == 0 else -n - 0.5), 0.0
    graph.basis, graph.shape = "Concentric", "Circle"
    return graph


def polygons(
    sides: int,
    rings: int,
    kind: str,
    *,
    midpoints: bool = True,
    join_midpoints: bool = True,
    join_corners: bool = False,
) -> Graph:
    """Nested regular polygons, such as the boards of mill games."""
    if sides < 3:
        raise LudoportError("A concentric board needs at least three sides.")
    check_size(sides * rings * 2)
    arc = 2 * math.pi / sides
    start = math.pi / 2 + (arc / 2 if sides % 2 == 0 else 0)
    graph = Graph()
    for ring in range(rings):
        radius = 1 + ring * (2 if sides == 3 else 1)
        base = len(graph.vertices)
        corners = [
            (radius * math.cos(start + arc * side), radius * math.sin(start + arc * side)) for side in range(sides + 1)
        ]
        for a, b in pairwise(corners):
            graph.find_or_add_vertex(*a)
            if midpoints:
                graph.find_or_add_vertex((a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0)
        around = graph.vertices[base:]
        for n, vertex in enumerate(around):
            graph.add_edge(vertex, around[(n + 1) % len(around)])
    if (midpoints and join_midpoints) or join_corners:
        _join_polygons(graph, sides, rings, 2 if midpoints else 1, corners=join_corners, middles=join_midpoints)
    graph.basis = "Concentric"
    graph.shape = {3: "Triangle", 4: "Square", 6: "Hexagon"}.get(sides, "Regular")
    graph.reorder()
    if kind == "Cell":
        graph.make_faces(check_crossings=True)
    return graph


def _join_polygons(graph: Graph, sides: int, rings: int, per_side: int, *, corners: bool, middles: bool) -> None:
    per_ring = sides * per_side
    for ring in range(rings - 1):
        for side in range(sides):
            place = ring * per_ring + side * per_side
            for wanted, n in ((corners, place), (middles, place + 1)):
                if wanted and n + per_ring < len(graph.vertices):
                    graph.find_or_add_edge(graph.vertices[n], graph.vertices[n + per_ring])
