"""What moves do to the board beside leading a piece from one site to another: proofs that it is nothing.

Such a move changes two sites only, so that little has to be asked to know whether it exposes a piece or threatens one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.fields.maps import map_entries

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program
    from ludoport.ludemes.core.rule import Rule

ANYTHING, PLAIN, QUIET, TAKING = 0, 1, 2, 3
"""What a rule does: anything; just the move; more where its destination is not empty; more where it takes one of the
pieces that rules ask for threats to."""

_MOVING = {"move Step", "move Slide", "move Leap", "move Hop", "move"}
_ARGUMENTS = {"from", "to", "directions", "between", "walk", "then", "forward", "rotations"}
_OFF_BOARD = {"set Counter", "set Score", "addScore", "set Var", "remember Value", "set State"}
"""Effects that move no piece."""


def what_it_does(program: Program, rule: Rule, outer: int, turns: bool, same: bool = False) -> int:
    """Changes of the board by a rule.

    Args:
        program: the game.
        rule: the rule.
        outer: how many of its last consequents do not count.
        turns: whether its consequents may say who is next.
        same: whether the piece must stay of its kind.
    """
    node = rule.spec.node
    if rule.spec.kind != "move" or node.keyword not in _MOVING:
        return ANYTHING
    if set(node.args) - _ARGUMENTS or rule.spec.clears:
        return ANYTHING
    between = node.peek("between")
    if isinstance(between, Ludeme) and set(between.args) - {"range", "if"}:
        return ANYTHING
    chain = rule.chain[: len(rule.chain) - outer] if outer else rule.chain
    if not all(_follows(program, then.peek("moves"), turns) for then in chain):
        return ANYTHING
    if same and any(part.keyword == "promote" for then in chain for part in then.walk()):
        return ANYTHING
    to = node.peek("to")
    return _on_arrival(program, to.peek("effect")) if isinstance(to, Ludeme) else PLAIN


def _on_arrival(program: Program, effect: Value | None) -> int:
    """What the effect of a destination changes beside the destination."""
    if effect is None:
        return PLAIN
    if not isinstance(effect, Ludeme) or effect.keyword != "apply":
        return ANYTHING
    inner, cond = effect.peek("effect"), effect.peek("if")
    if inner is None and isinstance(cond, Ludeme):
        return ANYTHING
    if isinstance(inner, Ludeme) and cond is None and inner.keyword == "if" and set(inner.args) == {"cond", "list"}:
        cond, inner = inner.peek("cond"), inner.peek("list")
    done = _takes(program, inner)
    if done == ANYTHING:
        return QUIET if _enemy_there(cond) else ANYTHING
    # A piece that is put into a hand must be one that was taken.
    return done if done == PLAIN or _enemy_there(cond) else ANYTHING


def _enemy_there(cond: Value | None) -> bool:
    """Whether a condition requires an enemy at the destination."""
    words = {part.keyword for part in cond.walk()} if isinstance(cond, Ludeme) else set()
    return isinstance(cond, Ludeme) and cond.keyword == "is Enemy" and words == {"is Enemy", "who", "to"}


def _takes(program: Program, node: Value | None) -> int:
    """What an effect changes on the board beside the destination of the move."""
    if not isinstance(node, Ludeme):
        return ANYTHING
    then = node.peek("then")
    if isinstance(then, Ludeme) and not _follows(program, then.peek("moves"), turns=False):
        return ANYTHING
    if node.keyword in ("and", "or"):
        parts = [v for k, x in dict.items(node.args) if k != "then" for v in (x if isinstance(x, list) else [x])]
        found = [_takes(program, part) for part in parts]
        return ANYTHING if ANYTHING in found else max(found, default=PLAIN)
    if node.keyword == "remove":
        places = [value for name, value in dict.items(node.args) if name != "then"]
        return PLAIN if len(places) == 1 and _is(places[0], "to") else ANYTHING
    if node.keyword in _OFF_BOARD:
        return PLAIN
    if node.keyword == "add" and set(node.args) <= {"what", "to", "then"}:
        return TAKING if _to_hand(program, node.peek("to")) else ANYTHING
    return ANYTHING


def _to_hand(program: Program, to: Value | None) -> bool:
    """Whether a place is one beside the board for every kind of piece that can be taken, unless rules follow it."""
    place = to.peek("loc") if isinstance(to, Ludeme) and set(to.args) == {"loc"} else None
    if not isinstance(place, Ludeme) or place.keyword != "mapEntry" or not _taken_kind(place.peek("key")):
        return False
    entries = _entries(program, place)
    kinds = [c.index for c in program.components[1:] if c.index not in program.spots]
    return all(entries.get(kind, -1) >= program.n_board for kind in kinds)


def _taken_kind(value: Value | None) -> bool:
    return isinstance(value, Ludeme) and value.keyword == "what" and _is(value.peek("at"), "to")


def _entries(program: Program, node: Ludeme) -> dict[int, int]:
    name = node.peek("name")
    return map_entries(program, str(name) if name is not None else None, node)


def _is(value: Value | None, keyword: str) -> bool:
    """Whether a value is just a ludeme without arguments."""
    if isinstance(value, Ludeme) and value.keyword == "sites" and len(value.args) == 1:
        value = next(iter(dict.values(value.args)))
    return isinstance(value, Ludeme) and value.keyword == keyword and not value.args


def _follows(program: Program, node: Value | None, turns: bool) -> bool:
    """Whether a consequent leaves the board as it is, but for the kind of the piece that has moved."""
    if not isinstance(node, Ludeme):
        return node is None
    then = node.peek("then")
    if isinstance(then, Ludeme) and not _follows(program, then.peek("moves"), turns):
        return False
    if node.keyword in ("and", "or", "if"):
        parts = [v for k, x in dict.items(node.args) if k != "then" for v in (x if isinstance(x, list) else [x])]
        return all(_follows(program, p, turns) for p in parts if isinstance(p, Ludeme) and p.kind == "moves")
    if node.keyword == "moveAgain":
        return turns
    if node.keyword == "promote" and set(node.args) <= {"locationFn", "what", "then"}:
        what = node.peek("what")
        return _is(node.peek("locationFn"), "last To") and isinstance(what, Ludeme) and _stays_own(program, what)
    return node.keyword in _OFF_BOARD


def _stays_own(program: Program, what: Ludeme) -> bool:
    """Whether the piece that has moved becomes another of its owner, and none that rules follow."""
    kind = what.peek("component")
    if set(what.args) != {"component"} or not isinstance(kind, Ludeme):
        return False
    if kind.keyword == "id":
        who, name = kind.peek("who"), kind.peek("name")
        mine = isinstance(who, Word) and who.name == "Mover" and name is not None
        return mine and not any(str(name) in program.components[k].name for k in program.spots)
    key = kind.peek("key")
    if kind.keyword != "mapEntry" or not isinstance(key, Ludeme) or key.keyword != "what":
        return False
    if not _is(key.peek("at"), "last To") or set(key.args) != {"at"}:
        return False
    parts, spots = program.components, program.spots
    return all(
        0 < a < len(parts) and 0 < b < len(parts) and parts[a].owner == parts[b].owner and not {a, b} & spots
        for a, b in _entries(program, kind).items()
        if a != b
    )
