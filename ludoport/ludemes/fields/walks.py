"""Turtle walks over the board: the leaps of knights, and directions relative to the last step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.boards.directions import left, right
from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Value
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.registry import condition
from ludoport.ludemes.fields.direction_choice import choose, facing_index
from ludoport.ludemes.fields.facings import piece_facings
from ludoport.ludemes.fields.rays import Lines, Steps

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def walk_ends(program: Program, site: int, walk: list[str], facing: str) -> int | None:
    """Where a walk of F, L and R steps from a site with a first facing ends; None if it leaves the board."""
    supported = program.sites.supported_directions("Orthogonal")
    for letter in walk:
        if letter == "F":
            there = program.steps(site, [facing])
            if not there:
                return None
            site = there[0]
            continue
        # Turns stay among directions of one sort: those of the compass, or those between layers.
        turn = right if letter == "R" else left
        facing = turn(facing)
        while facing not in supported:
            facing = turn(facing)
    return site


def walk_sites(program: Program, site: int, walk: list[str], facing: str) -> tuple[int, ...] | None:
    """The sites of a walk, the first one included; None if it leaves the board."""
    found = [site]
    for k, letter in enumerate(walk):
        if letter == "F":
            end = walk_ends(program, site, walk[: k + 1], facing)
            if end is None:
                return None
            found.append(end)
    return tuple(found)


def walks_of(node: Ludeme, name: str) -> list[list[str]]:
    """The walks of a ludeme, each as its steps."""
    value = node.args[name]
    assert isinstance(value, list)
    return [[str(step) for step in walk] for walk in value]  # type: ignore[union-attr]


def destinations(program: Program, site: int, walks: list[list[str]], facings: list[str]) -> list[int]:
    """All ends of walks from a site, each once."""
    found: dict[int, None] = {}
    for facing in facings:
        for walk in walks:
            end = walk_ends(program, site, walk, facing)
            if end is not None:
                found[end] = None
    return list(found)


def leap_table(node: Ludeme, cx: Cx, ascending: bool = False) -> Steps:
    """The destinations of a leap from every site, perhaps in ascending order."""
    program = cx.program
    walks = walks_of(node, "walk")
    supported = program.sites.supported_directions("Orthogonal")
    rotations = condition(node.get("rotations"), cx, True)
    forward = condition(node.get("forward"), cx, False)
    if not isinstance(rotations, bool) or not isinstance(forward, bool):
        raise UnsupportedError("a leap whose rotations change is not implemented yet", node.source)
    owners = piece_facings(program)
    # Without rotations, a walk starts in the board's first direction, whatever the piece faces.
    starts = supported if rotations else supported[:1]
    groups = [[destinations(program, s, walks, starts) for s in range(program.n_board)]] * len(owners)
    if forward:
        groups = [_ahead(program, rows, facing) for rows, facing in zip(groups, owners, strict=True)]
    if all(rows == groups[0] for rows in groups):
        groups = groups[:1]
    if ascending:
        groups = [[sorted(row) for row in rows] for rows in groups]
    width = max((len(r) for rows in groups for r in rows), default=0) or 1
    flat = [s for rows in groups for r in rows for s in [*r, *([-1] * (width - len(r)))]]
    return Steps(program.module.table("LEAPS", flat), width, len(groups) > 1, program.n_board)


_AHEAD = {
    "N": (0, 1),
    "S": (0, -1),
    "E": (1, 0),
    "W": (-1, 0),
    "NE": (1, 1),
    "NW": (-1, 1),
    "SE": (1, -1),
    "SW": (-1, -1),
}


def _ahead(program: Program, rows: list[list[int]], facing: str) -> list[list[int]]:
    """Keep only the destinations that lie ahead of the facing, in rows and columns."""
    dx, dy = _AHEAD.get(facing, (0, 0))
    sites = program.sites

    def further(here: int, there: int) -> bool:
        across, up = sites.col[there] - sites.col[here], sites.row[there] - sites.row[here]
        return (dx == 0 or across * dx > 0) and (dy == 0 or up * dy > 0)

    return [[t for t in row if further(s, t)] for s, row in enumerate(rows)]


def rays_after_step(value: Value | None, cx: Cx, frm: Expr, to: Expr) -> Lines:
    """Rays in directions relative to the step from one site to the next."""
    program = cx.program
    choice = choose(value, "Forward")
    names = program.sites.supported_directions("All")
    # Where no single step leads from one to the other, the piece faces as it does.
    usual = piece_facings(program)
    groups = [choice.absolute(program, name) for name in [*names, *(facing or "N" for facing in usual)]]
    rows = [[program.radials(s, group) for s in range(program.n_board)] for group in groups]
    width = max((len(r) for row in rows for r in row), default=0) or 1
    length = max((len(ray) for row in rows for r in row for ray in r), default=0) or 1
    program.module.claim(len(rows) * program.n_board * width * length)
    flat = [
        s
        for row in rows
        for r in row
        for ray in [*r, *([()] * (width - len(r)))]
        for s in [*ray, *([-1] * (length - len(ray)))]
    ]
    table = program.module.table("RAYS_AFTER", flat)
    program.module.claim(program.n_board * program.n_board)
    steps = [-1] * (program.n_board * program.n_board)
    for site in range(program.n_board):
        for index, name in enumerate(names):
            for there in program.steps(site, [name]):
                steps[site * program.n_board + there] = index
    taken = program.module.table("STEP_TAKEN", steps)
    direction = cx.fresh("d")
    cx.line(f"{direction} = {taken}[{frm} * {program.n_board} + {to}]")
    with cx.block(f"if {direction} < 0:"):
        cx.line(f"{direction} = {len(names)} + {facing_index(cx, frm)}")
    lines = Lines(table, width, length, False, program.n_board)
    lines.offset = direction
    return lines
