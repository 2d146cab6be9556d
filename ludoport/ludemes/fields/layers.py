"""Boards of several layers: supports, covered pieces, and pieces that fall."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ludoport.kernels.source import Function
from ludoport.ludemes.core.conditions import negation
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.fields.position import empty_at

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def _table(program: Program, stem: str, rows: Sequence[Sequence[int]]) -> tuple[str, int]:
    """A table with one row a site, and the length of its rows."""
    width = max(map(len, rows), default=0) or 1
    return program.module.table(stem, [s for row in rows for s in [*row, *([-1] * (width - len(row)))]]), width


def above(program: Program) -> tuple[str, int]:
    """The sites that rest on each site."""
    return _table(program, "ABOVE", [program.steps(s, ["Upward"]) for s in range(program.n_board)])


def below(program: Program) -> tuple[str, int]:
    """The sites that each site rests on."""
    return _table(program, "BELOW", [program.steps(s, ["Downward"]) for s in range(program.n_board)])


def _straight_above(program: Program) -> tuple[str, int]:
    """The sites over the same point of the plane, higher up."""
    columns: dict[tuple[float, float], list[int]] = defaultdict(list)
    sites = program.sites
    for site in range(sites.n):
        columns[round(sites.x[site], 4), round(sites.y[site], 4)].append(site)
    rows: list[list[int]] = [[] for _ in range(sites.n)]
    for column in columns.values():
        for site in column:
            rows[site] = [other for other in column if sites.layer[other] > sites.layer[site]]
    return _table(program, "STRAIGHT_ABOVE", rows)


def covered(cx: Cx, site: Expr) -> Bool:
    """Code that tests whether a piece lies straight above a site, which cannot be seen then."""
    program = cx.program
    table, width = _straight_above(program)

    def body(inner: Cx) -> None:
        with inner.block(f"for k in range({width}):"):
            inner.line(f"high = {table}[{inner.slots['val']} * {width} + k]")
            with inner.block("if high < 0:"):
                inner.line("return False")
            with inner.block(f"if {negation(empty_at(program, 'high'))}:"):
                inner.line("return True")
        inner.line("return False")

    name = cx.name(site)
    place = (cx.sure(name) if name in cx.safe else cx).bind(val=name)
    return place.call("covered", None, body, key="covered")


def parted(cx: Cx, one: Expr, other: Expr) -> Bool:
    """Code that tests whether two pieces or more lie on both of two sites, so that their contact cannot be seen."""
    program = cx.program
    table, width = above(program)

    def body(inner: Cx) -> None:
        inner.line("shared = 0")
        with inner.block(f"for k in range({width}):"):
            inner.line(f"high = {table}[{inner.slots['frm']} * {width} + k]")
            with inner.block(f"if high >= 0 and {negation(empty_at(program, 'high'))}:"):
                with inner.block(f"for j in range({width}):"):
                    with inner.block(f"if {table}[{inner.slots['to']} * {width} + j] == high:"):
                        inner.line("shared += 1")
        inner.line("return shared >= 2")

    names = [cx.name(one), cx.name(other)]
    return cx.sure(*names).bind(frm=names[0], to=names[1]).call("parted", None, body, key="parted")


def write_fall(program: Program) -> None:
    """Write ``fall``: pieces with an unsupported part drop until all rest."""
    table, width = below(program)
    f = Function("fall", ["state"], "pieces drop to empty sites below them")
    # A drop takes a piece one layer down; after each the search starts again from the first site.
    with f.block(f"for _ in range({program.n_board * (1 + max(program.sites.layer))}):"):
        f.line("dropped = False")
        with f.block(f"for s in range({program.n_board}):"):
            with f.block(f"if {negation(empty_at(program, 's'))}:"):
                with f.block(f"for k in range({width}):"):
                    f.line(f"low = {table}[s * {width} + k]")
                    with f.block("if low < 0:"):
                        f.line("break")
                    with f.block(f"if {empty_at(program, 'low')}:"):
                        f.line("shift(state, s, low)")
                        f.line("dropped = True")
                        f.line("break")
            with f.block("if dropped:"):
                f.line("break")
        with f.block("if not dropped:"):
            f.line("return 0")
    f.line("return 0")
    program.module.functions.append(f)


def write_unpinned(program: Program) -> None:
    """Write ``unpinned``: whether a move leaves alone every piece that two or more others rest on."""
    table, width = above(program)
    f = Function("unpinned", ["state", "move"], "whether a move takes no piece on which several others rest")
    f.line("s = -1")
    for kind, column in (("remove", "TO"), ("move", "FROM")):
        rules = moves_of(program, kind)
        if rules:
            with f.block("if " + " or ".join(f"move[RULE] == {n}" for n in rules) + ":"):
                f.line(f"s = move[{column}]")
    with f.block(f"if s < 0 or s >= {program.n_board}:"):
        f.line("return True")
    with f.block(f"if {empty_at(program, 's')}:"):
        f.line("return True")
    f.line("carried = 0")
    with f.block(f"for k in range({width}):"):
        f.line(f"high = {table}[s * {width} + k]")
        with f.block(f"if high >= 0 and {negation(empty_at(program, 'high'))}:"):
            f.line("carried += 1")
    f.line("return carried <= 1")
    program.module.functions.append(f)


def write_stands(program: Program) -> None:
    """Write ``stands``: whether a moved piece does not end on a line through the layers from its origin."""
    n = program.n_board
    reached = [0] * (n * n)
    for site in range(n):
        for ray, others in program.sites.lines(site, "Upward"):
            for line in (ray, *others):
                for there in line[1:]:
                    reached[site * n + there] = 1
    table = program.module.table("RISES", reached)
    f = Function("stands", ["move"], "whether a move does not put a piece on those that fall from where it was")
    rules = moves_of(program, "move")
    with f.block("if " + (" or ".join(f"move[RULE] == {k}" for k in rules) or "False") + ":"):
        with f.block(f"if 0 <= move[FROM] < {n} and 0 <= move[TO] < {n}:"):
            f.line(f"return {table}[move[FROM] * {n} + move[TO]] == 0")
    f.line("return True")
    program.module.functions.append(f)


def moves_of(program: Program, kind: str) -> list[int]:
    """The numbers of the rules that make a kind of move."""
    return [rule.number for rule in program.rules.rules if rule.spec.kind == kind]
