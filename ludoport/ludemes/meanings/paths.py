"""``is Path``: whether the edges of a player form a path or a circle of a certain length, apart from their others."""

from __future__ import annotations

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Bool, Cx
from ludoport.ludemes.core.registry import boolean_ludeme, condition, number
from ludoport.ludemes.fields.position import who_at
from ludoport.ludemes.fields.rays import Steps
from ludoport.ludemes.meanings.flooding import flood, stamps
from ludoport.ludemes.meanings.moves_parts import range_of


@boolean_ludeme("is Path", reads=["board"])
def is_path(node: Ludeme, cx: Cx) -> Bool:
    """Whether the connected edges of a player at the last one form a path of a certain length."""
    program = cx.program
    if str(node.args["type"]) != "Edge":
        raise UnsupportedError("`is Path` is implemented for edges only", node.source)
    closed = condition(node.get("closed"), cx, False)
    if not isinstance(closed, bool):
        raise UnsupportedError("`is Path` with a condition for `closed:` is not implemented yet", node.source)
    first, edges = program.kind_block(node.args["type"])
    start = number(node.get("from"), cx, "state[LAST_TO]")
    owner = number(node.get("role") if node.get("role") is not None else node.get("who"), cx)
    place = cx.bind(site=cx.name(start), plr=cx.name(owner))

    def body(inner: Cx) -> None:
        inner.line(f"s = {inner.slots['site']}")
        with inner.block(f"if s < {first} or s >= {first + edges.n} or {who_at(inner, 's')} != {inner.slots['plr']}:"):
            inner.line("return False")
        low, high = range_of(node.args["length"], inner, 1, edges.n)
        here, vertices = inner.sure("s"), program.board.sites("Vertex").n
        queue, met = program.scratch(program.n_sites, "GROUP"), program.scratch(vertices, "MET")
        marks, mark = stamps(inner, program.n_sites, 1)
        table, ends = _neighbours(cx, first, edges.n)
        with inner.block(f"for v in range({vertices}):"):
            inner.line(f"work[{met} + v] = 0")
        inner.line("ends = 0")

        def visit(spot: Cx, edge: str) -> None:
            with spot.block("for i in range(2):"):
                spot.line(f"v = {ends}[{edge} * 2 + i]")
                spot.line(f"work[{met} + v] += 1")
                # A vertex is an end when it is met first, none when met again; no path meets one three times.
                with spot.block(f"if work[{met} + v] > 2:"):
                    spot.line("return False")
                spot.line(f"ends += 3 - 2 * work[{met} + v]")

        owned = inner.slots["plr"]
        flood(here, "s", table, lambda spot, site: f"{who_at(spot, site)} == {owned}", visit, marks, queue, mark)
        inner.line(f"return ends == {0 if closed else 2} and tail >= {low} and tail <= {high}")

    return place.call("path", node, body, key=("path", id(node)))


def _neighbours(cx: Cx, first: int, count: int) -> tuple[Steps, str]:
    """The edges that share a vertex with each edge, and the two vertices of each edge."""
    program = cx.program
    board = program.board
    both = [board.incident(edge, "Edge", "Vertex") for edge in range(count)]
    near: list[list[int]] = [[] for _ in range(program.n_sites)]
    for edge, ends in enumerate(both):
        found = dict.fromkeys(other for v in ends for other in board.incident(v, "Vertex", "Edge") if other != edge)
        near[first + edge] = [first + other for other in found]
    width = max(map(len, near)) or 1
    flat = [site for row in near for site in [*row, *([-1] * (width - len(row)))]]
    vertices = [0] * (2 * program.n_sites)
    for edge, ends in enumerate(both):
        vertices[2 * (first + edge) : 2 * (first + edge) + 2] = ends[:2]
    table = Steps(program.module.table("BESIDE", flat), width, False, program.n_sites)
    return table, program.module.table("ENDS", vertices)
