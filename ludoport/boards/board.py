"""A board: a graph with its measured sites of all three kinds."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from ludoport.boards.directions import relative
from ludoport.boards.elements import Vertex
from ludoport.boards.graph import Graph
from ludoport.boards.limits import check_size
from ludoport.boards.measure.centre import mark_centre
from ludoport.boards.measure.coordinates import measure_coordinates
from ludoport.boards.measure.corners import mark_corners
from ludoport.boards.measure.extremes import mark_extremes, mark_major
from ludoport.boards.measure.marks import KINDS, Marks
from ludoport.boards.measure.perimeter import find_perimeters, mark_outline
from ludoport.boards.measure.sides import mark_sides
from ludoport.boards.sites import Sites
from ludoport.boards.steps import pivot_of
from ludoport.errors import LudoportError
from ludoport.lud.tree import Value


@dataclass(frozen=True, slots=True)
class Loop:
    """A track that a board brings along, as Surakarta boards do.

    Attributes:
        name: of the track.
        sites: in order of travel; a site that appears twice in a row is a turn around a loop.
    """

    name: str
    sites: tuple[int, ...]


@dataclass(slots=True)
class BoardOptions:
    """Parts of a board description besides its graph.

    Attributes:
        tracks: the ``(track ...)`` ludemes as written.
        values: the ``(values ...)`` ludemes of deduction puzzles as written.
        large_stack: whether stacks may be higher than 32.
        boardless: whether the board grows with the pieces.
        mancala: rows, columns, kind of stores and number of stores of a mancala board.
        loops: tracks made by the board itself.
    """

    tracks: list[Value] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    large_stack: bool = False
    boardless: bool = False
    mancala: tuple[int, int, str, int] | None = None
    loops: list[Loop] = field(default_factory=list)


class Board:
    """A measured board.

    Attributes:
        graph: vertices, edges and faces.
        kind: the kind of site that play is on: ``Cell``, ``Vertex`` or ``Edge``.
        options: tracks, values and other settings.
    """

    def __init__(self, graph: Graph, kind: str = "Cell", options: BoardOptions | None = None) -> None:
        for name in {"Cell", "Vertex", kind}:
            check_size(len(graph.elements(name)))
        if not graph.elements(kind):
            raise LudoportError("the board has no sites")
        self.graph = graph
        self.kind = kind
        self.options = options or BoardOptions()
        self._sites: dict[str, Sites] = {}

    def __repr__(self) -> str:
        return f"Board({self.graph.basis or 'free'}, {self.kind}, n={self.default.n})"

    @cached_property
    def _outlines(self) -> list[list[Vertex]]:
        return find_perimeters(self.graph)

    @cached_property
    def _marks(self) -> Marks:
        marks = Marks(self.graph)
        mark_outline(self.graph, marks, self._outlines)
        mark_extremes(self.graph, marks)
        mark_major(self.graph, marks)
        mark_corners(self.graph, marks, self._outlines)
        mark_sides(self.graph, marks, self._outlines)
        mark_centre(self.graph, marks)
        return marks

    def sites(self, kind: str) -> Sites:
        """The sites of a kind: ``Cell``, ``Vertex`` or ``Edge``."""
        if kind not in self._sites:
            coordinates = measure_coordinates(self.graph)
            marks = self._marks
            self._sites = {name: Sites(name, self.graph, marks, coordinates[name]) for name in KINDS}
        return self._sites[kind]

    @property
    def default(self) -> Sites:
        """The sites that play is on."""
        return self.sites(self.kind)

    @property
    def cells(self) -> Sites:
        """The cells."""
        return self.sites("Cell")

    @property
    def vertices(self) -> Sites:
        """The vertices."""
        return self.sites("Vertex")

    @property
    def edges(self) -> Sites:
        """The edges."""
        return self.sites("Edge")

    @property
    def n_sites(self) -> int:
        """Where the numbers of the next container begin: sites of the used kind, or cells if there are more."""
        return max(self.default.n, len(self.graph.faces))

    def site_of(self, label: str, kind: str | None = None) -> int | None:
        """The site with a label such as ``E4``."""
        return self.sites(kind or self.kind).site_of(label)

    def incident(self, site: int, kind: str, to: str) -> list[int]:
        """Sites of kind ``to`` that bound, end or touch a site of ``kind``.

        A cell gives its vertices and edges in order around it, an edge its two ends; what a vertex or an edge belongs
        to comes in ascending order.
        """
        if kind == to:
            return [site]
        graph = self.graph
        if kind == "Cell":
            face = graph.faces[site]
            return [e.id for e in (face.vertices if to == "Vertex" else face.edges)]
        if kind == "Edge":
            edge = graph.edges[site]
            if to == "Vertex":
                return [edge.a.id, edge.b.id]
            return sorted(f.id for f in (edge.left, edge.right) if f is not None)
        vertex = graph.vertices[site]
        return sorted(e.id for e in (vertex.edges if to == "Edge" else vertex.faces))

    def pivot(self, site: int, kind: str = "Vertex") -> int | None:
        """The vertex that a site circles around, on circular boards."""
        found = pivot_of(self.graph.elements(kind)[site])
        return None if found is None else found.id

    @property
    def three_dimensional(self) -> bool:
        """Whether there are layers."""
        return any(v.z != self.graph.vertices[0].z for v in self.graph.vertices)


def facing_directions(sites: Sites, facing: str, name: str, of_relation: str = "Adjacent") -> list[str]:
    """The absolute directions that a relative direction means on a board.

    Args:
        sites: whose supported directions count.
        facing: where the piece looks, ``N`` if it has no facing.
        name: ``Forward``, ``FL``, ``Rightwards``...
        of_relation: which steps count.
    """
    return relative(facing, name, sites.supported_directions(of_relation))
