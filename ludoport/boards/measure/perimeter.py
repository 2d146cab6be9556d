"""The outline of each connected part of a graph, and what lies on it."""

from __future__ import annotations

import math

from ludoport.boards.elements import Edge, Vertex
from ludoport.boards.geometry import in_polygon
from ludoport.boards.graph import Graph
from ludoport.boards.measure.marks import KINDS, Marks


def find_perimeters(graph: Graph) -> list[list[Vertex]]:
    """The outlines, each as a walk along its vertices; outlines inside others are left out."""
    covered: set[Vertex] = set()
    outlines: list[list[Vertex]] = []
    while True:
        free = [v for v in graph.vertices if v not in covered]
        if not free:
            break
        outline = _walk(min(free, key=lambda v: v.x))
        covered.update(outline)
        polygon = [v.point for v in outline]
        covered.update(v for v in free if v not in covered and in_polygon(v.point, polygon))
        outlines.append(outline)
    for n in range(len(outlines) - 1, -1, -1):
        start = outlines[n][0].point
        if any(in_polygon(start, [v.point for v in other]) for m, other in enumerate(outlines) if m != n):
            del outlines[n]
    return outlines


def _walk(start: Vertex) -> list[Vertex]:
    """Follow the outer edges from a leftmost vertex until it is reached again."""
    if not start.edges:
        return [start]

    def steepness(edge: Edge) -> float:
        to = edge.other(start)
        return math.atan2(to.x - start.x, -(to.y - start.y))

    edge = min(start.edges, key=steepness)
    outline: list[Vertex] = []
    vertex = start
    limit = 4 * sum(len(v.edges) for v in _reachable(start)) + 4
    while len(outline) <= limit:
        outline.append(vertex)
        previous = vertex
        vertex = edge.other(vertex)
        place = vertex.edges.index(edge)
        for step in range(1, len(vertex.edges)):
            edge = vertex.edges[(place + step) % len(vertex.edges)]
            if edge.other(vertex) is not previous:
                break
        if vertex is start:
            break
    return outline


def _reachable(start: Vertex) -> set[Vertex]:
    seen = {start}
    stack = [start]
    while stack:
        vertex = stack.pop()
        for edge in vertex.edges:
            other = edge.other(vertex)
            if other not in seen:
                seen.add(other)
                stack.append(other)
    return seen


def mark_outline(graph: Graph, marks: Marks, outlines: list[list[Vertex]]) -> None:
    """Mark ``Perimeter``, ``Outer`` and ``Inner`` elements."""
    for outline in outlines:
        for n, vertex in enumerate(outline):
            marks.add(vertex, "Perimeter", "Outer")
            edge = vertex.edge_to(outline[(n + 1) % len(outline)])
            if edge is None:
                continue
            marks.add(edge, "Perimeter", "Outer")
            face = edge.left or edge.right
            if face is not None:
                marks.add(face, "Perimeter", "Outer")
    for face in graph.faces:
        if any(marks.has(v, "Perimeter") for v in face.vertices):
            marks.add(face, "Perimeter", "Outer")
    for edge in graph.edges:
        on_border = marks.has(edge.a, "Perimeter") and marks.has(edge.b, "Perimeter")
        if on_border and (edge.left is None or edge.right is None):
            marks.add(edge, "Perimeter", "Outer")
    for kind in KINDS:
        for element in graph.elements(kind):
            if not marks.has(element, "Outer"):
                marks.add(element, "Inner")
