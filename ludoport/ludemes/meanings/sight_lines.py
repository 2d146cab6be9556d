"""The lines on which slides get to a site, from that site outwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.errors import LudoportError
from ludoport.kernels.source import Function
from ludoport.ludemes.fields.direction_choice import choose
from ludoport.ludemes.fields.facings import piece_facings

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

NOWHERE, SEVERAL = -1, -2
"""Numbers of lines: a site that lies on no line to another, and one that lies on several."""

CLEAR = "clear_between"
OPENED = "opened"
"""The function that tells whether a piece that leaves a site might open a line."""


def write_lines(program: Program, reach: str | None) -> str | None:
    """Write the function that looks along lines.

    Args:
        program: the game.
        reach: the table of what pieces might reach, if there is one.

    Returns:
        A table with the number of the line to a site (row) on which another (column) lies; None if that is not known.
    """
    tables = line_tables(program)
    if tables is None:
        return None
    line_of, sites, rays, length = tables
    n = program.n_board
    f = Function(
        OPENED,
        ["state", "site", "frm", "enemy"],
        "whether a line to a site, of an enemy's slide, might lead through another",
    )
    f.line(f"r = {line_of}[site * {n} + frm]")
    with f.block("if r < 0:"):
        f.line(f"return r == {SEVERAL}")
    f.line(f"base = (site * {rays} + r) * {length}")
    f.line("behind = False")
    with f.block(f"for k in range({length}):"):
        f.line(f"s = {sites}[base + k]")
        with f.block("if s < 0:"):
            f.line("return False")
        with f.block("if s == frm:"):
            f.line("behind = True")
        with f.block("elif state[WHAT + s] != 0:"):
            f.line("piece = state[WHAT + s]")
            far = f"({reach}[s * {n} + site] >> piece) & 1 != 0" if reach is not None else "True"
            f.line(f"return behind and {program.owner_of('piece')} == enemy and {far}")
    f.line("return False")
    program.module.functions.append(f)
    return line_of


def write_clear(program: Program) -> str | None:
    """Write the function that tests whether all sites between two on a line are empty.

    Returns:
        The table with the numbers of lines; None if they are not known.
    """
    tables = line_tables(program)
    if tables is None:
        return None
    line_of, sites, rays, length = tables
    if CLEAR in program.wants:
        return line_of
    program.wants.add(CLEAR)
    f = Function(CLEAR, ["state", "site", "frm"], "whether nothing stands between two sites on a line")
    f.line(f"r = {line_of}[site * {program.n_board} + frm]")
    with f.block("if r < 0:"):
        f.line("return False")
    f.line(f"base = (site * {rays} + r) * {length}")
    with f.block(f"for k in range({length}):"):
        f.line(f"s = {sites}[base + k]")
        with f.block("if s == frm:"):
            f.line("return True")
        with f.block("if s < 0:"):
            f.line("return False")
        with f.block("if state[WHAT + s] != 0:"):
            f.line("return False")
    f.line("return False")
    program.module.functions.append(f)
    return line_of


def line_tables(program: Program) -> tuple[str, str, int, int] | None:
    """The numbers of lines between sites, the sites of lines, how many lines a site has, and how long they are."""
    n = program.n_board
    found = _lines(program) if n * n <= 50_000 else None
    if found is None:
        return None
    rays = max(map(len, found)) or 1
    length = max((len(line) for lines in found for line in lines), default=0) or 1
    table = [-1] * (n * rays * length)
    numbers = [NOWHERE] * (n * n)
    for site, lines in enumerate(found):
        for r, line in enumerate(lines):
            for k, passed in enumerate(line):
                table[(site * rays + r) * length + k] = passed
                known = numbers[site * n + passed]
                numbers[site * n + passed] = r if known == NOWHERE else SEVERAL
    line_of, sites = program.module.table("LINE_OF", numbers), program.module.table("LINES", table)
    return line_of, sites, rays, length


def _lines(program: Program) -> list[list[tuple[int, ...]]] | None:
    """For each site the longest ways outwards along which slides get to it; None if they are not known."""
    n = program.n_board
    facings = sorted({facing or "N" for facing in piece_facings(program)})
    slides = {
        id(p): p
        for c in program.components[1:]
        if c.moves is not None
        for p in c.moves.walk()
        if p.keyword == "move Slide"
    }
    ways: list[set[tuple[int, ...]]] = [set() for _ in range(n)]
    for slide in slides.values():
        try:
            choice = choose(slide.peek("directions"), "Adjacent")
            names = sorted({name for facing in facings for name in choice.absolute(program, facing)})
        except (LudoportError, AssertionError, KeyError, ValueError):
            return None
        if choice.dynamic is not None:
            return None
        for origin in range(n):
            for ray in program.radials(origin, names):
                for k, there in enumerate(ray):
                    ways[there].add((*ray[:k][::-1], origin))
    return [_longest(each) for each in ways]


def _longest(ways: set[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The ways that are no beginning of another."""
    beginnings = {way[:k] for way in ways for k in range(1, len(way))}
    return sorted(way for way in ways if way not in beginnings)
