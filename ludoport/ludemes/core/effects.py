"""Whether effects may be done while they are being evaluated.

The language evaluates a consequent completely before it does any of it. Where nothing that is evaluated later could
see what was done earlier, both happen in one go; otherwise actions are collected first (see ``Rules.effect``).
"""

from __future__ import annotations

from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.core.traits import Order, order, reads, writes


def conflicts(node: Ludeme) -> bool:
    """Whether some part of an effect is evaluated after a part that changes what it looks at."""
    return _scan(node, set())


def clears_stack(node: Ludeme) -> bool:
    """Whether a loop over levels just removes every level of the site, from the top."""
    if node.keyword != "forEach Level" or set(node.args) != {"site", "moves"}:
        return False
    inner, site = node.peek("moves"), node.peek("site")
    if not isinstance(inner, Ludeme) or inner.keyword != "remove" or set(inner.args) != {"locationFunction", "level"}:
        return False
    level, place = inner.peek("level"), inner.peek("locationFunction")
    if not (
        isinstance(level, Ludeme)
        and level.keyword == "level"
        and isinstance(site, Ludeme)
        and isinstance(place, Ludeme)
    ):
        return False
    return place.keyword == site.keyword and not place.args and not site.args


def _scan(node: Ludeme, written: set[str]) -> bool:
    if node.kind != "moves":
        return (
            _reads(node, written)
            if node.kind in ("int", "boolean", "region", "direction")
            else _scan_args(node, written)
        )
    match order(node):
        case Order.BRANCH:
            return _scan_if(node, written)
        case Order.LOOK:
            return _scan_look(node, written)
        case Order.OWN | Order.STEPS:
            return _scan_own(node, written)
        case Order.LOOP:
            if clears_stack(node):
                written.add("board")
                return False
            return _scan_args(node, written) or _scan_args(node, written)
        case Order.FRAME:
            return _scan_args(node, written)
        case Order.ACT:
            return _scan_act(node, written)


def _scan_look(node: Ludeme, written: set[str]) -> bool:
    """Captures look first and act afterwards; only earlier changes matter."""
    if any(_reads(part, written) for part in node.walk() if part.kind in ("int", "boolean", "region")):
        return True
    if "board" in written:
        return True
    written.add("board")
    return False


def _scan_act(node: Ludeme, written: set[str]) -> bool:
    if any(_scan_value(v, written) for k, v in dict.items(node.args) if k not in ("then", "to", "between")):
        return True
    if "level" in node.args and "board" in written:
        # Taking a piece from a level looks at how high the stack is.
        return True
    for name in ("to", "between"):
        if _scan_value(node.peek(name), written):
            return True
    written.update(writes(node))
    return _looks_elsewhere(node.peek("regionFunction"))


def _looks_elsewhere(region: Value | None) -> bool:
    """Whether a region that changes while it is walked through asks about other sites than the one at hand."""
    if not isinstance(region, Ludeme) or region.keyword != "forEach":
        return False
    for part in region.walk():
        site = part.peek("at")
        if (
            {"board", "state", "value"} & set(reads(part))
            and isinstance(site, Ludeme)
            and site.keyword not in ("site", "to", "from")
        ):
            return True
    return False


def _scan_own(node: Ludeme, written: set[str]) -> bool:
    """Sowing, sequences and ``do ... next:`` see their own changes by themselves; only earlier changes matter."""
    if "board" in written or any(
        _reads(part, written) for part in node.walk() if part.kind in ("int", "boolean", "region")
    ):
        return True
    for part in node.walk():
        if part.kind == "moves" and order(part) not in (Order.FRAME, Order.LOOP, Order.BRANCH):
            written.update(writes(part))
    return False


def looks_at_board(node: Value | None) -> bool:
    """Whether what a part gives may change while pieces move."""
    return isinstance(node, Ludeme) and any(
        _reads(part, {"board"}) for part in node.walk() if part.kind in ("int", "boolean", "region")
    )


def _scan_if(node: Ludeme, written: set[str]) -> bool:
    if _scan_value(node.peek("cond"), written):
        return True
    results: set[str] = set()
    for name in ("list", "elseList"):
        branch = set(written)
        if _scan_value(node.peek(name), branch):
            return True
        results |= branch
    written |= results
    return False


def _scan_args(node: Ludeme, written: set[str]) -> bool:
    return any(_scan_value(value, written) for name, value in dict.items(node.args) if name != "then")


def _scan_value(value: Value | None, written: set[str]) -> bool:
    if isinstance(value, Ludeme):
        return _scan(value, written)
    if isinstance(value, list):
        return any(_scan_value(item, written) for item in value)
    if isinstance(value, Word) and value.name == "Next":
        return "next" in written
    return False


def _reads(node: Ludeme, written: set[str]) -> bool:
    if not written:
        return False
    for part in node.walk():
        for tag in reads(part):
            if tag in written or (tag == "board" and written & {"state", "value"}):
                return True
            if tag == "state" and "board" in written:
                return True
    return False
