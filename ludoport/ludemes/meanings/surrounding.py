"""``is Loop surround:``: whether the last piece closed a loop around pieces of certain players."""

from __future__ import annotations

from ludoport.lud.tree import Ludeme, Value
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.registry import number
from ludoport.ludemes.fields.directions import rays, steps_table
from ludoport.ludemes.fields.position import who_at
from ludoport.ludemes.meanings.flooding import direction_word, stamps


def surrounds(node: Ludeme, cx: Cx, start: Expr, colour: Expr) -> Bool:
    """Whether some group of the given players' pieces next to a site is closed in by the colour.

    A group is open if a line from one of its sites leads to the border without meeting the piece of the loop.
    """
    program = cx.program
    many = node.get("surroundList")
    roles: list[Value] = list(many) if isinstance(many, list) else [node.args["surround"]]
    place = cx.bind(site=cx.name(start), plr=cx.name(colour))

    def body(inner: Cx) -> None:
        inner.line(f"s = {inner.slots['site']}")
        with inner.block(f"if s < 0 or s >= {program.n_board}:"):
            inner.line("return False")
        inner.line("piece = state[WHAT + s]")
        with inner.block("if piece == 0:"):
            inner.line("return False")
        outer = program.mask(tuple(program.sites.outer))
        queue = program.scratch(program.n_board, "GROUP")
        near_table = steps_table(direction_word("Adjacent"), inner)
        orthogonal = steps_table(direction_word("Orthogonal"), inner)
        lines = rays(direction_word("Orthogonal"), inner)
        marks, mark = stamps(inner, program.n_board, near_table.width)
        owners = [inner.name(number(role, inner)) for role in roles]

        def inside(site: str) -> str:
            held = who_at(inner.sure(site), site)
            return f"({' or '.join(f'{held} == {owner}' for owner in owners)}) and {outer}[{site}] == 0"

        inner.line(f"mark = {mark}")
        with near_table.each(inner.sure("s"), "s") as first, inner.block(f"if {inside(first)}:"):
            inner.line(f"work[{queue}] = {first}")
            inner.line(f"work[{marks} + {first}] = mark")
            inner.line("head = 0")
            inner.line("tail = 1")
            inner.line("closed = True")
            with inner.block("while head < tail and closed:"):
                inner.line(f"m = work[{queue} + head]")
                inner.line("head += 1")
                with lines.each(inner.sure("m"), "m") as ray, lines.walk(inner, ray) as (to, _):
                    with inner.block(f"if work[{marks} + {to}] != mark:"):
                        with inner.block(f"if state[WHAT + {to}] == piece:"):
                            inner.line("break")
                        with inner.block(f"if {inside(to)}:"):
                            inner.line(f"work[{marks} + {to}] = mark")
                            inner.line(f"work[{queue} + tail] = {to}")
                            inner.line("tail += 1")
                        with inner.block(f"if {outer}[{to}] != 0:"):
                            inner.line("closed = False")
                            inner.line("break")
            # What borders the group must be the loop.
            with inner.block("if closed:"), inner.block("for i in range(tail):"):
                inner.line(f"m = work[{queue} + i]")
                with orthogonal.each(inner.sure("m"), "m") as side:
                    held = who_at(inner.sure(side), side)
                    with inner.block(f"if work[{marks} + {side}] != mark and {held} != {inner.slots['plr']}:"):
                        inner.line("closed = False")
            with inner.block("if closed:"):
                inner.line("return True")
            inner.line("mark += 1")
        inner.line("return False")

    return place.call("surrounds", node, body, key=("surrounds", id(node)))
