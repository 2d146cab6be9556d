"""Arithmetic, and a choice between numbers."""

from __future__ import annotations

import math

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.arguments import settle
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.registry import condition, int_ludeme, number
from ludoport.ludemes.meanings.arrays import int_array, reduce_array


def binary(operator: str, a: Expr, b: Expr) -> Expr:
    """Two numbers joined by an operator, worked out if both are known."""
    if isinstance(a, int) and isinstance(b, int):
        return {"+": a + b, "-": a - b, "*": a * b}[operator]
    if (operator, b) in (("+", 0), ("-", 0), ("*", 1)):
        return a
    return f"({a} {operator} {b})"


@int_ludeme("+", "-", reads=[], known=True, calculates=True)
@int_ludeme("*", reads=[], known=True, calculates=True, large=True)
def arithmetic(node: Ludeme, cx: Cx) -> Expr:
    """Sum, product and difference."""
    if node.get("array") is not None:
        return _of_array(node, cx)
    values = node.get("list")
    if values is None:
        parts = [number(v, cx) for v in node.args.values()]
        if node.keyword == "-" and len(parts) == 1:
            return binary("-", 0, parts[0])
    else:
        assert isinstance(values, list)
        parts = [number(v, cx) for v in values]
    result = parts[0]
    for part in parts[1:]:
        result = binary(node.keyword, result, part)
    return result


def _of_array(node: Ludeme, cx: Cx) -> Expr:
    """All numbers of a list added up or multiplied."""
    result = cx.fresh("result")
    numbers = int_array(node.args["array"], cx)
    cx.line(f"{result} = {0 if node.keyword == '+' else 1}")
    with numbers.each(cx) as item:
        cx.line(f"{result} {node.keyword}= {item}")
    return result


@int_ludeme("/", "%", reads=[], known=True, calculates=True)
def division(node: Ludeme, cx: Cx) -> Expr:
    """Division and remainder of integers, rounding towards zero."""
    a, b = [number(v, cx) for v in node.args.values()]
    if isinstance(a, int) and isinstance(b, int):
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1) if b else 0
        return quotient if node.keyword == "/" else a - b * quotient
    cx.program.library.add("divide")
    x, y = cx.name(a), cx.name(b)
    return f"divide({x}, {y})" if node.keyword == "/" else f"({x} - {y} * divide({x}, {y}))"


@int_ludeme("^", reads=[], known=True, calculates=True, large=True)
def power(node: Ludeme, cx: Cx) -> Expr:
    """A power."""
    a, b = [number(v, cx) for v in node.args.values()]
    if isinstance(a, int) and isinstance(b, int):
        return _known_power(a, b)
    cx.program.library.add("power")
    return f"power({cx.name(a)}, {cx.name(b)})"


def _known_power(a: int, b: int) -> int:
    """A power within 32 bits, as the kernel ``power`` works it out."""
    try:
        exact = float(a) ** b
    except OverflowError:
        exact = math.inf if a > 0 or b % 2 == 0 else -math.inf
    except ZeroDivisionError:
        exact = math.inf
    return int(min(max(exact, -(2**31)), 2**31 - 1))


@int_ludeme("abs", reads=[], known=True, calculates=True)
def absolute(node: Ludeme, cx: Cx) -> Expr:
    """The absolute value."""
    value = number(next(iter(node.args.values())), cx)
    return abs(value) if isinstance(value, int) else f"abs({value})"


@int_ludeme("min", "max", reads=[], known=True)
def extreme(node: Ludeme, cx: Cx) -> Expr:
    """The smaller or the larger of two numbers."""
    if node.get("array") is not None:
        return reduce_array(node.keyword, node.args["array"], cx)
    a, b = number(node.args["valueA"], cx), number(node.args["valueB"], cx)
    if isinstance(a, int) and isinstance(b, int):
        return min(a, b) if node.keyword == "min" else max(a, b)
    return f"{node.keyword}({a}, {b})"


@int_ludeme("if", reads=[], known=True)
def choice(node: Ludeme, cx: Cx) -> Expr:
    """One of two numbers, depending on a condition."""
    test = condition(node.args["cond"], cx)
    if isinstance(test, bool):
        settle(node.args["valueB"] if test else node.args["valueA"])
        return number(node.args["valueA"] if test else node.args["valueB"], cx)
    result = cx.fresh("chosen")
    with cx.block(f"if {test}:"):
        cx.line(f"{result} = {number(node.args['valueA'], cx)}")
    with cx.block("else:"):
        cx.line(f"{result} = {number(node.args['valueB'], cx)}")
    return result


@int_ludeme("toInt", reads=[])
def to_int(node: Ludeme, cx: Cx) -> Expr:
    """1 for a condition that holds, 0 otherwise."""
    if node.get("boolFn") is None:
        raise UnsupportedError("`toInt` of a fraction is not implemented yet", node.source)
    test = condition(node.args["boolFn"], cx)
    return int(test) if isinstance(test, bool) else f"(1 if {test} else 0)"
