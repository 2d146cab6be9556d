"""Boards of several layers: what a site rests on, corners of pyramids, and the longest line anywhere."""

from __future__ import annotations

from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.conditions import any_of
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.region import Filtered, Region, Static
from ludoport.ludemes.core.registry import boolean_ludeme, condition, int_ludeme, number, region, region_ludeme
from ludoport.ludemes.fields.layers import above, below
from ludoport.ludemes.fields.position import empty_at, who_at


@boolean_ludeme("is Flat", reads=["board"])
def is_flat(node: Ludeme, cx: Cx) -> Bool:
    """Whether a site is in the lowest layer, or on pieces all around below it."""
    program = cx.program
    place = cx.bind(val=cx.name(number(node.get("value"), cx, cx.slots["to"])))

    def body(inner: Cx) -> None:
        table, width = below(program)
        inner.line(f"s = {inner.slots['val']}")
        with inner.block(f"if s < 0 or s >= {program.n_board}:"):
            inner.line("return False")
        with inner.block(f"for k in range({width}):"):
            inner.line(f"low = {table}[s * {width} + k]")
            with inner.block("if low < 0:"):
                inner.line("break")
            with inner.block(f"if {empty_at(program, 'low')}:"):
                inner.line("return False")
        inner.line("return True")

    return place.call("flat", node, body, key="flat")


@int_ludeme(
    "count SitesPlatformBelow",
    reads=["board"],
    ignores=dict.fromkeys(("in", "name"), "the reference looks at one site"),
)
def sites_below(node: Ludeme, cx: Cx) -> Expr:
    """How many of the sites that a site rests on hold pieces of a player, or certain pieces."""
    program = cx.program
    place = cx.bind(val=cx.name(number(node.get("at"), cx, cx.slots["to"])))

    def body(inner: Cx) -> None:
        table, width = below(program)
        kinds = node.get("whats")
        listed = kinds if isinstance(kinds, list) else [node.get("what")]
        wanted = [inner.name(number(kind, inner)) for kind in listed if kind is not None]
        owner = inner.name(number(node.get("who"), inner, 0))
        inner.line(f"s = {inner.slots['val']}")
        inner.line("total = 0")
        with inner.block(f"if 0 <= s < {program.n_board}:"), inner.block(f"for k in range({width}):"):
            inner.line(f"low = {table}[s * {width} + k]")
            with inner.block("if low < 0:"):
                inner.line("break")
            here = inner.sure("low")
            fits = any_of(*[f"state[WHAT + low] == {kind}" for kind in wanted])
            if not wanted:
                fits = f"{who_at(here, 'low')} == {owner}"
            with inner.block(f"if {fits}:"):
                inner.line("total += 1")
        inner.line("return total")

    return place.call("platform", node, body, key=("platform", id(node)))


@region_ludeme("sites Support", reads=["board"])
def sites_support(node: Ludeme, cx: Cx) -> Region:
    """The sites on which pieces rest, or pieces of one kind."""
    program = cx.program
    table, width = above(program)
    wanted = node.get("index")
    piece = cx.name(number(wanted, cx)) if wanted is not None else None
    place = cx.bind(val=piece) if piece is not None else cx

    def body(inner: Cx) -> None:
        with inner.block(f"for k in range({width}):"):
            inner.line(f"high = {table}[{inner.slots['site']} * {width} + k]")
            rests = "state[WHAT + high] != 0" if piece is None else f"state[WHAT + high] == {inner.slots['val']}"
            with inner.block(f"if high >= 0 and {rests}:"):
                inner.line("return True")
        inner.line("return False")

    def test(spot: Cx, site: str) -> Bool:
        bound = spot.bind(site=site, val=place.slots["val"])
        return bound.call("supports", node, body, key=("supports", piece is None))

    return Filtered(Static(tuple(range(program.n_board)), program), test)


@boolean_ludeme("is Freedom", reads=["board"])
def is_freedom(node: Ludeme, cx: Cx) -> Bool:
    """Whether a region has an empty neighbour in the lowest layer, besides the site where a piece is put."""
    program = cx.program
    ground = program.sites.layer
    rows = [
        [t for t in program.steps(s, ["N", "S", "W", "E"]) if ground[t] == 0] if s < program.n_board else []
        for s in range(program.n_sites)
    ]
    width = max(map(len, rows), default=0) or 1
    table = program.module.table("BESIDE", [t for row in rows for t in [*row, *([-1] * (width - len(row)))]])

    def body(inner: Cx) -> None:
        placed = inner.name(number(node.get("toPlace"), inner, -1))
        with region(node.args["in"], inner).each(inner) as site, inner.block(f"for k in range({width}):"):
            inner.line(f"near = {table}[{site} * {width} + k]")
            with inner.block(f"if near >= 0 and near != {placed} and {empty_at(program, 'near')}:"):
                inner.line("return True")
        inner.line("return False")

    return cx.call("freedom", node, body, key=("freedom", id(node)))


