"""Pieces that are put on sites, removed, or become others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ludoport.lud.tree import Ludeme
from ludoport.verify.slow.acting import add_piece, ended, remove_piece
from ludoport.verify.slow.context import Context, TreeMove, kind, number, player, region
from ludoport.verify.slow.moving import affected, ends, holds
from ludoport.verify.slow.position import Standing
from ludoport.verify.slow.regions import named_pieces
from ludoport.verify.slow.registry import NotCovered, means


@means("moves:move Add,moves:add", "what to count stack then")
def add(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Puts pieces on sites."""
    target: Any = node.args["to"]
    of = kind(target, cx)
    found = []
    part: Any = node.get("what")
    for to in ends(target, cx):
        here = cx.at(to=to)
        if not holds(target, here):
            continue
        whats = [cx.position.mover] if part is None else named_pieces(part, cx, None)
        state = number(part.get("state"), cx, 0) if part is not None else 0
        count = number(node.get("count"), cx, 1)
        for what in whats:
            if what < 1:
                continue
            if what >= len(cx.game.components):
                raise NotCovered("a piece that does not exist")
            move = TreeMove(
                cx.position.mover, to, to, [add_piece(to, of, Standing(what, count, state))], from_kind=of, to_kind=of
            )
            move.piece = what
            if state:
                move.marks["t"] = state
            affected(move, target, here)
            if target.get("effect") is not None and target.get("region") is not None:
                # The reference lists such a placement twice.
                found.append(replace(move, thens=list(move.thens)))
            found.append(move)
    return ended(found, node)


@means("moves:claim", "what to then")
def claim(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Puts a piece of the mover on sites."""
    return add(node, cx)


@means("moves:move Remove,moves:remove", "type locationFunction regionFunction level at count then")
def remove(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Removes pieces, at once or at the end of the turn."""
    of = kind(node, cx)
    if node.get("regionFunction") is not None:
        sites = region(node.args["regionFunction"], cx)
    else:
        sites = [number(node.args["locationFunction"], cx)]
    later = str(node.get("at")) == "EndOfTurn"
    found = []
    for site in sites:
        if site < 0 or not cx.pieces(site, of):
            continue
        level = number(node.get("level"), cx.at(to=site))
        times = 1 if later else number(node.get("count"), cx.at(to=site), 1)
        actions = [_clear_later(site) if later else remove_piece(site, of, level)] * times
        found.append(TreeMove(cx.position.mover, site, site, list(actions), from_kind=of, to_kind=of))
    return ended(found, node)


def _clear_later(site: int) -> Any:
    def act(cx: Context) -> None:
        if site not in cx.position.to_clear:
            cx.position.to_clear.append(site)

    return act


@means("moves:move Promote,moves:promote", "type locationFn what who role then")
def promote(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Turns a piece into another."""
    of = kind(node, cx)
    site = number(node.get("locationFn"), cx, cx.slot("to"))
    if site < 0:
        return []
    owner = player(node, cx, "who") if node.get("who") is not None or node.get("role") is not None else None
    part: Any = node.args["what"]
    found = []
    for what in named_pieces(part, cx, owner):
        if what < 1:
            continue
        state = number(part.get("state"), cx, 0)
        move = TreeMove(cx.position.mover, site, site, [_become(site, of, what, state)], from_kind=of, to_kind=of)
        move.piece = what
        found.append(move)
    return ended(found, node)


def _become(site: int, of: str, what: int, state: int) -> Any:
    def act(cx: Context) -> None:
        there = cx.pieces(site, of)
        if there:
            there[-1] = Standing(what, there[-1].count, state)

    return act
