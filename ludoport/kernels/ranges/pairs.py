"""Numbers as pairs of a least and a greatest one."""

from __future__ import annotations

import ast
from typing import TypeAlias

Pair: TypeAlias = tuple[int, int]

HUGE = 1 << 62
ANY: Pair = (-HUGE, HUGE)
BOOL: Pair = (0, 1)
NARROW: Pair = (-32768, 32767)
"""What fits into a cell of any row."""


def join(a: Pair | None, b: Pair | None) -> Pair | None:
    """The least pair that has the numbers of both."""
    if a is None:
        return b
    if b is None:
        return a
    return (a[0] if a[0] < b[0] else b[0], a[1] if a[1] > b[1] else b[1])


def fit(low: int, high: int) -> Pair:
    """A pair, or anything where arithmetic could leave 64 bits."""
    return ANY if low <= -HUGE or high >= HUGE else (low, high)


def inside(pair: Pair, low: int, high: int) -> bool:
    """Whether all numbers of a pair lie between two numbers."""
    return low <= pair[0] and pair[1] <= high


def narrow(value: Pair, bounds: Pair) -> Pair:
    """The numbers of a pair between two bounds; the bounds where nothing is left."""
    low, high = max(value[0], bounds[0]), min(value[1], bounds[1])
    return (low, high) if low <= high else bounds


def arithmetic(op: ast.operator, a: Pair, b: Pair) -> Pair:
    """The numbers that an operator can give."""
    unknown = a[0] <= -HUGE or a[1] >= HUGE or b[0] <= -HUGE or b[1] >= HUGE
    if isinstance(op, ast.Add):
        return half(a[0] + b[0], a[1] + b[1], a, b, False)
    if isinstance(op, ast.Sub):
        return half(a[0] - b[1], a[1] - b[0], a, b, True)
    if isinstance(op, ast.BitAnd):
        # A mask bounds the result, whatever the other side is.
        masks = [p for p in (a, b) if p[0] >= 0]
        return (0, min(p[1] for p in masks)) if masks else ANY
    if isinstance(op, ast.Mod):
        if b[0] > 0:
            return (0, min(b[1] - 1, a[1])) if a[0] >= 0 else (0, b[1] - 1)
        return (min(b[0], 0), max(b[1], 0)) if b[0] > -HUGE and b[1] < HUGE else ANY
    if unknown:
        if isinstance(op, ast.FloorDiv) and b[0] > 0 and a[0] >= 0:
            return (0, a[1])
        if isinstance(op, ast.RShift) and a[0] >= 0:
            return (0, a[1])
        if isinstance(op, ast.BitOr | ast.BitXor) and a[0] >= 0 and b[0] >= 0:
            return (0, HUGE)
        return ANY
    if isinstance(op, ast.Mult):
        products = [x * y for x in a for y in b]
        return fit(min(products), max(products))
    if isinstance(op, ast.FloorDiv):
        if b[0] <= 0 <= b[1]:
            most = max(abs(a[0]), abs(a[1]))
            return (-most, most)
        quotients = [x // y for x in a for y in b]
        return (min(quotients), max(quotients))
    if isinstance(op, ast.BitOr | ast.BitXor):
        if a[0] >= 0 and b[0] >= 0:
            return (0, (1 << max(a[1].bit_length(), b[1].bit_length())) - 1)
        bits = max(v.bit_length() for v in (*a, *b))
        return (-(1 << bits), (1 << bits) - 1)
    if isinstance(op, ast.LShift) and b[0] >= 0 and b[1] < 62:
        shifted = [x << y for x in a for y in b]
        return fit(min(shifted), max(shifted))
    if isinstance(op, ast.RShift) and b[0] >= 0 and b[1] < 64:
        shifted = [x >> y for x in a for y in b]
        return (min(shifted), max(shifted))
    return ANY


def half(low: int, high: int, a: Pair, b: Pair, minus: bool) -> Pair:
    """A sum in which one end may be open. Counters that grow by steps never reach the end of 64 bits."""
    b_low, b_high = (-b[1], -b[0]) if minus else b
    low = -HUGE if a[0] <= -HUGE or b_low <= -HUGE else low
    high = HUGE if a[1] >= HUGE or b_high >= HUGE else high
    return max(low, -HUGE), min(high, HUGE)
