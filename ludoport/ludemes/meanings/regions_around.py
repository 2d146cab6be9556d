"""The sites around a site or a region."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ludoport.errors import LudError, UnsupportedError
from ludoport.lud.tree import Ludeme, Word
from ludoport.ludemes.core.conditions import all_of, negation
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.known import fixed
from ludoport.ludemes.core.region import Region, ScratchRegion, Static, collect
from ludoport.ludemes.core.registry import condition, number, region, region_ludeme
from ludoport.ludemes.fields.directions import kind_steps, steps_table
from ludoport.ludemes.fields.position import empty_at, who_at
from ludoport.ludemes.fields.rays import Steps
from ludoport.ludemes.fields.teams import enemy
from ludoport.ludemes.meanings.regions_state import Owned

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


@region_ludeme("sites Around", reads=["board"], known=True)
def around(node: Ludeme, cx: Cx) -> Region:
    """The sites at a distance from a site along radials, filtered by their pieces."""
    where = node.get("where")
    distance = number(node.get("distance"), cx, 1)
    kind = node.get("type")
    own_site = condition(node.get("includeSelf"), cx, False)
    elsewhere = node.get("typeLoc") is not None and str(node.get("typeLoc")) != cx.program.board.kind
    if elsewhere and node.get("regionWhere") is not None:
        raise UnsupportedError("`sites Around` a region of another kind of sites is not implemented yet", node.source)
    known = None if elsewhere else _known_around(node, cx, distance, own_site)
    if known is not None:
        return Static(known, cx.program)
    if node.get("regionWhere") is not None:
        return _around_region(node, cx, distance)
    origin = cx.name(number(where, cx))

    def test(place: Cx, site: str) -> Bool:
        tests = [dynamic_test(place, site, str(kind))] if kind is not None else []
        if node.get("if") is not None:
            tests.append(condition(node.args["if"], place.bind(to=site, frm=origin)))
        return all_of(*tests)

    if elsewhere:
        far = kind_steps(node.get("directions"), cx, node.get("typeLoc"), distance)
        return AroundElsewhere(origin, far, test, own_site is True)
    table = steps_table(node.get("directions"), cx.bind(frm=origin), distance=distance)
    return Around(origin, table, test, own_site is True)


def _known_around(node: Ludeme, cx: Cx, distance: Expr, itself: Bool) -> tuple[int, ...] | None:
    """The sites around fixed sites in fixed directions, where nothing is asked of them."""
    directions = node.get("directions")
    plain = directions is None or (isinstance(directions, Word) and directions.enum == "AbsoluteDirection")
    if not plain or not isinstance(distance, int) or distance < 1 or not isinstance(itself, bool):
        return None
    if node.get("type") is not None or node.get("if") is not None:
        return None
    where = node.get("regionWhere") if node.get("regionWhere") is not None else node.get("where")
    if where is None or not fixed(where):
        return None
    origins = region(where, cx).static if node.get("regionWhere") is not None else (number(where, cx),)
    if origins is None or not all(isinstance(origin, int) for origin in origins):
        return None
    ways = [str(directions) if directions is not None else "Adjacent"]
    found: list[int] = []
    for origin in origins:
        if distance == 1 and 0 <= int(origin) < cx.program.n_board:
            found += cx.program.steps(int(origin), ways)
        elif distance > 1:
            found += [ray[distance - 1] for ray in cx.program.radials(int(origin), ways) if len(ray) >= distance]
        found += [int(origin)] * itself
    if node.get("regionWhere") is not None and not itself:
        found = [site for site in found if site not in origins]
    return tuple(dict.fromkeys(found))


def _around_region(node: Ludeme, cx: Cx, distance: Expr) -> Region:
    kind = node.get("type")

    def gather(inner: Cx, add: Callable[[str], None]) -> None:
        origins: Region = region(node.args["regionWhere"], inner)
        itself = condition(node.get("includeSelf"), inner, False)
        outside: Callable[[str], Bool] = lambda site: True  # noqa: E731
        if itself is not True and not (kind is not None and str(kind) == "Empty" and isinstance(origins, Owned)):
            # Sites of the region itself do not lie around it.
            if origins.static is None:
                origins, marks = _listed_once(origins, inner)
                outside = lambda site: f"work[{marks} + {site}] == 0"  # noqa: E731
            else:
                known = origins
                outside = lambda site: negation(known.contains(inner.sure(site), site))  # noqa: E731
        with origins.each(inner) as origin:
            place = inner.sure(origin)
            table = steps_table(node.get("directions"), place.bind(frm=origin), distance=distance)
            with inner.when(
                True if inner.program.n_board == inner.program.n_sites else f"{origin} < {inner.program.n_board}"
            ):
                with table.each(place.bind(frm=origin), origin) as site:
                    tests = [dynamic_test(place.sure(site), site, str(kind))] if kind is not None else []
                    if node.get("if") is not None:
                        tests.append(condition(node.args["if"], place.sure(site).bind(to=site, frm=origin)))
                    with inner.when(all_of(outside(site), *tests)):
                        add(site)
                if itself is True:
                    add(origin)

    return ScratchRegion(gather)


def _listed_once(base: Region, cx: Cx) -> tuple[Region, str]:
    """The same region collected into scratch space, and the offset of the marks of its sites."""

    def gather(inner: Cx, add: Callable[[str], None]) -> None:
        with base.each(inner) as site:
            add(site)

    marks, items, count = collect(cx, gather)

    class ScratchSites(Region):
        @contextmanager
        def each(self, cx: Cx) -> Iterator[str]:
            index, site = cx.fresh("i"), cx.fresh("s")
            with cx.block(f"for {index} in range({count}):"):
                cx.line(f"{site} = work[{items} + {index}]")
                yield site

    return ScratchSites(), marks


def dynamic_test(cx: Cx, site: str, kind: str) -> Bool:
    """Whether the piece on a site fits a word such as ``Own`` or ``Enemy``."""
    program = cx.program
    who = who_at(cx, site)
    mover = cx.slots["mover"]
    shared = program.n_players + 1
    common = any(c.owner == shared for c in program.components)
    if kind in ("Own", "NotEnemy"):
        # Empty sites have no owner; shared pieces belong to all players.
        return f"({who} == {mover} or {who} == {shared})" if common else f"{who} == {mover}"
    if kind == "NotOwn":
        other = f"{who} != {mover}" + (f" and {who} != {shared}" if common else "")
        return f"({negation(empty_at(program, site))} and {other})"
    if kind == "Enemy":
        return enemy(cx, who)
    if kind == "Empty":
        return empty_at(program, site)
    if kind == "NotEmpty":
        return negation(empty_at(program, site))
    raise LudError(f"`{kind}` is not a kind of site")


class Around(Region):
    """The neighbours of one site."""

    def __init__(self, origin: str, table, test: Callable[[Cx, str], Bool], include: bool) -> None:  # type: ignore[no-untyped-def]
        self.origin, self.table, self.test, self.include = origin, table, test, include

    def contains(self, cx: Cx, site: Expr) -> Bool:
        """Look for a site among the neighbours."""
        found = cx.fresh("found")
        name = cx.name(site, "s")
        cx.line(f"{found} = {f'{name} == {self.origin}' if self.include else 'False'}")
        with self._guard(cx), self.table.each(cx, self.origin) as other:
            place = cx.sure(other)
            with cx.when(f"{other} == {name}"), cx.when(self.test(place, other)):
                cx.line(f"{found} = True")
        return found

    def walked(self, program: Program) -> int | None:
        """Number of neighbours of a site, unless a table names one twice."""
        table = program.module.tables.get(self.table.table) if type(self.table) is Steps else None
        if table is None or self.include:
            return None
        rows = [[site for site in row if site >= 0] for row in table.reshape(-1, self.table.width).tolist()]
        return int(self.table.width) if all(len(set(row)) == len(row) for row in rows) else None

    def _guard(self, cx: Cx):  # type: ignore[no-untyped-def]
        tests: list[Bool] = [] if self.origin in cx.safe else [f"on_board({self.origin})"]
        if cx.program.n_board < cx.program.n_sites:
            tests.append(f"{self.origin} < {cx.program.n_board}")
        return cx.when(all_of(*tests))

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        """Walk through the neighbours."""
        if self.include:
            with ScratchRegion(self._gather).each(cx) as site:
                yield site
            return
        with self._guard(cx), self.table.each(cx, self.origin) as site:
            with cx.when(self.test(cx.sure(site), site)):
                yield site

    def _gather(self, cx: Cx, add: Callable[[str], None]) -> None:
        with self._guard(cx):
            with self.table.each(cx, self.origin) as site:
                with cx.when(self.test(cx.sure(site), site)):
                    add(site)
            add(self.origin)


class AroundElsewhere(Around):
    """The neighbours of a site in a table that has a row for every site."""

    def _guard(self, cx: Cx):  # type: ignore[no-untyped-def]
        return cx.when(True if self.origin in cx.safe else f"on_board({self.origin})")
