"""The elements of a graph: vertices, edges and faces, and how they hang together."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ludoport.boards.geometry import Point


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
