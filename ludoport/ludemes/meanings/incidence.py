"""Sites of one kind that belong to a site of another: the corners of a cell, the edges at a vertex, ..."""

from __future__ import annotations

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Word
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.region import Region, Static
from ludoport.ludemes.core.registry import boolean_ludeme, int_ludeme, number, region, region_ludeme
from ludoport.ludemes.fields.position import who_at
from ludoport.ludemes.fields.rays import Steps
from ludoport.ludemes.meanings.regions_around import AroundElsewhere


@int_ludeme("count Cells", "count Vertices", reads=[])
@int_ludeme("count Edges", reads=[])
def count_elements(node: Ludeme, cx: Cx) -> Expr:
    """Number of cells, edges or vertices of the board."""
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


def _table_of(rows: list[list[int]], cx: Cx, stem: str) -> Steps:
    """A table with a row for every site."""
    width = max(map(len, rows), default=0) or 1
    flat = [site for row in rows for site in [*row, *([-1] * (width - len(row)))]]
    return Steps(cx.program.module.table(stem, flat), width, False, cx.program.n_sites)


@region_ludeme("sites Cell", "sites Edge", reads=[], kinds=["Vertex"])
def ends_of(node: Ludeme, cx: Cx) -> Region:
    """The vertices of a cell or an edge, by its number."""
    program = cx.program
    kind = node.keyword.split()[1]
    base, _ = program.kind_block(Word("Vertex", "SiteType", node.source))
    if node.get("index") is None:
        return Static((), program)
    count = program.board.sites(kind).n
    rows = [[base + v for v in dict.fromkeys(program.board.incident(k, kind, "Vertex"))] for k in range(count)]
    index = number(node.args["index"], cx)
    if isinstance(index, int):
        return Static(tuple(rows[index]) if 0 <= index < count else (), program)
    rows = [rows[k] if k < count else [] for k in range(program.n_sites)]
    return AroundElsewhere(cx.name(index), _table_of(rows, cx, "ENDS"), lambda place, site: True, False)


def _crossed(cx: Cx) -> list[list[int]]:
    """For each edge the edges that cross it between their ends."""
    board = cx.program.board
    vertices, edges = board.sites("Vertex"), board.sites("Edge")
    spans = [board.incident(edge, "Edge", "Vertex") for edge in range(edges.n)]

    def side(a: int, b: int, c: int) -> float:
        ax, ay = vertices.x[a], vertices.y[a]
        return (vertices.x[b] - ax) * (vertices.y[c] - ay) - (vertices.y[b] - ay) * (vertices.x[c] - ax)

    def cross(one: int, other: int) -> bool:
        (a, b), (c, d) = spans[one], spans[other]
        return side(a, b, c) * side(a, b, d) < -_FLAT and side(c, d, a) * side(c, d, b) < -_FLAT

    cx.program.module.claim(edges.n * edges.n)
    return [[k for k in range(edges.n) if k != edge and cross(edge, k)] for edge in range(edges.n)]


_FLAT = 1e-9
"""Smaller products of areas count as three points on one line."""


@region_ludeme("sites Crossing", reads=["board"], kinds=["Edge"])
def sites_crossing(node: Ludeme, cx: Cx) -> Region:
    """The edges of a player that cross an edge."""
    program = cx.program
    base, _ = program.kind_block(Word("Edge", "SiteType", node.source))
    rows: list[list[int]] = [[] for _ in range(program.n_sites)]
    for edge, others in enumerate(_crossed(cx)):
        rows[base + edge] = [base + other for other in others]
    who = node.get("role") if node.get("role") is not None else node.get("who")
    owner = cx.name(number(who, cx))
    everyone = isinstance(who, Word) and who.name in ("All", "Each", "Shared")

    def test(place: Cx, site: str) -> Bool:
        held = who_at(place, site)
        return f"state[WHAT + {site}] != 0" if everyone else f"{held} == {owner}"

    return AroundElsewhere(cx.name(number(node.args["at"], cx)), _table_of(rows, cx, "CROSSINGS"), test, False)


@boolean_ludeme("is Crossing", reads=[], kinds=["Edge"])
def is_crossing(node: Ludeme, cx: Cx) -> Bool:
    """Whether two edges cross between their ends."""
    program = cx.program
    base, edges = program.kind_block(Word("Edge", "SiteType", node.source))
    flat = [0] * (edges.n * edges.n)
    for edge, others in enumerate(_crossed(cx)):
        for other in others:
            flat[edge * edges.n + other] = 1
    table = program.module.table("CROSS", flat)
    one, other_ = (cx.name(number(node.args[key], cx)) for key in ("edge1", "edge2"))
    inside = " and ".join(f"{base} <= {edge} < {base + edges.n}" for edge in (one, other_))
    return f"({inside} and {table}[({one} - {base}) * {edges.n} + {other_} - {base}] != 0)"


_PIECES = dict.fromkeys(("name", "who", "what", "whats"), "the reference counts sites, whatever is there")


@int_ludeme("count Adjacent", "count Neighbours", "count Orthogonal", reads=[], ignores=_PIECES)
@int_ludeme("count Diagonal", "count Off", reads=[], ignores=_PIECES)
def count_near(node: Ludeme, cx: Cx) -> Expr:
    """Number of neighbours of a site, or of the first site of a region."""
    program = cx.program
    base, sites = program.kind_block(node.get("type"))
    word = node.keyword.split()[1]
    counts = [-1] * program.n_sites
    for site in range(sites.n):
        if sites.kind == "Edge":
            # Of an edge, the edges at both of its ends count, itself twice.
            ends = program.board.incident(site, "Edge", "Vertex")
            counts[base + site] = sum(len(program.board.incident(v, "Vertex", "Edge")) for v in ends)
        else:
            relation = {"Neighbours": "All", "Off": "OffDiagonal"}.get(word, word)
            counts[base + site] = len(set(sites.steps(site, relation)))
    table = program.module.table("NEAR", counts)
    if node.get("in") is None:
        at = number(node.get("at"), cx, "state[LAST_TO]")
        name = cx.name(at)
        return f"{table}[{name}]" if name in cx.safe else f"({table}[{name}] if on_board({name}) else -1)"

    def body(inner: Cx) -> None:
        with region(node.args["in"], inner).each(inner) as first:
            inner.line(f"return {table}[{first}]")
        inner.line("return -1")

    return cx.call("count_near", node, body, key=("near", id(node)))


@region_ludeme("sites Incident", reads=["board"])
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
    origin = cx.name(first + at if isinstance(at, int) else at)
    return AroundElsewhere(origin, _table_of(rows, cx, "INCIDENT"), test, False)
