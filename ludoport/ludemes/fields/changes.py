"""Code that changes a position: pieces arrive, move, become others and leave, alone or in stacks."""

from __future__ import annotations

from ludoport.lud.tree import Value
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.registry import number
from ludoport.ludemes.fields.stack_changes import add_stacked, move_stacked, remove_stacked


def move_piece(cx: Cx, frm: Expr, to: Expr, stack: bool, level: Value | None, end: Value | None = None) -> None:
    """Write the displacement of a piece."""
    if cx.program.stacking:
        move_stacked(cx, frm, to, stack, level, end)
        return
    cx.act("shift", frm, to)


def add_piece(cx: Cx, site: Expr, piece: Expr, state: Expr | None, count: Expr | None) -> None:
    """Write the arrival of a piece."""
    if cx.program.stacking:
        add_stacked(cx, site, piece, state, count)
        return
    if state is not None:
        cx.program.want_state()
    if count is not None and cx.program.counts_matter:
        cx.act("add_many", site, piece, 0 if state is None else state, count)
    elif state is not None:
        cx.act("add_with_state", site, piece, state)
    else:
        cx.act("add_piece", site, piece)


def remove_piece(cx: Cx, site: Expr, level: Value | None, count: Value | None) -> None:
    """Write the removal of a piece."""
    if cx.program.stacking:
        remove_stacked(cx, site, level, count)
        return
    if count is not None and cx.program.counts_matter:
        cx.act("remove_many", site, number(count, cx))
    else:
        cx.act("lift", site)


def promote_piece(cx: Cx, site: Expr, piece: Expr) -> None:
    """Write the change of a piece into another."""
    cx.act("promote", site, piece)
