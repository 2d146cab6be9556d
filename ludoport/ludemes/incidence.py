"""Sites of one kind that belong to a site of another: the corners of a cell, the edges at a vertex, ..."""

from __future__ import annotations

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Word
from ludoport.ludemes.context import Bool, Cx, Expr
from ludoport.ludemes.directions import Steps
from ludoport.ludemes.position import who_at
from ludoport.ludemes.region import Region, Static
from ludoport.ludemes.regions_state import Around
from ludoport.ludemes.registry import int_ludeme, number, region_ludeme


@int_ludeme("count Cells", "count Edges", "count Vertices")
def count_elements(node: Ludeme, cx: Cx) -> Expr:
    """How many cells, edges or vertices the board has."""
    kind = {"count Cells": "Cell", "count Edges": "Edge", "count Vertices": "Vertex"}[node.keyword]
    return cx.program.board.sites(kind).n


def _touching(node: Ludeme, cx: Cx, site: int, of: str, result: str) -> list[int]:
    """The sites of kind ``result`` that belong to a site of kind ``of``, each once."""
    board = cx.program.board
    if of != result:
        return list(dict.fromkeys(board.incident(site, of, result)))
    if of == "Vertex":
        raise UnsupportedError("vertices incident to a vertex are not implemented yet", node.source)
    # Cells share an edge, edges share an end.
    between = "Edge" if of == "Cell" else "Vertex"
    near = [other for part in board.incident(site, of, between) for other in board.incident(part, between, of)]
    return [other for other in dict.fromkeys(near) if other != site]


class Incident(Around):
    """The sites that belong to a site which is only known during play."""

    def _guard(self, cx: Cx):  # type: ignore[no-untyped-def]
        # The table covers all sites, so only the empty site number must be kept out.
        return cx.when(True if self.origin in cx.safe else f"{self.origin} >= 0")


@region_ludeme("sites Incident")
def incident(node: Ludeme, cx: Cx) -> Region:
    """The sites of a kind that belong to a site, perhaps only those of one owner."""
    program = cx.program
    of, result = str(node.args["of"]), str(node.args["resultType"])
    first, sites = program.kind_block(node.args["of"])
    base, _ = program.kind_block(node.args["resultType"])
    rows: list[list[int]] = [[] for _ in range(program.n_sites)]
    for site in range(sites.n):
        rows[first + site] = [base + other for other in _touching(node, cx, site, of, result)]
    at = number(node.args["at"], cx)
    who = node.get("roleOwner") if node.get("roleOwner") is not None else node.get("owner")
    everyone = isinstance(who, Word) and who.name in ("All", "Each", "Shared")
    owner: Expr | None = None if who is None or everyone else cx.name(number(who, cx))

    def test(place: Cx, site: str) -> Bool:
        if who is None:
            return True
        held = who_at(place, site)
        return f"{held} != 0" if everyone else f"{held} == {owner}"

    if isinstance(at, int) and who is None:
        return Static(tuple(rows[first + at]) if 0 <= at < sites.n else (), program)
    width = max(map(len, rows), default=0) or 1
    flat = [site for row in rows for site in [*row, *([-1] * (width - len(row)))]]
    table = Steps(program.module.table("INCIDENT", flat), width, False, program.n_sites)
    origin = cx.name(first + at if isinstance(at, int) else at)
    return Incident(origin, table, test, False)
