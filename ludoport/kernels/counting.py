"""Upper bounds on the number of listed moves, from the loops of kernels."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ludoport.kernels.ranges import HUGE, Ranges


def most_listed(ranges: Ranges) -> int:
    """Maximum number of moves that any function of a game lists; ``HUGE`` if its loops have no known bound."""
    return _Counting(ranges, False).most()


def likely_listed(ranges: Ranges) -> int:
    """The same if pieces block the way of others, so that a site is reached from one piece in each direction.

    A list that names sites several times names each a few times only.
    """
    return _Counting(ranges, True).most()


class _Counting:
    """Adds up what the statements of listing functions add to the number ``n`` of moves."""

    def __init__(self, ranges: Ranges, blocked: bool) -> None:
        self.ranges, self.blocked = ranges, blocked
        self.known: dict[str, int] = {}

    def most(self) -> int:
        """The most that any listing function adds."""
        return max(self.function(name) for name, f in self.ranges.functions.items() if "cap" in f.params)

    def function(self, name: str) -> int:
        """The most that a function adds."""
        if name not in self.known:
            # A function that lists by calling itself has no bound.
            self.known[name] = HUGE
            self.known[name] = self._block(self.ranges.functions[name].node.body)
        return self.known[name]

    def _block(self, body: Sequence[ast.stmt]) -> int:
        total = 0
        for statement in body:
            total += self._statement(statement)
            if total >= HUGE:
                return HUGE
        return total

    def _statement(self, statement: ast.stmt) -> int:
        if isinstance(statement, ast.AugAssign) and _is_n(statement.target):
            return 1 if isinstance(statement.op, ast.Add) else 0
        if isinstance(statement, ast.Assign) and _is_n(statement.targets[0]):
            return self._given(statement.value)
        if isinstance(statement, ast.If):
            return max(self._block(statement.body), self._block(statement.orelse))
        if isinstance(statement, ast.For | ast.While):
            inner = self._block(statement.body)
            if self.blocked and _follows_ray(statement):
                return inner
            if self.blocked and _repeats_site(statement):
                return min(inner * _REPEATS, HUGE)
            return min(inner * self.ranges.trips.get(id(statement), HUGE), HUGE) if inner else 0
        return 0

    def _given(self, value: ast.expr) -> int:
        """What a call adds whose result is the new number; other values only drop moves."""
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
            callee = self.ranges.functions.get(value.func.id)
            if callee is not None and "cap" in callee.params:
                return self.function(callee.name)
        return 0


def _is_n(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "n"


_REPEATS = 8
"""How often a list of pieces names a site, if it may do so several times."""


def _repeats_site(loop: ast.For | ast.While) -> bool:
    """Whether a loop has a turn for every time that a list of pieces names a site."""
    return isinstance(loop, ast.For) and "state[ENTRIES + " in ast.unparse(loop.iter)


def _follows_ray(loop: ast.For | ast.While) -> bool:
    """Whether a loop goes from site to site along a ray."""
    first = ast.unparse(loop.body[0])
    return " = wide(RAYS_" in first
