"""Adding, removing, cutting and splitting parts of graphs."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ludoport.boards.elements import Edge, Vertex
from ludoport.boards.geometry import (
    Point,
    crossing_point,
    distance_to_segment,
    in_polygon,
    inflate,
)
from ludoport.boards.graph import Graph
from ludoport.boards.limits import check_size
from ludoport.boards.rings import Ends, meetings


def _vertex(graph: Graph, place: Sequence[float]) -> Vertex:
    return graph.find_or_add_vertex(*place[:3])


def add_vertices(graph: Graph, places: Sequence[Sequence[float]]) -> list[Vertex]:
    """Add vertices where there are none yet."""
    return [graph.add_vertex(*place[:3]) for place in places if graph.find_vertex(*place[:3]) is None]


def add_edges(graph: Graph, lines: Sequence[Sequence[Sequence[float]]]) -> None:
    """Add edges between places, with vertices where needed."""
    for a, b in lines:
        graph.find_or_add_edge(_vertex(graph, a), _vertex(graph, b))


def add_curves(graph: Graph, curves: Sequence[Sequence[Sequence[float]]]) -> None:
    """Add curved edges, given as two ends and two tangents."""
    for a, b, ta, tb in curves:
        edge = graph.add_edge(_vertex(graph, a), _vertex(graph, b))
        edge.tangents = ((ta[0], ta[1]), (tb[0], tb[1]))


def add_cells(graph: Graph, rings: Sequence[Sequence[Sequence[float]]]) -> None:
    """Add faces, with vertices and edges where needed."""
    for places in rings:
        ring = [_vertex(graph, place) for place in places]
        for a, b in zip(ring, [*ring[1:], ring[0]], strict=True):
            graph.find_or_add_edge(a, b)
        graph.add_face(ring)


def connect_new(graph: Graph, new: Sequence[Vertex]) -> None:
    """Join new vertices with all less than 1.1 mean edge lengths away."""
    threshold = 1.1 * graph.mean_edge_length()
    for a in new:
        for b in graph.vertices:
            if a is not b and math.hypot(a.x - b.x, a.y - b.y) < threshold:
                graph.find_or_add_edge(a, b)


def remove_inside(graph: Graph, polygon: Sequence[Point]) -> None:
    """Remove the vertices inside a polygon."""
    for vertex in reversed(list(graph.vertices)):
        if in_polygon(vertex.point, polygon):
            graph.remove_vertex(vertex)


def hole(graph: Graph, polygon: Sequence[Point]) -> Graph:
    """Removes the cells whose centres are inside a polygon, and edges that no longer border a cell."""
    grown = inflate(polygon, 0.1)
    for face in reversed(list(graph.faces)):
        if in_polygon(face.point, grown):
            graph.remove_face(face, orphans=True)
    return graph


def keep(graph: Graph, polygon: Sequence[Point], *, inside: bool = True) -> Graph:
    """The vertices inside (or outside) a polygon with the edges between them and fresh faces."""
    grown = inflate(polygon, 0.1)
    kept = [v for v in graph.vertices if in_polygon(v.point, grown) == inside]
    stay = set(kept)
    new = Graph.rebuilt(kept, [e for e in graph.edges if e.a in stay and e.b in stay])
    new.basis = graph.basis
    return new


def subdivide(graph: Graph, least: int, kind: str) -> Graph:
    """Splits cells with at least a given number of corners around their centres."""
    if kind == "Vertex":
        graph.make_faces(check_crossings=True)
    for face in reversed(list(graph.faces)):
        if len(face.vertices) >= least:
            middle = graph.add_vertex(face.x, face.y, face.z)
            for vertex in face.vertices:
                graph.find_or_add_edge(middle, vertex)
    if kind == "Cell":
        graph.make_faces(check_crossings=True)
    else:
        graph.clear_faces()
    graph.basis = ""
    return graph


def split_crossings(graph: Graph) -> Graph:
    """Put a vertex at each crossing of edges, and split edges at vertices that lie on them."""
    while _split_one_crossing(graph):
        check_size(len(graph.vertices))
    while _split_one_touching(graph):
        check_size(len(graph.edges))
    graph.make_faces(check_crossings=True)
    graph.basis = ""
    return graph


def _split_one_crossing(graph: Graph) -> bool:
    edges = graph.edges
    ends = np.array([(e.a.x, e.a.y, e.b.x, e.b.y) for e in edges]).reshape(-1, 4)
    for n, edge in enumerate(edges):
        m = _first_crossing(ends, n)
        if m is None:
            continue
        other = edges[m]
        where = crossing_point(edge.a.point, edge.b.point, other.a.point, other.b.point)
        if where is None:
            continue
        pivot = edge.b.pivot or edge.a.pivot
        for passed in edges[n + 1 : m + 1]:
            pivot = pivot or passed.a.pivot or passed.b.pivot
        vertex = graph.add_vertex(*where)
        vertex.pivot = pivot
        graph.remove_edge(other)
        graph.remove_edge(edge)
        for split in (edge, other):
            graph.find_or_add_edge(split.a, vertex)
            graph.find_or_add_edge(vertex, split.b)
        return True
    return False


def _first_crossing(ends: Ends, n: int) -> int | None:
    """Number of the first later edge that crosses edge n well inside both."""
    others = ends[n + 1 :]
    if not len(others):
        return None
    s, t, flat = meetings(ends[n], others)
    hits = np.flatnonzero(~flat & (s > 0.01) & (s < 0.99) & (t > 0.01) & (t < 0.99))
    return None if not len(hits) else n + 1 + int(hits[0])


def _touches(vertex: Vertex, edge: Edge) -> bool:
    # Most vertices are far from the edge; a look at the bounding box spares them the square roots.
    if not (min(edge.a.x, edge.b.x) - 0.01 < vertex.x < max(edge.a.x, edge.b.x) + 0.01):
        return False
    if not (min(edge.a.y, edge.b.y) - 0.01 < vertex.y < max(edge.a.y, edge.b.y) + 0.01):
        return False
    here = (vertex.x, vertex.y, vertex.z)
    a, b = (edge.a.x, edge.a.y, edge.a.z), (edge.b.x, edge.b.y, edge.b.z)
    return math.dist(here, a) >= 0.001 and math.dist(here, b) >= 0.001 and distance_to_segment(here, a, b) <= 0.001


def _split_one_touching(graph: Graph) -> bool:
    for n, edge in enumerate(list(graph.edges)):
        pivot = edge.b.pivot or edge.a.pivot
        split = False
        for vertex in list(graph.vertices):
            if vertex is edge.a or vertex is edge.b or not _touches(vertex, edge):
                continue
            vertex.pivot = pivot or vertex.pivot
            if n < len(graph.edges):
                graph.remove_edge(graph.edges[n])
            graph.find_or_add_edge(edge.a, vertex)
            graph.find_or_add_edge(vertex, edge.b)
            split = True
        if split:
            return True
    return False
