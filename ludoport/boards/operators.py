"""Functions that change or combine graphs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ludoport.boards.elements import Edge, Vertex
from ludoport.boards.graph import Graph
from ludoport.boards.limits import check_size

_COINCIDENT = 0.01


def rotate(graph: Graph, degrees: float) -> Graph:
    """Turn a graph anticlockwise about the middle of its bounding box; numbers stay."""
    x, y, width, height = graph.bounds()
    px, py = x + width / 2.0, y + height / 2.0
    theta = math.radians(degrees)
    cos, sin = math.cos(theta), math.sin(theta)
    graph.map_points(
        lambda vx, vy, vz: (px + (vx - px) * cos - (vy - py) * sin, py + (vy - py) * cos + (vx - px) * sin, vz)
    )
    for edge in graph.edges:
        if edge.tangents is not None:
            (ax, ay), (bx, by) = edge.tangents
            edge.tangents = ((ax * cos - ay * sin, ay * cos + ax * sin), (bx * cos - by * sin, by * cos + bx * sin))
    return graph


def shift(graph: Graph, dx: float, dy: float, dz: float = 0.0) -> Graph:
    """Move a graph."""
    graph.map_points(lambda x, y, z: (x + dx, y + dy, z + dz))
    return graph


def scale(graph: Graph, sx: float, sy: float, sz: float = 1.0) -> Graph:
    """Stretch a graph from the origin."""
    graph.map_points(lambda x, y, z: (x * sx, y * sy, z * sz))
    return graph


def skew(graph: Graph, amount: float) -> Graph:
    """Slant a graph to the right, the more the higher."""
    base = graph.bounds()[1]
    graph.map_points(lambda x, y, z: (x + (y - base) * amount, y, z))
    return graph


def _forget(graph: Graph) -> Graph:
    graph.basis = graph.shape = ""
    return graph


def union(graphs: Sequence[Graph], *, connect: bool = False) -> Graph:
    """All graphs side by side, the first keeping its numbers.

    Args:
        graphs: to put together.
        connect: join vertices that are near each other.
    """
    whole = graphs[0]
    for other in graphs[1:]:
        whole.vertices.extend(other.vertices)
        whole.edges.extend(other.edges)
        whole.faces.extend(other.faces)
        whole.renumber()
    whole.forget_places()
    if connect:
        connect_near(whole)
    return _forget(whole)


def connect_near(graph: Graph) -> None:
    """Join vertices less than 1.1 mean edge lengths apart and rebuild the faces."""
    threshold = 1.1 * graph.mean_edge_length()
    if threshold > 0:
        grid: dict[tuple[int, int], list[Vertex]] = {}
        for v in graph.vertices:
            grid.setdefault((math.floor(v.x / threshold), math.floor(v.y / threshold)), []).append(v)
        for a in graph.vertices:
            i, j = math.floor(a.x / threshold), math.floor(a.y / threshold)
            near = [b for p in (i - 1, i, i + 1) for q in (j - 1, j, j + 1) for b in grid.get((p, q), ())]
            for b in sorted(near, key=lambda v: v.id):
                if a is not b and math.hypot(a.x - b.x, a.y - b.y) < threshold:
                    graph.find_or_add_edge(a, b)
    graph.make_faces(check_crossings=True)


def merge(graphs: Sequence[Graph], *, connect: bool = False) -> Graph:
    """All graphs on top of each other, vertices at the same place made one.

    Args:
        graphs: to put together.
        connect: join vertices that are near each other.
    """
    kept = Graph()
    place: dict[Vertex, Vertex] = {}
    first: list[Vertex] = []
    pairs: list[tuple[Edge, Vertex, Vertex]] = []
    for graph in graphs:
        for vertex in graph.vertices:
            found = kept.find_vertex(vertex.x, vertex.y, vertex.z, _COINCIDENT)
            if found is None:
                found = kept.add_vertex(vertex.x, vertex.y, vertex.z)
                first.append(vertex)
            place[vertex] = found
        pairs.extend((edge, place[edge.a], place[edge.b]) for edge in graph.edges)
    for vertex in first:
        if vertex.pivot is not None:
            place[vertex].pivot = place.get(vertex.pivot)
    for edge, a, b in pairs:
        if a is not b and a.edge_to(b) is None:
            kept.add_edge(a, b, sort=False).tangents = edge.tangents
    kept.link_edges()
    kept.make_faces()
    kept.link_faces()
    if connect:
        connect_near(kept)
    return kept


def intersect(graphs: Sequence[Graph]) -> Graph:
    """The vertices and edges of the first graph that occur in all others too."""
    first, others = graphs[0], graphs[1:]
    if not others:
        return first

    def everywhere(vertex: Vertex) -> list[Vertex] | None:
        found = [g.find_vertex(vertex.x, vertex.y, vertex.z, _COINCIDENT) for g in others]
        return None if None in found else [v for v in found if v is not None]

    twins = {v: everywhere(v) for v in first.vertices}
    vertices = [v for v in first.vertices if twins[v] is not None]
    edges: list[Edge] = []
    for edge in first.edges:
        ends_a, ends_b = twins[edge.a], twins[edge.b]
        if ends_a is None or ends_b is None:
            continue
        if all(a.edge_to(b) is not None for a, b in zip(ends_a, ends_b, strict=True)):
            edges.append(edge)
    return Graph.rebuilt(vertices, edges)


def dual(graph: Graph) -> Graph:
    """A vertex for each face, joined where faces share an edge."""
    if not graph.faces:
        return graph
    new = Graph()
    twins = {face: new.add_vertex(face.x, face.y, face.z) for face in graph.faces}
    for edge in graph.edges:
        if edge.left is not None and edge.right is not None:
            new.add_edge(twins[edge.left], twins[edge.right])
    new.make_faces()
    new.basis = "Dual"
    new.reorder()
    return new


def complete(graph: Graph, *, each_cell: bool = False) -> Graph:
    """Join all pairs of vertices, of the whole graph or of each cell."""
    if each_cell:
        for face in graph.faces:
            for n, a in enumerate(face.vertices):
                for b in face.vertices[n + 1 :]:
                    graph.find_or_add_edge(a, b)
    else:
        check_size(len(graph.vertices) * (len(graph.vertices) - 1) // 2)
        graph.clear_faces()
        graph.edges = []
        for vertex in graph.vertices:
            vertex.edges = []
        for n, a in enumerate(graph.vertices):
            for b in graph.vertices[n + 1 :]:
                graph.add_edge(a, b, sort=False)
        graph.link_edges()
        graph.make_faces(check_crossings=True)
    graph.basis = ""
    return graph


def layers(copies: Sequence[Graph]) -> Graph:
    """Copies of a graph stacked one unit apart and joined upwards."""
    whole = copies[0]
    below = list(whole.vertices)
    for height, copy in enumerate(copies[1:], start=1):
        new = {v: whole.add_vertex(v.x, v.y, v.z + height) for v in copy.vertices}
        for vertex, twin in new.items():
            twin.pivot = None if vertex.pivot is None else new[vertex.pivot]
        for edge in copy.edges:
            whole.add_edge(new[edge.a], new[edge.b]).tangents = edge.tangents
        above = list(new.values())
        for a, b in zip(below, above, strict=True):
            whole.add_edge(a, b)
        for face in copy.faces:
            whole.add_face([new[v] for v in face.vertices])
        below = above
    whole.reorder()
    return whole
