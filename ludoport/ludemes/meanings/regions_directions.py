"""The sites in some directions from a site or from several."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ludoport.lud.tree import Ludeme, Word
from ludoport.ludemes.core.conditions import all_of
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.known import fixed
from ludoport.ludemes.core.region import ListedSites, Region, ScratchRegion, Static, refuse_picking
from ludoport.ludemes.core.registry import condition, number, region, region_ludeme
from ludoport.ludemes.core.shortcuts import taken
from ludoport.ludemes.fields.direction_choice import variants
from ludoport.ludemes.fields.directions import rays

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

_MOST = 20_000
"""Numbers in a table of sites by origin."""


@region_ludeme("sites Direction", reads=["board"], known=True)
def in_direction(node: Ludeme, cx: Cx) -> Region:
    """The sites along radials from one or several sites, up to a condition that stops them."""
    source = node.get("from")
    rows = None if source is None or _is_region(source) else _rows(node, cx.program)
    whole = node.get("distance") is None and node.get("included") is None
    if rows is not None and source is not None and whole and fixed(source):
        origin = number(source, cx)
        if isinstance(origin, int):
            return Static(rows[origin] if 0 <= origin < len(rows) else (), cx.program)
    width = max(map(len, rows), default=0) if rows is not None else 0
    if rows is not None and width * cx.program.n_sites <= _MOST and cx.program.n_sites**2 <= _MOST and taken("rows"):
        return _ByOrigin(node, rows, max(width, 1))

    def gather(inner: Cx, add: Callable[[str], None]) -> None:
        sources = (
            ListedSites.of([number(node.args["from"], inner)], inner)
            if isinstance(node.get("from"), (int, Ludeme)) and not _is_region(node.get("from"))
            else region(node.args["from"], inner)
        )
        stop = node.get("stop")
        limit = number(node.get("distance"), inner, 1_000_000)
        with sources.each(inner) as origin:
            place = inner.sure(origin)
            if condition(node.get("included"), inner, False) is True:
                add(origin)
            for directions, branch in variants(node.get("directions"), place):
                lines = rays(directions, branch)
                inside: Bool = (
                    True if inner.program.n_board == inner.program.n_sites else f"{origin} < {inner.program.n_board}"
                )
                with inner.when(inside), lines.each(branch, origin) as ray, lines.walk(branch, ray) as (site, position):
                    here = branch.sure(site).bind(to=site)
                    if limit != 1_000_000:
                        with inner.block(f"if {position} >= {limit}:"):
                            inner.line("break")
                    if stop is not None:
                        halted = inner.name(condition(stop, here))
                        if condition(node.get("stopIncluded"), inner, False) is True:
                            add(site)
                            with inner.block(f"if {halted}:"):
                                inner.line("break")
                        else:
                            with inner.block(f"if {halted}:"):
                                inner.line("break")
                            add(site)
                    else:
                        add(site)

    return ScratchRegion(gather)


def _rows(node: Ludeme, program: Program) -> list[tuple[int, ...]] | None:
    """For each site of the board those in fixed directions, in order, where nothing stops them; None if not known."""
    directions, distance = node.get("directions"), node.get("distance")
    plain = directions is None or (isinstance(directions, Word) and directions.enum == "AbsoluteDirection")
    if not plain or any(node.get(name) is not None for name in ("stop", "stopIncluded")):
        return None
    included = node.get("included") is True
    if not included and node.get("included") not in (None, False):
        return None
    if distance is not None and type(distance) is not int:
        return None
    names = [str(directions) if directions is not None else "Adjacent"]
    return [
        tuple(
            dict.fromkeys(
                [*[origin] * included, *(s for ray in program.radials(origin, names) for s in ray[:distance])]
            )
        )
        for origin in range(program.n_board)
    ]


class _ByOrigin(Region):
    """The sites that belong to a site, from a table; where that is, is asked for where the sites are needed."""

    def __init__(self, node: Ludeme, rows: list[tuple[int, ...]], width: int, origin: str = "") -> None:
        self.node, self.rows, self.width = node, rows, width
        self.origin = origin

    def prepared(self, cx: Cx) -> Region:
        """The same for an origin that is known where a loop begins."""
        refuse_picking(cx)
        origin = self.origin or cx.name(number(self.node.args["from"], cx), "origin")
        return _ByOrigin(self.node, self.rows, self.width, origin)

    def contains(self, cx: Cx, site: Expr) -> Bool:
        """Code that looks into a table of pairs."""
        if not self.origin:
            return self.prepared(cx).contains(cx, site)
        size = cx.program.n_sites
        flat = [0] * (size * size)
        for origin, row in enumerate(self.rows):
            for other in row:
                flat[origin * size + other] = 1
        table = cx.program.module.table("LEADS", flat)
        guards = [f"on_board({each})" for each in (self.origin, str(site)) if each not in cx.safe]
        return f"({all_of(*guards, f'{table}[{self.origin} * {size} + {site}] != 0')})"

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        """Walk along the row of the origin."""
        refuse_picking(cx)
        program = cx.program
        origin = self.origin or cx.name(number(self.node.args["from"], cx), "origin")
        padded = [*self.rows, *[()] * (program.n_sites - len(self.rows))]
        flat = [site for row in padded for site in [*row, *[-1] * (self.width - len(row))]]
        table = program.module.table("LED", flat)
        index, name = cx.fresh("k"), cx.fresh("s")
        with cx.when(True if origin in cx.safe else f"on_board({origin})"):
            with cx.block(f"for {index} in range({self.width}):"):
                cx.line(f"{name} = {table}[{origin} * {self.width} + {index}]")
                with cx.block(f"if {name} < 0:"):
                    cx.line("break")
                yield name


def _is_region(value: object) -> bool:
    return isinstance(value, Ludeme) and value.kind == "region"
