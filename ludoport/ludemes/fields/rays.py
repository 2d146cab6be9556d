"""Tables of straight lines and of steps, and the loops over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.digits import digit
from ludoport.ludemes.core.region import looping
from ludoport.ludemes.core.shortcuts import taken
from ludoport.ludemes.core.site_widths import SiteWidth
from ludoport.ludemes.fields.direction_choice import facing_index
from ludoport.ludemes.fields.facings import faces_by_piece, rotates

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

MOST_NUMBERS = 50_000
"""Largest table that tells which ray leads from one site to another."""


def by_site(cx: Cx, origin: Expr, by_owner: bool, counts: list[int]) -> SiteWidth | None:
    """Number of candidates of the moving piece on each site; None if its site or its row is unknown.

    Args:
        cx: the place.
        origin: where the moves start.
        by_owner: whether the numbers are those of one owner after the other.
        counts: the numbers by row of a table of rays or steps.
    """
    program, digits = cx.program, cx.picking
    if digits is None or digits.site is None or digits.owner is None or origin != digits.site:
        return None
    if by_owner and (faces_by_piece(program) or rotates(program) or cx.owner != digits.owner):
        return None
    rows = np.array(counts).reshape(-1, program.n_board)
    return SiteWidth(rows, digits.site, digits.owner)


@dataclass
class Lines:
    """Rows of sites from every origin, padded with -1: ``table[(origin * rays + ray) * length + k]``."""

    table: str
    rays: int
    length: int
    by_owner: bool
    sites: int
    pick: str | None = None
    offset: str | None = None
    test: Callable[[Cx, Expr, str], Bool] | None = None
    """Which rays of an origin are meant, where the position decides that."""

    def _start(self, cx: Cx, origin: Expr) -> Expr:
        """Code for the row of an origin."""
        if self.offset is not None:
            return f"({self.offset} * {self.sites} + {origin})"
        if self.by_owner:
            return f"({facing_index(cx, origin)} * {self.sites} + {origin})"
        return origin

    @contextmanager
    def aimed(self, cx: Cx, origin: Expr, target: str) -> Iterator[tuple[str, str, str]]:
        """Write a loop along the ray of a site on which another lies; yields like ``paths``."""
        with self.leading_to(cx, origin, target) as base, self.walk(cx, base) as (site, position):
            yield base, site, position

    @contextmanager
    def leading_to(self, cx: Cx, origin: Expr, target: str) -> Iterator[str]:
        """Write code for the one ray of a site on which another lies; yields like ``each``.

        The code is that of ``each`` where a ray is not known by its sites.
        """
        numbers = self._ray_numbers(cx.program)
        if numbers is None:
            with self.each(cx, origin) as base:
                yield base
            return
        base, ray = cx.fresh("ray"), cx.fresh("r")
        start = self._start(cx, origin)
        beyond = "" if cx.program.n_sites == self.sites else f" if {target} < {self.sites} else -1"
        cx.line(f"{ray} = {numbers}[{start} * {self.sites} + {target}]{beyond}")
        with cx.block(f"if {ray} >= 0:"):
            cx.line(f"{base} = ({start} * {self.rays} + {ray}) * {self.length}")
            yield base

    def _ray_numbers(self, program: Program) -> str | None:
        """A table of the ray from each origin (row) on which each site (column) lies, -1 for none.

        Returns:
            The table's name; None where the position chooses rays, two rays lead to one site, or the table is large.
        """
        flat = program.module.tables[self.table]
        rows = flat.size // (self.rays * self.length)
        if self.pick is not None or self.test is not None or self.rays == 1 or rows * self.sites > MOST_NUMBERS:
            return None
        lines = flat.reshape(rows, self.rays, self.length)
        numbers = np.full((rows, self.sites), -1)
        for row, ray, k in zip(*np.nonzero(lines >= 0), strict=True):
            site = lines[row, ray, k]
            if numbers[row, site] >= 0:
                return None
            numbers[row, site] = ray
        return program.module.table("RAY_TO", numbers)

    @contextmanager
    def each(self, cx: Cx, origin: Expr) -> Iterator[str]:
        """Write a loop over the rays of a site; yields the name of the index of a ray's first site."""
        base = cx.fresh("ray")
        start = self._start(cx, origin)
        if self.pick is not None:
            with cx.block(f"if {self.pick} >= 0:"):
                cx.line(f"{base} = ({start} * {self.rays} + {self.pick}) * {self.length}")
                yield base
            return
        if self.rays == 1 and self.test is None:
            cx.line(f"{base} = {start} * {self.length}")
            yield base
            return
        with looping(cx, cx.fresh("r"), self.rays, self.rays) as ray:
            with cx.when(True if self.test is None else self.test(cx.plain(), origin, ray)):
                cx.line(f"{base} = ({start} * {self.rays} + {ray}) * {self.length}")
                yield base

    @contextmanager
    def paths(self, cx: Cx, origin: Expr, low: Expr = 1, high: Expr = 1000) -> Iterator[tuple[str, str, str]]:
        """Write loops over the rays of a site and along them; yields the names of ray, site and position.

        Args:
            cx: the place.
            origin: the site.
            low: the smallest distance at which moves end.
            high: the largest one.
        """
        far = min(self.length, high) if isinstance(high, int) and high > 0 and taken("width") else self.length
        chosen = self.pick is not None or self.test is not None or self.offset is not None
        if cx.picking is None or chosen or not taken("width"):
            with self.each(cx, origin) as base, self.walk(cx, base, far=far) as (site, position):
                yield base, site, position
            return
        # One digit for the ends of all rays. The whole way is walked, because something may stop it.
        nearest = max(low - 1, 0) if isinstance(low, int) else 0
        lasts, starts, counts = cx.program.memo(_ways, self.table, self.rays, self.length, nearest, far)
        most = max(counts) or 1
        base, last, site, position = cx.fresh("ray"), cx.fresh("last"), cx.fresh("s"), cx.fresh("k")
        start = self._start(cx, origin)
        with digit(cx, most, most, by_site(cx, origin, self.by_owner, counts)) as way:
            cx.line(f"{last} = {lasts}[{start} * {most} + {way}]")
            with cx.block(f"if {last} >= 0:"):
                cx.line(f"{base} = {starts}[{start} * {most} + {way}]")
                # Both tables are read at the same place, so no site before the last one is missing.
                cx.fn.facts[site] = (0, self.sites - 1)
                with cx.block(f"for {position} in range({last} + 1):"):
                    cx.line(f"{site} = {self.table}[{base} + {position}]")
                    cx.picking.guards.append(f"{position} == {last}")
                    yield base, site, position
                    cx.picking.guards.pop()

    @contextmanager
    def walk(self, cx: Cx, base: str, first: int = 0, far: int | None = None) -> Iterator[tuple[str, str]]:
        """Write a loop along a ray; yields the names of the site and of its position on the ray."""
        length = self.length if far is None else far
        position, site = cx.fresh("k"), cx.fresh("s")
        if cx.picking is not None:
            # The whole way is walked, because something may stop it, but only its end is a candidate.
            with digit(cx, length - first, length - first) as last:
                with cx.block(f"for {position} in range({f'{first}, ' if first else ''}{last} + {first + 1}):"):
                    cx.line(f"{site} = {self.table}[{base} + {position}]")
                    with cx.block(f"if {site} < 0:"):
                        cx.line("break")
                    cx.picking.guards.append(f"{position} == {last} + {first}" if first else f"{position} == {last}")
                    yield site, position
                    cx.picking.guards.pop()
            return
        with cx.block(f"for {position} in range({f'{first}, ' if first else ''}{length}):"):
            cx.line(f"{site} = {self.table}[{base} + {position}]")
            with cx.block(f"if {site} < 0:"):
                cx.line("break")
            yield site, position


