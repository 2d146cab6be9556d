"""Drawing a random move without listing all of them, where each move is one site of a known set.

A site is drawn and tested; after a few failures the caller lists the moves after all. Both ways every legal move is
equally likely, so the mixture is uniform too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.context import Cx
from ludoport.ludemes.moves_piece import _holder_condition
from ludoport.ludemes.moves_site import _adding, pieces_of
from ludoport.ludemes.region import Empty, Filtered, Region, Static
from ludoport.ludemes.registry import condition, optional, region

if TYPE_CHECKING:
    from ludoport.ludemes.program import Program

TRIES = 4


def write_direct_draw(program: Program, plays: list[Ludeme]) -> bool:
    """Write the kernel ``draw_move`` if the only rule of play adds one kind of piece to one of some sites.

    Returns:
        Whether it was written.
    """
    if len(plays) != 1 or plays[0].keyword != "move Add":
        return False
    node = plays[0]
    to, piece = optional(node.get("to")), optional(node.get("what"))
    if to is None or to.get("region") is None:
        return False
    f = Function("draw_move", [], "draw a site and take its move if it is legal; 0 after a few failures")
    cx = program.root(f)
    components = pieces_of(piece, cx)
    if len(components) != 1 or f.lines:
        return False
    base: Region = region(to.args["region"], cx)
    filters = []
    while isinstance(base, Filtered):
        filters.append(base)
        base = base.base
    if f.lines:
        return False
    if isinstance(base, Empty):
        if base.first != 0 or base.last != program.n_board or not program.want_empty_list():
            return False
        f.line("n = state[N_EMPTY]")
        with f.block("if n == 0:"):
            f.line("return 0")
        site = "state[EMPTY + draw_number(rng, n)]"
    elif isinstance(base, Static) and base.static:
        sites = base.static
        start = sites[0]
        drawn = f"draw_number(rng, {len(sites)})"
        if sites == tuple(range(start, start + len(sites))):
            site = drawn if start == 0 else f"{start} + {drawn}"
        else:
            site = f"{program.module.table('SITES', sites)}[{drawn}]"
    else:
        return False
    tested = filters or _holder_condition(to) is not None
    with f.block(f"for _ in range({TRIES}):") if tested else f.block("if True:"):
        f.line(f"s = {site}")
        _take(node, cx.sure("s"), filters, components[0], piece, to)
    f.line("return 0")
    program.close(f, "rng", "move")
    return True


def _take(node: Ludeme, cx: Cx, filters: list[Filtered], what: object, piece: Ludeme | None, to: Ludeme) -> None:
    here = cx.bind(to="s")
    depth = cx.fn.depth
    for each in filters:
        test = each._test(cx, "s")
        if test is not True:
            cx.line(f"if {test}:")
            cx.fn.depth += 1
    test = condition(_holder_condition(to), here)
    if test is not True:
        cx.line(f"if {test}:")
        cx.fn.depth += 1
    name = what if isinstance(what, int) else cx.name(str(what))
    spec = _adding(node, here, "s", name, piece, to)
    rule = cx.program.rules.rule(here, spec)
    rule.write(here, spec, "move[{}]")
    cx.line("return 1")
    cx.fn.depth = depth
