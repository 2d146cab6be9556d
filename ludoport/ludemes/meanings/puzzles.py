"""Deduction puzzles: every site has a set of values that are still possible, and constraints say which may be chosen.

A site is resolved when one value is left. Moves choose a value or strike one out (or write it in again).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from ludoport.errors import UnsupportedError
from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.region import Region, Static
from ludoport.ludemes.core.registry import boolean_ludeme, condition, int_ludeme, moves_ludeme, number, region
from ludoport.ludemes.core.sinks import Sink, Spec
from ludoport.ludemes.fields.domains import (
    start_values,
    value_range,
    want_domains,
)
from ludoport.ludemes.fields.named_regions import region_type
from ludoport.ludemes.fields.starting import start_nodes

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


# Regions and hints ---------------------------------------------------------------------------------


def puzzle_regions(program: Program, static_only: bool = False, name: str = "") -> list[list[int]]:
    """The regions of the equipment one by one; a word such as ``Rows`` gives several."""
    found: list[list[int]] = []
    for each in program.regions:
        if name not in each.name:
            continue
        for part in each.parts:
            if isinstance(part, Word):
                found += _static_regions(program, part)
            elif not static_only:
                found.append(_fixed_sites(program, part))
    return found


def _fixed_sites(program: Program, part: Value) -> list[int]:
    """The sites of a region that does not change."""
    if isinstance(part, list):
        return [int(s) for s in part]  # type: ignore[arg-type]
    scratch = program.root(Function("unused", []))
    sites = region(part, scratch).static
    if sites is None and isinstance(part, Ludeme) and part.keyword == "sites Direction":
        starts = region(part.args["from"], scratch).static or ()
        direction = str(part.args["directions"])
        own = list(starts) if part.get("included") is True else []
        return own + [t for s in starts for ray in program.radials(s, [direction]) for t in ray]
    if sites is None:
        raise UnsupportedError("regions of a puzzle must not change", getattr(part, "source", None))
    return list(sites)


def _static_regions(program: Program, word: Word) -> list[list[int]]:
    sites = program.sites
    size = math.isqrt(sites.n)
    if word.name == "SubGrids":
        step = math.isqrt(size)
        blocks: dict[tuple[int, int], list[int]] = {}
        for s in range(sites.n):
            blocks.setdefault((sites.row[s] // step, sites.col[s] // step), []).append(s)
        return [blocks[key] for key in sorted(blocks)]
    if word.name == "Diagonals":
        # The diagonals are named in descriptions, but the recorded games do not hold them to anything.
        return []
    node = Ludeme("region", "regions", {}, word.source)
    return region_type(program, word.name, node)


def hints_of(program: Program, kind: str) -> list[tuple[list[int], int]]:
    """The hints on sites of a kind: the sites, counted within their kind, and the number."""
    found = []
    for item in program.hints:
        given = item.get("type")
        if (str(given) if given is not None else program.board.kind) != kind:
            continue
        records = item.args["records"]
        assert isinstance(records, list)
        for record in records:
            assert isinstance(record, Ludeme)
            where: Value = record.args["region"] if record.get("region") is not None else [record.args["site"]]
            assert isinstance(where, list)
            value = record.get("hint")
            found.append(([int(s) for s in where], value if isinstance(value, int) else -1))  # type: ignore[arg-type]
    return found


@int_ludeme("hint", reads=[])
def hint(node: Ludeme, cx: Cx) -> Expr:
    """The hint that is being looked at, or the one on a site; -1 if there is none."""
    if node.get("at") is None:
        return cx.slots["hint"]
    program = cx.program
    kind = str(node.get("type") or program.board.kind)
    base, sites = program.kind_block(Word(kind, "SiteType", node.source))
    numbers = [-1] * program.n_sites
    for where, value in hints_of(program, kind):
        if where and where[0] < sites.n:
            numbers[base + where[0]] = value
    table = program.module.table("HINT", numbers)
    site = cx.name(number(node.args["at"], cx))
    return f"({table}[{site}] if on_board({site}) else -1)"


# Constraints ---------------------------------------------------------------------------------------


def resolved(site: str) -> str:
    """Code that tests whether one value is left on a site."""
    return f"(state[DOMAIN + {site}] != 0 and state[DOMAIN + {site}] & (state[DOMAIN + {site}] - 1) == 0)"


def compare_sites(keyword: str, a: Expr, b: Expr, cx: Cx) -> Bool:
    """The values of two sites compared; true as long as one of them is open.

    In a puzzle every order comparison is one of sites, also where its numbers mean something else, as in the recorded
    games. Two constants are compared before any site has a value.
    """
    if isinstance(a, int) and isinstance(b, int):
        return True
    want_domains(cx.program)
    one, other = (cx.name(str(value), "site") for value in (a, b))
    within = " and ".join(f"0 <= {site} < {cx.program.n_board}" for site in (one, other))
    values = f"state[WHAT + {one}] {keyword} state[WHAT + {other}]"
    return f"(not ({within} and {resolved(one)} and {resolved(other)}) or {values})"


def _each_region(node: Ludeme, cx: Cx, regions: list[list[int]], body: Callable[[Cx, Region], None]) -> None:
    """Write code for every region of a list, which ends with the function's answer True."""
    width = max(map(len, regions), default=0) or 1
    flat = [s for r in regions for s in [*r, *([-1] * (width - len(r)))]]
    table = cx.program.module.table("AREAS", flat)
    with cx.block(f"for area in range({len(regions)}):"):
        body(cx, _Row(table, "area", width))
    cx.line("return True")


