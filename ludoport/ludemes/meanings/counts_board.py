"""Numbers about the board and the course of a turn: rows, distances, coordinates, moves of the turn, limits."""

from __future__ import annotations

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.arguments import settle
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.region import Region
from ludoport.ludemes.core.registry import INTS, condition, int_ludeme, number, optional, region
from ludoport.ludemes.core.traits import declare
from ludoport.ludemes.fields.directions import steps_table
from ludoport.ludemes.meanings.moves_parts import holder_condition


@int_ludeme("count Rows", "count Columns", reads=[], known=True)
def count_rows(node: Ludeme, cx: Cx) -> Expr:
    """Number of rows or columns of the board."""
    sites = cx.program.kind_sites(node.get("type"))
    if cx.program.board.three_dimensional:
        # Only the lowest layer counts.
        places = sites.y if node.keyword == "count Rows" else sites.x
        return len({round(places[s], 3) for s in range(sites.n) if sites.layer[s] == 0})
    return len(sites.rows if node.keyword == "count Rows" else sites.columns)


@int_ludeme("count MovesThisTurn", reads=[])
def count_moves_this_turn(node: Ludeme, cx: Cx) -> Expr:
    """Number of earlier moves of the mover in this turn."""
    cx.program.state.want("TURN_MOVES")
    return "state[TURN_MOVES]"


@int_ludeme("count Active", reads=[])
def count_active(node: Ludeme, cx: Cx) -> Expr:
    """Number of players still in the game."""

    def body(inner: Cx) -> None:
        inner.line("total = 0")
        with inner.block("for p in range(1, N_PLAYERS + 1):"), inner.block("if state[RANK + p] == 0:"):
            inner.line("total += 1")
        inner.line("return total")

    return cx.call("count_active", node, body, key="count active")


@int_ludeme("value MoveLimit", reads=[])
def move_limit(node: Ludeme, cx: Cx) -> Expr:
    """The number of moves after which a game is a draw."""
    return 10_000


@int_ludeme("value TurnLimit", reads=[])
def turn_limit(node: Ludeme, cx: Cx) -> Expr:
    """The number of turns of each player after which a game is a draw."""
    return 1250


@int_ludeme("coord", known=True)
def coord(node: Ludeme, cx: Cx) -> Expr:
    """The site with a label, or in a row and a column."""
    program = cx.program
    base, sites = program.kind_block(node.get("type"))
    label = node.get("coordinate")
    if label is not None:
        return base + program.site_of(label, sites)
    row, column = number(node.args["row"], cx), number(node.args["column"], cx)
    places = {(sites.row[s], sites.col[s]): s for s in range(sites.n)}
    if isinstance(row, int) and isinstance(column, int):
        found = places.get((row, column))
        return -1 if found is None else base + found
    height, width = len(sites.rows), len(sites.columns)
    flat = [base + places[r, c] if (r, c) in places else -1 for r in range(height) for c in range(width)]
    table = program.module.table("COORD", flat)
    r, c = cx.name(row), cx.name(column)
    return f"({table}[{r} * {width} + {c}] if 0 <= {r} and {r} < {height} and 0 <= {c} and {c} < {width} else -1)"


@int_ludeme("regionSite", reads=[])
def region_site(node: Ludeme, cx: Cx) -> Expr:
    """The site of a region with a given index in the order of sites; -1 beyond the last."""
    where = region(node.args["region"], cx)
    index = number(node.args["index"], cx)
    if where.static is not None and isinstance(index, int):
        ordered = sorted(set(where.static))
        return ordered[index] if 0 <= index < len(ordered) else -1

    def body(inner: Cx) -> None:
        inside = region(node.args["region"], inner)
        inner.line("left = " + str(inner.slots["val"]))
        with inner.block(f"for s in range({inner.program.n_sites}):"):
            place = inner.sure("s")
            with inner.when(inside.contains(place, "s")):
                with inner.block("if left == 0:"):
                    inner.line("return s")
                inner.line("left -= 1")
        inner.line("return -1")

    return cx.bind(val=cx.name(index)).call("region_site", node, body, key=("region site", id(node)))


