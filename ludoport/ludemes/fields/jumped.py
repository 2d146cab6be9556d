"""Which sites the last move jumped or slid over, for games that ask for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.ludemes.core.context import Cx, Expr

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def keeps_jumped(program: Program) -> bool:
    """Whether the game asks what lay between the ends of the last move."""
    if "region:last Between" not in program.keys:
        return False
    # A move is noted apart while it acts, because its effects still see the move before it.
    program.state.want("LAST_BETWEEN", program.n_sites)
    program.state.want("NOW_BETWEEN", program.n_sites)
    return True


def note_jumped(cx: Cx, site: Expr) -> None:
    """Write that the move being made goes over a site."""
    if keeps_jumped(cx.program):
        cx.line(f"state[NOW_BETWEEN + {site}] = 1")
