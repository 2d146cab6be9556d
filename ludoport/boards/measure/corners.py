"""Corners of the outline, found by how far each point stands out from chords of its neighbours."""

from __future__ import annotations

from ludoport.boards.elements import Edge, Element, Face, Vertex
from ludoport.boards.geometry import distance_to_line, turns_clockwise
from ludoport.boards.graph import Graph
from ludoport.boards.measure.marks import Marks

_TOLERANCE = 0.001
# Below this a bump is part of the zigzag of hexagonal edges rather than a corner.
_CONVEX = 0.320
_CONCAVE = -0.25
_SIMILAR = 0.95


def mark_corners(graph: Graph, marks: Marks, outlines: list[list[Vertex]]) -> None:
    """Mark ``Corner``, ``Convex`` and ``Concave`` elements."""
    for outline in outlines:
        _mark_corner_vertices(marks, outline)
    for vertex in graph.vertices:
        if marks.has(vertex, "Corner"):
            _mark_around(marks, vertex)


def _mark_corner_vertices(marks: Marks, outline: list[Vertex]) -> None:
    if len(outline) < 6:
        for vertex in outline:
            marks.add(vertex, "Corner", "Convex")
        return
    scores = _scores(outline)
    count = len(outline)
    keep = [
        scores[n] >= _CONVEX
        and scores[n] >= scores[n - 1] - _TOLERANCE
        and scores[n] >= scores[(n + 1) % count] - _TOLERANCE
        for n in range(count)
    ]
    # Going upwards, a neighbour kept on the way is looked at in its turn.
    for n in range(count):
        if keep[n]:
            for m in ((n - 1) % count, (n + 1) % count):
                if scores[m] >= _SIMILAR * scores[n]:
                    keep[m] = True
    for n in range(count):
        if keep[n]:
            marks.add(outline[n], "Corner", "Convex")
        if (
            scores[n] <= _CONCAVE
            and scores[n] <= scores[n - 1] + _TOLERANCE
            and scores[n] <= scores[(n + 1) % count] + _TOLERANCE
        ):
            marks.add(outline[n], "Corner", "Concave")


def _scores(outline: list[Vertex]) -> list[float]:
    points = [v.point for v in outline]
    count = len(points)
    raw: list[float] = []
    for n, point in enumerate(points):
        score = 0.0
        for k in range(1, 4):
            a, b = points[(n - k) % count], points[(n + k) % count]
            off = distance_to_line(point, a, b)
            score += (-off if turns_clockwise(a, point, b) else off) / k
        raw.append(score)
    return [(4 * raw[n] + raw[(n + 1) % count] + raw[n - 1]) / 6 for n in range(count)]


def _mark_around(marks: Marks, vertex: Vertex) -> None:
    sense = "Concave" if marks.has(vertex, "Concave") else "Convex"
    joined = [edge for edge in vertex.edges if marks.has(edge.other(vertex), "Corner")]
    if joined:
        for edge in joined:
            _mark_edge(marks, edge, sense)
        return
    for edge in vertex.edges:
        if not marks.has(edge, "Perimeter"):
            continue
        if sense == "Convex":
            _mark_edge(marks, edge, sense)
            continue
        marks.add(edge, "Corner", sense)
        for face in vertex.faces:
            if _on_outline(marks, face) == 1:
                marks.add(face, "Corner", sense)


def _mark_edge(marks: Marks, edge: Edge, sense: str) -> None:
    marks.add(edge, "Corner", sense)
    face: Element | None = edge.left or edge.right
    if face is not None:
        marks.add(face, "Corner", sense)


def _on_outline(marks: Marks, face: Face) -> int:
    return sum(marks.has(v, "Perimeter") for v in face.vertices)
