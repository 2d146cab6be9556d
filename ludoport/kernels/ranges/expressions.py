"""Which numbers an expression can have."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from ludoport.kernels.ranges.conditions import Conditions
from ludoport.kernels.ranges.memory import ArrayUse
from ludoport.kernels.ranges.pairs import ANY, BOOL, HUGE, Pair, arithmetic, fit, inside, join
from ludoport.kernels.ranges.places import (
    Env,
    calls_nothing,
    key_of,
)
from ludoport.kernels.ranges.shapes import Array


class Expressions(Conditions):
    """The numbers of expressions, and what calls do to functions and memory."""

    def _value(self, node: ast.expr, env: Env) -> Any:
        return self._EXPRESSIONS[type(node)](self, node, env)

    def _constant(self, node: ast.Constant, env: Env) -> Pair:
        del env
        value = node.value
        return fit(int(value), int(value)) if isinstance(value, int) else ANY

    def _name(self, node: ast.Name, env: Env) -> Any:
        name = node.id
        value = env.get(name)
        if value is not None:
            return self._stated(name, value) if type(value) is tuple and name in self.function.facts else value
        constant = self.shapes.constants.get(name)
        if constant is not None:
            return (constant, constant)
        if name in self.shapes.tables:
            return Array("table", name, int(self.shapes.tables[name].size))
        return ANY

    def _unary(self, node: ast.UnaryOp, env: Env) -> Pair:
        pair = self._pair(node.operand, env)
        if isinstance(node.op, ast.USub):
            return (-pair[1], -pair[0])
        if isinstance(node.op, ast.Not):
            return BOOL
        return pair if isinstance(node.op, ast.UAdd) else ANY

    def _binary(self, node: ast.BinOp, env: Env) -> Pair:
        a, b = self._pair(node.left, env), self._pair(node.right, env)
        result = arithmetic(node.op, a, b)
        known = env.get(key_of(node))
        return result if known is None else (max(result[0], known[0]), min(result[1], known[1]))

    def _compare(self, node: ast.Compare, env: Env) -> Pair:
        self._value(node.left, env)
        for part in node.comparators:
            self._value(part, env)
        return BOOL

    def _logic(self, node: ast.BoolOp, env: Env) -> Pair:
        here: Env | None = dict(env)
        truth = isinstance(node.op, ast.And)
        out: Pair | None = None
        for part in node.values:
            if here is None:
                break
            out = join(out, self._pair(part, here))
            yes, no = self._branch(part, here)
            here = yes if truth else no
        if not calls_nothing(node):
            self._forget_memory(env)
        return out if out is not None and inside(out, -HUGE, HUGE) else BOOL

    def _choice(self, node: ast.IfExp, env: Env) -> Pair:
        yes, no = self._branch(node.test, dict(env))
        out = join(
            self._pair(node.body, yes) if yes is not None else None,
            self._pair(node.orelse, no) if no is not None else None,
        )
        if not calls_nothing(node):
            self._forget_memory(env)
        return out if out is not None else ANY

    def _call(self, node: ast.Call, env: Env) -> Any:
        if not isinstance(node.func, ast.Name):
            for a in node.args:
                self._value(a, env)
            return ANY
        name = node.func.id
        values = [self._value(a, env) for a in node.args]
        if name in ("wide", "int"):
            return values[0]
        if name == "on_board":
            self._note(node, "on_board", values[0], 0, self.shapes.sites - 1, 0)
            return BOOL
        if name == "draw_number":
            return (0, max(values[1][1] - 1, 0))
        pairs = [v for v in values if isinstance(v, tuple)]
        if name == "min":
            return (min(p[0] for p in pairs), min(p[1] for p in pairs))
        if name == "max":
            return (max(p[0] for p in pairs), max(p[1] for p in pairs))
        if name == "abs":
            low, high = pairs[0]
            return (0 if low <= 0 <= high else min(abs(low), abs(high)), max(abs(low), abs(high)))
        callee = self.functions.get(name)
        if callee is None:
            self._forget_memory(env)
            return ANY
        self.called.add(name)
        for param, value in zip(callee.params, values, strict=True):
            if isinstance(value, tuple):
                self._widen_into("params", (name, param), value)
            elif value.kind == "state" and value.size < self.shapes.state_size and (name, param) not in self.short:
                self.short.add((name, param))
                self._stale.add(name)
        self._forget_memory(env)
        if name not in self._entered and not self.checking:
            # Looked at once from here, so that its results are known soon; later rounds come back to it.
            self._function(callee)
        # A function that calls itself returns nothing so far; the next round sees it.
        result = self._computed("returns", name)
        return result if result is not None else (0, 0)

    _EXPRESSIONS: Mapping[type[ast.expr], Any] = {
        ast.Constant: _constant,
        ast.Name: _name,
        ast.UnaryOp: _unary,
        ast.BinOp: _binary,
        ast.Compare: _compare,
        ast.BoolOp: _logic,
        ast.IfExp: _choice,
        ast.Call: _call,
        ast.Subscript: ArrayUse._subscript,
    }
