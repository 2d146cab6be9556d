"""Directions as tables: the sites one step away, and the straight lines of sites (radials) from every site."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Value
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.tables import BoardTables
from ludoport.ludemes.fields.direction_choice import (
    choose,
    chosen_in_play,
    facing_groups,
)
from ludoport.ludemes.fields.directions_chosen import chosen_rays, chosen_steps
from ludoport.ludemes.fields.rays import FarSteps, Lines, Steps

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def rays(value: Value | None, cx: Cx, default: str = "Adjacent", longest: int | None = None) -> Lines:
    """The radials of all board sites in the given directions, at most ``longest`` sites each."""
    program = cx.program
    if chosen_in_play(value):
        return chosen_rays(value, cx, longest)
    choice = choose(value, default)
    if choice.dynamic is not None:
        return _last_direction(choice.dynamic, cx, longest)
    groups = _distinct(facing_groups(choice, program))
    table, width, length = program.memo(_rays_table, groups, longest)
    return Lines(table, width, length, len(groups) > 1, program.n_board)


def _distinct(groups: list[list[str]]) -> tuple[tuple[str, ...], ...]:
    """The directions of every facing, once if they are the same for all."""
    found = tuple(map(tuple, groups))
    return found[:1] if len(set(found)) == 1 else found


def _rays_table(program: Program, groups: tuple[tuple[str, ...], ...], longest: int | None) -> tuple[str, int, int]:
    """The table of the radials of all board sites, how many a site has at most, and the longest one's length."""
    rows = [program.radials(s, group) for group in groups for s in range(program.n_board)]
    if longest is not None:
        rows = [[ray[:longest] for ray in rays_] for rays_ in rows]
    width = max(map(len, rows), default=0) or 1
    length = max((len(ray) for rays_ in rows for ray in rays_), default=0) or 1
    table = np.full((len(rows), width, length), -1)
    for number, rays_ in enumerate(rows):
        for place, ray in enumerate(rays_):
            table[number, place, : len(ray)] = ray
    return program.module.table("RAYS", table), width, length


def _last_direction(dynamic: str, cx: Cx, longest: int | None) -> Lines:
    program = cx.program
    names = program.sites.supported_directions("All")
    lines = _lines_fixed(program, names, longest)
    pick = cx.fresh("d")
    table = program.memo(BoardTables.direction_between, tuple(names), dynamic == "OppositeDirection")
    cx.line(f"{pick} = -1")
    with cx.block("if state[LAST_FROM] >= 0 and state[LAST_TO] >= 0:"):
        cx.line(f"{pick} = {table}[state[LAST_FROM] * {program.n_board} + state[LAST_TO]]")
    lines.pick = pick
    return lines


def walked(word: str, cx: Cx) -> Lines:
    """The direction from ``(from)`` to ``(to)``, or the opposite one; unset iterators stand for the last move."""
    program = cx.program
    names = program.sites.supported_directions("All")
    lines = _lines_fixed(program, names, None)

    def site(slot: str, last: str) -> str:
        value = cx.slots[slot]
        if isinstance(value, int):
            return str(value) if value >= 0 else f"state[{last}]"
        return value if value in cx.safe else cx.name(f"({value} if {value} >= 0 else wide(state[{last}]))", "v")

    start, end = site("frm", "LAST_FROM"), site("to", "LAST_TO")
    if word == "OppositeDirection":
        start, end = end, start
    pick, size = cx.fresh("d"), program.n_board
    cx.line(f"{pick} = -1")
    with cx.block(f"if 0 <= {start} and {start} < {size} and 0 <= {end} and {end} < {size}:"):
        table = program.memo(BoardTables.direction_between, tuple(names))
        cx.line(f"{pick} = {table}[{start} * {size} + {end}]")
    lines.pick = pick
    return lines


def _lines_fixed(program: Program, names: list[str], longest: int | None) -> Lines:
    """Like ``rays`` but with exactly one ray per direction name, so that a ray's index is its direction."""
    table, length = program.memo(_fixed_table, tuple(names), longest)
    return Lines(table, len(names), length, False, program.n_board)


def _fixed_table(program: Program, names: tuple[str, ...], longest: int | None) -> tuple[str, int]:
    """The table of these rays, and the length of the longest one."""
    rows = [[(program.radials(s, [name]) or [()])[0] for name in names] for s in range(program.n_board)]
    if longest is not None:
        rows = [[ray[:longest] for ray in row] for row in rows]
    length = max((len(ray) for row in rows for ray in row), default=0) or 1
    flat = [site for row in rows for ray in row for site in [*ray, *([-1] * (length - len(ray)))]]
    return program.module.table("RAYS", flat), length


def steps_table(
    value: Value | None, cx: Cx, default: str = "Adjacent", node: Ludeme | None = None, distance: Expr = 1
) -> Steps:
    """The sites a step away from every board site in the given directions."""
    program = cx.program
    if not isinstance(distance, int) or distance < 1:
        return FarSteps(rays(value, cx, default), cx.name(distance))
    if chosen_in_play(value):
        return chosen_steps(value, cx, distance)
    choice = choose(value, default)
    if choice.dynamic is not None:
        if distance > 1:
            return FarSteps(rays(value, cx, default), str(distance))
        lines = _last_direction(choice.dynamic, cx, 1)
        return Steps(lines.table, lines.rays, False, lines.sites, lines.pick)
    groups = _distinct(facing_groups(choice, program))
    table, width = program.memo(_ends_table, groups, distance)
    return Steps(table, width, len(groups) > 1, program.n_board)


def _ends_table(program: Program, groups: tuple[tuple[str, ...], ...], distance: int) -> tuple[str, int]:
    """The table of the sites some steps away from every board site, and how many a site has at most."""
    if distance == 1:
        rows = [[program.steps(s, group) for s in range(program.n_board)] for group in groups]
    else:
        rows = [
            [
                tuple(ray[distance - 1] for ray in program.radials(s, group) if len(ray) >= distance)
                for s in range(program.n_board)
            ]
            for group in groups
        ]
    width = max((len(r) for row in rows for r in row), default=0) or 1
    flat = [site for row in rows for r in row for site in [*r, *([-1] * (width - len(r)))]]
    return program.module.table("STEPS", flat), width


def kind_steps(value: Value | None, cx: Cx, kind: Value | None, distance: Expr = 1) -> Steps:
    """The sites some steps away from every site of another kind than the board's, as it faces north."""
    program = cx.program
    base, sites = program.kind_block(kind)
    if chosen_in_play(value) or not isinstance(distance, int) or choose(value, "Adjacent").dynamic is not None:
        where = getattr(value, "source", None)
        raise UnsupportedError("directions that change are not implemented on sites of another kind", where)
    rows: list[list[int]] = [[] for _ in range(program.n_sites)]
    names = choose(value, "Adjacent").absolute(program, "N")
    for site in range(sites.n):
        if distance == 1:
            found = [there for name in names for there in sites.steps(site, name)]
        else:
            rays_ = [ray for name in names for ray in sites.radials(site, name)]
            found = [ray[distance] for ray in rays_ if len(ray) > distance]
        rows[base + site] = [base + there for there in dict.fromkeys(found)]
    width = max(map(len, rows), default=0) or 1
    flat = [site for row in rows for site in [*row, *([-1] * (width - len(row)))]]
    return Steps(program.module.table("STEPS", flat), width, False, program.n_sites)
