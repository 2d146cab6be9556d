"""Straight continuations of steps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from ludoport.boards.directions import ABSOLUTE, SPECIFIC
from ludoport.boards.geometry import Point, bend
from ludoport.boards.steps import StepTable, kind_of

_MAX_BEND = math.tan(0.25)
_MAX_OPPOSITE_BEND = math.tan(0.1)
_CIRCULAR = ("CW", "CCW", "In", "Out")
_COUNTERPART = {"CW": "CCW", "CCW": "CW", "In": "Out", "Out": "In"}
_SPECIFIC_IN_ORDER = tuple(name for name in ABSOLUTE if name in SPECIFIC)


@dataclass(slots=True, eq=False)
class Radial:
    """A line of sites.

    Attributes:
        sites: from its origin, which is included.
        direction: the name it was asked by.
        opposites: radials from the same origin the other way, at most one in practice.
    """

    sites: tuple[int, ...]
    direction: str
    opposites: list[Radial] = field(default_factory=list)

    def starts(self, other: Radial) -> bool:
        """Whether the other radial begins with all of this one."""
        return self.sites == other.sites[: len(self.sites)]


class RadialFinder:
    """Finds the radials of the sites of one kind when they are asked for.

    Args:
        kind: of the sites.
        points: their positions.
        tables: their steps.
    """

    def __init__(self, kind: str, points: Sequence[Point], tables: Sequence[StepTable]) -> None:
        self._points = points
        self._next: dict[str, list[list[int]]] = {}
        self._follow: dict[tuple[str, int, int], int] = {}
        self._found: dict[tuple[int, str], list[Radial]] = {}
        self._tables = tables
        self._kind = kind

    def ends(self, name: str) -> list[list[int]]:
        """For each site the sites of its kind one step away in a direction, clockwise from north."""
        if name not in self._next:
            self._next[name] = [
                [s.to.id for s in table.by_name.get(name, ()) if kind_of(s.to) == self._kind] for table in self._tables
            ]
        return self._next[name]

    def find(self, site: int, name: str) -> list[Radial]:
        """The radials of a site in a direction, clockwise from north."""
        key = (site, name)
        if key not in self._found:
            if name in SPECIFIC or name == "Rotational":
                self._find_specific(site)
            else:
                self._found[key] = self._sorted(self._paired(self._lines(site, name)))
        return self._found.get(key, [])

    def distinct(self, site: int, name: str) -> list[Radial]:
        """The radials without those that are the opposite of an earlier one."""
        kept: list[Radial] = []
        for radial in self.find(site, name):
            if not any(o.sites == radial.sites for other in kept for o in other.opposites):
                kept.append(radial)
        return kept

    def _lines(self, site: int, name: str) -> list[Radial]:
        lines: list[Radial] = []
        for to in self.ends(name)[site]:
            sites = self._line(site, to, name)
            if all(sites != line.sites for line in lines):
                lines.append(Radial(sites, name))
        return lines

    def _line(self, site: int, to: int, name: str) -> tuple[int, ...]:
        sites = [site, to]
        seen = {site, to}
        while True:
            following = self._after(sites[-2], sites[-1], name)
            if following < 0 or following in seen:
                return tuple(sites)
            sites.append(following)
            seen.add(following)

    def _after(self, previous: int, current: int, name: str) -> int:
        """The site that continues previous-current best, or -1."""
        key = (name, previous, current)
        found = self._follow.get(key)
        if found is not None:
            return found
        best, best_bend = -1, _MAX_BEND
        ends = self.ends(name)[current]
        if name in _CIRCULAR:
            best = ends[0] if ends else -1
        else:
            a, b = self._points[previous], self._points[current]
            for to in ends:
                bent = bend(a, b, self._points[to])
                if bent < best_bend:
                    best, best_bend = to, bent
        self._follow[key] = best
        return best

    def _find_specific(self, site: int) -> None:
        """All specific directions at once: a line north finds its opposite among the lines south."""
        lines = [line for name in _SPECIFIC_IN_ORDER for line in self._lines(site, name)]
        rotational = self._lines(site, "Rotational")
        for line, other in ((b, a) for n, b in enumerate(lines) for a in lines[:n]):
            if _COUNTERPART.get(line.direction) == other.direction or self._opposed(line, other):
                _link(line, other)
        for name in _SPECIFIC_IN_ORDER:
            self._found[(site, name)] = self._sorted([line for line in lines if line.direction == name])
        around = [line for name in ("In", "Out", "CW", "CCW") for line in lines if line.direction == name]
        self._found[(site, "Rotational")] = self._sorted(_without_parts([*self._paired(rotational), *around]))

    def _opposed(self, line: Radial, other: Radial) -> bool:
        a, b, c = self._points[line.sites[1]], self._points[line.sites[0]], self._points[other.sites[1]]
        return bend(a, b, c) < _MAX_OPPOSITE_BEND

    def _paired(self, lines: list[Radial]) -> list[Radial]:
        """Link radials of one group that lie opposite each other."""
        for line, other in ((b, a) for n, b in enumerate(lines) for a in lines[:n]):
            if self._opposed(line, other):
                _link(line, other)
        return lines

    def _sorted(self, lines: list[Radial]) -> list[Radial]:
        return sorted(lines, key=self._clockwise)

    def _clockwise(self, line: Radial) -> float:
        (ax, ay), (bx, by) = self._points[line.sites[0]], self._points[line.sites[1]]
        score = math.pi / 2 - math.atan2(by - ay, bx - ax) + 0.0001
        while score < 0:
            score += 2 * math.pi
        return score


def _link(line: Radial, other: Radial) -> None:
    for one, two in ((line, other), (other, line)):
        if not one.opposites:
            one.opposites.append(two)


def _without_parts(lines: list[Radial]) -> list[Radial]:
    """The radials that are not the beginning of another one; of equal ones the first stays."""
    kept = list(lines)
    for n in range(len(kept) - 1, -1, -1):
        if any(kept[n].starts(other) for m, other in enumerate(kept) if m != n):
            del kept[n]
    return kept
