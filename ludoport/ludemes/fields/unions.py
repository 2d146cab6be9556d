"""Groups kept as a union-find in the row, for games in which stones are only ever added.

Instead of flooding the group of the last stone after every move, each stone joins the groups beside it when it is
placed, and every group remembers, one bit per region, which regions it touches.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludoport.errors import LudoportError
from ludoport.kernels.source import Function
from ludoport.lud import format_tree
from ludoport.lud.tree import Ludeme, Value
from ludoport.ludemes.core.context import Bool, Cx
from ludoport.ludemes.core.features import only_adds
from ludoport.ludemes.core.registry import number, region
from ludoport.ludemes.fields.directions import steps_table
from ludoport.ludemes.fields.named_regions import player_regions, region_type
from ludoport.ludemes.fields.position import who_at
from ludoport.ludemes.fields.rays import Steps

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

BITS = 15
"""Regions that fit into one small integer."""


@dataclass
class Connection:
    """One ``is Connected``: where its bits begin, and how many of them are asked for."""

    shift: int
    wanted: int
    size: int


class Unions:
    """The derived fields for incremental connection tests."""

    def __init__(
        self, program: Program, table: Steps, bits: list[list[int]], connections: dict[int, Connection]
    ) -> None:
        self.program, self.table, self.connections = program, table, connections
        program.state.want("ROOT", program.n_board)
        program.state.want("TOUCH", program.n_board)
        self.bits = program.module.table("TOUCHES", bits)

    def connected(self, node: Ludeme, cx: Cx, owned: bool) -> Bool | None:
        """Code for a connection test, or None if this one is not kept."""
        known = self.connections.get(id(node))
        if known is None:
            return None
        program = self.program
        mask = ((1 << known.size) - 1) << known.shift

        def body(inner: Cx) -> None:
            site = inner.slots["site"]
            with inner.block(f"if {site} < 0 or {site} >= {program.n_board}:"):
                inner.line("return False")
            inner.line(f"s = {site}")
            with inner.block("if state[WHAT + s] == 0:"):
                inner.line("return False")
            if owned:
                with inner.block(f"if {who_at(inner.sure('s'), 's')} != {inner.slots['plr']}:"):
                    inner.line("return False")
            inner.line(f"touched = state[TOUCH + find_root(state, s)] & {mask}")
            if known.wanted == known.size:
                inner.line(f"return touched == {mask}")
            else:
                program.library.add("bit_count")
                inner.line(f"return bit_count(touched) >= {known.wanted}")

        return cx.call("connected", node, body, key=("united", id(node)))

    def setup(self, f: Function) -> None:
        """Every site begins as its own group."""
        with f.block(f"for i in range({self.program.n_board}):"):
            f.line("state[ROOT + i] = i")

    def write(self) -> None:
        """Write the functions that keep the groups."""
        program = self.program
        find = Function("find_root", ["state", "s"], "the site that stands for a group; the way to it gets shorter")
        find.line("up = state[ROOT + s]")
        with find.block("while up != s:"):
            find.line("above = state[ROOT + up]")
            find.line("state[ROOT + s] = above")
            find.line("s = up")
            find.line("up = above")
        find.line("return s")
        program.module.functions.append(find)
        join = Function("join_neighbours", ["state", "s"], "a new stone joins the groups of its owner beside it")
        cx = program.root(join).sure("s")
        join.line(f"owner = {who_at(cx, 's')}")
        join.line(f"touched = {self.bits}[owner * {program.n_board} + s]")
        join.line("root = s")
        with self.table.each(cx, "s") as near:
            with join.block(f"if {who_at(cx.sure(near), near)} == owner:"):
                join.line(f"other = find_root(state, {near})")
                with join.block("if other != root:"):
                    join.line("state[ROOT + root] = other")
                    join.line("touched |= state[TOUCH + other]")
                    join.line("root = other")
        join.line("state[TOUCH + root] = touched")
        join.line("return 0")
        program.module.functions.append(join)


def find_unions(program: Program) -> None:
    """Decide whether the game can keep its groups incrementally."""
    root = program.description.root
    nodes = [node for node in root.walk() if node.key == "boolean:is Connected"]
    unique = {id(node): node for node in nodes}
    if not unique or program.stacking or program.hands or program.other_kinds:
        return
    if not only_adds(root):
        return
    scratch = program.root(Function("unused", []))
    directions = {_text(node.peek("directions")) for node in unique.values()}
    if len(directions) != 1:
        return
    rows = [[0] * program.n_board for _ in range(program.n_players + 2)]
    connections: dict[int, Connection] = {}
    shift = 0
    for node in unique.values():
        try:
            groups = _groups(node, scratch)
        except LudoportError:
            return
        size = max(map(len, groups))
        wanted = number(node.get("number"), scratch, size)
        if shift + size > BITS or not isinstance(wanted, int) or any(len(g) not in (0, size) for g in groups):
            return
        for owner, parts in enumerate(groups):
            for k, sites in enumerate(parts):
                for site in sites:
                    rows[owner][site] |= 1 << (shift + k)
        connections[id(node)] = Connection(shift, wanted, size)
        shift += size
    first = next(iter(unique.values()))
    table = steps_table(first.get("directions"), scratch)
    if table.by_owner or table.pick is not None or table.test is not None:
        return
    program.unions = Unions(program, table, rows, connections)


def _text(value: Value | None) -> str:
    return format_tree(value) if isinstance(value, Ludeme) else str(value)


def _groups(node: Ludeme, cx: Cx) -> list[list[list[int]]]:
    """For each owner number, the regions that its stones may touch."""
    program = cx.program
    owners = range(program.n_players + 2)
    if node.get("role") is not None:
        return [player_regions(program, p) if p <= program.n_players else [] for p in owners]
    regions = node.get("regions")
    if isinstance(regions, list):
        parts = [region(r, cx).static for r in regions]
        if any(p is None for p in parts):
            raise LudoportError("regions that change")
        return [[list(p or ()) for p in parts]] * len(owners)
    return [region_type(program, str(node.args["regionType"]), node)] * len(owners)
