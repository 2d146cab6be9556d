"""Tiles with paths: whether the sides of neighbours match, whether a path returns, and how far one extends."""

from __future__ import annotations

from collections.abc import Callable

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.program import Program
from ludoport.ludemes.core.region import ListedSites, Region
from ludoport.ludemes.core.registry import boolean_ludeme, int_ludeme, number, region
from ludoport.ludemes.core.tile_paths import SIDES, side_colours
from ludoport.ludemes.fields.facings import want_rotations
from ludoport.ludemes.meanings.flooding import stamps
from ludoport.ludemes.meanings.playable import changed_by_move

_ON_SIDES = ("N", "E", "S", "W")
"""Where the sides of a tile that is not turned lie."""

_TURNED = f"state[ROTATION + {{0}}] // 2 % {SIDES}"
"""Code for the quarter turns of a tile: rotations count the eight directions."""


@boolean_ludeme("is SidesMatch", reads=["board"])
def sides_match(node: Ludeme, cx: Cx) -> Bool:
    """Whether paths that meet at the sides of a tile have the same colours there."""
    place = cx.bind(site=cx.name(number(node.get("value"), cx, "state[LAST_TO]")))

    def body(inner: Cx) -> None:
        program = inner.program
        inner.line(f"s = {inner.slots['site']}")
        with inner.block(f"if s < 0 or s >= {program.n_board} or state[WHAT + s] == 0:"):
            inner.line("return False")
        near, seen, met = _neighbours(program), *_sides(program)
        inner.line(f"own = (state[WHAT + s] * {SIDES} + {_TURNED.format('s')}) * {SIDES}")
        with inner.block(f"for side in range({SIDES}):"):
            inner.line(f"near = {near}[s * {SIDES} + side]")
            with inner.block("if near >= 0 and state[WHAT + near] != 0:"):
                inner.line(f"other = (state[WHAT + near] * {SIDES} + {_TURNED.format('near')}) * {SIDES}")
                with inner.block(f"if {seen}[own + side] != {met}[other + (side + {SIDES // 2}) % {SIDES}]:"):
                    inner.line("return False")
        inner.line("return True")

    _check(node, cx.program)
    return place.call("sides_match", node, body, key="sides match")


def path_returns(node: Ludeme, cx: Cx) -> Bool:
    """Whether a path of a colour comes back to one of the tiles where it may begin."""
    _check(node, cx.program)
    place = cx.bind(plr=cx.name(number(node.get("colour"), cx, cx.slots["mover"])))

    def found(inner: Cx, near: str) -> None:
        with inner.block(f"if {near} == start:"):
            inner.line("return True")

    def body(inner: Cx) -> None:
        _need_tile(node, inner, "return False")
        with _starts(node, inner).each(inner) as site:
            _walk(inner, site, found)
        inner.line("return False")

    return place.call("path_returns", node, body, key=("path returns", id(node)))


@int_ludeme("pathExtent", reads=["board"])
def path_extent(node: Ludeme, cx: Cx) -> Expr:
    """The most rows or columns between a tile and the sites that a path of a colour leads to from there.

    A path that ends at an empty site leads to that site.
    """
    program = cx.program
    _check(node, program)
    place = cx.bind(plr=cx.name(number(node.get("colour"), cx, cx.slots["mover"])))
    sites = program.sites

    def farther(inner: Cx, near: str) -> None:
        rows, columns = (program.module.table("LINE", list(lines)) for lines in (sites.row, sites.col))
        for lines in (rows, columns):
            inner.line(f"best = max(best, abs({lines}[{near}] - {lines}[start]))")

    def body(inner: Cx) -> None:
        if node.get("regionStart") is None:
            _need_tile(node, inner, "return 0")
        inner.line("best = 0")
        with _starts(node, inner).each(inner) as site:
            _walk(inner, site, farther)
        inner.line("return best")

    return place.call("path_extent", node, body, key=("path extent", id(node)))


def _check(node: Ludeme, program: Program) -> None:
    """Refuse boards that are not of squares, and games with pieces that have no paths."""
    squares = tuple(program.sites.supported_directions("Orthogonal")) == _ON_SIDES
    if program.board.kind != "Cell" or not squares or program.stacking:
        raise UnsupportedError(f"`{node.keyword}` is implemented only for tiles on boards of squares", node.source)
    if not all(component.paths for component in program.components[1:]):
        raise UnsupportedError(f"`{node.keyword}` is implemented only where all pieces have paths", node.source)
    want_rotations(program)


