"""What follows from a condition that holds, or does not hold."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from ludoport.kernels.ranges.memory import ArrayUse
from ludoport.kernels.ranges.pairs import HUGE, Pair
from ludoport.kernels.ranges.places import Env, calls_nothing, key_of, merge

_COMPARED: Mapping[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


class Conditions(ArrayUse):
    """Facts that follow from tests in kernels."""

    def _branch(self, test: ast.expr, env: Env) -> tuple[Env | None, Env | None]:
        """Facts where a condition holds, and where it does not; None if that is impossible.

        The condition is looked at once for both, and ``env`` is used up.
        """
        kind = type(test)
        if kind is ast.Compare:
            return self._compared(test, env)  # type: ignore[arg-type]
        if isinstance(test, ast.BoolOp):
            # One of the parts decides: all before it do not.
            both = isinstance(test.op, ast.And)
            decided: Env | None = None
            rest: Env | None = env
            for part in test.values:
                if rest is None:
                    break
                yes, no = self._branch(part, rest)
                rest, other = (yes, no) if both else (no, yes)
                decided = merge(decided, other)
            return (rest, decided) if both else (decided, rest)
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            no, yes = self._branch(test.operand, env)
            return yes, no
        if isinstance(test, ast.Constant):
            return (env, None) if test.value else (None, env)
        self._value(test, env)
        if isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == "on_board":
            site = test.args[0]
            return self._narrowed(dict(env), site, self._pair(site, env), 0, self.shapes.sites - 1), env
        return dict(env), env

    def _compared(self, test: ast.Compare, env: Env) -> tuple[Env | None, Env | None]:
        """Facts that follow from a comparison where it holds, and where it does not."""
        word = _COMPARED.get(type(test.ops[0]))
        left, right = test.left, test.comparators[0]
        if len(test.ops) == 1:
            a, b = self._pair(left, env), self._pair(right, env)
            if word is None:
                return dict(env), env
            yes = self._follows(left, word, right, a, b, dict(env))
            return yes, self._follows(left, _OPPOSITE[word], right, a, b, env)
        self._value(test, env)
        here: Env | None = dict(env)
        for op, right in zip(test.ops, test.comparators, strict=True):
            if here is None:
                break
            word = _COMPARED.get(type(op))
            if word is not None:
                here = self._follows(left, word, right, self._pair(left, here), self._pair(right, here), here)
            left = right
        return here, env

    def _follows(self, left: ast.expr, word: str, right: ast.expr, a: Pair, b: Pair, env: Env) -> Env | None:
        """What follows from a comparison of two expressions that have the numbers ``a`` and ``b``."""
        here: Env | None
        if word == "==":
            here = self._narrowed(env, left, a, *b)
            return self._narrowed(here, right, self._pair(right, here), *a) if here is not None else None
        if word == "!=":
            here = env
            for node, own, other in ((left, a, b), (right, b, a)):
                if other[0] == other[1] and here is not None:
                    if own == other:
                        return None
                    if own[0] == other[0]:
                        here = self._narrowed(here, node, self._pair(node, here), own[0] + 1, own[1])
                    elif own[1] == other[0]:
                        here = self._narrowed(here, node, self._pair(node, here), own[0], own[1] - 1)
            return here
        if word in (">", ">="):
            left, right, a, b, word = right, left, b, a, "<" if word == ">" else "<="
        less = 1 if word == "<" else 0
        if isinstance(left, ast.Name) and isinstance(right, ast.Name):
            # What is at least as large leaves something when the other is taken away.
            self._tell(env, f"?{right.id} - {left.id}", (less, HUGE))
        here = self._narrowed(env, left, a, -HUGE, b[1] - less if b[1] < HUGE else HUGE)
        if here is None or a[0] <= -HUGE:
            return here
        return self._narrowed(here, right, self._pair(right, here), a[0] + less, HUGE)

    def _narrowed(self, env: Env, node: ast.expr, pair: Pair, low: int, high: int) -> Env | None:
        """Remember that an expression with the numbers ``pair`` lies between two numbers."""
        new = (max(pair[0], low), min(pair[1], high))
        if new[0] > new[1]:
            return None
        if new == pair:
            return env
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("wide", "int"):
            node = node.args[0]
        if isinstance(node, ast.Name):
            if node.id in env:
                env[node.id] = new
        elif isinstance(node, ast.Subscript | ast.BinOp) and calls_nothing(node):
            self._tell(env, key_of(node), new)
            # x + c < y says something about x as well.
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
                other = self._pair(node.right, env)
                if other[0] == other[1] and abs(other[0]) < HUGE:
                    shift = -other[0] if isinstance(node.op, ast.Add) else other[0]
                    low, high = (v + shift if abs(v) < HUGE else v for v in new)
                    return self._narrowed(env, node.left, self._pair(node.left, env), low, high)
        return env
