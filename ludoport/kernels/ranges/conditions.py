"""What follows from a condition that holds, or does not hold."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from ludoport.kernels.ranges.memory import Memory
from ludoport.kernels.ranges.pairs import HUGE
from ludoport.kernels.ranges.places import Env, merge, text_of

_COMPARED: Mapping[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


class Conditions(Memory):
    """What the tests of kernels say."""

    def _assume(self, test: ast.expr, env: Env | None, truth: bool) -> Env | None:
        """What is known where a condition holds, or where it does not; None if that cannot be."""
        if env is None:
            return None
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self._assume(test.operand, env, not truth)
        if isinstance(test, ast.BoolOp):
            if isinstance(test.op, ast.And) == truth:
                for part in test.values:
                    env = self._assume(part, env, truth)
                return env
            # One of the parts decides: all before it do not.
            out: Env | None = None
            rest: Env | None = dict(env)
            for part in test.values:
                if rest is None:
                    break
                out = merge(out, self._assume(part, dict(rest), truth))
                rest = self._assume(part, rest, not truth)
            return out
        if isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == "on_board":
            if truth:
                return self._narrowed(env, test.args[0], 0, self.shapes.sites - 1)
            return env
        if isinstance(test, ast.Compare):
            left = test.left
            if len(test.ops) > 1 and not truth:
                return env
            here: Env | None = env
            for op, right in zip(test.ops, test.comparators, strict=True):
                if here is None:
                    return None
                here = self._assume_one(left, op, right, here, truth)
                left = right
            return here
        if isinstance(test, ast.Constant):
            return env if bool(test.value) == truth else None
        return env

    def _assume_one(self, left: ast.expr, op: ast.cmpop, right: ast.expr, env: Env, truth: bool) -> Env | None:
        word = _COMPARED.get(type(op))
        if word is None:
            return env
        if not truth:
            word = _OPPOSITE[word]
        quiet, self.checking = self.checking, False
        a, b = self._pair(left, env), self._pair(right, env)
        self.checking = quiet
        if word == "==":
            here = self._narrowed(env, left, *b)
            return self._narrowed(here, right, *a) if here is not None else None
        if word == "!=":
            here = env
            for node, own, other in ((left, a, b), (right, b, a)):
                if other[0] == other[1] and here is not None:
                    if own == other:
                        return None
                    if own[0] == other[0]:
                        here = self._narrowed(here, node, own[0] + 1, own[1])
                    elif own[1] == other[0]:
                        here = self._narrowed(here, node, own[0], own[1] - 1)
            return here
        if word in (">", ">="):
            left, right, a, b, word = right, left, b, a, "<" if word == ">" else "<="
        less = 1 if word == "<" else 0
        if isinstance(left, ast.Name) and isinstance(right, ast.Name):
            # What is at least as large leaves something when the other is taken away.
            env[f"?{right.id} - {left.id}"] = (less, HUGE)
        here = self._narrowed(env, left, -HUGE, b[1] - less if b[1] < HUGE else HUGE)
        return self._narrowed(here, right, a[0] + less if a[0] > -HUGE else -HUGE, HUGE) if here is not None else None

    def _narrowed(self, env: Env, node: ast.expr, low: int, high: int) -> Env | None:
        """Remember that an expression lies between two numbers."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("wide", "int"):
            node = node.args[0]
        if isinstance(node, ast.Constant):
            return env if low <= int(node.value) <= high else None  # type: ignore[arg-type]
        quiet, self.checking = self.checking, False
        pair = self._pair(node, env)
        self.checking = quiet
        new = (max(pair[0], low), min(pair[1], high))
        if new[0] > new[1]:
            return None
        if new == pair:
            return env
        if isinstance(node, ast.Name):
            if node.id in env:
                env[node.id] = new
        elif isinstance(node, ast.Subscript | ast.BinOp) and not any(isinstance(n, ast.Call) for n in ast.walk(node)):
            env["?" + text_of(node)] = new
            # x + c < y says something about x as well.
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
                other = self._pair(node.right, env)
                if other[0] == other[1] and abs(other[0]) < HUGE:
                    shift = -other[0] if isinstance(node.op, ast.Add) else other[0]
                    return self._narrowed(env, node.left, *(v + shift if abs(v) < HUGE else v for v in new))
        return env