@int_ludeme("count Steps", reads=["board"], known=True)
def count_steps(node: Ludeme, cx: Cx) -> Expr:
    """The number of steps from a site to another, or to the nearest site of a region."""
    program = cx.program
    if node.get("newRotation") is not None:
        raise UnsupportedError("`count Steps` with rotations is not implemented yet", node.source)
    if node.get("stepMove") is not None:
        return _walked(node, cx)
    relation = node.get("relation")
    table = program.module.table("DISTANCE", distances(cx, str(relation) if relation is not None else "Adjacent"))
    size = program.n_board
    start = number(node.args["site1"], cx)
    if node.get("site2") is not None:
        end = number(node.args["site2"], cx)
        if isinstance(start, int) and isinstance(end, int):
            inside = 0 <= start < size and 0 <= end < size
            return int(program.module.tables[table][start * size + end]) if inside else 0
        a, b = cx.name(start), cx.name(end)
        return f"({table}[{a} * {size} + {b}] if 0 <= {a} and {a} < {size} and 0 <= {b} and {b} < {size} else 0)"
    origin = cx.name(start)
    best = cx.fresh("best")
    cx.line(f"{best} = -1")
    with cx.block(f"if on_board({origin}):"), region(node.args["region2"], cx).each(cx) as site:
        length = cx.name(f"{table}[{origin} * {size} + {site}]")
        with cx.block(f"if {best} < 0 or {length} < {best}:"):
            cx.line(f"{best} = {length}")
    return f"max({best}, 0)"


def distances(cx: Cx, relation: str) -> list[int]:
    """For each pair of sites, the number of steps between them; 0 where there is no way."""
    program = cx.program
    near = program.sites.neighbours(relation)
    flat: list[int] = []
    for start in range(program.n_board):
        found = {start: 0}
        frontier = [start]
        while frontier:
            frontier_next = []
            for site in frontier:
                for other in near[site]:
                    if other not in found:
                        found[other] = found[site] + 1
                        frontier_next.append(other)
            frontier = frontier_next
        flat += [found.get(site, 0) for site in range(program.n_board)]
    return flat


FAR = 1_000_000_000
"""Stands for an infinite number of steps."""


def _walked(node: Ludeme, cx: Cx) -> Expr:
    """Steps that follow a rule of their own, counted over the position."""
    program = cx.program
    step = node.args["stepMove"]
    assert isinstance(step, Ludeme)
    # The step alone says where to go, and it begins wherever the last one ended.
    settle(node.get("relation"), step.get("from"))

    def ends(inner: Cx) -> Region:
        value = node.get("region2") if node.get("region2") is not None else [node.args["site2"]]
        assert value is not None
        return region(value, inner)

    def body(inner: Cx) -> None:
        distance = program.scratch(program.n_board, "STEPS_TO")
        queue = program.scratch(program.n_board, "QUEUE")
        goals = program.scratch(program.n_board, "GOALS")
        start = inner.name(number(node.args["site1"], inner), "start")
        size = program.n_board
        with inner.block(f"if {start} < 0:"):
            inner.line("return 0")
        with inner.block(f"if {start} >= {size}:"):
            inner.line(f"return {FAR}")
        with inner.block(f"for i in range({size}):"):
            inner.line(f"work[{distance} + i] = -1")
            inner.line(f"work[{goals} + i] = 0")
        inner.line("some = False")
        with ends(inner).each(inner) as goal, inner.block(f"if {goal} < {size}:"):
            inner.line(f"work[{goals} + {goal}] = 1")
            inner.line("some = True")
        with inner.block("if not some:"):
            inner.line("return 0")
        with inner.block(f"if work[{goals} + {start}] != 0:"):
            inner.line("return 0")
        inner.line(f"work[{distance} + {start}] = 0")
        inner.line(f"work[{queue}] = {start}")
        inner.line("head = 0")
        inner.line("tail = 1")
        with inner.block("while head < tail:"):
            inner.line(f"here = work[{queue} + head]")
            inner.line("head += 1")
            place = inner.sure("here").bind(frm="here")
            with steps_table(step.get("directions"), place).each(place, "here") as site:
                near = place.sure(site).bind(to=site)
                with inner.block(f"if work[{distance} + {site}] < 0:"):
                    with inner.when(condition(holder_condition(optional(step.get("to"))), near)):
                        inner.line(f"work[{distance} + {site}] = work[{distance} + here] + 1")
                        with inner.block(f"if work[{goals} + {site}] != 0:"):
                            inner.line(f"return work[{distance} + {site}]")
                        inner.line(f"work[{queue} + tail] = {site}")
                        inner.line("tail += 1")
        inner.line(f"return {FAR}")

    return cx.call("count_steps", node, body, key=("count steps", id(node)))


def _player(node: Ludeme, cx: Cx) -> Expr:
    """A player by number; the mover without one."""
    return number(node.get("index"), cx, cx.slots["mover"])


INTS["util:player"] = _player
declare("util:player", reads=[])
