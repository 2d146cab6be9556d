"""Grounding: which facts, moves and derived atoms can ever hold, and the instances of rules that connect them.

Everything that could be true in some state is derived first, as if every negated condition about the state held
(relations that do not depend on the state are exact). Then each rule is instantiated once over these atoms; what does
not depend on the state is folded away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ludoport.gdl.condense import condense, needed_only
from ludoport.gdl.kif import Term, variables
from ludoport.gdl.limits import Clock, TooLarge
from ludoport.gdl.order import components
from ludoport.gdl.program import Literal, SheetProgram, SheetRule, arguments, dependencies, predicate, variables_of
from ludoport.gdl.tables import Bindings, Column, Relation, SortedFrame, TermNumbers, build, match

MOST_ROWS = 6_000_000
"""A join with more rows is not made."""

MERGED = 2048
"""Frames longer than this are searched for equal rows when variables are dropped."""

LINKS = [
    SheetRule(("true", "?x"), (Literal("holds", ("init", "?x")),)),
    SheetRule(("true", "?x"), (Literal("holds", ("next", "?x")),)),
    SheetRule(("does", "?r", "?m"), (Literal("holds", ("role", "?r")), Literal("holds", ("legal", "?r", "?m")))),
]
"""Rules for everything that can hold in a state or be done in it."""


@dataclass(slots=True)
class Instances:
    """The instances of one rule: rows of atom numbers.

    Attributes:
        head: the relation of the head.
        heads: the head's row in its relation, for each instance.
        literals: for each condition on the state: (holds, relation, rows); row -1 is an atom that never holds.
    """

    head: str
    heads: Column
    literals: list[tuple[bool, str, Column]] = field(default_factory=list)


class Grounder:
    """Grounds one program.

    Args:
        program: a checked program.
        clock: time limit.
        hard: split rules as far as possible.
    """

    def __init__(self, program: SheetProgram, clock: Clock, hard: bool = False) -> None:
        self.terms = TermNumbers()
        self._sheet, self._offset = program.sheet, 0
        self.tables: dict[str, Relation] = {}
        self.clock = clock
        # Declarations of facts and moves are not needed and often wrong.
        rules = [rule for rule in program.rules if predicate(rule.head) not in ("base/1", "input/2", "sees/2")]
        rules = needed_only([*rules, *LINKS])
        self.rules = condense(rules, _dynamic(rules), hard)
        self.dynamic = _dynamic(self.rules)
        self._views: dict[tuple[str, tuple[Term, ...]], tuple[int, Bindings]] = {}
        self._sorted: dict[tuple[str, tuple[Term, ...], tuple[str, ...]], tuple[int, SortedFrame]] = {}

    def run(self) -> list[Instances]:
        """Ground everything; returns the instances of all rules whose heads depend on the state."""
        # Dictionaries in the place of sets keep their order, so that the same rules always become the same kernels.
        graph: dict[str, dict[str, None]] = {}
        by_head: dict[str, list[SheetRule]] = {}
        for rule in self.rules:
            by_head.setdefault(predicate(rule.head), []).append(rule)
            graph.setdefault(predicate(rule.head), {})
        for head, used, _ in dependencies(self.rules):
            graph[head][used] = None
        for group in components(graph):
            self._close([rule for key in group for rule in by_head.get(key, ())], set(group))
        return [self._instances(rule) for rule in self.rules if self._wanted(rule)]

    def table(self, key: str) -> Relation:
        """The table of a relation."""
        known = self.tables.get(key)
        if known is None:
            known = self.tables[key] = Relation(int(key.rpartition("/")[2]) if "/" in key else 0)
        return known

    def _wanted(self, rule: SheetRule) -> bool:
        key = predicate(rule.head)
        return key in self.dynamic and key not in ("true/1", "does/2")

    def _close(self, rules: Sequence[SheetRule], group: set[str]) -> None:
        """Derive all that some rules allow; new tuples are joined with the others until there are none."""
        coming: dict[str, list[list[Column]]] = {}

        def derive(rule: SheetRule, start: int | None, frame: Bindings | None) -> None:
            found = self.solve(rule, start, frame, set(variables(rule.head)))
            if found.length:
                columns = [build(self.terms, term, found) for term in arguments(rule.head)]
                key = predicate(rule.head)
                new = self.table(key).add(columns, found.length)
                if new is not None and key in group:
                    coming.setdefault(key, []).append(new)

        for rule in rules:
            derive(rule, None, None)
        uses: dict[str, list[tuple[SheetRule, int]]] = {}
        for rule in rules:
            for number, literal in enumerate(rule.body):
                if literal.kind in ("holds", "domain") and predicate(literal.atom) in group:
                    uses.setdefault(predicate(literal.atom), []).append((rule, number))
        while coming:
            now, coming = coming, {}
            for key, parts in now.items():
                columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
                length = sum(len(part[0]) if part else 1 for part in parts)
                for rule, number in uses.get(key, ()):
                    patterns = arguments(rule.body[number].atom)
                    frame = match(self.terms, patterns, columns, length)
                    if frame.length:
                        derive(rule, number, frame)

    def solve(self, rule: SheetRule, start: int | None, frame: Bindings | None, needed: set[str]) -> Bindings:
        """The bindings under which the conditions of a rule can hold.

        Args:
            rule: the rule.
            start: the condition that ``frame`` already answers.
            frame: bindings to begin with.
            needed: the variables that matter afterwards; others are dropped on the way.
        """
        self._offset = rule.offset
        waiting = [literal for number, literal in enumerate(rule.body) if number != start and self._counts(literal)]
        current = frame if frame is not None else Bindings({}, 1)
        while waiting and current.length:
            literal = self._choose(waiting, current)
            waiting.remove(literal)
            current = self._apply(literal, current)
            later = needed | variables_of(waiting)
            current = current.keep(later, MERGED)
        if waiting:
            return Bindings({name: np.zeros(0, dtype=np.int64) for name in needed}, 0)
        return current.keep(needed).distinct()

    def _counts(self, literal: Literal) -> bool:
        """Negated conditions about the state may hold or not, so they do not restrict anything."""
        return literal.kind != "fails" or predicate(literal.atom) not in self.dynamic

    def _choose(self, waiting: Sequence[Literal], frame: Bindings) -> Literal:
        best: tuple[float, Literal] | None = None
        for literal in waiting:
            names = variables_of([literal])
            unknown = sum(name not in frame.columns for name in names)
            if literal.kind in ("fails", "differ", "equal"):
                cost = 0.0 if unknown == 0 else float("inf")
            else:
                size = self.view(literal.atom).length
                # As if every variable had its share in the number of rows.
                cost = 0.5 if unknown == 0 else float(size) ** (unknown / len(names)) + (unknown == len(names))
            if best is None or cost < best[0]:
                best = (cost, literal)
        assert best is not None
        return best[1]

    def _apply(self, literal: Literal, frame: Bindings) -> Bindings:
        if literal.kind in ("differ", "equal"):
            differ = np.zeros(frame.length, dtype=np.bool_)
            for a, b in literal.pairs:
                differ |= build(self.terms, a, frame) != build(self.terms, b, frame)
            return frame.rows(differ if literal.kind == "differ" else ~differ)
        if literal.kind == "fails":
            columns = [build(self.terms, term, frame) for term in arguments(literal.atom)]
            return frame.rows(self.table(predicate(literal.atom)).find(columns, frame.length) < 0)
        view = self.view(literal.atom)
        shared = tuple(sorted(name for name in view.columns if name in frame.columns))
        ordered = self._sorted_view(literal.atom, shared)
        begin, counts = ordered.bounds(frame, shared)
        self._check(int(counts.sum()))
        if len(shared) == len(view.columns):
            return frame.rows(counts > 0)
        return ordered.join(frame, begin, counts)

    def view(self, atom: Term) -> Bindings:
        """A relation as bindings of the variables of an atom."""
        table, key = self.table(predicate(atom)), (predicate(atom), arguments(atom))
        known = self._views.get(key)
        if known is None or known[0] != table.length:
            known = table.length, match(self.terms, arguments(atom), table.columns, table.length).distinct()
            self._views[key] = known
        return known[1]

    def _sorted_view(self, atom: Term, shared: tuple[str, ...]) -> SortedFrame:
        table, key = self.table(predicate(atom)), (predicate(atom), arguments(atom), shared)
        known = self._sorted.get(key)
        if known is None or known[0] != table.length:
            known = self._sorted[key] = table.length, SortedFrame(self.view(atom), shared)
        return known[1]

    def _check(self, rows: int) -> None:
        if rows > MOST_ROWS:
            place = self._sheet.place(self._offset)
            raise TooLarge(f"{place}: the rule has more than {MOST_ROWS:,} instances")
        self.clock.check()

    def _instances(self, rule: SheetRule) -> Instances:
        asked = [literal for literal in rule.body if literal.atom and literal.kind != "domain"]
        asked = [literal for literal in asked if predicate(literal.atom) in self.dynamic]
        frame = self.solve(rule, None, None, set(variables(rule.head)) | variables_of(asked))
        instances = Instances(predicate(rule.head), self._rows(rule.head, frame))
        for literal in asked:
            rows = self._rows(literal.atom, frame)
            instances.literals.append((literal.kind == "holds", predicate(literal.atom), rows))
        return instances

    def _rows(self, atom: Term, frame: Bindings) -> Column:
        columns = [build(self.terms, term, frame) for term in arguments(atom)]
        return self.table(predicate(atom)).find(columns, frame.length)

    def texts(self, key: str) -> list[tuple[Term, ...]]:
        """The tuples of a relation as terms."""
        table = self.table(key)
        rows: list[NDArray[np.int64]] = table.columns
        return [tuple(self.terms.term(int(number)) for number in row) for row in zip(*rows, strict=True)]


def _dynamic(rules: Sequence[SheetRule]) -> set[str]:
    """The relations that depend on the state or on moves."""
    graph: dict[str, set[str]] = {}
    for head, used, _ in dependencies(rules):
        graph.setdefault(used, set()).add(head)
    found = {"true/1", "does/2"}
    waiting = list(found)
    while waiting:
        for head in graph.get(waiting.pop(), ()):
            if head not in found:
                found.add(head)
                waiting.append(head)
    # Without moves and facts in their rules these would count as static, but a network is made of them.
    return found | {"legal/2", "next/1", "goal/2", "terminal"}
