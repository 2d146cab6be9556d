"""Conditions."""

from __future__ import annotations

from typing import Any

from ludoport.lud.tree import Ludeme
from ludoport.verify.slow import directions
from ludoport.verify.slow.context import Context, kind, moves, number, numbers, player, region, truth
from ludoport.verify.slow.counting import pieces_of
from ludoport.verify.slow.equipment import text_of
from ludoport.verify.slow.offering import offered, permitted, play_moves
from ludoport.verify.slow.position import Standing
from ludoport.verify.slow.registry import NotCovered, means


def _members(node: Ludeme) -> list[Any]:
    listed = node.get("list")
    return listed if isinstance(listed, list) else [node.args["a"], node.args["b"]]


means("boolean:and", "a b list")(lambda node, cx: all(truth(m, cx) for m in _members(node)))
means("boolean:or", "a b list")(lambda node, cx: any(truth(m, cx) for m in _members(node)))
means("boolean:xor", "a b")(lambda node, cx: truth(node.args["a"], cx) != truth(node.args["b"], cx))
means("boolean:not", "a")(lambda node, cx: not truth(node.args["a"], cx))


@means("boolean:if", "cond ok notOk")
def if_(node: Ludeme, cx: Context) -> bool:
    """One condition or the other."""
    return truth(node.args["ok"], cx) if truth(node.args["cond"], cx) else truth(node.get("notOk"), cx, False)


def _equal(node: Ludeme, cx: Context) -> bool:
    if "regionA" in node.args:
        return region(node.args["regionA"], cx) == region(node.args["regionB"], cx)
    other = cx.role(node.args["roleB"]) if node.get("roleB") is not None else number(node.args["valueB"], cx)
    return number(node.args["valueA"], cx) == other


means("boolean:=", "valueA valueB roleB regionA regionB")(_equal)
means("boolean:!=", "valueA valueB roleB regionA regionB")(lambda node, cx: not _equal(node, cx))
means("boolean:<", "valueA valueB")(lambda n, cx: number(n.args["valueA"], cx) < number(n.args["valueB"], cx))
means("boolean:<=", "valueA valueB")(lambda n, cx: number(n.args["valueA"], cx) <= number(n.args["valueB"], cx))
means("boolean:>", "valueA valueB")(lambda n, cx: number(n.args["valueA"], cx) > number(n.args["valueB"], cx))
means("boolean:>=", "valueA valueB")(lambda n, cx: number(n.args["valueA"], cx) >= number(n.args["valueB"], cx))
means("boolean:is Even", "value")(lambda node, cx: number(node.args["value"], cx) % 2 == 0)
means("boolean:is Odd", "value")(lambda node, cx: number(node.args["value"], cx) % 2 != 0)
means("boolean:is Pending")(lambda node, cx: bool(cx.position.pending))
means("boolean:is Visited", "value")(lambda node, cx: number(node.args["value"], cx) in cx.position.visited)


# Players

means("boolean:is Mover", "index role")(lambda node, cx: player(node, cx, "index") == cx.position.mover)
means("boolean:is Next", "index role")(lambda node, cx: player(node, cx, "index") == cx.position.next)
means("boolean:is Prev", "index role")(lambda node, cx: player(node, cx, "index") == cx.position.prev)
means("boolean:is Enemy", "index role")(lambda node, cx: cx.is_enemy(player(node, cx, "index") or 0))
means("boolean:is Friend", "index role")(lambda node, cx: cx.is_friend(player(node, cx, "index") or 0))
means("boolean:is Active", "index role")(lambda node, cx: player(node, cx, "index") in cx.position.active)
means("boolean:is Triggered", "event index role")(
    lambda node, cx: (text_of(node.args["event"]), player(node, cx, "index") or 0) in cx.position.triggered
)


# Sites and pieces


@means("boolean:is Empty", "type at")
def is_empty(node: Ludeme, cx: Context) -> bool:
    """Whether a site is empty."""
    return cx.empty(number(node.args["at"], cx), kind(node, cx))


@means("boolean:is Occupied", "type at")
def is_occupied(node: Ludeme, cx: Context) -> bool:
    """Whether a site is occupied."""
    site = number(node.args["at"], cx)
    return site >= 0 and bool(cx.pieces(site, kind(node, cx)))


@means("boolean:is In", "site sites region array")
def is_in(node: Ludeme, cx: Context) -> bool:
    """Whether sites are in a region, or a number in an array."""
    chosen = (
        numbers(node.args["sites"], cx)
        if node.get("sites") is not None
        else [number(node.get("site"), cx, cx.slot("to"))]
    )
    if node.get("array") is not None:
        return all(value in numbers(node.args["array"], cx) for value in chosen)
    inside = region(node.args["region"], cx)
    return all(site >= 0 and site in inside for site in chosen)