class _Row(Region):
    """One row of a table of regions."""

    def __init__(self, table: str, index: str, width: int) -> None:
        self.table, self.index, self.width = table, index, width

    def each(self, cx: Cx):  # type: ignore[no-untyped-def]
        """Walk through the sites of the row."""

        @contextmanager
        def loop():  # type: ignore[no-untyped-def]
            k, site = cx.fresh("k"), cx.fresh("s")
            with cx.block(f"for {k} in range({self.width}):"):
                cx.line(f"{site} = {self.table}[{self.index} * {self.width} + {k}]")
                with cx.block(f"if {site} < 0:"):
                    cx.line("break")
                yield site

        return loop()


def all_different_values(node: Ludeme, cx: Cx) -> Bool:
    """Whether the resolved sites of a region, or of each region of the puzzle, have different values and none is 0."""
    many = node.get("excepts")
    excepts = list(many) if isinstance(many, list) else [node.args["except"]] if node.get("except") is not None else []

    def body(inner: Cx) -> None:
        want_domains(inner.program)

        def differ(place: Cx, where: Region) -> None:
            place.line("seen = 0")
            with where.each(place) as site, place.block(f"if {resolved(site)}:"):
                value = place.name(f"state[WHAT + {site}]", "value")
                counts: Bool = " and ".join(f"{value} != {number(e, place)}" for e in excepts) or True
                with place.when(counts):
                    with place.block(f"if {value} == 0 or seen & (1 << {value}) != 0:"):
                        place.line("return False")
                    place.line(f"seen |= 1 << {value}")

        if node.get("region") is not None:
            differ(inner, region(node.args["region"], inner))
            inner.line("return True")
        else:
            _each_region(node, inner, puzzle_regions(inner.program), differ)

    return cx.call("different", node, body, key=id(node))


