"""``is Path``: whether the edges or sites of a player form a path or a circle of a certain length, as in the reference.

What is looked at are nodes and their neighbours: the ends of a player's edges, or a player's sites. The core of a node
are the nodes that stay connected with it whatever single link is cut.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.registry import boolean_ludeme, condition, number
from ludoport.ludemes.fields.position import who_at
from ludoport.ludemes.meanings.moves_parts import range_of

_ENDLESS = 1_000_000
"""Stands for the length of a path that branches."""


@dataclass(frozen=True)
class _Nodes:
    """Nodes, their neighbours, and the sites that must belong to the player for each neighbour to count."""

    count: int
    width: int
    near: str
    held: str
    ends: str
    """The two nodes of each edge, where edges are looked at."""

    @contextmanager
    def each(self, cx: Cx, node: str, player: Expr) -> Iterator[str]:
        """Write a loop over the neighbours of a node that count for a player."""
        k, other, site = cx.fresh("k"), cx.fresh("u"), cx.fresh("s")
        with cx.block(f"for {k} in range({self.width}):"):
            cx.line(f"{other} = {self.near}[{node} * {self.width} + {k}]")
            cx.line(f"{site} = {self.held}[{node} * {self.width} + {k}]")
            with cx.block(f"if {other} >= 0 and {who_at(cx.sure(site), site)} == {player}:"):
                yield other


def _nodes(cx: Cx, kind: str, first: int) -> _Nodes:
    program = cx.program
    board = program.board
    sites = board.sites(kind)
    ends: list[int] = []
    links: list[list[tuple[int, int]]]
    if kind == "Edge":
        links = [[] for _ in range(board.sites("Vertex").n)]
        for edge in range(sites.n):
            a, b = board.incident(edge, "Edge", "Vertex")[:2]
            ends += [a, b]
            links[a].append((b, first + edge))
            links[b].append((a, first + edge))
    else:
        links = [[(t, first + t) for t in dict.fromkeys(sites.steps(s, "Adjacent"))] for s in range(sites.n)]
    width = max(map(len, links), default=0) or 1
    padded = [[*row, *([(-1, first)] * (width - len(row)))] for row in links]
    table = program.module.table
    return _Nodes(
        len(links),
        width,
        table("NEAR", [u for row in padded for u, _ in row]),
        table("HELD", [s for row in padded for _, s in row]),
        table("ENDS", ends or [0]),
    )


@boolean_ludeme("is Path", reads=["board"])
def is_path(node: Ludeme, cx: Cx) -> Bool:
    """Whether the connected edges or sites of a player at the last one form a path of a certain length."""
    kind = str(node.args["type"])
    closed = condition(node.get("closed"), cx, False)
    if not isinstance(closed, bool):
        raise UnsupportedError("`is Path` with a condition for `closed:` is not implemented yet", node.source)
    if kind == "Cell" and closed:
        raise UnsupportedError("`is Path` of cells with `closed:` is not implemented yet", node.source)
    first, _ = cx.program.kind_block(node.args["type"])
    start = number(node.get("from"), cx, "state[LAST_TO]")
    owner = number(node.get("role") if node.get("role") is not None else node.get("who"), cx)
    place = cx.bind(site=cx.name(start), plr=cx.name(owner))

    def body(inner: Cx) -> None:
        nodes, sites = _nodes(cx, kind, first), cx.program.board.sites(kind)
        inner.line(f"s = {inner.slots['site']} - {first}")
        with inner.block(f"if s < 0 or s >= {sites.n}:"):
            inner.line("return False")
        low, high = range_of(node.args["length"], inner, 1, sites.n)
        inner.line(f"least = {low}")
        inner.line(f"most = {high}")
        _edges(nodes, inner, closed) if kind == "Edge" else _sites(nodes, inner, closed, kind)

    return place.call("path", node, body, key=("path", id(node)))


def _edges(nodes: _Nodes, cx: Cx, closed: bool) -> None:
    cx.line(f"a = {nodes.ends}[2 * s]")
    cx.line(f"b = {nodes.ends}[2 * s + 1]")
    depth, inside = _core(nodes, cx)
    if closed:
        _circle_of_edges(nodes, cx, inside)
        return
    with cx.block("if core != 0:"):
        cx.line("return False")
    # Without circles the edges are a tree, which is a path if no node has three neighbours.
    player = cx.slots["plr"]
    cx.line("links = 0")
    with cx.block(f"for v in range({nodes.count}):"), cx.block(f"if work[{depth} + v] != 0:"):
        cx.line("degree = 0")
        with nodes.each(cx, "v", player):
            cx.line("degree += 1")
        with cx.block("if degree > 2:"):
            cx.line("return False")
        cx.line("links += degree")
    cx.line("links = links // 2")
    # The smallest length only counts where it is the largest too.
    cx.line("return (links == least) if least == most else (most > least and links <= most)")


def _scratch(nodes: _Nodes, cx: Cx, stem: str) -> str:
    return cx.program.scratch(nodes.count, f"PATH_{stem}")


def _core(nodes: _Nodes, cx: Cx) -> tuple[str, str]:
    """Write a search from node ``a``: ``core`` is the size of its core if ``b`` belongs to it, otherwise 0.

    Returns:
        Scratch space that marks the nodes that are reached, and the core.
    """
    depth, low, up = (_scratch(nodes, cx, stem) for stem in ("DEPTH", "LOW", "UP"))
    after, order, inside = (_scratch(nodes, cx, stem) for stem in ("NEXT", "ORDER", "INSIDE"))
    cx.fn.facts.update(a=(0, nodes.count - 1), b=(0, nodes.count - 1), reached=(1, nodes.count))
    with cx.block(f"for v in range({nodes.count}):"):
        for name in (depth, after, inside):
            cx.line(f"work[{name} + v] = 0")
    cx.line(f"work[{depth} + a] = 1")
    cx.line(f"work[{low} + a] = 1")
    cx.line(f"work[{up} + a] = -1")
    cx.line(f"work[{order}] = a")
    cx.line("reached = 1")
    cx.line("v = a")
    with cx.block("while v >= 0:"):
        cx.line(f"k = work[{after} + v]")
        with cx.block(f"if k >= {nodes.width}:"):
            cx.line(f"p = work[{up} + v]")
            with cx.block(f"if p >= 0 and work[{low} + v] < work[{low} + p]:"):
                cx.line(f"work[{low} + p] = work[{low} + v]")
            cx.line("v = p")
            cx.line("continue")
        cx.line(f"work[{after} + v] = k + 1")
        cx.line(f"u = {nodes.near}[v * {nodes.width} + k]")
        cx.line(f"held = {nodes.held}[v * {nodes.width} + k]")
        owned = f"{who_at(cx.sure('held'), 'held')} == {cx.slots['plr']}"
        with cx.block(f"if u >= 0 and {owned} and u != work[{up} + v]:"):
            with cx.block(f"if work[{depth} + u] == 0:"):
                cx.line(f"work[{depth} + u] = work[{depth} + v] + 1")
                cx.line(f"work[{low} + u] = work[{depth} + u]")
                cx.line(f"work[{up} + u] = v")
                cx.line(f"work[{order} + reached] = u")
                cx.line("reached += 1")
                cx.line("v = u")
            with cx.block(f"elif work[{depth} + u] < work[{low} + v]:"):
                cx.line(f"work[{low} + v] = work[{depth} + u]")
    cx.line("core = 0")
    with cx.block("for i in range(reached):"):
        cx.line(f"v = work[{order} + i]")
        cx.line(f"p = work[{up} + v]")
        with cx.block(f"if p < 0 or (work[{low} + v] < work[{depth} + v] and work[{inside} + p] != 0):"):
            cx.line(f"work[{inside} + v] = 1")
            cx.line("core += 1")
    with cx.block(f"if work[{inside} + b] == 0:"):
        cx.line("core = 0")
    return depth, inside


def _circle_of_edges(nodes: _Nodes, cx: Cx, inside: str) -> None:
    player = cx.slots["plr"]
    cx.line("links = 0")
    with cx.block("if core != 0:"), cx.block(f"for v in range({nodes.count}):"):
        with cx.block(f"if work[{inside} + v] != 0:"), nodes.each(cx, "v", player) as other:
            with cx.block(f"if work[{inside} + {other}] != 0:"):
                cx.line("links += 1")
    cx.line("links = links // 2")
    with cx.block("if core == links and (core == least if least == most else 2 < core <= most):"):
        cx.line("return True")
    with cx.block("if links <= core:"):
        cx.line("return False")
    # The core has more than one circle: the length of one through the edge, found as the reference finds it.
    far, back, seen, open_ = (_scratch(nodes, cx, stem) for stem in ("FAR", "BACK", "SEEN", "OPEN"))
    with cx.block(f"for v in range({nodes.count}):"):
        cx.line(f"work[{far} + v] = {_ENDLESS % 30000}")
        for name in (seen, open_):
            cx.line(f"work[{name} + v] = 0")
        cx.line(f"work[{back} + v] = v")
    cx.line(f"work[{far} + a] = 0")
    cx.line(f"work[{open_} + a] = 1")
    cx.line("v = a")
    with cx.block("while v >= 0 and v != b:"):
        cx.line(f"work[{open_} + v] = 0")
        with cx.block(f"if work[{seen} + v] == 0:"):
            cx.line(f"work[{seen} + v] = 1")
            with nodes.each(cx, "v", player) as other:
                direct = f"(v == a and {other} == b) or (v == b and {other} == a)"
                with cx.block(f"if not ({direct}) and work[{far} + {other}] > work[{far} + v] + 1:"):
                    cx.line(f"work[{far} + {other}] = work[{far} + v] + 1")
                    cx.line(f"work[{back} + {other}] = v")
                    cx.line(f"work[{open_} + {other}] = 1")
        cx.line("v = -1")
        with cx.block(f"for i in range({nodes.count - 1}, -1, -1):"), cx.block(f"if work[{open_} + i] != 0:"):
            cx.line("v = i")
    cx.line("length = 1")
    cx.line("v = b")
    with cx.block(f"while work[{back} + v] != v and length <= {nodes.count}:"):
        cx.line("length += 1")
        cx.line(f"v = work[{back} + v]")
    cx.line("return (least == most and length == least) or 2 < most >= length")


def _sites(nodes: _Nodes, cx: Cx, closed: bool, kind: str) -> None:
    player = cx.slots["plr"]
    cx.line("a = s")
    cx.line("b = -1")
    cx.line("other = -1")
    cx.line("beside = 0")
    with nodes.each(cx, "a", player) as near:
        with cx.block("if beside == 0:"):
            cx.line(f"b = {near}")
        with cx.block("else:"):
            cx.line(f"other = {near}")
        cx.line("beside += 1")
    with cx.block("if beside == 0:"):
        if not closed:
            alone = "least == 1 and most == 1" if kind == "Cell" else "least == 1 or most == 1"
            cx.line(f"return {alone} or (s != 0 and most > {'0' if kind == 'Cell' else 'least'})")
        else:
            cx.line("return False")
    _core(nodes, cx)
    if closed:
        _circle_of_sites(nodes, cx)
        return
    with cx.block("if core != 0:"):
        cx.line("return False")
    if kind == "Cell":
        cx.line("return most > 0")
        return
    with cx.block("if most > least:"):
        cx.line("return True")
    with cx.block("if beside > 2 or least != most:"):
        cx.line("return False")
    with cx.block("if beside == 1:"):
        _walk(nodes, cx, "way", "0", "a", "-1")
        cx.line("return way + 1 == least")
    _walk(nodes, cx, "way", "1", "b", "-1")
    _walk(nodes, cx, "more", "1", "other", "b")
    cx.line("return way + more + 1 == least")


def _walk(nodes: _Nodes, cx: Cx, result: str, index: str, start: str, parent: str) -> None:
    """Write a walk from a neighbour of ``a`` on, whose length is the result; endless if the way branches."""
    cx.line(f"{result} = {index}")
    cx.line(f"v = {start}")
    cx.line(f"p = {parent}")
    with cx.block(f"while v >= 0 and {result} < 2 * least and {result} < {nodes.count + 2}:"):
        cx.line("degree = 0")
        cx.line("ahead = -1")
        with nodes.each(cx, "v", cx.slots["plr"]) as near:
            cx.line("degree += 1")
            with cx.block(f"if ahead < 0 and {near} != p and {near} != a:"):
                cx.line(f"ahead = {near}")
        with cx.block("if degree > 2:"):
            cx.line(f"{result} = {_ENDLESS}")
            cx.line("break")
        with cx.block("if ahead < 0:"):
            cx.line("break")
        cx.line("p = v")
        cx.line("v = ahead")
        cx.line(f"{result} += 1")


def _circle_of_sites(nodes: _Nodes, cx: Cx) -> None:
    """Write the test of a circle of sites; a larger core counts as a circle of three where two neighbours touch."""
    player = cx.slots["plr"]
    with cx.block("if core == least if least == most else (most > least and 2 < core <= most):"):
        cx.line("return True")
    with cx.block("if core <= most or (most != 3 if least == most else (most < 3 or most < least)):"):
        cx.line("return False")
    with nodes.each(cx, "a", player) as one, nodes.each(cx, one, player) as two:
        with nodes.each(cx, "a", player) as three, cx.block(f"if {two} == {three}:"):
            cx.line("return True")
    cx.line("return False")
