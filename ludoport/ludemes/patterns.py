"""Conditions about how pieces lie: patterns described by walks, whole configurations, sites that all differ."""

from __future__ import annotations

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.context import Bool, Cx, Expr
from ludoport.ludemes.position import what_at
from ludoport.ludemes.region import all_of
from ludoport.ludemes.registry import boolean_ludeme, condition, number, region
from ludoport.ludemes.walks import walk_sites


@boolean_ludeme("is Target")
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


@boolean_ludeme("all Different")
def all_different(node: Ludeme, cx: Cx) -> Bool:
    """Whether all sites of a region fulfil a condition and carry different components."""
    if "if" not in node.args:
        from ludoport.ludemes.puzzles import all_different_values

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


@boolean_ludeme("is Pattern")
def is_pattern(node: Ludeme, cx: Cx) -> Bool:
    """Whether a site is part of a pattern: all sites of some walk from it carry the same component, or given ones."""
    program = cx.program
    walk = node.get("walk")
    if not isinstance(walk, list):
        raise UnsupportedError("`is Pattern` without a walk is not implemented yet", node.source)
    steps = [str(step) for step in walk]
    supported = program.sites.supported_directions("Orthogonal")
    length = 1 + steps.count("F")
    rows: list[list[tuple[int, ...]]] = []
    for site in range(program.n_board):
        found = [walk_sites(program, site, steps, facing) for facing in supported]
        rows.append([row for row in found if row is not None])
    width = max(map(len, rows), default=0) or 1
    flat = [s for row in rows for sites in [*row, *([(-1,) * length] * (width - len(row)))] for s in sites]
    table = program.module.table("PATTERNS", flat)
    what, whats = node.get("what"), node.get("whats")
    given = list(whats) if isinstance(whats, list) else [what] if what is not None else []

    def body(inner: Cx) -> None:
        if node.get("froms") is not None:
            with region(node.args["froms"], inner).each(inner) as site:
                _from(inner.sure(site), site)
        else:
            start = inner.fresh("start")
            inner.line(f"{start} = {number(node.get('from'), inner, 'state[LAST_TO]')}")
            with inner.block(f"if {start} >= 0 and {start} < {program.n_board}:"):
                _from(inner.sure(start), start)
        inner.line("return False")

    def _from(inner: Cx, start: str) -> None:
        wanted: list[Expr] = [inner.name(number(g, inner)) for g in given]
        if not wanted:
            wanted = [inner.name(f"state[WHAT + {start}]")]
            with inner.block(f"if {wanted[0]} == 0:"):
                inner.line("return False")
        with inner.block(f"for r in range({width}):"):
            base, same = inner.fresh("base"), inner.fresh("same")
            inner.line(f"{base} = ({start} * {width} + r) * {length}")
            inner.line(f"{same} = {table}[{base}] >= 0")
            # Several components are met in turn along the walk.
            for k in range(length):
                test = f"state[WHAT + {table}[{base} + {k}]] == {wanted[k % len(wanted)]}"
                inner.line(f"{same} = {all_of(same, test)}")
            with inner.block(f"if {same}:"):
                inner.line("return True")

    return cx.call("pattern", node, body, key=id(node))
