"""Stacks that never grow: a piece that moves is alone where it arrives, on an empty site or one that its move clears.

Then no stack is higher than those of the setup, and rows, which are copied to try moves, are short. The proof goes
through all ludemes that move pieces. A destination is empty, or a friend or an enemy of the mover is on top (pieces of
other owners are refused); for each case the condition of the move must be false, or its effect must clear the stack.
Levels without a piece, which are neither, come about where a piece leaves before it moves: pieces may therefore only be
removed from the destination, all levels at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.lud.tree import Ludeme, Value
from ludoport.ludemes.core.effects import clears_stack
from ludoport.ludemes.core.traits import pieces
from ludoport.ludemes.fields.starting import chance_nodes, start_nodes

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

_GENERATORS = ("step", "slide", "hop", "leap")
_ARGUMENTS = {"from", "to", "between", "directions", "walk", "forward", "rotations", "then"}
_HELD = {"is Friend": "friend", "is Enemy": "enemy"}


def never_grow(program: Program) -> bool:
    """Whether no stack gets higher than it was at the start."""
    if program.hands or any(not 1 <= c.owner <= program.n_players for c in program.components[1:]):
        return False
    if chance_nodes(program) or any(node.keyword not in ("place", "place Stack") for node in start_nodes(program)):
        return False
    nodes = list(program.description.root.walk())
    cleared = [node.peek("moves") for node in nodes if _clears_destination(node)]
    for node in nodes:
        change = pieces(node) if node.kind == "moves" else "stay"
        if change == "leave" and any(node is each for each in cleared):
            continue
        if change not in ("stay", "turn") and not (change == "move" and _arrives_alone(node)):
            return False
    return True


def piles_up(program: Program) -> bool:
    """Whether a piece may move to a site on which others stay."""
    moving = [node for node in program.description.root.walk() if node.kind == "moves" and pieces(node) == "move"]
    return not all(_leads_to_free_site(node) for node in moving)


def _arrives_alone(node: Ludeme) -> bool:
    """Whether a decision leads one piece to a site without pieces."""
    return node.keyword.startswith("move ") and _leads_to_free_site(node)


def _leads_to_free_site(node: Ludeme) -> bool:
    """Whether each move of a generator leads one piece to a site without pieces."""
    if node.keyword.lower().removeprefix("move ") not in _GENERATORS or set(node.args) - _ARGUMENTS:
        return False
    between, to = node.peek("between"), node.peek("to")
    slides = node.keyword in ("move Slide", "slide")
    if slides and isinstance(between, Ludeme) and between.peek("if") is not None:
        return False  # it also ends on what it passes
    if to is None:
        return slides  # over empty sites, if nothing else is said
    if not isinstance(to, Ludeme) or set(to.args) - {"if", "effect"} or to.peek("if") is None:
        return False
    return all(_holds(to.peek("if"), who) is False or _clears(to.peek("effect"), who) for who in _HELD.values())


def _holds(cond: Value | None, who: str) -> bool | None:
    """Whether a condition holds where a friend or an enemy is on top of the destination; None if not known."""
    if isinstance(cond, bool):
        return cond
    if not isinstance(cond, Ludeme):
        return None
    parts = [v for x in dict.values(cond.args) for v in (x if isinstance(x, list) else [x])]
    if cond.keyword in _HELD:
        return _HELD[cond.keyword] == who if len(parts) == 1 and _is_owner_there(parts[0]) else None
    if cond.keyword == "is Empty":
        return False if len(parts) == 1 and _is_to(parts[0]) else None
    found = [_holds(part, who) for part in parts]
    if cond.keyword == "not":
        return None if found[0] is None else not found[0]
    if cond.keyword in ("and", "or"):
        decides = cond.keyword == "or"
        return decides if decides in found else None if None in found else not decides
    return None


def _clears(effect: Value | None, who: str) -> bool:
    """Whether an effect clears a destination with a friend or an enemy on top."""
    if not isinstance(effect, Ludeme):
        return False
    if effect.keyword == "apply":
        return _clears(effect.peek("effect"), who)
    if effect.keyword == "if":
        return _holds(effect.peek("cond"), who) is True and _clears(effect.peek("list"), who)
    return _clears_destination(effect)


def _clears_destination(node: Ludeme) -> bool:
    return clears_stack(node) and _is_to(node.peek("site"))


def _is_owner_there(value: Value | None) -> bool:
    """Whether a value is the owner of the top piece on the destination."""
    return (
        isinstance(value, Ludeme) and value.keyword == "who" and set(value.args) == {"at"} and _is_to(value.peek("at"))
    )


def _is_to(value: Value | None) -> bool:
    """Whether a value is the destination of the move."""
    return isinstance(value, Ludeme) and value.keyword == "to" and not value.args
