"""Regions of sites at the ends of walks."""

from __future__ import annotations

from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Cx
from ludoport.ludemes.core.known import entry_of
from ludoport.ludemes.core.region import Region, Static
from ludoport.ludemes.core.registry import condition, number
from ludoport.ludemes.fields.rays import Steps
from ludoport.ludemes.fields.walks import destinations, walks_of
from ludoport.ludemes.meanings.regions_around import Around


def walk_region(node: Ludeme, cx: Cx) -> Region:
    """The ends of walks from one site."""
    program = cx.program
    walks = walks_of(node, "possibleSteps")
    supported = program.sites.supported_directions("Orthogonal")
    origin = number(node.get("index"), cx, cx.slots["frm"])
    if condition(node.get("rotations"), cx, True) is not True:
        supported = supported[:1]
    rows = [destinations(program, s, walks, supported) for s in range(program.n_board)]
    if isinstance(origin, int):
        return Static(tuple(entry_of(rows, origin, [])), program)
    width = max(map(len, rows), default=0) or 1
    flat = [s for r in rows for s in [*r, *([-1] * (width - len(r)))]]
    table = Steps(program.module.table("WALKS", flat), width, False, program.n_board)
    return Around(cx.name(origin), table, lambda place, site: True, False)
