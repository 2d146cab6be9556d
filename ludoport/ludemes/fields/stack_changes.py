"""What moves, effects and the setup do with stacks: calls of the functions that change them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Value
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.registry import number
from ludoport.ludemes.fields.stack_owned import owned_apart
from ludoport.ludemes.fields.stacks import max_height, want_level_states, want_stacks

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program
    from ludoport.ludemes.fields.starting import Placement


def move_stacked(cx: Cx, frm: Expr, to: Expr, stack: bool, level: Value | None, end: Value | None = None) -> None:
    """Write the displacement of a whole stack, of the piece at a level, or of the piece on top.

    Args:
        cx: where the code goes.
        frm: the site that is left.
        to: the site that is reached.
        stack: whether everything moves.
        level: the level from which one piece moves; the top if not given, or if it is -1 in play.
        end: the level at which it is put into the other stack; on top if not given.
    """
    if end is not None:
        _refuse_inserting(cx, end)
        start = cx.name(number(level, cx), "level") if level is not None else f"state[HEIGHT + {frm}] - 1"
        cx.act("shift_into", frm, start, to, cx.name(number(end, cx), "level"))
    elif stack:
        cx.act("shift_stack", frm, to)
    elif level is not None:
        cx.act("shift_level", frm, cx.name(number(level, cx)), to)
    else:
        cx.act("shift", frm, to)


def insert_stacked(
    node: Ludeme, cx: Cx, site: Expr, piece: Expr, level: Value, state: Expr | None, count: Expr | None
) -> None:
    """Write the arrival of a piece at a level; those from there on move up."""
    _refuse_inserting(cx, level)
    if state is not None or count is not None:
        raise UnsupportedError("adding at a level with a state or a count is not implemented yet", node.source)
    cx.act("insert_piece", site, cx.name(number(level, cx), "level"), piece)


def _refuse_inserting(cx: Cx, level: Value) -> None:
    if owned_apart(cx.program):
        where = level.source if isinstance(level, Ludeme) else None
        raise UnsupportedError("putting pieces into a stack where pieces are promoted is not implemented yet", where)


def add_stacked(cx: Cx, site: Expr, piece: Expr, state: Expr | None, count: Expr | None) -> None:
    """Write the arrival of a piece, or of several, on top of a stack."""
    if state is not None:
        want_level_states(cx.program)
    name, arguments = ("add_piece", (site, piece)) if state is None else ("add_with_state", (site, piece, state))
    if count is None or count == 1:
        cx.act(name, *arguments)
        return
    with cx.block(f"for {cx.fresh('k')} in range({count}):"):
        cx.act(name, *arguments)


def remove_stacked(cx: Cx, site: Expr, level: Value | None, count: Value | None = None) -> None:
    """Write the removal of the top piece or of one at a level; which of the two is decided when this is evaluated."""
    times = number(count, cx, 1)
    if level is None:
        if times == 1:
            cx.act("lift", site)
        else:
            with cx.block(f"for {cx.fresh('k')} in range({times}):"):
                cx.act("lift", site)
        return
    want_stacks(cx.program)
    at = cx.name(number(level, cx), "level")
    with cx.block(f"if state[HEIGHT + {site}] == {at} + 1:"):
        cx.act("lift", site)
    with cx.block("else:"):
        cx.act("lift_level", site, f"({at} if {at} > 0 else 0)" if not at.isdigit() else at)


def setup_line(program: Program, placed: Placement) -> list[str]:
    """The calls that put pieces on a site before the game."""
    lines = []
    for _ in range(placed.count):
        lines.append(f"add_piece(state, {placed.site}, {placed.component})")
        for value, top, levels in ((placed.state, "STATE", "STATES"), (max(placed.value, 0), "VALUE", "VALUES")):
            if value and program.state.has(top):
                last = f"{placed.site * max_height(program)} + state[HEIGHT + {placed.site}] - 1"
                lines.append(f"state[{levels} + {last}] = {value}")
                lines.append(f"state[{top} + {placed.site}] = {value}")
    return lines