def _ways(program: Program, table: str, rays: int, length: int, nearest: int, far: int) -> tuple[str, str, list[int]]:
    """Tables of the ways along the rays of each site: where they end and begin in the table of rays; their numbers."""
    lines = program.module.tables[table].reshape(-1, rays, length)
    reached = np.logical_and.accumulate(lines >= 0, axis=2)
    reached[:, :, :nearest] = False
    reached[:, :, far:] = False
    row, ray, place = np.nonzero(reached)
    counts = np.bincount(row, minlength=len(lines))
    column = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
    ends = np.full((len(lines), counts.max() or 1), -1)
    ends[row, column] = place
    starts = np.zeros_like(ends)
    starts[row, column] = (row * rays + ray) * length
    # The -1 beyond the last row makes -1 what is read off the table, whatever the rows hold.
    lasts = program.module.table("ENDS", np.append(ends, -1))
    return lasts, program.module.table("WAYS", starts), [int(count) for count in counts]


@dataclass
class Steps:
    """The sites one step (or a fixed number of steps) away: ``table[origin * width + k]``, padded with -1."""

    table: str
    width: int
    by_owner: bool
    sites: int
    pick: str | None = None
    test: Callable[[Cx, Expr, str], Bool] | None = None

    @contextmanager
    def each(self, cx: Cx, origin: Expr) -> Iterator[str]:
        """Write a loop over the sites a step away; yields the name of the site."""
        start: Expr = origin
        if self.by_owner:
            start = f"({facing_index(cx, origin)} * {self.sites} + {origin})"
        site = cx.fresh("s")
        if self.pick is not None or (self.width == 1 and self.test is None):
            index = self.pick if self.pick is not None else "0"
            with cx.when(f"{self.pick} >= 0" if self.pick is not None else True):
                cx.line(f"{site} = {self.table}[{start} * {self.width} + {index}]")
                with cx.block(f"if on_board({site}):"):
                    yield site
            return
        position = cx.fresh("k")
        if cx.picking is not None and self.test is None and taken("width"):
            rows = cx.program.module.tables[self.table].reshape(-1, self.width)
            counts = [int((row >= 0).sum()) for row in rows]
            with digit(cx, self.width, self.width, by_site(cx, origin, self.by_owner, counts)) as position:
                cx.line(f"{site} = {self.table}[{start} * {self.width} + {position}]")
                with cx.block(f"if on_board({site}):"):
                    yield site
            return
        if self.test is not None or cx.picking is not None:
            with looping(cx, position, self.width, self.width) as position:
                cx.line(f"{site} = {self.table}[{start} * {self.width} + {position}]")
                with cx.block(f"if on_board({site}):"):
                    with cx.when(True if self.test is None else self.test(cx.plain(), origin, position)):
                        yield site
            return
        with cx.block(f"for {position} in range({self.width}):"):
            cx.line(f"{site} = {self.table}[{start} * {self.width} + {position}]")
            with cx.block(f"if {site} < 0:"):
                cx.line("break")
            yield site

    def first(self, cx: Cx, origin: str) -> Expr:
        """Code for the first site reached, or the origin itself if there is none."""
        start: Expr = origin
        if self.by_owner:
            start = f"({facing_index(cx, origin)} * {self.sites} + {origin})"
        result = cx.fresh("s")
        cx.line(f"{result} = {origin}")
        if self.test is not None or self.pick is not None:
            with cx.block(f"if {origin} >= 0 and {origin} < {self.sites}:"):
                with self.each(cx.sure(origin), origin) as site, cx.block(f"if {result} == {origin}:"):
                    cx.line(f"{result} = {site}")
            return result
        with cx.block(f"if {origin} >= 0 and {origin} < {self.sites}:"):
            reached = cx.fresh("s")
            cx.line(f"{reached} = {self.table}[{start} * {self.width}]")
            with cx.block(f"if {reached} >= 0:"):
                cx.line(f"{result} = {reached}")
        return result


class FarSteps(Steps):
    """The sites a number of steps away that is only known in play, found along rays."""

    def __init__(self, lines: Lines, distance: str) -> None:
        super().__init__(lines.table, lines.rays, lines.by_owner, lines.sites)
        self.lines, self.distance = lines, distance

    @contextmanager
    def each(self, cx: Cx, origin: Expr) -> Iterator[str]:
        """Write a loop over the sites at the distance; yields the name of the site."""
        site = cx.fresh("s")
        with cx.block(f"if {self.distance} >= 1 and {self.distance} <= {self.lines.length}:"):
            with self.lines.each(cx, origin) as ray:
                cx.line(f"{site} = {self.lines.table}[{ray} + {self.distance} - 1]")
                with cx.block(f"if on_board({site}):"):
                    yield site

    def first(self, cx: Cx, origin: str) -> Expr:
        """Code for the first site reached, or the origin itself if there is none."""
        result = cx.fresh("s")
        cx.line(f"{result} = {origin}")
        with cx.block(f"if {origin} >= 0 and {origin} < {self.sites}:"):
            with self.each(cx.plain().sure(origin), origin) as site, cx.block(f"if {result} == {origin}:"):
                cx.line(f"{result} = {site}")
        return result
