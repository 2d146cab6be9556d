"""``is Blocked``: whether a player cannot connect regions any longer, even with all empty sites."""

from __future__ import annotations

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Bool, Cx
from ludoport.ludemes.core.region import PerPlayer, Region, Static
from ludoport.ludemes.core.registry import boolean_ludeme, number, region
from ludoport.ludemes.fields.directions import steps_table
from ludoport.ludemes.fields.named_regions import player_regions, region_type
from ludoport.ludemes.fields.position import empty_at, who_at
from ludoport.ludemes.meanings.flooding import stamps
from ludoport.ludemes.meanings.groups import connection_bits


def _first_region(node: Ludeme, cx: Cx) -> Region:
    """Where every connection would have to start."""
    program = cx.program
    regions = node.get("regions")
    if isinstance(regions, list):
        return region(regions[0], cx)
    if node.get("role") is not None:
        firsts = [tuple((player_regions(program, p) or [[]])[0]) for p in range(program.n_players + 1)]
        return PerPlayer(cx.slots["plr"], tuple(firsts), program)
    return Static(tuple(region_type(program, str(node.args["regionType"]), node)[0]), program)


@boolean_ludeme("is Blocked", reads=["board"])
def is_blocked(node: Ludeme, cx: Cx) -> Bool:
    """Whether no group of own and empty sites from the first region touches enough of the regions."""
    program = cx.program
    if node.get("type") is not None and str(node.args["type"]) != program.board.kind:
        raise UnsupportedError("`is Blocked` on another kind of site is not implemented yet", node.source)
    who = number(node.get("role"), cx, cx.slots["mover"])
    place = cx.bind(plr=cx.name(who))

    def body(inner: Cx) -> None:
        bits, total = connection_bits(node, inner)
        wanted = number(node.get("number"), inner, total)
        table = steps_table(node.get("directions"), inner)
        marks, mark = stamps(inner, program.n_board, 1)
        queue = program.scratch(program.n_board, "GROUP")

        def open_(site: str) -> str:
            held = who_at(inner.sure(site), site)
            return f"({empty_at(program, site)} or {held} == {inner.slots['plr']})"

        program.library.add("bit_count")
        inner.line(f"wanted = {wanted}")
        with _first_region(node, inner).each(inner) as start:
            # A site that an earlier search reached belongs to a group that did not suffice.
            with inner.block(f"if work[{marks} + {start}] != {mark} and {open_(start)}:"):
                inner.line(f"work[{marks} + {start}] = {mark}")
                inner.line(f"work[{queue}] = {start}")
                inner.line("head = 0")
                inner.line("tail = 1")
                inner.line("touched = 1")
                with inner.block("while head < tail:"):
                    inner.line(f"m = work[{queue} + head]")
                    inner.line("head += 1")
                    inner.line(f"touched |= {bits('m')}")
                    with table.each(inner.sure("m"), "m") as near:
                        with inner.block(f"if work[{marks} + {near}] != {mark} and {open_(near)}:"):
                            inner.line(f"work[{marks} + {near}] = {mark}")
                            inner.line(f"work[{queue} + tail] = {near}")
                            inner.line("tail += 1")
                with inner.block("if bit_count(touched) >= wanted:"):
                    inner.line("return False")
        inner.line("return True")

    return place.call("blocked", node, body, key=("blocked", id(node)))
