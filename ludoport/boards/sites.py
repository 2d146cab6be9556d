"""The sites of one kind: their numbers, labels, neighbours, lines and regions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from ludoport.boards.directions import RELATIONS, SPECIFIC, rank
from ludoport.boards.elements import Element
from ludoport.boards.graph import Graph
from ludoport.boards.measure.coordinates import Coordinates
from ludoport.boards.measure.marks import Marks
from ludoport.boards.measure.phases import MAX_PHASES, find_phases
from ludoport.boards.measure.sides import SIDES
from ludoport.boards.radials import RadialFinder
from ludoport.boards.steps import StepTable, kind_of, step_tables


class Sites:
    """The cells, vertices or edges of a board.

    All lists are indexed by site. Neighbours stand clockwise from north. Regions are ascending lists of sites.
    Everything costly is computed when it is first asked for.

    Attributes:
        kind: ``Cell``, ``Vertex`` or ``Edge``.
        n: how many there are.
        x, y, z: positions in units of the generator (the side of a tile is 1).
        row, col, layer, label: coordinates, rows and columns from 0.
    """

    def __init__(self, kind: str, graph: Graph, marks: Marks, coordinates: Coordinates) -> None:
        elements: Sequence[Element] = graph.elements(kind)
        self.kind = kind
        self.n = len(elements)
        self.x = [e.x for e in elements]
        self.y = [e.y for e in elements]
        self.z = [e.z for e in elements]
        self.row = coordinates.row
        self.col = coordinates.column
        self.layer = coordinates.layer
        self.label = coordinates.label
        self._graph = graph
        self._marks = marks

    def __repr__(self) -> str:
        return f"Sites({self.kind!r}, n={self.n})"

    # Steps

    @cached_property
    def _tables(self) -> list[StepTable]:
        return step_tables(self._graph, self.kind)

    @cached_property
    def _finder(self) -> RadialFinder:
        return RadialFinder(self.kind, list(zip(self.x, self.y, strict=True)), self._tables)

    def steps(self, site: int, direction: str) -> Sequence[int]:
        """The sites one step away in an absolute direction or group of directions.

        ``Axial`` and ``Angled`` name no steps, as in the reference.
        """
        return self._finder.ends(direction)[site]

    def neighbours(self, relation: str) -> list[list[int]]:
        """For each site the sites one step away under a relation (``Adjacent``, ``Orthogonal``, ``Diagonal``...)."""
        return self._finder.ends(relation)

    @property
    def adjacent(self) -> list[list[int]]:
        """Sites that touch."""
        return self.neighbours("Adjacent")

    @property
    def orthogonal(self) -> list[list[int]]:
        """Sites that share an edge, or are joined by one."""
        return self.neighbours("Orthogonal")

    @property
    def diagonal(self) -> list[list[int]]:
        """Sites across a corner."""
        return self.neighbours("Diagonal")

    @property
    def off(self) -> list[list[int]]:
        """Further sites that touch at a corner only."""
        return self.neighbours("OffDiagonal")

    @property
    def all(self) -> list[list[int]]:
        """Sites of any of the relations."""
        return self.neighbours("All")

    def incident(self, site: int, kind: str) -> list[int]:
        """Sites of another kind that one step reaches, clockwise from north."""
        return [s.to.id for s in self._tables[site].by_name.get("All", ()) if kind_of(s.to) == kind]

    @cached_property
    def _supported(self) -> dict[str, list[str]]:
        return {relation: self._supported_by(range(self.n), relation) for relation in RELATIONS}

    def _supported_by(self, sites: Iterable[int], relation: str) -> list[str]:
        names: dict[str, None] = {}
        for site in sites:
            for step in self._tables[site].by_name.get(relation, ()):
                if kind_of(step.to) == self.kind:
                    names.update(dict.fromkeys(n for n in step.names if n in SPECIFIC))
        return sorted(names, key=lambda name: (rank(name), name))

    def supported_directions(self, relation: str = "Adjacent") -> list[str]:
        """The specific directions that some step of a relation has anywhere on the board, clockwise from north."""
        return self._supported["OffDiagonal" if relation == "Off" else relation]

    def supported_at(self, site: int, relation: str = "Adjacent") -> list[str]:
        """The same for the steps of one site."""
        return self._supported_by([site], relation)

    # Radials

    def radials(self, site: int, direction: str) -> list[tuple[int, ...]]:
        """The straight lines from a site in a direction or group, clockwise from north; each begins with the site."""
        return [radial.sites for radial in self._finder.find(site, direction)]

    def lines(self, site: int, direction: str) -> list[tuple[tuple[int, ...], list[tuple[int, ...]]]]:
        """The lines through a site, each once: a radial and its opposites (none, or one)."""
        return [
            (radial.sites, [other.sites for other in radial.opposites])
            for radial in self._finder.distinct(site, direction)
        ]

    def opposites(self, site: int, direction: str, radial: Sequence[int]) -> list[tuple[int, ...]]:
        """The radials that continue a radial of `radials` through its origin."""
        for found in self._finder.find(site, direction):
            if found.sites == tuple(radial):
                return [other.sites for other in found.opposites]
        return []

    # Regions

    def _region(self, name: str) -> list[int]:
        return self._marks.sites(self.kind, name)

    @cached_property
    def top(self) -> list[int]:
        """Sites of greatest y."""
        return self._region("Top")

    @cached_property
    def bottom(self) -> list[int]:
        """Sites of least y."""
        return self._region("Bottom")

    @cached_property
    def left(self) -> list[int]:
        """Sites of least x."""
        return self._region("Left")

    @cached_property
    def right(self) -> list[int]:
        """Sites of greatest x."""
        return self._region("Right")

    @cached_property
    def corners(self) -> list[int]:
        """Convex and concave corners."""
        return self._region("Corner")

    @cached_property
    def convex(self) -> list[int]:
        """Convex corners."""
        return self._region("Convex")

    @cached_property
    def concave(self) -> list[int]:
        """Concave corners."""
        return self._region("Concave")

    @cached_property
    def outer(self) -> list[int]:
        """Sites that touch the border."""
        return self._region("Outer")

    @cached_property
    def inner(self) -> list[int]:
        """Sites that do not touch the border."""
        return self._region("Inner")

    @cached_property
    def perimeter(self) -> list[int]:
        """Sites on the border."""
        return self._region("Perimeter")

    @cached_property
    def centre(self) -> list[int]:
        """Sites nearest to the middle."""
        return self._region("Centre")

    @cached_property
    def major(self) -> list[int]:
        """Cells with the most corners."""
        return self._region("Major")

    @cached_property
    def minor(self) -> list[int]:
        """The other cells."""
        return self._region("Minor")

    @cached_property
    def sides(self) -> dict[str, list[int]]:
        """Sites of each side that has any, by compass name; corners belong to both sides."""
        found = {name: self._region(f"Side{name}") for name in SIDES}
        return {name: sites for name, sites in found.items() if sites}

    @cached_property
    def rows(self) -> list[list[int]]:
        """Sites of each row."""
        return _grouped(self.row)

    @cached_property
    def columns(self) -> list[list[int]]:
        """Sites of each column."""
        return _grouped(self.col)

    @cached_property
    def layers(self) -> list[list[int]]:
        """Sites of each layer."""
        return _grouped(self.layer)

    @cached_property
    def phase(self) -> list[int]:
        """Phase of each site."""
        return find_phases(self._graph, self.kind)

    @cached_property
    def phases(self) -> list[list[int]]:
        """Sites of each of the six phases."""
        groups = _grouped(self.phase)
        return groups + [[] for _ in range(MAX_PHASES - len(groups))]

    # Finding and distances

    @cached_property
    def _by_label(self) -> dict[str, int]:
        return {label: site for site, label in reversed(list(enumerate(self.label)))}

    def site_of(self, label: str) -> int | None:
        """The first site with a label such as ``E4``."""
        return self._by_label.get(label)

    def distances_from(self, sites: Iterable[int], relation: str = "Adjacent") -> list[int]:
        """Steps from the nearest of some sites to each site; -1 where none of them can be reached from."""
        around = self.neighbours(relation)
        found = [-1] * self.n
        wave = list(dict.fromkeys(sites))
        for site in wave:
            found[site] = 0
        count = 0
        while wave:
            count += 1
            following: list[int] = []
            for site in wave:
                for to in around[site]:
                    if found[to] < 0:
                        found[to] = count
                        following.append(to)
            wave = following
        return found


def _grouped(places: Sequence[int]) -> list[list[int]]:
    groups: list[list[int]] = [[] for _ in range(max(places, default=-1) + 1)]
    for site, place in enumerate(places):
        groups[place].append(site)
    return groups