def _need_tile(node: Ludeme, cx: Cx, otherwise: str) -> None:
    """Write the case that no tile is on the first site of a path (default: that of the last move)."""
    first = cx.name(number(node.get("start"), cx, "state[LAST_TO]"))
    with cx.block(f"if {first} < 0 or {first} >= {cx.program.n_board} or state[WHAT + {first}] == 0:"):
        cx.line(otherwise)


def _starts(node: Ludeme, cx: Cx) -> Region:
    """The sites where a path may begin: by default those that the last move changed."""
    start, given = node.get("start"), node.get("regionStart")
    if start is not None:
        return ListedSites([number(start, cx)])
    return region(given, cx) if given is not None else changed_by_move(cx.program)


def _neighbours(program: Program) -> str:
    """A table of the neighbour on each side of each site, -1 for none."""
    rows = [program.steps(site, [name]) for site in range(program.n_board) for name in _ON_SIDES]
    return program.module.table("BESIDE", [row[0] if row else -1 for row in rows])


def _sides(program: Program) -> tuple[str, str]:
    """Tables of what each side of each piece in each rotation shows, read from the tile and from its neighbour."""
    slots = max(slot for each in program.components[1:] for path in each.paths for slot in path.slots) + 1
    numbers: dict[tuple[int, ...], int] = {}
    seen, met = [], []
    for component in program.components:
        colours = side_colours(component.paths, slots)
        for turns in range(SIDES):
            for side in range(SIDES):
                shown = colours[(side - turns) % SIDES]
                seen.append(numbers.setdefault(shown, len(numbers)))
                met.append(numbers.setdefault(shown[::-1], len(numbers)))
    return program.module.table("SHOWS", seen), program.module.table("MEETS", met)


def _ends(program: Program) -> tuple[str, int]:
    """A table of the two sides of the path of each colour on each piece in each rotation, and the most colours."""
    most = max(path.colour for each in program.components[1:] for path in each.paths)
    rows = []
    for colour in range(most + 1):
        for component in program.components:
            sides = next((path.sides for path in component.paths if path.colour == colour), None)
            for turns in range(SIDES):
                rows += [-1, -1] if sides is None else [(side + turns) % SIDES for side in sides]
    return program.module.table("ENDS", rows), most


def _walk(cx: Cx, site: str, visit: Callable[[Cx, str], None]) -> None:
    """Write a walk from a tile along the paths of a colour, in both directions.

    Every step is a site and the side by which the path came in; it continues to the other ends of paths on that tile.

    Args:
        cx: the place; ``plr`` is the colour.
        site: where the walk begins.
        visit: given a place and a site, writes what to do with each site that the path leads to.
    """
    program = cx.program
    near, (ends, most) = _neighbours(program), _ends(program)
    size = SIDES * program.n_board
    queue = program.scratch(size, "WAY")
    marks, mark = stamps(cx, size, 1)
    kinds = len(program.components)
    cx.program.list_once(queue, marks)
    colour = cx.slots["plr"]
    with cx.block(f"if {site} < {program.n_board} and 0 <= {colour} <= {most}:"):
        cx.line(f"start = {site}")
        cx.line(f"work[{queue}] = start * {SIDES}")
        cx.line(f"work[{marks} + start * {SIDES}] = {mark}")
        cx.line("head = 0")
        cx.line("tail = 1")
        with cx.block("while head < tail:"):
            cx.line(f"step = work[{queue} + head]")
            cx.line(f"back = step % {SIDES} if head > 0 else -1")
            cx.line("head += 1")
            cx.line(f"here = step // {SIDES}")
            turned = _TURNED.format("here")
            cx.line(f"way = (({colour} * {kinds} + state[WHAT + here]) * {SIDES} + {turned}) * 2")
            with cx.block("for k in range(2):"):
                cx.line(f"side = {ends}[way + k]")
                cx.line(f"near = {near}[here * {SIDES} + side] if side >= 0 and side != back else -1")
                with cx.block("if near >= 0:"):
                    visit(cx, "near")
                    cx.line(f"onward = near * {SIDES} + (side + {SIDES // 2}) % {SIDES}")
                    with cx.block(f"if state[WHAT + near] != 0 and work[{marks} + onward] != {mark}:"):
                        cx.line(f"work[{marks} + onward] = {mark}")
                        cx.line(f"work[{queue} + tail] = onward")
                        cx.line("tail += 1")
