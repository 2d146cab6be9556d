"""Ludemes that combine moves: choices, conditions, loops, trials."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ludoport.lud.tree import Ludeme
from ludoport.verify.slow import directions, groups
from ludoport.verify.slow.acting import apply, ended, nested
from ludoport.verify.slow.context import Context, TreeMove, kind, moves, number, numbers, region, truth
from ludoport.verify.slow.equipment import text_of
from ludoport.verify.slow.moving import holds
from ludoport.verify.slow.offering import after, play_moves
from ludoport.verify.slow.regions import bounds
from ludoport.verify.slow.registry import NotCovered, means


def _members(node: Ludeme) -> list[Any]:
    for names in (("movesA", "movesB"), ("list1", "list2")):
        if names[0] in node.args:
            return [node.args[name] for name in names]
    listed = node.args["list"]
    return listed if isinstance(listed, list) else [listed]


@means("moves:or,moves:and", "movesA movesB list then")
def all_of(node: Ludeme, cx: Context) -> list[TreeMove]:
    """The moves of all members."""
    return ended([m for member in _members(node) for m in moves(member, cx)], node)


@means("moves:priority", "list list1 list2 then")
def priority(node: Ludeme, cx: Context) -> list[TreeMove]:
    """The moves of the first member that has any."""
    for member in _members(node):
        found = moves(member, cx)
        if found:
            return ended(found, node)
    return []


@means("moves:if", "cond list elseList then")
def if_(node: Ludeme, cx: Context) -> list[TreeMove]:
    """The moves of one member or the other."""
    chosen = node.get("list" if truth(node.args["cond"], cx) else "elseList")
    return ended([] if chosen is None else moves(chosen, cx), node)


@means("moves:append", "list then")
def append(node: Ludeme, cx: Context) -> list[TreeMove]:
    """One move that does what all moves of an effect do."""
    found = moves(node.args["list"], cx)
    if not found:
        return []
    first = found[0]
    move = TreeMove(cx.position.mover, first.from_, first.to, [nested(m) for m in found])
    move.from_kind, move.to_kind = first.from_kind, first.to_kind
    site = cx.slot("to")
    if site >= 0:
        move.from_ = move.to = site
    return ended([move], node)


@means("moves:seq", "moves")
def sequence(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Members evaluated and done one after another, each the last move for the following ones."""
    listed = node.args["moves"]
    assert isinstance(listed, list)

    def act(where: Context) -> None:
        position = where.position
        before, count = len(position.history), position.moves
        for member in listed:
            for move in moves(member, where):
                apply(move, where, True)
        del position.history[before:]
        position.moves = count

    return [TreeMove(cx.position.mover, actions=[act])]


