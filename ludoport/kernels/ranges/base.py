"""Known ranges of a whole module, and how they grow."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from ludoport.kernels.ranges.pairs import ANY, HUGE, NARROW, Pair, inside, join
from ludoport.kernels.ranges.places import Env, words_of
from ludoport.kernels.ranges.shapes import AnalysedFunction, EntryTest, Shapes, Unproved

Known: TypeAlias = "tuple[int, Env, Env | None]"
"""When a loop was looked at, what was relevant to it when it began, and what it left behind."""

PRECISE = 3
"""Rounds after which bounds that still grow jump to the next number that means something."""


class ModuleKnowledge:
    """Numbers that are computed from the whole module: parameters, results, cells of rows, columns of moves.

    Args:
        functions: all functions that are analysed.
        shapes: the arrays they use.
        seeds: what parameters of functions that are called from outside can be.
    """

    def __init__(
        self, functions: Sequence[AnalysedFunction], shapes: Shapes, seeds: Mapping[tuple[str, str], Pair]
    ) -> None:
        self.functions = {f.name: f for f in functions}
        self.shapes = shapes
        self.params: dict[tuple[str, str], Pair] = dict(seeds)
        self.returns: dict[str, Pair] = {}
        self.cells: dict[str, Pair] = {}
        """What fields and blocks hold."""
        self.moves: dict[tuple[int | None, str], Pair] = {}
        """What moves hold, by rule (None: any) and column."""
        self._columns: dict[str, dict[int | None, Pair]] = {}
        """The same by column, then by rule."""
        self._whole_columns: dict[str, Pair] = {}
        self.called: set[str] = set()
        self.round = 0
        self.tables: dict[str, dict[Any, Pair]] = {
            "params": self.params,
            "returns": self.returns,
            "cells": self.cells,
            "moves": self.moves,
        }
        self.checking = False
        self._checked: set[str] = set()
        self.seen: dict[int, Unproved] = {}
        self.entries: dict[tuple[str, str], EntryTest] = {}
        self.trips: dict[int, int] = {}
        """How often each loop turns at most."""
        self.spans: dict[int, int] = {}
        """How many numbers the variable of each loop can have at most."""
        self._table_pairs: dict[tuple[str, int, int], Pair] = {}
        self._blocks = {**shapes.fields, **shapes.scratch}
        for block in self._blocks.values():
            if block.fixed is None and block.array == "state" and block.zero:
                self.cells[block.name] = (0, 0)
        ends = (0, shapes.players + 1, shapes.pieces + 1, shapes.sites, shapes.rows)
        self._marks = sorted({*ends, *(end - 1 for end in ends), *NARROW})
        self.function: AnalysedFunction = functions[0]
        self._loops: list[tuple[list[Env], list[Env]]] = []
        self._rule: tuple[int, int] | None = None
        self._quiet = False
        """Whether a loop is being tried, so that nothing it does counts yet."""
        self._stale: set[str] = set()
        """Functions to be looked at again."""
        self._entered: dict[str, int] = {}
        """Functions that were looked at, each with the number of its statements that were."""
        self._steps = 0
        self._taken = 0
        """Statements of the present function looked at so far, also in earlier rounds."""
        self._version = 0
        """How often a number that is computed from the whole module has changed."""
        self._loops_known: dict[Any, Known] = {}
        self._readers: dict[tuple[str, Any], set[str]] = {}
        """Which functions use a number that is computed from the whole module."""
        self._changed: dict[int, set[str]] = {}
        """The variables that each loop changes."""
        self._grown: dict[int, dict[str, int]] = {}
        """How much variables grow in one turn of each loop."""
        self._told: defaultdict[str, set[str]] = defaultdict(set)
        """The names in the expressions about which something was ever told, for each function."""
        self._words: dict[int, frozenset[str]] = {}
        """The names that occur in each loop."""
        self.short: set[tuple[str, str]] = set()
        """Parameters that may be copies of a row without its history."""

    def _tell(self, env: Env, key: str, pair: Pair) -> None:
        """Remember something about an expression."""
        env[key] = pair
        self._told[self.function.name] |= words_of(key)

    def _widen_into(self, kind: str, key: Any, pair: Pair) -> None:
        if self._quiet:
            return
        table = self.tables[kind]
        if kind in ("cells", "moves") and not inside(pair, *NARROW):
            # What does not fit into the cells of a row may become anything there.
            pair = ANY
        old = table.get(key)
        new = join(old, pair)
        assert new is not None
        if new == old:
            return
        if old is not None and self.round >= PRECISE:
            new = self._widened(old, new)
        table[key] = new
        self._version += 1
        if kind == "moves":
            by, column = key
            self._columns.setdefault(column, {})[by] = new
            whole = join(self._whole_columns.get(column), new)
            assert whole is not None
            self._whole_columns[column] = whole
        self._stale |= self._readers.get((kind, key if kind != "moves" else key[1]), set())

    def _widened(self, old: Pair, new: Pair) -> Pair:
        """The next numbers that mean something, so that what grows by steps settles soon."""
        low, high = new
        if low < old[0]:
            low = next((m for m in reversed(self._marks) if m <= low), -HUGE)
        if high > old[1]:
            high = next((m for m in self._marks if m >= high), HUGE)
        return low, high

    def _computed(self, kind: str, key: Any) -> Pair | None:
        """Range so far of a number that the whole module decides."""
        self._readers.setdefault((kind, key), set()).add(self.function.name)
        return self.tables[kind].get(key)

    def _stated(self, name: str, pair: Pair) -> Pair:
        fact = self.function.facts.get(name)
        if fact is None:
            return pair
        low, high = max(pair[0], fact[0]), min(pair[1], fact[1])
        return (low, high) if low <= high else fact

    def _note(
        self, node: ast.expr, kind: str, seen: Pair, low: int, high: int, otherwise: int, block: str = ""
    ) -> None:
        if not self.checking or self._quiet:
            return
        known = self.seen.get(id(node))
        if known is None:
            self.seen[id(node)] = Unproved(self.function.name, node, kind, seen, low, high, otherwise, block)
        else:
            known.seen = (min(known.seen[0], seen[0]), max(known.seen[1], seen[1]))

    def _value(self, node: ast.expr, env: Env) -> Any:
        """The numbers of an expression, or the array that it is."""
        raise NotImplementedError

    def _function(self, function: AnalysedFunction) -> None:
        """Go through a function."""
        raise NotImplementedError

    def _pair(self, node: ast.expr, env: Env) -> Pair:
        value = self._value(node, env)
        return value if type(value) is tuple else ANY
