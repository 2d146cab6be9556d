"""Effects that change what the position keeps beside its pieces."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludoport.lud.tree import Ludeme
from ludoport.verify.slow.acting import ended
from ludoport.verify.slow.context import Action, Context, TreeMove, kind, number, numbers, player, region, truth
from ludoport.verify.slow.equipment import text_of
from ludoport.verify.slow.position import TreePosition
from ludoport.verify.slow.registry import NotCovered, means


def _does(node: Ludeme, cx: Context, *changes: Callable[[TreePosition], Any]) -> list[TreeMove]:
    def act(change: Callable[[TreePosition], Any]) -> Action:
        return lambda where: change(where.position)

    return ended([TreeMove(cx.position.mover, actions=[act(change) for change in changes])], node)


def _set(name: str, value: Any) -> Callable[[TreePosition], Any]:
    return lambda position: setattr(position, name, value)


@means("moves:moveAgain", "then")
def move_again(node: Ludeme, cx: Context) -> list[TreeMove]:
    """The mover moves again."""
    return _does(node, cx, _set("next", cx.position.mover))


@means("moves:set NextPlayer", "who then")
def set_next_player(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Another player moves next."""
    return _does(node, cx, _set("next", number(node.args["who"], cx)))


@means("moves:set Counter", "newValue then")
def set_counter(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Sets the counter."""
    return _does(node, cx, _set("counter", number(node.get("newValue"), cx, -1)))


@means("moves:set Var", "name newValue then")
def set_var(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Sets a variable."""
    value = number(node.get("newValue"), cx, -1)
    if node.get("name") is None:
        return _does(node, cx, _set("temp", value))
    name = text_of(node.args["name"])
    return _does(node, cx, lambda position: position.variables.__setitem__(name, value))


@means("moves:set Pending", "value region then")
def set_pending(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Leaves a value for the next move."""
    where = node.get("region")
    chosen = region(where, cx) if where is not None else [number(node.get("value"), cx, 1)]
    return _does(node, cx, lambda p: p.pending.extend(v for v in chosen if v not in p.pending))


@means("moves:set Score", "player role value then")
def set_score(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Sets the score of a player."""
    who, value = player(node, cx) or 0, number(node.args["value"], cx)
    return _does(node, cx, lambda position: position.scores.__setitem__(who, value))


@means("moves:addScore", "player role score players roles scores then")
def add_score(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Adds to the scores of players."""
    if node.get("scores") is not None:
        values = numbers(node.args["scores"], cx)
        if node.get("roles") is not None:
            owners = [cx.role(r) for r in node.args["roles"]]  # type: ignore[union-attr]
        else:
            owners = numbers(node.args["players"], cx)
    else:
        if node.get("role") is not None and str(node.args["role"]) in ("All", "Each"):
            raise NotCovered("moves:addScore of all players")
        owners, values = [player(node, cx) or 0], [number(node.args["score"], cx)]

    def change(position: TreePosition) -> None:
        for who, value in zip(owners, values, strict=True):
            position.scores[who] += value

    return _does(node, cx, change)


def _set_piece(node: Ludeme, cx: Context, name: str) -> list[TreeMove]:
    site, value = number(node.args["at"], cx), number(node.args["value"], cx)
    of, level = kind(node, cx), number(node.get("level"), cx)
    if site < 0:
        return []

    def act(where: Context) -> None:
        piece = where.piece(site, of, level)
        if piece is not None:
            setattr(piece, name, value)
            if name == "count" and value <= 0:
                where.pieces(site, of).clear()

    return ended([TreeMove(cx.position.mover, site, site, [act], from_kind=of, to_kind=of)], node)


means("moves:set State", "type at level value then")(lambda node, cx: _set_piece(node, cx, "state"))
means("moves:set Count", "type at level value then")(lambda node, cx: _set_piece(node, cx, "count"))


@means("moves:set Value", "player role type at level value then")
def set_value(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Sets the value of a player or of a piece."""
    if node.get("at") is not None:
        return _set_piece(node, cx, "value")
    who, value = player(node, cx) or 0, number(node.args["value"], cx)
    return _does(node, cx, lambda position: position.player_values.__setitem__(who, value))


@means("moves:remember Value", "name value unique then")
def remember(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Remembers a number."""
    name, value = text_of(node.get("name")), number(node.args["value"], cx)
    unique = truth(node.get("unique"), cx, False)

    def change(position: TreePosition) -> None:
        values = position.remembered.setdefault(name, [])
        if not unique or value not in values:
            values.append(value)

    return _does(node, cx, change)


@means("moves:forget Value", "name valueType value then")
def forget(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Forgets a number, or all."""
    name = text_of(node.get("name"))
    if node.get("value") is None:
        if not name:
            return _does(node, cx, lambda position: position.remembered.clear())
        return _does(node, cx, lambda position: position.remembered.pop(name, None))
    value = number(node.args["value"], cx)

    def change(position: TreePosition) -> None:
        values = position.remembered.get(name, [])
        if value in values:
            values.remove(value)

    return _does(node, cx, change)


@means("moves:trigger", "event indexPlayer role then")
def trigger(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Notes an event for a player."""
    event, who = text_of(node.args["event"]), player(node, cx, "indexPlayer") or 0
    return _does(node, cx, lambda position: position.triggered.add((event, who)))


@means("moves:flip", "type loc then")
def flip(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Exchanges the two states of a piece."""
    of = kind(node, cx)
    site = number(node.get("loc"), cx, cx.slot("to"))
    if site < 0:
        return []

    def act(where: Context) -> None:
        for piece in where.pieces(site, of):
            pair = where.game.components[piece.what].flips
            if pair is not None and piece.state in pair:
                piece.state = pair[1] if piece.state == pair[0] else pair[0]

    return ended([TreeMove(cx.position.mover, site, site, [act], from_kind=of, to_kind=of)], node)


# What players may see changes nothing of what they may do.
means("moves:set Hidden", "dataType dataTypes type at region level value to")(lambda node, cx: [])
means("start:set Hidden", "dataType dataTypes type at region level value to")(lambda node, cx: None)
means("moves:note", "player message messageInt to")(lambda node, cx: [])
