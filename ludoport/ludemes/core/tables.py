"""Tables about the board, for generated code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ludoport.boards import Sites
from ludoport.boards.directions import opposite as turned
from ludoport.budget import spend
from ludoport.kernels.source import Module
from ludoport.lud.tree import Value


@dataclass
class LineTable:
    """For each site and line through it: one ray, then its opposite rays, each of ``length`` sites padded with -1."""

    name: str
    rays: int
    length: int
    opposites: int
    stride: int
    some_missing: bool


class BoardTables:
    """Looks up the board for the compiler and remembers the tables it made."""

    module: Module
    sites: Sites
    n_sites: int
    n_board: int
    _tails_found: dict[str, list[list[tuple[int, ...]]]]

    def mask(self, sites: tuple[int, ...]) -> str:
        """A table that is 1 for the sites of a set."""
        inside = set(sites)
        return self.module.table("MASK", [1 if s in inside else 0 for s in range(self.n_sites)])

    def player_masks(self, choices: tuple[tuple[int, ...], ...]) -> str:
        """One mask per player number, one after another."""
        rows = []
        for choice in choices:
            inside = set(choice)
            rows.append([1 if s in inside else 0 for s in range(self.n_sites)])
        return self.module.table("MASKS", rows)

    def steps(self, site: int, directions: Sequence[str]) -> tuple[int, ...]:
        """The sites one step away in some directions, each once."""
        found: dict[int, None] = {}
        for direction in directions:
            for there in self.sites.steps(site, direction):
                found[there] = None
        return tuple(found)

    def radials(self, site: int, directions: Sequence[str]) -> list[tuple[int, ...]]:
        """The radials of a site in some directions, without the site itself; none from beside the board."""
        spend()
        if not 0 <= site < self.sites.n:
            return []
        if len(directions) == 1:
            return [*self._tails(directions[0])[site]]
        return list(dict.fromkeys(tail for direction in directions for tail in self._tails(direction)[site]))

    def _tails(self, direction: str) -> list[list[tuple[int, ...]]]:
        """The different radials of every site in a direction, without the sites themselves."""
        if direction not in self._tails_found:
            self._tails_found[direction] = [
                list(dict.fromkeys(radial[1:] for radial in self.sites.radials(site, direction) if len(radial) > 1))
                for site in range(self.sites.n)
            ]
        return self._tails_found[direction]

    def coordinate_table(self, what: str) -> str:
        """Column, row, phase or layer of every site; -1 outside the board."""
        values = {
            "column": self.sites.col,
            "row": self.sites.row,
            "phase": self.sites.phase,
            "layer": self.sites.layer,
        }[what]
        return self.module.table(what.upper(), [*values, *([-1] * (self.n_sites - self.n_board))])

    def direction_between(self, names: Sequence[str], opposite: bool = False) -> str:
        """For each pair of sites, the index of the direction whose radial leads from one to the other, or -1."""
        self.module.claim(self.n_board * self.n_board)
        table = [-1] * (self.n_board * self.n_board)
        for site in range(self.n_board):
            for index, name in enumerate(names):
                wanted = names.index(turned(name)) if opposite and turned(name) in names else index
                for radial in self.sites.radials(site, name):
                    for there in radial[1:]:
                        if table[site * self.n_board + there] < 0:
                            table[site * self.n_board + there] = wanted
        return self.module.table("DIRECTION", table)

    def line_table(self, direction: str, reach: int | None) -> LineTable:
        """The lines through every site in a group of directions, each line once."""
        every = [
            [(ray[1:], [opposite[1:] for opposite in others]) for ray, others in self.sites.lines(site, direction)]
            for site in range(self.n_board)
        ]
        if reach is not None:
            reach = max(reach, 1)
            every = [[(ray[:reach], [o[:reach] for o in others]) for ray, others in row] for row in every]
        rays = max((len(row) for row in every), default=0) or 1
        opposites = max((len(others) for row in every for _, others in row), default=0)
        length = max((len(r) for row in every for ray, others in row for r in (ray, *others)), default=0) or 1
        missing = any(len(others) < opposites for row in every for _, others in row)
        stride = length * (1 + opposites)
        flat: list[int] = []
        for row in every:
            for ray, others in [*row, *([((), [])] * (rays - len(row)))]:
                flat += [*ray, *([-1] * (length - len(ray)))]
                for k in range(opposites):
                    if k < len(others):
                        flat += [*others[k], *([-1] * (length - len(others[k])))]
                    else:
                        flat += [-2] * length
        return LineTable(self.module.table("LINES", flat), rays, length, opposites, stride, missing or opposites == 0)

    def walled_lines(self, direction: str, reach: int) -> LineTable | None:
        """Lines as pairs of rays cut at a length and padded with the site behind the last one, the wall.

        None where a ray has several opposites.
        """
        every: list[list[tuple[tuple[int, ...], tuple[int, ...]]]] = []
        for site in range(self.n_board):
            found = [(ray[1 : reach + 1], others) for ray, others in self.sites.lines(site, direction)]
            if any(len(others) > 1 for _, others in found):
                return None
            every.append([(ray, others[0][1 : reach + 1] if others else ()) for ray, others in found])
        rays = max((len(row) for row in every), default=0) or 1
        length = max((len(r) for row in every for pair in row for r in pair), default=0) or 1
        flat: list[int] = []
        for row in every:
            for pair in [*row, *([((), ())] * (rays - len(row)))]:
                for ray in pair:
                    flat += [*ray, *([self.n_sites] * (length - len(ray)))]
        return LineTable(self.module.table("LINES", flat), rays, length, 1, 2 * length, False)

    def opposite_pairs(self, direction: Value | None, reach: int) -> tuple[str, int, int]:
        """Pairs of opposite rays of every site, cut at a length: table, pairs per site, length."""
        name = str(direction) if direction is not None else "Adjacent"
        every = []
        for site in range(self.n_board):
            row = []
            for ray, others in self.sites.lines(site, name):
                row += [(tuple(ray[1 : reach + 1]), tuple(other[1 : reach + 1])) for other in others]
            every.append(row)
        width = max(map(len, every), default=0) or 1
        flat: list[int] = []
        for row in every:
            for a, b in [*row, *([((), ())] * (width - len(row)))]:
                flat += [*a, *([-1] * (reach - len(a))), *b, *([-1] * (reach - len(b)))]
        return self.module.table("PAIRS", flat), width, reach
