"""Conditions on arrangements of pieces: patterns along walks, whole configurations, sites that all differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Value
from ludoport.ludemes.core.conditions import all_of
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.region import Region, ScratchRegion
from ludoport.ludemes.core.registry import boolean_ludeme, condition, number, region, region_ludeme
from ludoport.ludemes.fields.position import what_at
from ludoport.ludemes.fields.walks import walk_sites
from ludoport.ludemes.meanings.puzzles import all_different_values


@boolean_ludeme("is Target", reads=["board"])
def is_target(node: Ludeme, cx: Cx) -> Bool:
    """Whether the board, or some of its sites, shows exactly these components."""
    if node.get("containerIdFn") is not None or node.get("containerName") is not None:
        raise UnsupportedError("`is Target` in another container than the board is not implemented yet", node.source)
    wanted = node.args["configuration"]
    assert isinstance(wanted, list)
    one, many = node.get("specificSite"), node.get("specificSites")
    sites = many if isinstance(many, list) else [one] if one is not None else list(range(cx.program.n_board))
    # A list that does not fit all of the sites (or all cells) describes no position.
    if len(sites) != len(wanted) or (one is None and many is None and len(wanted) != cx.program.board.cells.n):
        return False
    table = cx.program.module.table("TARGET", list(wanted))
    places = cx.program.module.table("TARGET_SITES", list(sites))

    def body(inner: Cx) -> None:
        with inner.block(f"for i in range({len(sites)}):"):
            with inner.block(f"if state[WHAT + {places}[i]] != {table}[i]:"):
                inner.line("return False")
        inner.line("return True")

    return cx.call("target", node, body, key=id(node))


@boolean_ludeme("all Different", reads=["board"])
def all_different(node: Ludeme, cx: Cx) -> Bool:
    """Whether all sites of a region fulfil a condition and carry different components."""
    if "if" not in node.args:
        return all_different_values(node, cx)

    def body(inner: Cx) -> None:
        program = inner.program
        seen = program.scratch(len(program.components), "SEEN")
        with inner.block(f"for c in range({len(program.components)}):"):
            inner.line(f"work[{seen} + c] = 0")
        with region(node.args["region"], inner).each(inner) as site:
            place = inner.sure(site).bind(site=site)
            with inner.when(_not(condition(node.args["if"], place))):
                inner.line("return False")
            piece = inner.fresh("piece")
            inner.line(f"{piece} = {what_at(place, site)}")
            with inner.block(f"if work[{seen} + {piece}] != 0:"):
                inner.line("return False")
            inner.line(f"work[{seen} + {piece}] = 1")
        inner.line("return True")

    return cx.call("all_different", node, body, key=id(node))


def _not(value: Bool) -> Bool:
    return (not value) if isinstance(value, bool) else f"not {value}"


@dataclass
class _Walks:
    """The walks of a pattern from every site, and the pieces that it asks for in turn."""

    table: str
    width: int
    length: int
    given: list[Value]

    def wanted(self, cx: Cx, start: str) -> list[Expr]:
        """The pieces along a walk; those of the first site where none are given."""
        return [cx.name(number(g, cx)) for g in self.given] or [cx.name(f"state[WHAT + {start}]")]

    @contextmanager
    def each(self, cx: Cx, start: str) -> Iterator[str]:
        """Write a loop over the walks from a site that show the pattern; yields where a walk begins in the table."""
        wanted = self.wanted(cx, start)
        with cx.block(f"for r in range({self.width}):"):
            base, same = cx.fresh("base"), cx.fresh("same")
            cx.line(f"{base} = ({start} * {self.width} + r) * {self.length}")
            cx.line(f"{same} = {self.table}[{base}] >= 0")
            # Several components are met in turn along the walk.
            for k in range(self.length):
                test = f"state[WHAT + {self.table}[{base} + {k}]] == {wanted[k % len(wanted)]}"
                cx.line(f"{same} = {all_of(same, test)}")
            with cx.block(f"if {same}:"):
                yield base


def _walks(node: Ludeme, cx: Cx) -> _Walks:
    program = cx.program
    walk = node.get("walk")
    if not isinstance(walk, list):
        raise UnsupportedError(f"`{node.keyword}` without a walk is not implemented yet", node.source)
    steps = [str(step) for step in walk]
    supported = program.sites.supported_directions("Orthogonal")
    length = 1 + steps.count("F")
    rows: list[list[tuple[int, ...]]] = []
    for site in range(program.n_board):
        found = [walk_sites(program, site, steps, facing) for facing in supported]
        rows.append([row for row in found if row is not None])
    width = max(map(len, rows), default=0) or 1
    flat = [s for row in rows for sites in [*row, *([(-1,) * length] * (width - len(row)))] for s in sites]
    what, whats = node.get("what"), node.get("whats")
    given = list(whats) if isinstance(whats, list) else [what] if what is not None else []
    return _Walks(program.module.table("PATTERNS", flat), width, length, given)


@boolean_ludeme("is Pattern", reads=["board"])
def is_pattern(node: Ludeme, cx: Cx) -> Bool:
    """Whether a site is part of a pattern: all sites of some walk from it carry the same component, or given ones."""
    walks = _walks(node, cx)

    def search(place: Cx, start: str) -> None:
        if not walks.given:
            with place.block(f"if state[WHAT + {start}] == 0:"):
                place.line("return False")
        with walks.each(place, start):
            place.line("return True")

    def body(inner: Cx) -> None:
        if node.get("froms") is not None:
            with region(node.args["froms"], inner).each(inner) as site:
                search(inner.sure(site), site)
        else:
            _from_one(node, inner, search)
        inner.line("return False")

    return cx.call("pattern", node, body, key=id(node))


def _from_one(node: Ludeme, cx: Cx, use: Callable[[Cx, str], None]) -> None:
    """Write code for the one site from which a pattern is looked for."""
    start = cx.fresh("start")
    cx.line(f"{start} = {number(node.get('from'), cx, 'state[LAST_TO]')}")
    with cx.block(f"if {start} >= 0 and {start} < {cx.program.n_board}:"):
        use(cx.sure(start), start)


@region_ludeme("sites Pattern", reads=["board"])
def sites_pattern(node: Ludeme, cx: Cx) -> Region:
    """The sites of all walks from a site that show a pattern."""
    walks = _walks(node, cx)

    def gather(inner: Cx, add: Callable[[str], None]) -> None:
        def use(place: Cx, start: str) -> None:
            with walks.each(place, start) as base:
                site = place.fresh("s")
                with place.block(f"for k in range({walks.length}):"):
                    place.line(f"{site} = {walks.table}[{base} + k]")
                    add(site)

        _from_one(node, inner, use)

    return ScratchRegion(gather)