@means("moves:do", "prior next ifAfterwards then")
def do(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Moves after others were done, or moves that pass a test."""
    found = moves(node.args["prior"], cx)
    if node.get("next") is not None:
        copy = cx.copied()
        for move in found:
            apply(move, copy, False)
        before = [nested(move) for move in found]
        found = moves(node.args["next"], copy)
        for move in found:
            move.actions[0:0] = before
    test = node.get("ifAfterwards")
    if test is not None:
        found = [move for move in found if passes(move, test, cx)]
    return ended(found, node)


def passes(move: TreeMove, test: Any, cx: Context) -> bool:
    """Whether a condition holds after a move."""
    if cx.asking_threats and _asks_threats(test):
        return True
    copy = cx.copied()
    apply(move, copy, True)
    if copy.position.next == copy.position.mover:
        copy.position.next = copy.position.prev
    return truth(test, copy)


def _asks_threats(node: Any) -> bool:
    return isinstance(node, Ludeme) and any(n.key == "boolean:is Threatened" for n in node.walk())


@means("moves:while", "condition moves then")
def while_(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Moves done again and again as long as a condition holds."""
    copy = cx.copied()
    done: list[TreeMove] = []
    while truth(node.args["condition"], copy):
        found = moves(node.args["moves"], copy)
        if not found or len(done) > 10_000:
            break
        for move in found:
            apply(move, copy, True)
        done += found
    return ended(done, node)


@means("moves:max Moves", "moves then")
def max_moves(node: Ludeme, cx: Context) -> list[TreeMove]:
    """The moves that allow the longest turn."""
    found = moves(node.args["moves"], cx)
    lengths = [1 + _longest(move, cx) for move in found]
    best = max(lengths, default=0)
    return ended([m for m, length in zip(found, lengths, strict=True) if length == best], node)


def _longest(move: TreeMove, cx: Context) -> int:
    """Number of further moves of the same player after one."""
    copy = cx.copied().fresh()
    before = copy.position.mover
    apply(move, copy, True)
    if copy.position.next != before:
        return 0
    after(copy, before)
    return max((1 + _longest(m, copy) for m in play_moves(copy, longest=False)), default=0)


# Loops


def _as_player(cx: Context, player: int) -> Context:
    if player == cx.position.mover:
        return cx
    new = cx.copied()
    new.position.prev = new.position.next = cx.position.mover
    new.position.mover = player
    return new


@means("moves:forEach Piece", "on item items container containerName specificMoves player role top then")
def each_piece(node: Ludeme, cx: Context) -> list[TreeMove]:
    """The moves of all pieces of a player."""
    if node.get("player") is not None:
        owners = [number(node.args["player"], cx)]
    elif node.get("role") is not None:
        owners = cx.players(node.args["role"])
    else:
        owners = [cx.position.mover]
    names: list[str] = []
    if node.get("item") is not None:
        names = [text_of(node.args["item"])]
    elif node.get("items") is not None:
        names = [text_of(t) for t in node.args["items"]]  # type: ignore[union-attr]
    of = kind(node, cx, "on")
    specific = node.get("specificMoves")
    top = truth(node.get("top"), cx, False)
    found: list[TreeMove] = []
    for owner in owners:
        place = _as_player(cx, owner) if len(owners) == 1 and 0 < owner <= cx.game.n_players else cx
        for site in _container(node, cx, of, owner):
            pieces = place.pieces(site, of)
            seen: set[int] = set()
            for level, piece in enumerate(pieces):
                component = cx.game.components[piece.what]
                if component.owner != owner or (names and component.plain not in names):
                    continue
                if top and level != len(pieces) - 1:
                    continue
                if not cx.game.stacking and piece.what in seen:
                    continue
                seen.add(piece.what)
                rule = specific if specific is not None else component.generator
                if rule is not None:
                    slots: dict[str, Any] = {"from": site, "kind": of}
                    if cx.game.stacking:
                        slots["level"] = level
                    found += moves(rule, place.at(**slots))
    return ended(found, node)


def _container(node: Ludeme, cx: Context, of: str, owner: int) -> list[int]:
    name = text_of(node.get("containerName"))
    if name == "Hand":
        return cx.game.hands.get(owner, [])
    if name or node.get("container") is not None:
        raise NotCovered("moves:forEach Piece in a container")
    return list(range(cx.game.sites(of).n))


@means("moves:forEach Site", "regionFn generator noMoveYet then")
def each_site(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Moves for each site of a region."""
    found: list[TreeMove] = []
    sites = region(node.args["regionFn"], cx)
    for site in sites:
        found += moves(node.args["generator"], cx.at(site=site, to=site))
    if not found and node.get("noMoveYet") is not None:
        for site in sites:
            found += moves(node.args["noMoveYet"], cx.at(site=site, to=site))
    return ended(found, node)


@means("moves:forEach Value", "values min max generator then")
def each_value(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Moves for each of some numbers."""
    if node.get("values") is not None:
        chosen: Iterable[int] = numbers(node.args["values"], cx)
    else:
        chosen = range(number(node.args["min"], cx), number(node.args["max"], cx) + 1)
    return ended([m for v in chosen for m in moves(node.args["generator"], cx.at(value=v))], node)


@means("moves:forEach Player", "moves then")
def each_player(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Moves for each player."""
    found = [m for p in range(1, cx.game.n_players + 1) for m in moves(node.args["moves"], cx.at(player=p))]
    return ended(found, node)


@means("moves:forEach Level", "type site stackDirection moves then")
def each_level(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Moves for each level of a stack, from the bottom unless said otherwise."""
    site = number(node.args["site"], cx)
    levels = list(range(len(cx.pieces(site, kind(node, cx)))))
    if str(node.get("stackDirection")) == "FromTop":
        levels.reverse()
    return ended([m for level in levels for m in moves(node.args["moves"], cx.at(level=level))], node)


@means("moves:forEach Group", "type directions if moves then")
def each_group(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Moves for each group of sites."""
    found: list[TreeMove] = []
    for group in groups._own_groups(node, cx):
        found += moves(node.args["moves"], cx.at(region=group))
    return ended(found, node)


@means("moves:forEach Direction", "from directions between to moves then")
def each_direction(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Moves for each site in some directions."""
    part: Any = node.get("from")
    site = number(part.get("loc") if part is not None else None, cx, cx.slot("from"))
    between: Any = node.get("between")
    low, high = 1, 1
    if between is not None and between.get("range") is not None:
        low, high = bounds(between.args["range"], cx)
    target: Any = node.get("to")
    place = cx
    if cx.slot("to") >= 0 and cx.slot("from") >= 0:
        names = cx.game.default.supported_directions("All")
        ahead = [
            d for d in names if any(cx.slot("to") in line[1:] for line in cx.game.default.radials(cx.slot("from"), d))
        ]
        if ahead:
            place = place.at(facing=ahead[0])
    found: list[TreeMove] = []
    for line in directions.lines(cx, site, directions.named(node.get("directions"), place, site)):
        for distance, to in enumerate(line[1:], start=1):
            here = place.at(to=to)
            if distance > high or not holds(between, here.at(between=to)):
                break
            if distance < low or not holds(target, here):
                continue
            if target is not None:
                effect = target.get("effect")
                found += moves(effect, here) if effect is not None else []
            else:
                found += moves(node.args["moves"], here)
    return ended(found, node)
