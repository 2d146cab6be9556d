"""Plain numbers from the bound tree: dimensions, floats, lists of points."""

from __future__ import annotations

import math
from collections.abc import Callable

from ludoport.boards.geometry import Point, float32
from ludoport.errors import LudError
from ludoport.lud.tree import Ludeme, Text, Value, Word

_Binary = Callable[[float, float], float]


def _int_divide(a: float, b: float) -> float:
    if b == 0:
        raise LudError("A board dimension divides by zero.")
    if isinstance(a, int) and isinstance(b, int):
        return math.trunc(a / b)
    return a / b


def _power(a: float, b: float) -> float:
    return float(a**b) if isinstance(a, float) or isinstance(b, float) else int(a**b)


_BINARY: dict[str, _Binary] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _int_divide,
    "%": lambda a, b: math.fmod(a, b),
    "^": _power,
    "max": max,
    "min": min,
}
_UNARY: dict[str, Callable[[float], float]] = {
    "abs": abs,
    "sqrt": lambda a: math.sqrt(a),
    "sin": lambda a: math.sin(a),
    "cos": lambda a: math.cos(a),
    "tan": lambda a: math.tan(a),
    "log": lambda a: math.log(a),
    "log10": lambda a: math.log10(a),
    "exp": lambda a: math.exp(a),
    "toFloat": float,
}


def number(value: Value | None) -> float:
    """The value of a tree of arithmetic.

    Raises:
        LudError: it is not a number that is known before play.
    """
    if isinstance(value, bool) or value is None:
        raise LudError(f"A number was expected here, not {value}.")
    if isinstance(value, int | float):
        return value
    if isinstance(value, Ludeme):
        numbers = [number(item) for item in flat(list(value.args.values()))]
        if value.keyword in _UNARY and len(numbers) == 1:
            return _UNARY[value.keyword](numbers[0])
        if value.keyword in _BINARY and numbers:
            total = numbers[0]
            if value.keyword == "-" and len(numbers) == 1:
                return -total
            for item in numbers[1:]:
                total = _BINARY[value.keyword](total, item)
            return total
        raise LudError(f"({value.keyword} ...) is not a number that is known before play.", value.source)
    raise LudError(f"A number was expected here, not {_show(value)}.", getattr(value, "source", None))


def integer(value: Value | None) -> int:
    """A whole number; fractions are cut off."""
    return int(number(value))


def integer_or(value: Value | None, default: int) -> int:
    """A whole number, or a default if it was not written."""
    return default if value is None else integer(value)


def real(value: Value | None) -> float:
    """A number in single precision, as coordinates and angles are stored."""
    return float32(number(value))


def truth(value: Value | None, default: bool = False) -> bool:
    """A truth value, or a default if it was not written."""
    if value is None:
        return default
    if isinstance(value, Ludeme | Word):
        name = value.keyword if isinstance(value, Ludeme) else value.name
        return name.lower() == "true"
    return bool(value)


def word(value: Value | None, default: str = "") -> str:
    """The name of an enum constant, or a default if it was not written."""
    if value is None:
        return default
    if isinstance(value, Word | Text):
        return str(value)
    raise LudError(f"A word was expected here, not {_show(value)}.", getattr(value, "source", None))


def items(value: Value | None) -> list[Value]:
    """The members of a list; a single value counts as a list of one, nothing as an empty one."""
    if value is None:
        return []
    return list(value) if isinstance(value, list) else [value]


def flat(value: Value) -> list[Value]:
    """All members of nested lists in order."""
    if isinstance(value, list):
        return [leaf for item in value for leaf in flat(item)]
    return [value]


def reals(value: Value | None) -> list[float]:
    """The numbers of a list."""
    return [real(item) for item in items(value)]


def points(value: Value | None) -> list[Point]:
    """A list of pairs as points in the plane."""
    found: list[Point] = []
    for item in items(value):
        pair = reals(item)
        if len(pair) < 2:
            raise LudError("A point needs two numbers.")
        found.append((pair[0], pair[1]))
    return found


def polygon(value: Value | None) -> list[Point]:
    """The corners of ``(poly {...} [rotns:n])``.

    Raises:
        LudError: if it is not a polygon.
    """
    if not isinstance(value, Ludeme) or value.keyword != "poly":
        raise LudError("A (poly ...) was expected here.", getattr(value, "source", None))
    corners = points(value.get("pts"))
    turns = integer_or(value.get("rotns"), 0)
    if turns < 0:
        corners.reverse()
    base = list(corners)
    angle = 2.0 * math.pi / turns if turns else 0.0
    for turn in range(1, abs(turns)):
        sin, cos = math.sin(angle * turn), math.cos(angle * turn)
        # The second sine (not a cosine) is what the language's reference does.
        corners.extend((x * cos - y * sin, x * sin + y * sin) for x, y in base)
    return corners


def _show(value: Value) -> str:
    if isinstance(value, Ludeme):
        return f"({value.keyword} ...)"
    return "a list" if isinstance(value, list) else str(value)