@means("boolean:is Within", "what in at type")
def is_within(node: Ludeme, cx: Context) -> bool:
    """Whether a component is in a region."""
    what = number(node.args["what"], cx)
    sites = region(node.args["in"], cx) if node.get("in") is not None else [number(node.get("at"), cx)]
    return any(what == piece.what for site in sites for piece in cx.pieces(site, kind(node, cx)))


@means("boolean:is Full")
def is_full(node: Ludeme, cx: Context) -> bool:
    """Whether no site of the board is empty."""
    return all(cx.pieces(site) for site in range(cx.game.default.n))


@means("boolean:is Flat", "value")
def is_flat(node: Ludeme, cx: Context) -> bool:
    """Whether all sites that would carry a piece are occupied."""
    site = number(node.get("value"), cx, cx.slot("to"))
    sites = cx.game.default
    if sites.layer[site] == 0:
        return True
    return all(cx.pieces(below) for below in sites.steps(site, "Downward"))


@means("boolean:all Sites", "region if")
def all_sites(node: Ludeme, cx: Context) -> bool:
    """Whether all sites of a region meet a condition."""
    return all(truth(node.args["if"], cx.at(site=site)) for site in region(node.args["region"], cx))


means("boolean:no Pieces", "type role of name in")(lambda node, cx: pieces_of(node, cx) == 0)


@means("boolean:is Related", "relationType type siteA siteB region")
def is_related(node: Ludeme, cx: Context) -> bool:
    """Whether sites are neighbours."""
    of = kind(node, cx)
    a = number(node.args["siteA"], cx)
    ends = region(node.args["region"], cx) if node.get("region") is not None else [number(node.args["siteB"], cx)]
    around = directions.steps(cx, a, [str(node.args["relationType"])], of)
    return any(b in around for b in ends)


# Moves


@means("boolean:can Move", "moves")
def can_move(node: Ludeme, cx: Context) -> bool:
    """Whether there are such moves."""
    return any(permitted(move, cx) for move in moves(node.args["moves"], cx))


@means("boolean:no Moves", "playerFn")
def no_moves(node: Ludeme, cx: Context) -> bool:
    """Whether the next player has no move, or another one had to pass."""
    if str(node.args["playerFn"]) == "Next":
        copy = cx.copied().fresh()
        n = cx.game.n_players
        copy.position.mover = copy.position.next
        copy.position.next = copy.position.mover % n + 1
        copy.position.prev = (copy.position.mover - 2) % n + 1
        return not offered(copy)
    return cx.position.stalemated[cx.role(node.args["playerFn"])]


@means("boolean:all Passed")
def all_passed(node: Ludeme, cx: Context) -> bool:
    """Whether the last turn of every player was a pass."""
    position = cx.position
    if position.moves < cx.game.n_players:
        return False
    return every_turn_passed(cx)


def every_turn_passed(cx: Context) -> bool:
    """Whether the last turns, as many as there are players, were single passes."""
    history = list(reversed(cx.position.history))
    wanted = cx.game.n_players
    for move, before in zip(history[:wanted], [*history[1:], None], strict=False):
        if not move.passed:
            return False
        if before is not None and before.mover == move.mover and wanted > 1:
            return False
    return True


@means("boolean:was Pass")
def was_pass(node: Ludeme, cx: Context) -> bool:
    """Whether the last move was a pass."""
    last = cx.position.last
    return last is not None and last.passed


@means("boolean:is Threatened", "what type at in specificMoves")
def is_threatened(node: Ludeme, cx: Context) -> bool:
    """Whether an enemy could move to the site of a piece."""
    if cx.asking_threats:
        return False
    of = kind(node, cx)
    if node.get("what") is None:
        raise NotCovered("boolean:is Threatened without a piece")
    what = number(node.args["what"], cx)
    if what < 1:
        return False
    if node.get("in") is not None:
        sites = region(node.args["in"], cx)
    elif node.get("at") is not None:
        sites = [number(node.args["at"], cx)]
    else:
        sites = [s for s in range(cx.game.sites(of).n) if cx.what(s, of) == what][:1]
    owner = cx.game.components[what].owner
    for site in sites:
        if site < 0:
            continue
        for enemy in range(1, cx.game.n_players + 1):
            if enemy == owner or (cx.position.teams and cx.position.teams[enemy] == cx.position.teams[owner]):
                continue
            copy = cx.copied().fresh()
            copy.asking_threats = True
            spot = copy.spot(site, of)
            if copy.what(site, of) != what:
                copy.position.stacks[spot] = [Standing(what)]
            copy.position.mover, copy.position.prev = enemy, owner
            specific = node.get("specificMoves")
            found = moves(specific, copy) if specific is not None else play_moves(copy)
            if any(move.to == site for move in found):
                return True
    return False
