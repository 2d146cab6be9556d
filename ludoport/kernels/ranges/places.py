"""Ranges at one place of a function: variables, and expressions whose text is the key.

Keys of variables are their names. ``?TEXT`` is what a condition told about an expression, ``@NAME`` the field that a
variable points into, and ``?#ROW`` the rule whose move is being written into a row.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import compress, filterfalse
from operator import is_not
from typing import Any, TypeAlias

from ludoport.kernels.ranges.pairs import HUGE
from ludoport.kernels.ranges.shapes import Array

Env: TypeAlias = dict[str, Any]

_WORD = re.compile(r"\w+")

MANY = 600
"""Variables that are kept in mind at one place; to copy more at every branch takes too long."""


def merge(a: Env | None, b: Env | None) -> Env | None:
    """Ranges where two paths meet."""
    if a is None:
        return b
    if b is None:
        return a
    out, few = dict(a), len(a) + len(b) < MANY
    # Nearly everything is the same on both paths, and this is asked at every branch.
    for key in list(compress(a, map(is_not, a.values(), map(b.get, a)))):
        value, other = a[key], b.get(key)
        if other is None:
            # A variable that only one path sets is read on that path only; what is not kept may be anything.
            if not few or key[0] in "?@":
                del out[key]
        elif value == other:
            continue
        elif isinstance(value, tuple) and isinstance(other, tuple):
            out[key] = (min(value[0], other[0]), max(value[1], other[1]))
        elif not (isinstance(value, Array) and isinstance(other, Array) and value.kind == other.kind):
            del out[key]
    if few:
        out |= {key: b[key] for key in filterfalse(a.__contains__, b) if key[0] not in "?@"}
    return out


def forget_some(env: Env) -> None:
    """Drop the oldest variables that were made for one expression, where there are very many."""
    if len(env) > MANY:
        for key in [key for key in env if key[-1].isdigit()][: MANY // 2]:
            del env[key]


def covers(top: Env, other: Env) -> bool:
    """Whether everything that another place knows is known at this one, or more."""
    for key, value in top.items():
        new = other.get(key)
        if isinstance(value, tuple):
            if not isinstance(new, tuple) or not (value[0] <= new[0] and new[1] <= value[1]):
                return False
        elif new is None:
            return False
    return all(key in top for key in other)


def opened(top: Env, merged: Env, rows: int) -> Env:
    """What grew since the last turn grows to the length of a list of moves, or without end."""
    out = dict(merged)
    for key, value in merged.items():
        old = top.get(key)
        if isinstance(value, tuple) and isinstance(old, tuple) and value != old:
            low, high = value
            if low < old[0]:
                low = -1 if low >= -1 else -HUGE
            if high > old[1]:
                high = rows if high <= rows else HUGE
            out[key] = (low, high)
    return out


def limit(env: Env, first: Env, body: Sequence[ast.stmt], trips: int, known: dict[str, int]) -> None:
    """Counters grow at most as often as their loop turns; ``known`` keeps how much each grows in one turn."""
    for key, value in env.items():
        begin = first.get(key)
        if isinstance(value, tuple) and isinstance(begin, tuple) and value[1] > begin[1] and key[0] not in "?@":
            most = known.get(key, -1)
            if most < 0:
                most = known[key] = growth(body, key)
            if most < HUGE:
                env[key] = (value[0], min(value[1], begin[1] + most * trips))


def growth(body: Sequence[ast.stmt], name: str) -> int:
    """Largest growth of a variable in one run of some statements, if only constants are added to it."""
    total = 0
    for statement in body:
        if isinstance(statement, ast.AugAssign):
            if isinstance(statement.target, ast.Name) and statement.target.id == name:
                step = statement.value
                if not (isinstance(statement.op, ast.Add) and isinstance(step, ast.Constant)):
                    return HUGE
                total += int(step.value)  # type: ignore[arg-type]
        elif isinstance(statement, ast.Assign):
            target = statement.targets[0]
            if isinstance(target, ast.Name) and target.id == name:
                return HUGE
        elif isinstance(statement, ast.If):
            total += max(growth(statement.body, name), growth(statement.orelse, name))
        elif isinstance(statement, ast.For):
            inner = growth(statement.body, name)
            total += inner * _constant_trips(statement) if inner else 0
        elif isinstance(statement, ast.While):
            total += HUGE if growth(statement.body, name) else 0
        if total >= HUGE:
            return HUGE
    return total


def _constant_trips(loop: ast.For) -> int:
    """Maximum number of turns of a loop with constant bounds."""
    assert isinstance(loop.iter, ast.Call)
    numbers = [a.value if isinstance(a, ast.Constant) and isinstance(a.value, int) else None for a in loop.iter.args]
    if len(numbers) == 1 and numbers[0] is not None:
        return max(numbers[0], 0)
    if len(numbers) == 2 and numbers[1] is not None and numbers[0] is not None:
        return max(numbers[1] - numbers[0], 0)
    return HUGE


def text_of(node: ast.expr) -> str:
    """The text of an expression, without redundant brackets, so that equal expressions have equal texts."""
    return key_of(node)[1:]


def key_of(node: ast.expr) -> str:
    """The key of a fact from a condition about an expression."""
    try:
        return node._key  # type: ignore[attr-defined, no-any-return]
    except AttributeError:
        key = node._key = "?" + _written(node)  # type: ignore[attr-defined]
        return key


def _written(node: ast.expr) -> str:
    """The text of an expression; ``ast.unparse`` is slow for the many short ones."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Constant):
        return repr(node.value)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult):
        sign = "+" if isinstance(node.op, ast.Add) else "-" if isinstance(node.op, ast.Sub) else "*"
        left, right = (f"({text_of(n)})" if isinstance(n, ast.BinOp) else text_of(n) for n in (node.left, node.right))
        return f"{left} {sign} {right}"
    if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
        return f"{text_of(node.value)}[{text_of(node.slice)}]"
    return ast.unparse(node)


@lru_cache(maxsize=20_000)
def words_of(key: str) -> frozenset[str]:
    """The names in a text."""
    return frozenset(_WORD.findall(key))


def calls_nothing(node: ast.expr) -> bool:
    """Whether no function is called in an expression."""
    known = getattr(node, "_calls_nothing", None)
    if known is None:
        known = not any(isinstance(part, ast.Call) for part in ast.walk(node))
        node._calls_nothing = known  # type: ignore[attr-defined]
    return bool(known)


def action_place(index: ast.expr) -> tuple[str, str]:
    """The start of an action in the buffer, and which of its numbers an index names."""
    if isinstance(index, ast.BinOp) and isinstance(index.right, ast.Constant):
        return text_of(index.left), f"BUFFER {index.right.value!r}"
    return text_of(index), "BUFFER 0"


def last_name(node: ast.expr) -> str | None:
    """The last name of a sum."""
    if isinstance(node, ast.Name):
        return node.id
    return last_name(node.right) if isinstance(node, ast.BinOp) else None
