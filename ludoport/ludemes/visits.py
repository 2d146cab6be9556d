"""Sites that the mover has been to during the turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.context import Bool, Cx
from ludoport.ludemes.registry import boolean_ludeme, number

if TYPE_CHECKING:
    from ludoport.ludemes.program import Program


@boolean_ludeme("is Visited")
def is_visited(node: Ludeme, cx: Cx) -> Bool:
    """Whether a move of this turn began or ended on a site."""
    program = cx.program
    program.state.want("VISITED", program.n_sites)
    program.state.want("N_VISITED")
    site = cx.name(number(node.get("value"), cx, cx.slots["to"]))
    test = f"state[VISITED + {site}] != 0"
    return test if site in cx.safe else f"({site} >= 0 and {test})"


def write_visits(program: Program, f: Function) -> None:
    """Write what a move adds to the visited sites, before the turn passes on."""
    with f.block("if state[NEXT] == mover:"):
        for column in ("FROM", "TO"):
            with f.block(f"if move[{column}] >= 0:"):
                f.line(f"state[VISITED + move[{column}]] = 1")
        f.line("state[N_VISITED] = 1")
    with f.block("elif state[N_VISITED] != 0:"):
        f.line("state[N_VISITED] = 0")
        with f.block(f"for i in range({program.n_sites}):"):
            f.line("state[VISITED + i] = 0")
