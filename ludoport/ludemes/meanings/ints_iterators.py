"""What iterators are bound to: the players of the turn, and the sites of a move or a loop."""

from __future__ import annotations

from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.registry import int_ludeme, number


@int_ludeme("mover", reads=[])
def mover(node: Ludeme, cx: Cx) -> Expr:
    """The player whose turn it is."""
    return cx.slots["mover"]


@int_ludeme("next", reads=["next"])
def next_(node: Ludeme, cx: Cx) -> Expr:
    """The player whose turn comes next."""
    return cx.slots["nxt"]


@int_ludeme("prev", reads=[])
def prev(node: Ludeme, cx: Cx) -> Expr:
    """The player of the last move, or the last player other than the mover; -1 if only the mover has moved."""
    if node.get("type") is not None and str(node.args["type"]) == "MoverLastTurn":
        cx.program.state.want("LAST_TURN_MOVER")
        return "state[LAST_TURN_MOVER]"
    return cx.slots["prv"]


@int_ludeme("player", reads=[])
def player(node: Ludeme, cx: Cx) -> Expr:
    """The player being iterated over, or a player named by an index."""
    if node.get("index") is not None:
        return number(node.args["index"], cx)
    return cx.slots["plr"]


@int_ludeme("from", reads=[])
def from_(node: Ludeme, cx: Cx) -> Expr:
    """The site that a move starts from, or where the turn started with ``at:StartOfTurn``."""
    at = node.get("at")
    if at is not None and str(at) == "StartOfTurn":
        cx.program.state.want("TURN_FROM")
        return "state[TURN_FROM]"
    return cx.slots["frm"]


@int_ludeme("to", reads=[])
def to(node: Ludeme, cx: Cx) -> Expr:
    """The destination of a move."""
    return cx.slots["to"]


@int_ludeme("between", reads=[])
def between(node: Ludeme, cx: Cx) -> Expr:
    """The site that a move passes over or encloses."""
    return cx.slots["btw"]


@int_ludeme("site", reads=[], known=True)
def site(node: Ludeme, cx: Cx) -> Expr:
    """The site being iterated over."""
    return cx.slots["site"]


@int_ludeme("level", reads=[])
def level(node: Ludeme, cx: Cx) -> Expr:
    """The level of a stack that is being iterated over or moved from."""
    return cx.slots["lvl"]