@boolean_ludeme("is Sum", "is Count", reads=["board"])
def region_result(node: Ludeme, cx: Cx) -> Bool:
    """Whether the values of a region can still add up to a number, or a value occur that often."""
    counting = node.keyword == "is Count"

    def body(inner: Cx) -> None:
        want_domains(inner.program)
        result = inner.name(number(node.args["result"], inner), "result")
        wanted = number(node.get("of"), inner, 1) if counting else 0

        def reach(place: Cx, where: Region) -> None:
            place.line("total = 0")
            place.line("complete = True")
            with where.each(place) as site:
                with place.block(f"if {resolved(site)}:"):
                    if counting:
                        with place.block(f"if state[WHAT + {site}] == {wanted}:"):
                            place.line("total += 1")
                    else:
                        place.line(f"total += state[WHAT + {site}]")
                with place.block("else:"):
                    place.line("complete = False")
            with place.block(f"if total > {result} or (complete and total != {result}):"):
                place.line("return False")

        if node.get("region") is not None:
            reach(inner, region(node.args["region"], inner))
            inner.line("return True")
        elif counting:
            inner.line("return False")
        else:
            name = str(node.args["nameRegion"]) if node.get("nameRegion") is not None else ""
            _each_region(node, inner, puzzle_regions(inner.program, True, name), reach)

    return cx.call("region_result", node, body, key=id(node))


@boolean_ludeme("is Unique", reads=["board"])
def is_unique(node: Ludeme, cx: Cx) -> Bool:
    """Whether no two regions of one kind have the same values throughout."""

    def body(inner: Cx) -> None:
        program = inner.program
        want_domains(program)
        pairs: list[tuple[list[int], list[int]]] = []
        for each in program.regions:
            for part in each.parts:
                if isinstance(part, Word):
                    groups = _static_regions(program, part)
                    pairs += [(a, b) for i, a in enumerate(groups) for b in groups[i + 1 :]]
        width = max((len(a) for a, _ in pairs), default=0) or 1
        flat = [s for a, b in pairs for x, y in zip(a, b, strict=False) for s in (x, y)]
        if any(len(a) != width or len(b) != width for a, b in pairs):
            raise UnsupportedError("`is Unique` for regions of different sizes is not implemented yet", node.source)
        table = program.module.table("PAIRS", flat)
        with inner.block(f"for pair in range({len(pairs)}):"):
            inner.line("same = True")
            with inner.block(f"for k in range({width}):"):
                inner.line(f"a = {table}[(pair * {width} + k) * 2]")
                inner.line(f"b = {table}[(pair * {width} + k) * 2 + 1]")
                with inner.block(
                    f"if not {resolved('a')} or not {resolved('b')} or state[WHAT + a] != state[WHAT + b]:"
                ):
                    inner.line("same = False")
                    inner.line("break")
            with inner.block("if same:"):
                inner.line("return False")
        inner.line("return True")

    return cx.call("unique", node, body, key=id(node))


@boolean_ludeme("forAll", reads=["board"])
def for_all(node: Ludeme, cx: Cx) -> Bool:
    """Whether a constraint holds for all sites of a kind, or for all hints."""
    kind = str(node.args["type"])

    def body(inner: Cx) -> None:
        program = inner.program
        want_domains(program)
        if kind == "Hint":
            rows = hints_of(program, program.board.kind)
            table = program.module.table(
                "HINTS", [v for where, value in rows for v in (where[0], [*where, -1][1], value)]
            )
            with inner.block(f"for i in range({len(rows)}):"):
                for k, name in enumerate(("first", "second", "told")):
                    inner.line(f"{name} = {table}[i * 3 + {k}]")
                place = inner.sure("first").bind(frm="first", to="second", hint="told")
                with inner.when(_not(condition(node.args["constraint"], place))):
                    inner.line("return False")
        else:
            base, sites = program.kind_block(Word(kind, "SiteType", node.source))
            with inner.block(f"for element in range({base}, {base + sites.n}):"):
                place = inner.sure("element").bind(frm="element")
                with inner.when(_not(condition(node.args["constraint"], place))):
                    inner.line("return False")
        inner.line("return True")

    return cx.call("for_all", node, body, key=id(node))


def _not(value: Bool) -> Bool:
    return (not value) if isinstance(value, bool) else f"not {value}"


# Moves ---------------------------------------------------------------------------------------------


