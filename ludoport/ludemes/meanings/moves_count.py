"""Moves of several pieces at once from one site to another."""

from __future__ import annotations

from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.registry import optional
from ludoport.ludemes.core.sinks import Spec
from ludoport.ludemes.meanings.moves_parts import apply_effect


def moving_count(cx: Cx, node: Ludeme, frm: Expr, site: Expr, before: tuple[Ludeme | None, ...], many: Expr) -> Spec:
    """A move of some pieces at ``frm`` to ``site`` with effects before it.

    Args:
        cx: where the move is generated.
        node: the ludeme that generates it.
        frm: the site the pieces leave.
        site: the site they arrive on.
        before: holders of effects that come first.
        many: how many pieces, worked out before ``(to)`` was bound.
    """
    program = cx.program
    if program.stacking:
        return _moving_levels(cx, node, frm, site, before, many)
    program.state.want("COUNT", program.n_sites)

    def act(place: Cx) -> None:
        for holder in before:
            apply_effect(place, holder)
        place.act("move_many", place.slots["frm"], place.slots["to"], place.slots["many"])

    return Spec(node, "move", frm, site, act, optional(node.get("then")), slots={"many": many}, show=("many",))


def _moving_levels(cx: Cx, node: Ludeme, frm: Expr, site: Expr, before: tuple[Ludeme | None, ...], many: Expr) -> Spec:
    def act(place: Cx) -> None:
        for holder in before:
            apply_effect(place, holder)
        place.act("shift_some", place.slots["frm"], place.slots["to"], place.slots["many"])

    return Spec(node, "move", frm, site, act, optional(node.get("then")), slots={"many": many}, show=("many",))


def copying(cx: Cx, node: Ludeme, frm: Expr, site: Expr, before: tuple[Ludeme | None, ...]) -> Spec:
    """A copy of the piece at ``frm`` arriving on ``site``; the piece itself stays."""

    def act(place: Cx) -> None:
        for holder in before:
            apply_effect(place, holder)
        place.act("copy_piece", place.slots["frm"], place.slots["to"])

    return Spec(node, "move", frm, site, act, optional(node.get("then")))
