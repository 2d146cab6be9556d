"""Single steps from a site to the sites around it, with the directions each agrees with."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from ludoport.boards.directions import compass_name, group_of
from ludoport.boards.elements import Edge, Element, Face, Vertex
from ludoport.boards.geometry import distance, distance_to_line, side_of
from ludoport.boards.graph import Graph

_TOUCHING = ("All", "Adjacent", "Orthogonal")


@dataclass(slots=True, eq=False)
class Step:
    """A step to another element.

    Attributes:
        to: where it leads.
        angle: anticlockwise from east in radians.
        names: all directions it agrees with.
    """

    to: Element
    angle: float
    names: set[str]


@dataclass(slots=True)
class StepTable:
    """The steps from one element.

    Attributes:
        steps: in clockwise order from north.
        by_name: the steps of each direction in that order.
    """

    steps: list[Step]
    by_name: dict[str, list[Step]] = field(default_factory=dict)


def kind_of(element: Element) -> str:
    """``Cell``, ``Vertex`` or ``Edge``."""
    if isinstance(element, Face):
        return "Cell"
    return "Vertex" if isinstance(element, Vertex) else "Edge"


def step_tables(graph: Graph, kind: str) -> list[StepTable]:
    """The steps from every element of a kind, by number."""
    unit = graph.mean_edge_length()
    pivots = {v.pivot for v in graph.vertices if v.pivot is not None}
    tables: list[StepTable] = []
    for element in graph.elements(kind):
        table = _related(element)
        _name_by_compass(element, table, unit)
        if pivots:
            _name_by_circle(graph, element, table, pivots)
        table.steps.sort(key=_clockwise)
        for steps in table.by_name.values():
            steps.sort(key=_clockwise)
        tables.append(table)
    return tables


def _clockwise(step: Step) -> float:
    """Angle clockwise from north; the small offset puts a step that is north but for rounding first."""
    score = math.pi / 2 - step.angle + 0.0001
    while score < 0:
        score += 2 * math.pi
    return score


def _related(element: Element) -> StepTable:
    if isinstance(element, Face):
        related = _from_face(element)
    elif isinstance(element, Vertex):
        related = _from_vertex(element)
    else:
        assert isinstance(element, Edge)
        related = _from_edge(element)
    table = StepTable([])
    known: dict[Element, Step] = {}
    for to, names in related:
        if to in known:
            # A second reason for a known step adds names but no further entries in the lists.
            known[to].names.update(names)
            continue
        step = Step(to, math.atan2(to.y - element.y, to.x - element.x), set(names))
        known[to] = step
        table.steps.append(step)
        for name in names:
            table.by_name.setdefault(name, []).append(step)
    return table


def _from_face(face: Face) -> Iterator[tuple[Element, tuple[str, ...]]]:
    used: set[Face] = {face}
    here = face.point
    for edge in face.edges:
        other = edge.other_face(face)
        if other is not None:
            used.add(other)
            yield other, _TOUCHING
    for vertex in face.vertices:
        best: Face | None = None
        best_distance = 1000000.0
        for other in vertex.faces:
            if other not in used:
                off = distance_to_line(vertex.point, here, other.point)
                if off < best_distance:
                    best, best_distance = other, off
        if best is not None:
            used.add(best)
            yield best, ("All", "Adjacent", "Diagonal")
    for vertex in face.vertices:
        for other in vertex.faces:
            if other not in used:
                used.add(other)
                yield other, ("All", "Adjacent", "OffDiagonal")
    for vertex in face.vertices:
        if len(vertex.edges) == 3:
            yield from ((other, ("All", "Diagonal")) for other in _across_edge(face, vertex, used))
    for vertex in face.vertices:
        yield vertex, _TOUCHING
    for edge in face.edges:
        yield edge, _TOUCHING


def _across_edge(face: Face, vertex: Vertex, used: set[Face]) -> Iterator[Face]:
    """Faces at the far end of the edge that leaves a corner of three edges, if it points straight at them."""
    away = next((edge.other(vertex) for edge in vertex.edges if edge not in face.edges), None)
    if away is None:
        return
    here = face.point
    for other in away.faces:
        if other in used:
            continue
        off = distance_to_line(vertex.point, here, other.point) + distance_to_line(away.point, here, other.point)
        if off / (distance(here, other.point) or 1.0) <= 0.1:
            used.add(other)
            yield other


def _from_vertex(vertex: Vertex) -> Iterator[tuple[Element, tuple[str, ...]]]:
    for edge in vertex.edges:
        yield edge.other(vertex), _TOUCHING
    for face in vertex.faces:
        if len(face.vertices) >= 4:
            others = [v for v in face.vertices if v is not vertex]
            yield min(others, key=lambda v: distance_to_line(face.point, vertex.point, v.point)), ("All", "Diagonal")
    for edge in vertex.edges:
        yield edge, _TOUCHING
    for face in vertex.faces:
        yield face, _TOUCHING


def _from_edge(edge: Edge) -> Iterator[tuple[Element, tuple[str, ...]]]:
    for vertex in (edge.a, edge.b):
        for other in vertex.edges:
            if other is not edge:
                yield other, _TOUCHING
    yield edge.a, _TOUCHING
    yield edge.b, _TOUCHING
    for face in (edge.left, edge.right):
        if face is not None:
            yield face, _TOUCHING
    for vertex in (edge.a, edge.b):
        for face in vertex.faces:
            yield face, _TOUCHING


def _level(element: Element, to: Element, unit: float) -> int:
    if to.z - element.z < -0.1 * unit:
        return -1
    return 1 if to.z - element.z > 0.1 * unit else 0


def _name_by_compass(element: Element, table: StepTable, unit: float) -> None:
    fine = False
    used: set[str] = set()
    for step in table.steps:
        name = _compass(element, step, unit, fine=False)
        if name in used:
            fine = True
            break
        used.add(name)
    for step in table.steps:
        name = _compass(element, step, unit, fine=fine)
        for label in (name, group_of(name)):
            step.names.add(label)
            table.by_name.setdefault(label, []).append(step)


def _compass(element: Element, step: Step, unit: float, *, fine: bool) -> str:
    level = _level(element, step.to, unit)
    if level != 0 and distance(element.point, step.to.point) < 0.1 * unit:
        return "U" if level > 0 else "D"
    return compass_name(step.angle, fine=fine, level=level)


def pivot_of(element: Element) -> Vertex | None:
    """The vertex that an element circles around."""
    if isinstance(element, Vertex):
        return element.pivot
    if isinstance(element, Edge):
        return element.a.pivot or element.b.pivot
    assert isinstance(element, Face)
    return next((v.pivot for v in element.vertices if v.pivot is not None), None)


def _name_by_circle(graph: Graph, element: Element, table: StepTable, pivots: set[Vertex]) -> None:
    if element in pivots:
        named = [(step, "Out") for step in table.steps]
    else:
        pivot = pivot_of(element)
        if pivot is None:
            return
        named = []
        for step in table.steps:
            name = _circular(graph, element, step, pivot)
            if name:
                named.append((step, name))
    for step, name in named:
        for label in (name, "Rotational"):
            step.names.add(label)
            table.by_name.setdefault(label, []).append(step)


def _circular(graph: Graph, element: Element, step: Step, pivot: Vertex) -> str:
    if "Diagonal" in step.names:
        return ""
    ahead = math.hypot(step.to.x - element.x, step.to.y - element.y) or 1.0
    inward = math.hypot(pivot.x - element.x, pivot.y - element.y) or 1.0
    along = (step.to.x - element.x) * (pivot.x - element.x) + (step.to.y - element.y) * (pivot.y - element.y)
    cosine = along / (ahead * inward)
    if cosine > 0.9:
        return "In"
    if cosine < -0.9:
        return "Out"
    # The numbers of both elements are read as vertices even for cells and edges: a quirk that games rely on.
    if not _curved_edge(graph, element.id, step.to.id):
        return ""
    return "CW" if side_of(element.point, pivot.point, step.to.point) > 0 else "CCW"


def _curved_edge(graph: Graph, a: int, b: int) -> bool:
    if a >= len(graph.vertices) or b >= len(graph.vertices):
        return False
    other = graph.vertices[b]
    return any(e.tangents is not None and e.other(graph.vertices[a]) is other for e in graph.vertices[a].edges)
