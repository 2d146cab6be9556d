"""Questions about how sites lie to each other, and about the kind of the last site."""

from __future__ import annotations

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.context import Bool, Cx
from ludoport.ludemes.counts_board import distances
from ludoport.ludemes.moves_logic import distance_range
from ludoport.ludemes.region import Filtered, Region
from ludoport.ludemes.registry import boolean_ludeme, number, region, region_ludeme


@boolean_ludeme("is LastTo", "is LastFrom")
def is_last_kind(node: Ludeme, cx: Cx) -> Bool:
    """Whether the last move ended, or began, on a site of a kind."""
    base, sites = cx.program.kind_block(node.args["type"])
    last = "state[LAST_TO]" if node.keyword == "is LastTo" else "state[LAST_FROM]"
    return f"({base} <= {last} and {last} < {base + sites.n})"


@boolean_ludeme("is Related")
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


@region_ludeme("sites Distance")
def sites_distance(node: Ludeme, cx: Cx) -> Region:
    """The sites whose distance in steps from a site lies in a range."""
    program = cx.program
    if node.get("stepMove") is not None or node.get("newRotation") is not None:
        raise UnsupportedError("`sites Distance` with a step of its own is not implemented yet", node.source)
    relation = node.get("relation")
    table = program.module.table("DISTANCE", distances(cx, str(relation) if relation is not None else "Adjacent"))
    origin = cx.name(number(node.args["from"], cx))
    holder = node.args["distance"]
    assert isinstance(holder, Ludeme)
    low, high = distance_range(_Between(holder), cx, 0, 1000)  # type: ignore[arg-type]
    size = program.n_board

    def test(place: Cx, site: str) -> Bool:
        far = f"{table}[{origin} * {size} + {site}]"
        return f"({origin} >= 0 and {origin} < {size} and {far} >= max({low}, 0) and {far} <= {high})"

    return Filtered(program.whole_board(), test)


class _Between:
    """A range dressed as the argument that `distance_range` reads."""

    def __init__(self, spec: Ludeme) -> None:
        self.spec = spec

    def get(self, name: str) -> Ludeme | None:
        return self.spec if name == "range" else None
