"""Sides of the board: runs of the outline between corners, named by where they lie from the middle."""

from __future__ import annotations

import math

from ludoport.boards.elements import Vertex
from ludoport.boards.geometry import Point
from ludoport.boards.graph import Graph
from ludoport.boards.measure.marks import Marks

SIDES = ("N", "E", "S", "W", "NE", "SE", "SW", "NW")


def sector(a: Point, b: Point, count: int = 16) -> int:
    """Number of the sector of a circle around a in which b lies, anticlockwise from east."""
    angle = math.atan2(b[1] - a[1], b[0] - a[0])
    arc = 2 * math.pi / count
    while angle < 0:
        angle += 2 * math.pi
    return int((angle + arc / 2) / arc) % count


def mark_sides(graph: Graph, marks: Marks, outlines: list[list[Vertex]]) -> None:
    """Mark ``SideN``, ``SideNE``... elements; corners belong to both sides."""
    if not graph.vertices:
        return
    count = len(graph.vertices)
    middle = (sum(v.x for v in graph.vertices) / count, sum(v.y for v in graph.vertices) / count)
    for outline in outlines:
        _mark_runs(marks, middle, outline)
    for vertex in graph.vertices:
        for name in SIDES:
            side = f"Side{name}"
            if marks.has(vertex, side):
                for edge in vertex.edges:
                    marks.add(edge, side)
                for face in vertex.faces:
                    marks.add(face, side)


def _mark_runs(marks: Marks, middle: Point, outline: list[Vertex]) -> None:
    count = len(outline)
    corners = [n for n, vertex in enumerate(outline) if marks.has(vertex, "Corner")]
    for place, start in enumerate(corners):
        end = corners[(place + 1) % len(corners)]
        length = (end - start) % count or count
        run = [outline[(start + n) % count] for n in range(length + 1)]
        mean = (sum(v.x for v in run) / len(run), sum(v.y for v in run) / len(run))
        side = f"Side{_side_name(sector(middle, mean))}"
        for vertex in run:
            marks.add(vertex, side)


def _side_name(number: int) -> str:
    axes = {0: "E", 4: "N", 8: "W", 12: "S"}
    return axes.get(number) or ("NE", "NW", "SW", "SE")[number // 4]
