"""A planar graph of vertices, edges and faces, built step by step.

The order in which elements are added decides their numbers, and the order of the edges around a vertex decides the
faces, so every list here keeps its order on purpose.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from ludoport.boards.elements import Edge, Element, Face, Vertex
from ludoport.boards.geometry import Point, bounds, float32, signed_area
from ludoport.boards.limits import check_size
from ludoport.boards.points import distinct_points, unit_pairs
from ludoport.boards.rings import crossed_edges, ring_from
from ludoport.budget import spend

TOLERANCE = 0.001


class Graph:
    """Vertices, edges and faces, each numbered from 0.

    Attributes:
        basis: the tiling it was made of (``Square``, ``Hexagonal``, ``Triangular``...) or an empty text.
        shape: the outline (``Square``, ``Hexagon``...) or an empty text.
        dim: the dimensions it was asked for.
    """

    def __init__(self) -> None:
        self.vertices: list[Vertex] = []
        self.edges: list[Edge] = []
        self.faces: list[Face] = []
        self.basis = ""
        self.shape = ""
        self.dim: tuple[int, ...] = ()
        self._grid: dict[tuple[int, int], list[Vertex]] | None = None

    # Making

    @classmethod
    def from_lists(cls, points: Iterable[Sequence[float]], pairs: Iterable[Sequence[int]] = ()) -> Graph:
        """A graph of explicit points and of pairs of their indices, with its faces."""
        graph = cls()
        for point in points:
            graph.add_vertex(*(float32(v) for v in point))
        for a, b in pairs:
            graph.find_or_add_edge(graph.vertices[a], graph.vertices[b], sort=False)
        graph.link_edges()
        graph.make_faces()
        graph.link_faces()
        return graph

    @classmethod
    def from_unit_points(cls, points: Sequence[Sequence[float]], unit: float = 1.0) -> Graph:
        """A graph of points in which those a unit apart (within 0.01, seen from above) are joined."""
        check_size(len(points))
        return cls.from_lists(points, unit_pairs(points, unit))

    @classmethod
    def from_cells(cls, cells: Iterable[Sequence[Point]], unit: float = 1.0) -> Graph:
        """A graph of the corners of polygons, each corner kept once, joined where a unit apart."""
        return cls.from_unit_points(distinct_points(point for cell in cells for point in cell), unit)

    @classmethod
    def rebuilt(cls, vertices: Sequence[Vertex], edges: Sequence[Edge]) -> Graph:
        """A new graph with copies of these vertices and edges and with fresh faces; pivots and curves are lost."""
        graph = cls()
        new = {v: graph.add_vertex(v.x, v.y, v.z) for v in vertices}
        for edge in edges:
            graph.find_or_add_edge(new[edge.a], new[edge.b])
        graph.link_edges()
        graph.make_faces()
        graph.link_faces()
        return graph

    def add_vertex(self, x: float, y: float, z: float = 0.0) -> Vertex:
        """Append a vertex."""
        vertex = Vertex(len(self.vertices), x, y, z)
        self.vertices.append(vertex)
        check_size(len(self.vertices))
        if self._grid is not None:
            self._grid.setdefault((math.floor(x * 100), math.floor(y * 100)), []).append(vertex)
        return vertex

    def find_or_add_vertex(self, x: float, y: float, z: float = 0.0) -> Vertex:
        """The vertex at a place, made if there is none."""
        return self.find_vertex(x, y, z) or self.add_vertex(x, y, z)

    def add_edge(self, a: Vertex, b: Vertex, *, sort: bool = True) -> Edge:
        """Append an edge even if there is one already."""
        edge = Edge(len(self.edges), a, b)
        self.edges.append(edge)
        for vertex in (a, b):
            vertex.edges.append(edge)
            if sort:
                vertex.sort_edges()
        return edge

    def find_or_add_edge(self, a: Vertex, b: Vertex, *, sort: bool = True) -> Edge:
        """The edge between two vertices, made if there is none."""
        return a.edge_to(b) or self.add_edge(a, b, sort=sort)

    def add_face(self, vertices: Sequence[Vertex]) -> Face | None:
        """The face with this ring of vertices; None if edges for it are missing."""
        found = self.find_face(vertices)
        if found is not None:
            return found
        edges: list[Edge] = []
        for vertex, following in zip(vertices, [*vertices[1:], vertices[0]], strict=True):
            edge = vertex.edge_to(following)
            if edge is None:
                return None
            edges.append(edge)
        face = Face(len(self.faces), list(vertices), edges)
        for vertex, edge in zip(vertices, edges, strict=True):
            if edge.a is vertex:
                edge.right = face
            else:
                edge.left = face
            vertex.faces.append(face)
        self.faces.append(face)
        return face

    # Finding

    def find_vertex(self, x: float, y: float, z: float = 0.0, tolerance: float = TOLERANCE) -> Vertex | None:
        """The first vertex at a place."""
        if self._grid is None:
            self._grid = {}
            for vertex in self.vertices:
                self._grid.setdefault((math.floor(vertex.x * 100), math.floor(vertex.y * 100)), []).append(vertex)
        column, row = math.floor(x * 100), math.floor(y * 100)
        best: Vertex | None = None
        for i in (column - 1, column, column + 1):
            for j in (row - 1, row, row + 1):
                for vertex in self._grid.get((i, j), ()):
                    error = abs(x - vertex.x) + abs(y - vertex.y) + abs(z - vertex.z)
                    if error < tolerance and (best is None or vertex.id < best.id):
                        best = vertex
        return best

    def find_face(self, vertices: Sequence[Vertex]) -> Face | None:
        """The face with this ring of vertices."""
        for face in vertices[0].faces:
            if face.same_ring(vertices):
                return face
        return None

    def forget_places(self) -> None:
        """Note that vertices were moved or exchanged behind the graph's back."""
        self._grid = None

    def moved(self) -> None:
        """Note that vertices were moved: positions of edges and faces follow."""
        self.forget_places()
        for edge in self.edges:
            edge.centre()
        for face in self.faces:
            face.centre()

    def bounds(self) -> tuple[float, float, float, float]:
        """Bounding box of the vertices as ``(x, y, width, height)``."""
        return bounds([v.point for v in self.vertices])

    def mean_edge_length(self) -> float:
        """Average length of the edges; 0 without edges."""
        return sum(edge.length for edge in self.edges) / len(self.edges) if self.edges else 0.0

    def elements(self, kind: str) -> Sequence[Element]:
        """The vertices, edges or faces for ``Vertex``, ``Edge`` or ``Cell``."""
        if kind == "Cell":
            return self.faces
        return self.vertices if kind == "Vertex" else self.edges

    # Linking

    def link_edges(self) -> None:
        """Rebuilds the list of edges at each vertex, by angle."""
        for vertex in self.vertices:
            vertex.edges = []
        for edge in self.edges:
            edge.a.edges.append(edge)
            edge.b.edges.append(edge)
        for vertex in self.vertices:
            vertex.sort_edges()

    def link_faces(self) -> None:
        """Rebuilds the list of faces at each vertex, by angle."""
        for vertex in self.vertices:
            vertex.faces = []
        for face in self.faces:
            for vertex in face.vertices:
                vertex.faces.append(face)
        for vertex in self.vertices:
            vertex.sort_faces()

    def clear_faces(self) -> None:
        """Forget all faces."""
        for edge in self.edges:
            edge.left = edge.right = None
        for vertex in self.vertices:
            vertex.faces = []
        self.faces = []

    def make_faces(self, *, check_crossings: bool = False) -> None:
        """Find the smallest rings of edges on one level and make them the faces.

        Args:
            check_crossings: leave out rings with an edge that crosses another.
        """
        self.clear_faces()
        crossed = crossed_edges(self.edges) if check_crossings else set()
        for start in self.vertices:
            spend()
            for edge in start.edges:
                ring = ring_from(start, edge, crossed)
                if ring is not None and signed_area([v.point for v in ring]) < 0 and self.find_face(ring) is None:
                    self.add_face(ring)

    # Numbering

    def renumber(self) -> None:
        """Give every element its place in its list as its number."""
        for elements in (self.vertices, self.edges, self.faces):
            for number, element in enumerate(elements):
                element.id = number

    def reorder(self, kinds: Iterable[str] = ("Vertex", "Edge", "Cell")) -> None:
        """Number elements from the bottom left, row by row."""
        for kind in kinds:
            if kind == "Vertex":
                self.vertices.sort(key=_place)
            elif kind == "Edge":
                self.edges.sort(key=_place)
            else:
                self.faces.sort(key=_place)
        self.renumber()

    # Removing

    def remove_face(self, face: Face, *, orphans: bool = False) -> None:
        """Take a face away.

        Args:
            face: which.
            orphans: also take away edges that no longer border any face.
        """
        dead: list[Edge] = []
        for edge in face.edges:
            if edge.left is face:
                edge.left = None
                if orphans and edge.right is None:
                    dead.append(edge)
            if edge.right is face:
                edge.right = None
                if orphans and edge.left is None:
                    dead.append(edge)
        for vertex in face.vertices:
            vertex.faces = [f for f in vertex.faces if f is not face]
        self.faces.remove(face)
        for edge in dead:
            self.remove_edge(edge)
        self.renumber()

    def remove_edge(self, edge: Edge) -> None:
        """Take an edge away, and the faces it bordered."""
        for face in [f for f in self.faces if edge in f.edges]:
            self.remove_face(face)
        for vertex in (edge.a, edge.b):
            vertex.edges = [e for e in vertex.edges if e is not edge]
        self.edges.remove(edge)
        self.renumber()

    def remove_vertex(self, vertex: Vertex) -> None:
        """Take a vertex away, with its edges and the faces it belonged to."""
        for face in [f for f in self.faces if vertex in f.vertices]:
            self.remove_face(face)
        for edge in list(vertex.edges):
            other = edge.other(vertex)
            other.edges = [e for e in other.edges if e is not edge]
            self.edges.remove(edge)
        self.vertices.remove(vertex)
        self._grid = None
        self.renumber()

    def trim(self) -> None:
        """Take away dead-end edges and then vertices without edges, except pivots."""
        for edge in reversed(list(self.edges)):
            if len(edge.a.edges) == 1 or len(edge.b.edges) == 1:
                self.remove_edge(edge)
        pivots = {v.pivot for v in self.vertices if v.pivot is not None}
        for vertex in reversed(list(self.vertices)):
            if not vertex.edges and vertex not in pivots:
                self.remove_vertex(vertex)

    # Moving

    def map_points(self, move: Callable[[float, float, float], tuple[float, float, float]]) -> None:
        """Move every vertex."""
        for vertex in self.vertices:
            vertex.x, vertex.y, vertex.z = move(vertex.x, vertex.y, vertex.z)
        self.moved()


def _place(element: Element) -> float:
    return element.y * 100 + element.x
