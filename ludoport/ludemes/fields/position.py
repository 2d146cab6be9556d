"""Code that reads a position: the piece on a site, its owner, state and count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.ludemes.core.conditions import negation
from ludoport.ludemes.core.context import Bool

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

from ludoport.lud.tree import Value
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.registry import number
from ludoport.ludemes.fields.stack_levels import state_at_level, what_at_level
from ludoport.ludemes.fields.stacks import want_stacks


def what_at(cx: Cx, site: Expr, level: Value | None = None) -> Expr:
    """Code for the component at a site."""
    place = _place(cx, site)
    if cx.program.standing is not None and isinstance(place, int) and level is None:
        return cx.program.standing.get(place, 0)
    if level is not None and cx.program.stacking:
        return what_at_level(cx, place, number(level, cx))
    text = f"state[WHAT + {place}]"
    if cx.program.cover:
        # A cell that a large piece covers holds no piece.
        text = f"({text} if {text} != {cx.program.cover} else 0)"
    return _guard(cx, place, text)


def who_at(cx: Cx, site: Expr, level: Value | None = None) -> Expr:
    """Code for the owner of the component at a site."""
    return cx.program.owner_of(what_at(cx, site, level))


def state_at(cx: Cx, site: Expr, level: Value | None = None) -> Expr:
    """Code for the local state at a site."""
    cx.program.want_state()
    place = _place(cx, site)
    if level is not None and cx.program.stacking:
        return state_at_level(cx, place, number(level, cx))
    return _guard(cx, place, f"state[STATE + {place}]")


def count_at(cx: Cx, site: Expr) -> Expr:
    """Code for the number of pieces on a site."""
    program = cx.program
    place = _place(cx, site)
    if program.stacking:
        return height_at(cx, place)
    if not program.counts_matter:
        return _guard(cx, place, f"(1 if state[WHAT + {place}] != 0 else 0)")
    program.state.want("COUNT", program.n_sites)
    return _guard(cx, place, f"state[COUNT + {place}]")


def height_at(cx: Cx, site: Expr) -> Expr:
    """Code for the height of the stack on a site."""
    place = _place(cx, site)
    if not cx.program.stacking:
        return _guard(cx, place, f"(1 if state[WHAT + {place}] != 0 else 0)")
    want_stacks(cx.program)
    return _guard(cx, place, f"state[HEIGHT + {place}]")


def empty_at(program: Program, site: Expr) -> Bool:
    """Code that tests whether a site on the board is empty."""
    if program.stacking:
        want_stacks(program)
        return f"state[HEIGHT + {site}] == 0"
    return f"state[WHAT + {site}] == 0"


def holds_piece(cx: Cx, site: Expr) -> Bool:
    """Code that tests whether a piece is on a site on the board; cells that a large piece covers hold none."""
    if cx.program.cover:
        return f"{what_at(cx.sure(site) if isinstance(site, str) else cx, site)} != 0"
    return negation(empty_at(cx.program, site))


def _place(cx: Cx, site: Expr) -> Expr:
    return site if isinstance(site, int) else cx.name(site)


def _guard(cx: Cx, site: Expr, text: str) -> Expr:
    """The text where a site is sure to be one; 0 for -1."""
    if isinstance(site, int):
        return text if 0 <= site < cx.program.n_sites else 0
    return text if site in cx.safe else f"({text} if on_board({site}) else 0)"
