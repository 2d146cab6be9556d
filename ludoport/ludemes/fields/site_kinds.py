"""Sets of sites of several kinds: only their numbers count, as in the reference."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.region import Region, Static

_NAMED = {
    "Empty": "elementType",
    "Board": "elementType",
    "Around": "typeLoc",
    "Incident": "resultType",
    "Occupied": "on",
}
"""The argument of `sites ...` that names the kind of the sites."""


def kind_of(value: Value | None, own_kind: str) -> str | None:
    """The kind of a region's sites, where its text says it."""
    if not isinstance(value, Ludeme) or value.keyword.removeprefix("sites ") not in _NAMED:
        return None
    named = value.peek(_NAMED[value.keyword.removeprefix("sites ")])
    if named is None and value.keyword == "sites Around":
        return kind_of(value.peek("regionWhere"), own_kind)
    return own_kind if named is None else str(named)


def is_mixed(node: Value | None, cx: Cx) -> bool:
    """Whether an intersection or a difference has parts of several kinds."""
    if not isinstance(node, Ludeme) or node.keyword not in ("intersection", "difference"):
        return False
    values = [part for value in node.parts() for part in (value if isinstance(value, list) else [value])]
    kinds = {kind_of(value, cx.program.board.kind) for value in values} - {None}
    return len(kinds) > 1


def as_numbers(part: Region, kind: str, cx: Cx) -> Region:
    """The sites of the board's own kind that have the numbers of these sites of another kind."""
    base, sites = cx.program.kind_block(Word(kind, "SiteType", cx.program.board_node.source))
    if base == 0:
        return part
    if part.static is not None:
        return Static(tuple(s - base for s in part.static if s - base < cx.program.n_board), cx.program)
    return _Renumbered(part, base, min(sites.n, cx.program.n_board))


@dataclass
class _Renumbered(Region):
    """A region of another kind of sites, seen as sites of the board's own kind with the same numbers."""

    part: Region
    base: int
    n: int

    def contains(self, cx: Cx, site: Expr) -> Bool:
        if isinstance(site, int):
            return self.part.contains(cx, site + self.base) if 0 <= site < self.n else False
        name = cx.name(f"{site} + {self.base}", "s")
        found = cx.fresh("found")
        cx.line(f"{found} = False")
        with cx.block(f"if 0 <= {site} < {self.n}:"):
            cx.line(f"{found} = {self.part.contains(cx.sure(name), name)}")
        return found

    def prepared(self, cx: Cx) -> Region:
        return _Renumbered(self.part.prepared(cx), self.base, self.n)

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        with self.part.each(cx) as other:
            name = cx.fresh("s")
            cx.line(f"{name} = {other} - {self.base}")
            with cx.block(f"if {name} < {self.n}:"):
                yield name
