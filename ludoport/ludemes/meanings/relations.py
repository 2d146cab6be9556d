"""Relations between sites, and the kind of the last site."""

from __future__ import annotations

from collections.abc import Callable

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.conditions import all_of, inside
from ludoport.ludemes.core.context import Bool, Cx
from ludoport.ludemes.core.region import Filtered, Region, ScratchRegion
from ludoport.ludemes.core.registry import boolean_ludeme, condition, number, optional, region, region_ludeme
from ludoport.ludemes.fields.direction_choice import choose, chosen_in_play, variants
from ludoport.ludemes.fields.directions import steps_table
from ludoport.ludemes.fields.named_regions import whole_board
from ludoport.ludemes.meanings.counts_board import distances
from ludoport.ludemes.meanings.moves_parts import leave_region, range_of


@boolean_ludeme("is LastTo", "is LastFrom", reads=[])
def is_last_kind(node: Ludeme, cx: Cx) -> Bool:
    """Whether the last move ended, or began, on a site of a kind."""
    base, sites = cx.program.kind_block(node.args["type"])
    last = "state[LAST_TO]" if node.keyword == "is LastTo" else "state[LAST_FROM]"
    return f"({base} <= {last} and {last} < {base + sites.n})"


@boolean_ludeme("is Related", reads=[])
def is_related(node: Ludeme, cx: Cx) -> Bool:
    """Whether a site is next to another, or to some site of a region, in a given way."""
    program = cx.program
    near = program.sites.neighbours(str(node.args["relationType"]))
    size = program.n_board
    flat = [1 if b in set(near[a]) else 0 for a in range(size) for b in range(size)]
    table = program.module.table("RELATED", flat)

    def body(inner: Cx) -> None:
        site = inner.name(number(node.args["siteA"], inner), "site")
        with inner.block(f"if {site} < 0 or {site} >= {size}:"):
            inner.line("return False")
        value = node.get("region") if node.get("region") is not None else [node.args["siteB"]]
        assert value is not None
        with region(value, inner).each(inner) as other:
            with inner.block(f"if {other} < {size} and {table}[{site} * {size} + {other}] != 0:"):
                inner.line("return True")
        inner.line("return False")

    return cx.call("related", node, body, key=("related", id(node)))


@region_ludeme("sites Distance", reads=["board"])
def sites_distance(node: Ludeme, cx: Cx) -> Region:
    """The sites whose distance in steps from a site is in a range."""
    program = cx.program
    if node.get("newRotation") is not None:
        raise UnsupportedError("`sites Distance` with rotations is not implemented yet", node.source)
    if node.get("stepMove") is not None:
        return _stepping(node, cx)
    relation = node.get("relation")
    table = program.module.table("DISTANCE", distances(cx, str(relation) if relation is not None else "Adjacent"))
    origin = cx.once(number(node.args["from"], cx))
    holder = node.args["distance"]
    assert isinstance(holder, Ludeme)
    low, high = range_of(holder, cx, 0, 1000)
    size = program.n_board

    def test(place: Cx, site: str) -> Bool:
        far = f"{table}[{origin} * {size} + {site}]"
        least = max(low, 0) if isinstance(low, int) else f"max({low}, 0)"
        return all_of(inside(origin, size), f"{far} >= {least}", f"{far} <= {high}")

    return Filtered(whole_board(program), test)


def _stepping(node: Ludeme, cx: Cx) -> Region:
    """The sites that are reached in a number of steps of a given kind.

    The first ring of sites counts as one step even where the range allows none; the origin itself never belongs to it.
    """
    program, size = cx.program, cx.program.n_board
    step, holder = node.args["stepMove"], node.args["distance"]
    assert isinstance(step, Ludeme) and isinstance(holder, Ludeme)
    to = optional(step.get("to"))
    leave_region(to)
    if not chosen_in_play(step.get("directions")) and choose(step.get("directions"), "Adjacent").relative:
        raise UnsupportedError("`sites Distance` with relative steps is not implemented yet", node.source)
    marks, queue = program.scratch(size, "MARKS"), program.scratch(size, "QUEUE")

    def gather(inner: Cx, add: Callable[[str], None]) -> None:
        origin = inner.once(number(node.args["from"], inner))
        low, high = range_of(holder, inner, 0, 1000)
        i, head, tail, ring, end, near = (inner.fresh(name) for name in ("i", "head", "tail", "ring", "end", "near"))
        with inner.when(all_of(inside(origin, size), low >= 0 if isinstance(low, int) else f"{low} >= 0")):
            with inner.block(f"for {i} in range({size}):"):
                inner.line(f"work[{marks} + {i}] = 0")
            inner.line(f"work[{marks} + {origin}] = 1")
            inner.line(f"work[{queue}] = {origin}")
            inner.line(f"{head} = 0")
            inner.line(f"{tail} = 1")
            inner.line(f"{ring} = 1")
            with inner.block(f"while {head} < {tail} and ({ring} == 1 or {ring} <= {high}):"):
                inner.line(f"{end} = {tail}")
                with inner.block(f"while {head} < {end}:"):
                    inner.line(f"{near} = work[{queue} + {head}]")
                    inner.line(f"{head} += 1")
                    for directions, branch in variants(step.get("directions"), inner.sure(near).bind(frm=near)):
                        with steps_table(directions, branch).each(branch, near) as site:
                            here = branch.sure(site).bind(to=site)
                            with inner.when(condition(to.get("if") if to is not None else None, here)):
                                with inner.block(f"if work[{marks} + {site}] == 0:"):
                                    inner.line(f"work[{marks} + {site}] = 1")
                                    inner.line(f"work[{queue} + {tail}] = {site}")
                                    inner.line(f"{tail} += 1")
                                    with inner.block(f"if {ring} >= {low}:"):
                                        add(site)
                inner.line(f"{ring} += 1")

    return ScratchRegion(gather)
