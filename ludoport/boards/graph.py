"""A planar graph of vertices, edges and faces, built step by step.

The order in which elements are added decides their numbers, and the order of the edges around a vertex decides the
faces, so every list here keeps its order on purpose.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ludoport.boards.geometry import EPSILON, Point, bounds, float32, signed_area
from ludoport.boards.limits import check_size

TOLERANCE = 0.001
MAX_FACE_SIDES = 32


class Element:
    """What vertices, edges and faces have in common: a number and a position."""

    __slots__ = ("id", "x", "y", "z")

    def __init__(self, number: int, x: float, y: float, z: float) -> None:
        self.id = number
        self.x = x
        self.y = y
        self.z = z

    @property
    def point(self) -> Point:
        """The position in the plane."""
        return (self.x, self.y)


class Vertex(Element):
    """A point of the graph.

    Attributes:
        edges: the edges that end here, by angle from west over south, east and north.
        faces: the faces around it, in the order they were made.
        pivot: the vertex that this one circles around, on circular boards.
    """

    __slots__ = ("edges", "faces", "pivot")

    def __init__(self, number: int, x: float, y: float, z: float = 0.0) -> None:
        super().__init__(number, x, y, z)
        self.edges: list[Edge] = []
        self.faces: list[Face] = []
        self.pivot: Vertex | None = None

    def sort_edges(self) -> None:
        """Put the edges in order of angle; equal angles keep their order."""
        self.edges.sort(key=self._edge_angle)

    def _edge_angle(self, edge: Edge) -> float:
        other = edge.other(self)
        return math.atan2(other.y - self.y, other.x - self.x)

    def sort_faces(self) -> None:
        """Put the faces in order of angle."""
        self.faces.sort(key=lambda face: math.atan2(face.y - self.y, face.x - self.x))

    def edge_to(self, other: Vertex) -> Edge | None:
        """The edge between this vertex and another."""
        for edge in self.edges:
            if edge.other(self) is other:
                return edge
        return None


class Edge(Element):
    """A connection of two vertices.

    Attributes:
        a, b: its ends.
        left, right: the faces on both sides.
        tangents: directions at both ends if it is curved.
    """

    __slots__ = ("a", "b", "left", "right", "tangents")

    def __init__(self, number: int, a: Vertex, b: Vertex) -> None:
        super().__init__(number, 0.0, 0.0, 0.0)
        self.a = a
        self.b = b
        self.left: Face | None = None
        self.right: Face | None = None
        self.tangents: tuple[Point, Point] | None = None
        self.centre()

    def other(self, vertex: Vertex) -> Vertex:
        """The end that is not the given one."""
        return self.b if vertex is self.a else self.a

    def other_face(self, face: Face) -> Face | None:
        """The face on the other side."""
        if self.left is face:
            return self.right
        return self.left if self.right is face else None

    def centre(self) -> None:
        """Move the position to the middle of the ends."""
        self.x = (self.a.x + self.b.x) * 0.5
        self.y = (self.a.y + self.b.y) * 0.5
        self.z = (self.a.z + self.b.z) * 0.5

    @property
    def length(self) -> float:
        """Distance of the ends in space."""
        return math.dist((self.a.x, self.a.y, self.a.z), (self.b.x, self.b.y, self.b.z))


class Face(Element):
    """A cell: a ring of vertices; ``edges[i]`` joins ``vertices[i]`` with the next."""

    __slots__ = ("edges", "vertices")

    def __init__(self, number: int, vertices: list[Vertex], edges: list[Edge]) -> None:
        super().__init__(number, 0.0, 0.0, 0.0)
        self.vertices = vertices
        self.edges = edges
        self.centre()

    def centre(self) -> None:
        """Move the position to the mean of the vertices."""
        count = len(self.vertices)
        x = y = z = 0.0
        for vertex in self.vertices:
            x += vertex.x
            y += vertex.y
            z += vertex.z
        self.x, self.y, self.z = x / count, y / count, z / count

    def same_ring(self, vertices: Sequence[Vertex]) -> bool:
        """Whether these vertices run around this face, either way and from any start."""
        count = len(self.vertices)
        if len(vertices) != count or vertices[0] not in self.vertices:
            return False
        start = self.vertices.index(vertices[0])
        return all(v is self.vertices[(start + n) % count] for n, v in enumerate(vertices)) or all(
            v is self.vertices[(start - n) % count] for n, v in enumerate(vertices)
        )


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
        """List the edges anew at each vertex, by angle."""
        for vertex in self.vertices:
            vertex.edges = []
        for edge in self.edges:
            edge.a.edges.append(edge)
            edge.b.edges.append(edge)
        for vertex in self.vertices:
            vertex.sort_edges()

    def link_faces(self) -> None:
        """List the faces anew at each vertex, by angle."""
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
        crossed = _crossed_edges(self) if check_crossings else set()
        for start in self.vertices:
            for edge in start.edges:
                ring = _ring_from(start, edge, crossed)
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


def _ring_from(start: Vertex, edge: Edge, crossed: set[Edge]) -> list[Vertex] | None:
    """Walk around a face: at each vertex leave by the next edge after the one we came by."""
    ring = [start]
    vertex = start
    while len(ring) <= MAX_FACE_SIDES:
        edges = vertex.edges
        place = edges.index(edge)
        count = len(edges)
        for step in range(1, count):
            edge = edges[(place + step) % count]
            following = edge.other(vertex)
            if abs(following.z - start.z) < 0.0001:
                break
        else:
            return None
        vertex = following
        if vertex is start:
            return ring if len(ring) >= 3 else None
        if vertex in ring or edge in crossed:
            return None
        ring.append(vertex)
    return None


def _crossed_edges(graph: Graph) -> set[Edge]:
    """Edges crossed by an edge of a lower number, ends excepted."""
    ends = np.array([(e.a.x, e.a.y, e.b.x, e.b.y) for e in graph.edges]).reshape(-1, 4)
    crossed: set[Edge] = set()
    for n, edge in enumerate(graph.edges):
        if n == 0:
            continue
        others = ends[:n]
        p, q = ends[n, :2], ends[n, 2:]
        near = np.zeros(n, dtype=bool)
        for point in (p, q):
            for columns in (others[:, :2], others[:, 2:]):
                near |= np.hypot(columns[:, 0] - point[0], columns[:, 1] - point[1]) < 0.001
        a = q - p
        b = others[:, 2:] - others[:, :2]
        m = others[:, :2] - p
        det = b[:, 0] * a[1] - b[:, 1] * a[0]
        flat = np.abs(det) < EPSILON
        safe = np.where(flat, 1.0, det)
        s = (b[:, 0] * m[:, 1] - b[:, 1] * m[:, 0]) / safe
        t = (a[0] * m[:, 1] - a[1] * m[:, 0]) / safe
        inside = (s >= -EPSILON) & (s <= 1 + EPSILON) & (t >= -EPSILON) & (t <= 1 + EPSILON)
        if bool(np.any(inside & ~near & ~flat)):
            crossed.add(edge)
    return crossed


def distinct_points(points: Iterable[Point], tolerance: float = 0.1) -> list[Point]:
    """The points in order, without those within a tolerance of an earlier one."""
    kept: list[Point] = []
    grid: dict[tuple[int, int], list[Point]] = {}
    for x, y in points:
        i, j = math.floor(x / tolerance), math.floor(y / tolerance)
        near = (p for a in (i - 1, i, i + 1) for b in (j - 1, j, j + 1) for p in grid.get((a, b), ()))
        if any(math.hypot(p[0] - x, p[1] - y) < tolerance for p in near):
            continue
        kept.append((x, y))
        grid.setdefault((i, j), []).append((x, y))
        check_size(len(kept))
    return kept


def unit_pairs(points: Sequence[Sequence[float]], unit: float = 1.0, *, space: bool = False) -> list[tuple[int, int]]:
    """Index pairs of points a unit apart within 0.01, by first and then second index.

    Args:
        points: in the plane or in space.
        unit: the distance to look for.
        space: measure in three dimensions instead of from above.
    """
    grid: dict[tuple[int, int], list[int]] = {}
    size = unit * 1.05
    for n, point in enumerate(points):
        grid.setdefault((math.floor(point[0] / size), math.floor(point[1] / size)), []).append(n)
    pairs: list[tuple[int, int]] = []
    for n, point in enumerate(points):
        i, j = math.floor(point[0] / size), math.floor(point[1] / size)
        found: list[int] = []
        for a in (i - 1, i, i + 1):
            for b in (j - 1, j, j + 1):
                for m in grid.get((a, b), ()):
                    if m <= n:
                        continue
                    other = points[m]
                    length = math.hypot(point[0] - other[0], point[1] - other[1])
                    if space and len(point) > 2:
                        length = math.hypot(length, point[2] - other[2])
                    if abs(length - unit) < 0.01:
                        found.append(m)
        pairs.extend((n, m) for m in sorted(found))
    return pairs
