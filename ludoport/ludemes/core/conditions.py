"""Conditions in generated code, folded where they are known."""

from __future__ import annotations

import re

from ludoport.ludemes.core.context import Bool, Expr


def all_of(*conditions: Bool) -> Bool:
    """The conjunction, folded where parts are known."""
    if any(c is False for c in conditions):
        return False
    rest = [str(c) for c in conditions if c is not True]
    if not rest:
        return True
    return rest[0] if len(rest) == 1 else "(" + " and ".join(rest) + ")"


def any_of(*conditions: Bool) -> Bool:
    """The disjunction, folded where parts are known."""
    if any(c is True for c in conditions):
        return True
    rest = [str(c) for c in conditions if c is not False]
    if not rest:
        return False
    return rest[0] if len(rest) == 1 else "(" + " or ".join(rest) + ")"


_COMPARISON = re.compile(r"\(?([^()<>=!]+) (==|!=|<=|>=|<|>) ([^()<>=!]+)\)?")
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def negation(value: Bool) -> Bool:
    """The opposite; that of a comparison is the opposite comparison, that of an opposite the variable itself."""
    if isinstance(value, bool):
        return not value
    twice = re.fullmatch(r"\(not (.+)\)", value)
    if twice is not None and _is_operand(twice[1]):
        return twice[1]
    found = _COMPARISON.fullmatch(value)
    if found is None or re.search(r"\b(and|or|not|if|in)\b", value):
        return f"(not {value})"
    return f"({found[1]} {_OPPOSITE[found[2]]} {found[3]})"


def _is_operand(text: str) -> bool:
    """Whether a text is a name, a call, or enclosed by one pair of brackets."""
    brackets = re.sub(r"^\w+", "", text)
    depth, closed = 0, []
    for place, letter in enumerate(brackets):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            closed.append(place)
    return not brackets or (brackets[0] == "(" and closed[0] == len(brackets) - 1)


def inside(site: Expr, size: int, first: int = 0) -> Bool:
    """Whether a number belongs to the block of a size that begins at another one."""
    if isinstance(site, int):
        return first <= site < first + size
    return f"({site} >= {first} and {site} < {first + size})"
