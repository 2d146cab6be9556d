"""Bounds on the turns of all loops of one move.

A text can nest loops that are short each, so that a move would take years. From the ranges of an analysis follows how
many turns a function takes at most. Where that is more than ``WHOLE``, loops count turns in the scratch space: those
that take more than ``UNIT`` turns, with everything inside of them that does not count itself, add 1 for each ``UNIT``.
Where a move has spent ``MOST`` laps of such units it is given up like one that has no room (see ``room.py``). Loops
rarely take as many turns as they could: what counts is generous, so that no sensible game comes near.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ludoport.kernels.ranges import HUGE, Ranges
from ludoport.kernels.ranges.places import last_name

LONG = 1 << 17
"""Turns of one loop from which on it counts, whatever is around it."""

EVERY = 1024
"""Most turns of a loop for which it counts at once."""

UNIT = 1 << 12
"""Turns that count as one."""

LAP = 8_192
"""Units of a lap; cells of the scratch space may have 16 bits, so two of them count."""

MOST = 256
"""Laps of one move."""

HEAVIEST = 64
"""Most units that are added at once: functions that cannot count take far fewer turns than they could."""

WHOLE = 1 << 31
"""Turns that a move may take in games whose loops do not count: a few seconds of machine code."""

Loop = ast.For | ast.While


class LoopTurns:
    """Which loops of a module count, and how much.

    Args:
        ranges: the analysis of the module.
    """

    def __init__(self, ranges: Ranges) -> None:
        self.ranges = ranges
        self.counts = False
        self._known: dict[str, int] = {}
        self._turns: dict[int, int] = {}
        self._called: dict[int, list[str]] = {}
        """The functions that each statement calls."""
        self.counts = any(self._function(name) > WHOLE for name in ranges.functions)
        self._known, self._turns = {}, {}
        for name in ranges.functions:
            self._function(name)

    def counted(self, name: str) -> list[tuple[Loop, list[str]]]:
        """The loops of a function that count, each with the lines at the start of its body."""
        if not self._can_count(name):
            return []
        found: list[tuple[Loop, list[str]]] = []
        for loop in ast.walk(self.ranges.functions[name].node):
            if (
                isinstance(loop, Loop)
                and id(loop) in self._turns
                and self._must_count(loop, name)
                and not _counts_already(loop)
            ):
                every, weight = self._rate(loop)
                counter = ast.unparse(loop.target) if isinstance(loop, ast.For) and every > 1 else ""
                found.append((loop, turn_test(counter, every, weight)))
        return found

    def _function(self, name: str) -> int:
        """Most turns of a call, without those that are counted."""
        if name not in self._known:
            self._known[name] = HUGE  # where it calls itself
            self._known[name] = self._block(self.ranges.functions[name].node.body, name)
        return self._known[name]

    def _block(self, body: Sequence[ast.stmt], name: str) -> int:
        return min(sum(self._statement(each, name) for each in body), HUGE)

    def _statement(self, statement: ast.stmt, name: str) -> int:
        if isinstance(statement, ast.If):
            inner = max(self._block(statement.body, name), self._block(statement.orelse, name))
            return self._calls(statement.test) + inner
        if isinstance(statement, ast.For):
            return self._calls(statement.iter) + self._loop(statement, name)
        if isinstance(statement, ast.While):
            return self._loop(statement, name)
        return self._calls(statement)

    def _loop(self, loop: Loop, name: str) -> int:
        test = self._calls(loop.test) if isinstance(loop, ast.While) else 0
        turns, each = self._trips(loop, name), 1 + test + self._block(loop.body, name)
        self._turns[id(loop)] = each
        if self._can_count(name) and self._must_count(loop, name):
            turns = min(turns, self._rate(loop)[0])
        return min(turns * each, HUGE)

    def _each(self, loop: Loop) -> int:
        """Turns that one turn of a loop takes."""
        return self._turns[id(loop)]

    def _can_count(self, name: str) -> bool:
        return "work" in self.ranges.functions[name].params

    def _must_count(self, loop: Loop, name: str) -> bool:
        if isinstance(loop, ast.For) and self._span(loop) > LONG and not _walks_list(loop):
            return True
        return self.counts and self._trips(loop, name) * self._each(loop) > UNIT

    def _rate(self, loop: Loop) -> tuple[int, int]:
        """After how many turns a loop counts, a power of two, and how many units."""
        each, every = self._each(loop), 1
        while isinstance(loop, ast.For) and every < EVERY and 2 * every * each <= UNIT:
            every *= 2
        return every, min(max(every * each // UNIT, 1), HEAVIEST)

    def _span(self, loop: ast.For) -> int:
        return self.ranges.spans.get(id(loop), 0)

    def _trips(self, loop: Loop, name: str) -> int:
        """Most turns of a loop by itself. Where no range bounds it, it counts or walks through sites or moves."""
        if isinstance(loop, ast.For) and id(loop) not in self.ranges.spans:
            return 0  # no call gets there, or the loop is over before it begins
        trips = self.ranges.trips.get(id(loop), HUGE)
        if isinstance(loop, ast.For):
            trips = min(trips, self.ranges.spans[id(loop)])
        if trips > LONG and (isinstance(loop, ast.While) or _walks_list(loop) or not self._can_count(name)):
            shapes, head = self.ranges.shapes, loop.test if isinstance(loop, ast.While) else loop.iter
            trips = (
                shapes.rows if any(isinstance(x, ast.Name) and x.id == "n" for x in ast.walk(head)) else shapes.sites
            )
        return trips

    def _calls(self, node: ast.AST) -> int:
        functions = self.ranges.functions
        names = self._called.get(id(node))
        if names is None:
            calls = (part.func for part in ast.walk(node) if isinstance(part, ast.Call))
            names = self._called[id(node)] = [f.id for f in calls if isinstance(f, ast.Name) and f.id in functions]
        return min(sum(self._function(name) for name in names), HUGE)


def turn_test(counter: str = "", every: int = EVERY, weight: int = 1) -> list[str]:
    """The lines at the start of a loop that count its turns and leave it when there are too many.

    Args:
        counter: the variable that grows by one each turn; without one every turn counts.
        every: turns that count at once, a power of two.
        weight: units that they count.
    """
    # Laps are compared before they grow, or they would overflow where many loops are left one after another.
    test = [
        f"if work[LAPS] > {MOST}:",
        "    work[FULL] = MARK",
        "    break",
        f"work[TURNS] += {weight}",
        f"if work[TURNS] >= {LAP}:",
        "    work[TURNS] = 0",
        "    work[LAPS] += 1",
    ]
    if not counter:
        return test
    # A loop of few turns from 0 on counts nothing.
    return [f"if {counter} & {every - 1} == {every - 1}:", *("    " + line for line in test)]


def counts_turns(texts: Sequence[str]) -> bool:
    """Whether a loop of some functions counts its turns."""
    return any("(TURNS," in text or "[TURNS]" in text for text in texts)  # the former where every index is checked


def _counts_already(loop: Loop) -> bool:
    return _is_test(loop.body[0])


def _is_test(statement: ast.stmt) -> bool:
    """Whether a statement is a part of ``turn_test``."""
    text = ast.unparse(statement)
    return "work[LAPS]" in text or "work[TURNS]" in text


def _walks_list(loop: ast.For) -> bool:
    """Whether a loop walks through a list in the scratch space, which is as long as it is."""
    assert isinstance(loop.target, ast.Name)
    first = next((each for each in loop.body if not _is_test(each)), loop.body[0])
    if not isinstance(first, ast.Assign):
        return False
    reads = [part for part in ast.walk(first) if isinstance(part, ast.Subscript)]
    return any(ast.unparse(part).startswith("work[") and last_name(part.slice) == loop.target.id for part in reads)