def constraints_of(node: Ludeme) -> list[Ludeme]:
    """The constraints of a ``satisfy``."""
    many = node.get("constraints")
    values = list(many) if isinstance(many, list) else [node.args["constraint"]]
    return [value for value in values if isinstance(value, Ludeme)]


def variables(program: Program, node: Ludeme) -> list[int]:
    """The sites that the constraints are about."""
    found: dict[int, None] = {}
    scratch = program.root(Function("unused", []))
    for constraint in constraints_of(node):
        if constraint.keyword == "forAll":
            found.update(dict.fromkeys(range(program.n_board)))
        elif constraint.keyword in ("all Different", "is Count", "is Sum", "is Unique"):
            if constraint.get("region") is not None:
                sites = region(constraint.args["region"], scratch).static
                found.update(dict.fromkeys(sites or ()))
            else:
                found.update(dict.fromkeys(s for r in puzzle_regions(program) for s in r))
    return [s for s in found if s < program.n_board]


@moves_ludeme("satisfy", writes=["board"], draws=False, pieces="turn")
def satisfy(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Choose a value for a site so that all constraints can still hold, or strike one out."""
    program = cx.program
    want_domains(program)
    low, high = value_range(program)
    starts = start_nodes(program)
    given = (
        {arguments[0] for _, arguments in start_values(program, starts[0])}
        if starts and starts[0].get("pairs") is not None
        else set()
    )
    free = [s for s in variables(program, node) if s not in given]
    program.extra_moves = max(program.extra_moves, 2 * len(free) * (high - low + 1))
    for name in ("choose_value", "toggle_value"):
        program.primitives.add(name)
    tests = tuple(program.rules.filter(c, node, len(cx.chain)) for c in constraints_of(node))
    with Static(tuple(free), program).each(cx) as site:
        value = cx.fresh("value")
        with cx.block(f"for {value} in range({low}, {high + 1}):"):
            here = cx.sure(site).bind(to=site)
            tested = replace(here, filters=(*here.filters, *tests))
            for place, variant in ((tested, "choose_value"), (here, "toggle_value")):
                spec = Spec(
                    node,
                    "add",
                    site,
                    site,
                    act=lambda inner, act=variant: inner.act(act, inner.slots["to"], inner.slots["val"]),  # type: ignore[misc]
                    variant=variant,
                    slots={"val": value},
                )
                # The only value that is left cannot be struck out.
                with cx.when(True if variant == "choose_value" else f"state[DOMAIN + {site}] != 1 << {value}"):
                    sink.move(place, spec)


@boolean_ludeme("is Solved", reads=["board"])
def is_solved(node: Ludeme, cx: Cx) -> Bool:
    """Whether all constraints hold when the sites that are open are taken as 0."""
    program = cx.program
    want_domains(program)
    root = program.description.root
    puzzle = next((part for part in root.walk() if part.keyword == "satisfy"), None)
    if puzzle is None:
        raise UnsupportedError("`is Solved` without `satisfy` is not implemented yet", node.source)

    def body(inner: Cx) -> None:
        offset = program.scratch("CORE_SIZE", "COPY")
        table = program.module.table("VARIABLES", variables(program, puzzle))
        inner.line(f"copy = work[{offset} : {offset} + CORE_SIZE]")
        with inner.block("for i in range(CORE_SIZE):"):
            inner.line("copy[i] = state[i]")
        with inner.block(f"for i in range({len(variables(program, puzzle))}):"):
            inner.line(f"s = {table}[i]")
            with inner.block(f"if not {resolved('s')}:"):
                inner.line("copy[DOMAIN + s] = 1")
                inner.line("copy[WHAT + s] = 0")

        def all_hold(place: Cx) -> None:
            for constraint in constraints_of(puzzle):
                with place.when(_not(condition(constraint, place))):
                    place.line("return False")
            place.line("return True")

        inner.line(f"return {inner.call('constraints', puzzle, all_hold, on='copy')}")

    return cx.call("solved", node, body, key="solved")