_UNUSED = "the reference looks only at the sites"


@boolean_ludeme("is PyramidCorners", reads=["board"], ignores={"walk": _UNUSED, "what": _UNUSED, "whats": _UNUSED})
def is_pyramid(node: Ludeme, cx: Cx) -> Bool:
    """Whether the four corners of a pyramid below or above a site hold the same piece as the site."""
    program = cx.program
    depth = max(program.sites.layer, default=0)
    rows = []
    for site in range(program.n_board):
        found = []
        for rise in ("D", "U"):
            found += _corners(cx, site, rise, depth)
        rows.append(found)
    width = max(map(len, rows), default=0) or 4
    table = program.module.table("PYRAMIDS", [s for row in rows for s in [*row, *([-1] * (width - len(row)))]])

    def body(inner: Cx) -> None:
        def test(place: Cx, site: str) -> None:
            place.line(f"piece = state[WHAT + {site}]")
            with place.block(f"for k in range(0, {width}, 4):"):
                place.line(f"base = {site} * {width} + k")
                with place.block(f"if {table}[base] < 0:"):
                    place.line("break")
                corners = [f"state[WHAT + {table}[base + {i}]] == piece" for i in range(4)]
                with place.block("if " + " and ".join(corners) + ":"):
                    place.line("return True")

        if node.get("froms") is not None:
            with region(node.args["froms"], inner).each(inner) as site:
                with inner.block(f"if {site} >= {program.n_board}:"):
                    inner.line("return False")
                test(inner.sure(site), site)
        else:
            inner.line(f"s = {number(node.get('from'), inner, 'state[LAST_TO]')}")
            with inner.block(f"if 0 <= s < {program.n_board}:"):
                test(inner.sure("s"), "s")
        inner.line("return False")

    return cx.call("pyramid", node, body, key=("pyramid", id(node)))


def _corners(cx: Cx, site: int, rise: str, depth: int) -> list[int]:
    """The four corners of each pyramid whose top (or bottom) is a site, the smallest pyramid first."""
    found: list[int] = []
    at = [site] * 4
    for _ in range(depth):
        for k, way in enumerate(("NW", "NE", "SW", "SE")):
            steps = cx.program.sites.steps(at[k], rise + way)
            if len(steps) != 1:
                return found
            at[k] = steps[0]
        found += at
    return found


@int_ludeme("count SizeBiggestLine", reads=["board"])
def size_of_longest(node: Ludeme, cx: Cx) -> Expr:
    """The number of sites in the longest line of sites that fulfil a condition."""
    program = cx.program
    table = program.line_table(str(node.get("directions") or "Adjacent"), None)
    marks = program.scratch(program.n_board, "MARKS")
    test = node.get("if")

    def body(inner: Cx) -> None:
        with inner.block(f"for s in range({program.n_board}):"):
            here = inner.sure("s").bind(to="s")
            fits = condition(test, here) if test is not None else f"not {empty_at(program, 's')}"
            inner.line(f"work[{marks} + s] = 1 if {fits} else 0")
        inner.line("longest = 0")
        with inner.block(f"for s in range({program.n_board}):"), inner.block(f"if work[{marks} + s] != 0:"):
            with inner.block(f"for r in range({table.rays}):"):
                inner.line("count = 1")
                # All opposites of a ray continue the same line.
                with inner.block(f"for o in range({table.opposites + 1}):"):
                    inner.line(f"base = (s * {table.rays} + r) * {table.stride} + o * {table.length}")
                    with inner.block(f"for k in range({table.length}):"):
                        inner.line(f"t = {table.name}[base + k]")
                        with inner.block(f"if t < 0 or work[{marks} + t] == 0:"):
                            inner.line("break")
                        inner.line("count += 1")
                with inner.block("if count > longest:"):
                    inner.line("longest = count")
        inner.line("return longest")

    return cx.call("longest_anywhere", node, body, key=("longest anywhere", id(node)))
