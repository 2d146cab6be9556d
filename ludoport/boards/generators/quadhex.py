"""Hexagons cut into quadrilaterals, as for chess of three."""

from __future__ import annotations

import math

from ludoport.boards.elements import Vertex
from ludoport.boards.geometry import Point
from ludoport.boards.graph import Graph
from ludoport.boards.limits import check_size


def quadhex(layers: int, *, thirds: bool = False) -> Graph:
    """A hexagon with twice as many cells a side as layers.

    Args:
        layers: rows of cells between the centre and a side.
        thirds: leave seams between three parts.
    """
    check_size(6 * layers * layers)
    graph = Graph()
    if thirds:
        _three_parts(graph, layers)
    else:
        _six_parts(graph, layers)
    graph.make_faces(check_crossings=True)
    graph.basis, graph.shape, graph.dim = "QuadHex", "Hexagon", (layers,)
    graph.reorder()
    return graph


def _between(t: float, a: Point, b: Point) -> Point:
    return (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]))


def _turned(theta: float, p: Point) -> Point:
    cos, sin = math.cos(theta), math.sin(theta)
    return (p[0] * cos - p[1] * sin, p[1] * cos + p[0] * sin)


def _six_parts(graph: Graph, layers: int) -> None:
    height = layers * math.sqrt(3) / 2
    a: Point = (0.0, 0.0)
    b: Point = (0.0, height)
    c: Point = (layers / 2.0, height)
    d: Point = ((c[0] + layers) / 2, c[1] / 2)
    for turn in range(6):
        theta = turn * math.pi / 3
        for row in range(layers):
            ends = [_turned(theta, _between(t / layers, *line)) for t in (row, row + 1) for line in ((a, d), (b, c))]
            near0, far0, near1, far1 = ends
            for column in range(layers):
                t0, t1 = column / layers, (column + 1) / layers
                va = graph.find_or_add_vertex(*_between(t0, near0, far0))
                vb = graph.find_or_add_vertex(*_between(t1, near0, far0))
                vc = graph.find_or_add_vertex(*_between(t1, near1, far1))
                graph.find_or_add_edge(va, vb)
                graph.find_or_add_edge(vb, vc)
                if row == layers - 1:
                    graph.find_or_add_edge(vc, graph.find_or_add_vertex(*_between(t0, near1, far1)))


def _three_parts(graph: Graph, layers: int) -> None:
    part = _third(layers)
    size = len(part.vertices)
    corners: list[tuple[Vertex, Vertex, Vertex]] = []
    for turn in range(3):
        theta = turn * 2 * math.pi / 3
        base = len(graph.vertices)
        for vertex in part.vertices:
            graph.add_vertex(*_turned(theta, vertex.point))
        for edge in part.edges:
            graph.add_edge(graph.vertices[base + edge.a.id], graph.vertices[base + edge.b.id])
        places = [turn * size + k for k in (4 * layers, 4 * layers + 2, layers * (2 * layers + 3))]
        first, second, third = (graph.vertices[place] for place in places)
        corners.append((first, second, third))
    for n in range(3):
        graph.find_or_add_edge(corners[n][2], corners[(n + 1) % 3][2])
    for n in range(3):
        graph.find_or_add_edge(corners[n][1], corners[(n + 1) % 3][0])


def _third(layers: int) -> Graph:
    height = layers * math.sqrt(3) / 2
    a: Point = (-layers / 2.0, -height)
    c: Point = (-float(layers), 0.0)
    e: Point = (0.0, -height)
    ratio = layers / (layers + 0.5)
    f = _between(ratio, e, (0.0, 0.0))
    g = _between(ratio / 2, a, c)
    part = Graph()
    for row in range(layers):
        low0, low1 = _between(row / layers, a, e), _between((row + 1) / layers, a, e)
        high0, high1 = _between(row / layers, g, f), _between((row + 1) / layers, g, f)
        for column in range(layers):
            t0, t1 = column / layers, (column + 1) / layers
            quad = [_between(t, *line) for line in ((low0, high0), (low1, high1)) for t in (t0, t1)]
            for mirror in (1.0, -1.0):
                va, vb, vc, vd = (part.find_or_add_vertex(mirror * x, y) for x, y in quad)
                for p, q in ((va, vb), (vc, vd), (va, vc), (vb, vd)):
                    part.find_or_add_edge(p, q)
    return part
