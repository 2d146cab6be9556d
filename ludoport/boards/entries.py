"""The elements that ``(add ...)`` and ``(remove ...)`` list: points, pairs of ends, rings, or their numbers."""

from __future__ import annotations

from ludoport.boards import editing
from ludoport.boards.elements import Vertex
from ludoport.boards.graph import Graph
from ludoport.boards.values import integer, items, polygon, reals, truth
from ludoport.errors import LudError
from ludoport.lud.tree import Ludeme, Value


def _depth(value: Value | None) -> int:
    depth = 0
    while isinstance(value, list) and value:
        depth += 1
        value = value[0]
    return depth


def _places(value: Value | None) -> list[list[list[float]]]:
    return [[reals(point) for point in items(line)] for line in items(value)]


_ENDS = {"edges": 2, "edgesCurved": 4}
"""How long each entry of these arguments is: two ends, and two tangents of a curve."""


def check_entries(ludeme: Ludeme) -> None:
    """Refuse points without two coordinates and edges without two ends."""
    for name in ("vertices", "edges", "edgesCurved", "cells"):
        value = ludeme.get(name)
        depth = _depth(value)
        entries = items(value) if depth > 1 else []
        points = entries if name == "vertices" else [p for entry in entries if depth == 3 for p in items(entry)]
        if any(len(items(entry)) != _ENDS.get(name, len(items(entry))) for entry in entries):
            raise LudError(f"each entry of `{name}:` has {_ENDS[name]} parts", ludeme.source)
        if any(len(items(point)) < 2 for point in points):
            raise LudError(f"a point of `{name}:` needs two coordinates", ludeme.source)


def add_elements(ludeme: Ludeme, graph: Graph) -> Graph:
    """Add the vertices, edges and cells of ``(add ...)`` to a graph."""
    edges, cells = ludeme.get("edges"), ludeme.get("cells")
    editing.add_curves(graph, _places(ludeme.get("edgesCurved")))
    new = editing.add_vertices(graph, [reals(v) for v in items(ludeme.get("vertices"))])
    if _depth(edges) == 3:
        editing.add_edges(graph, _places(edges))
    if _depth(cells) == 3:
        editing.add_cells(graph, _places(cells))
    if _depth(edges) == 2:
        for a, b in _vertex_rings(graph, edges):
            graph.find_or_add_edge(a, b)
    if _depth(cells) == 2:
        for ring in _vertex_rings(graph, cells):
            graph.add_face(ring)
    if truth(ludeme.get("connect")):
        editing.connect_new(graph, new)
    graph.basis = graph.shape = ""
    return graph


def _vertex_rings(graph: Graph, value: Value | None) -> list[list[Vertex]]:
    """Lists of vertex numbers as vertices; lists with unknown numbers are left out."""
    rings = [[integer(v) for v in items(ring)] for ring in items(value)]
    count = len(graph.vertices)
    return [[graph.vertices[n] for n in ring] for ring in rings if all(0 <= n < count for n in ring)]


def remove_elements(ludeme: Ludeme, graph: Graph) -> Graph:
    """Remove the vertices, edges and cells of ``(remove ...)`` from a graph."""
    trim = truth(ludeme.get("trimEdges"), True)
    if ludeme.get("poly") is not None:
        editing.remove_inside(graph, polygon(ludeme.get("poly")))
    _remove_cells(graph, ludeme.get("cells"), trim)
    _remove_edges(graph, ludeme.get("edges"))
    vertices = ludeme.get("vertices")
    if _depth(vertices) == 2:
        for place in items(vertices):
            vertex = graph.find_vertex(*reals(place)[:3])
            if vertex is not None:
                graph.remove_vertex(vertex)
    else:
        for number in sorted({integer(v) for v in items(vertices)}, reverse=True):
            if number < len(graph.vertices):
                graph.remove_vertex(graph.vertices[number])
    graph.shape = ""
    return graph


def _remove_cells(graph: Graph, cells: Value | None, trim: bool) -> None:
    if _depth(cells) == 3:
        for places in _places(cells):
            ring = [graph.find_vertex(*place[:3]) for place in places]
            known = [v for v in ring if v is not None]
            face = graph.find_face(known) if len(known) == len(ring) and known else None
            if face is not None:
                graph.remove_face(face, orphans=trim)
        return
    # Numbers may repeat in a text; each repetition then hits what has moved into the place, as in the reference.
    for number in sorted((integer(v) for v in items(cells)), reverse=True):
        if number < len(graph.faces):
            graph.remove_face(graph.faces[number], orphans=trim)


def _remove_edges(graph: Graph, edges: Value | None) -> None:
    if _depth(edges) == 3:
        ends = [[graph.find_vertex(*place[:3]) for place in line] for line in _places(edges)]
    else:
        ends = [list(pair) for pair in _vertex_rings(graph, edges)]
    for pair in ends:
        a, b = pair[0], pair[1]
        edge = None if a is None or b is None else a.edge_to(b)
        if edge is not None:
            graph.remove_edge(edge)
