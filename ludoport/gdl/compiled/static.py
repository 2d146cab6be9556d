"""Relations that no state changes, worked out once as columns of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ludoport.gdl.compiled.flat import Condition, Flat, FlatRule
from ludoport.gdl.limits import Clock, TooLarge
from ludoport.gdl.tables import Bindings, Column, Relation, SortedFrame

MOST_ROWS = 400_000
"""A relation with more tuples, or a join with more rows, is left to be worked out when it is asked for."""


class StaticTables:
    """Evaluates rules bottom-up, group by group.

    Args:
        numbers: a number for each constant.
        clock: time limit.
    """

    def __init__(self, numbers: Mapping[str, int], clock: Clock) -> None:
        self._numbers, self._clock = numbers, clock
        self.tables: dict[Flat, Relation] = {}

    def table(self, flat: Flat) -> Relation:
        """The table of a relation."""
        known = self.tables.get(flat)
        if known is None:
            known = self.tables[flat] = Relation(flat.arity)
        return known

    def close(self, rules: Sequence[FlatRule], group: set[Flat]) -> bool:
        """Derive all tuples of a group of relations; whether they were few enough."""
        try:
            self._close(rules, group)
        except TooLarge:
            for flat in group:
                self.tables.pop(flat, None)
            self._clock.check()
            return False
        return True

    def _close(self, rules: Sequence[FlatRule], group: set[Flat]) -> None:
        coming: dict[Flat, list[list[Column]]] = {}
        self._add_facts([rule for rule in rules if not rule.body], coming)
        rules = [rule for rule in rules if rule.body]
        for rule in rules:
            self._derive(rule, None, None, coming)
        while coming:
            now, coming = coming, {}
            for rule in rules:
                for number, condition in enumerate(rule.body):
                    atom = condition.atom
                    if condition.kind == "holds" and atom is not None and atom.flat in group and atom.flat in now:
                        parts = now[atom.flat]
                        columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
                        length = sum(len(part[0]) if part else 1 for part in parts)
                        self._derive(rule, number, self._bind(atom.args, columns, length), coming)

    def _add_facts(self, facts: Iterable[FlatRule], coming: dict[Flat, list[list[Column]]]) -> None:
        rows: dict[Flat, list[list[int]]] = {}
        for fact in facts:
            rows.setdefault(fact.head.flat, []).append([self._numbers[term] for term in fact.head.args])
        for flat, found in rows.items():
            columns = [np.array(column, dtype=np.int64) for column in zip(*found, strict=True)]
            new = self.table(flat).add(columns, len(found))
            if new is not None:
                coming.setdefault(flat, []).append(new)

    def _derive(
        self, rule: FlatRule, start: int | None, frame: Bindings | None, coming: dict[Flat, list[list[Column]]]
    ) -> None:
        if frame is not None and not frame.length:
            return
        found = self._solve(rule, start, frame)
        if found is None or not found.length:
            return
        columns = [self._value(term, found) for term in rule.head.args]
        table = self.table(rule.head.flat)
        new = table.add(columns, found.length)
        if table.length > MOST_ROWS:
            raise TooLarge("a relation has too many tuples")
        if new is not None:
            coming.setdefault(rule.head.flat, []).append(new)

    def _solve(self, rule: FlatRule, start: int | None, frame: Bindings | None) -> Bindings | None:
        waiting = [condition for number, condition in enumerate(rule.body) if number != start]
        needed = {term for term in rule.head.args if term.startswith("?")}
        current = frame if frame is not None else Bindings({}, 1)
        while waiting and current.length:
            condition = min(waiting, key=lambda x: self._cost(x, current))
            waiting.remove(condition)
            current = self._apply(condition, current)
            later = needed.union(*(x.names for x in waiting))
            current = current.keep(later, 2048)
        return None if waiting else current.keep(needed).distinct()

    def _cost(self, condition: Condition, frame: Bindings) -> float:
        unknown = sum(name not in frame.columns for name in condition.names)
        if condition.kind != "holds":
            return 0.0 if unknown == 0 else float("inf")
        assert condition.atom is not None
        size = float(self.table(condition.atom.flat).length)
        return 0.5 if unknown == 0 else size ** (unknown / len(condition.names)) + (unknown == len(condition.names))

    def _apply(self, condition: Condition, frame: Bindings) -> Bindings:
        self._clock.check()
        if condition.atom is None:
            differ = np.zeros(frame.length, dtype=np.bool_)
            for a, b in condition.pairs:
                differ |= self._value(a, frame) != self._value(b, frame)
            return frame.rows(differ if condition.kind == "differ" else ~differ)
        table = self.table(condition.atom.flat)
        if condition.kind == "fails" or all(name in frame.columns for name in condition.names):
            columns = [self._value(term, frame) for term in condition.atom.args]
            there = table.find(columns, frame.length) >= 0
            return frame.rows(there if condition.kind == "holds" else ~there)
        view = self._bind(condition.atom.args, table.columns, table.length)
        shared = sorted(name for name in view.columns if name in frame.columns)
        ordered = SortedFrame(view, shared)
        begin, counts = ordered.bounds(frame, shared)
        if int(counts.sum()) > 4 * MOST_ROWS:
            raise TooLarge("a join has too many rows")
        return ordered.join(frame, begin, counts)

    def _value(self, term: str, frame: Bindings) -> Column:
        if term.startswith("?"):
            return frame.columns[term]
        return np.full(frame.length, self._numbers[term], dtype=np.int64)

    def _bind(self, args: Sequence[str], columns: Sequence[Column], length: int) -> Bindings:
        """The bindings under which arguments equal the rows of a table."""
        bound: dict[str, Column] = {}
        good = np.ones(length, dtype=np.bool_)
        for term, column in zip(args, columns, strict=True):
            if not term.startswith("?"):
                good &= column == self._numbers[term]
            elif term in bound:
                good &= column == bound[term]
            else:
                bound[term] = column
        frame = Bindings(bound, length)
        return frame if good.all() else frame.rows(good)
