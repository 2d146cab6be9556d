"""Relations as columns of numbers, and the few operations on them that grounding needs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ludoport.gdl.kif import Term, variables
from ludoport.gdl.limits import TooLarge

MOST_DEPTH = 200
"""Rules whose terms grow deeper have no network."""

Column = NDArray[np.int64]
_MIX = np.uint64(0x9E3779B97F4A7C15)


def pack(columns: Sequence[Column], length: int) -> Column:
    """One number per row, the same for equal rows only.

    Up to three columns are packed exactly; rows of more are hashed to 64 bits, where equal numbers for different rows
    do not happen in practice.
    """
    if not columns:
        return np.zeros(length, dtype=np.int64)
    if len(columns) == 1:
        return columns[0].astype(np.int64, copy=False)
    if len(columns) == 2:
        return (columns[0] << 31) | columns[1]
    if len(columns) == 3:
        return (columns[0] << 42) | (columns[1] << 21) | columns[2]
    mixed = columns[0].astype(np.uint64)
    for column in columns[1:]:
        mixed = (mixed ^ (mixed >> np.uint64(29))) * _MIX + column.astype(np.uint64)
    mixed ^= mixed >> np.uint64(32)
    return (mixed * _MIX).view(np.int64)


class KeyIndex:
    """A set of packed keys with a number for each; keys can be looked up all at once."""

    def __init__(self) -> None:
        self.keys: Column = np.zeros(0, dtype=np.int64)
        self.numbers: Column = np.zeros(0, dtype=np.int64)

    def find(self, keys: Column) -> Column:
        """The numbers of some keys; -1 for unknown ones."""
        if not len(self.keys):
            return np.full(len(keys), -1, dtype=np.int64)
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[places] == keys, self.numbers[places], -1)

    def add(self, keys: Column, numbers: Column) -> None:
        """Add unknown keys, given in ascending order."""
        places = np.searchsorted(self.keys, keys)
        self.keys = np.insert(self.keys, places, keys)
        self.numbers = np.insert(self.numbers, places, numbers)


class TermNumbers:
    """Ground terms as numbers: constants, and compound terms with their arguments."""

    def __init__(self) -> None:
        self.functor: Column = np.full(1024, -1, dtype=np.int64)
        self.depth: Column = np.zeros(1024, dtype=np.int64)
        self.args: list[Column] = []
        self.count = 0
        self._constants: dict[str, int] = {}
        self._names: dict[int, str] = {}
        self._functors: dict[tuple[str, int], int] = {}
        self._shapes: list[tuple[str, int]] = []
        self._indexes: list[KeyIndex] = []

    def constant(self, name: str) -> int:
        """The number of a constant."""
        known = self._constants.get(name)
        if known is None:
            known = self._constants[name] = self._grow(1)
            self._names[known] = name
        return known

    def functor_number(self, name: str, arity: int) -> int:
        """The number of a function symbol."""
        known = self._functors.get((name, arity))
        if known is None:
            known = self._functors[(name, arity)] = len(self._shapes)
            self._shapes.append((name, arity))
            self._indexes.append(KeyIndex())
        return known

    def make(self, functor: int, columns: Sequence[Column], length: int) -> Column:
        """The numbers of compound terms, given their arguments column by column."""
        keys, first, inverse = np.unique(pack(columns, length), return_index=True, return_inverse=True)
        index = self._indexes[functor]
        numbers = index.find(keys)
        fresh = np.flatnonzero(numbers < 0)
        if len(fresh):
            base = self._grow(len(fresh))
            numbers[fresh] = np.arange(base, base + len(fresh))
            self.functor[base : base + len(fresh)] = functor
            depths = [self.depth[column[first[fresh]]] for column in columns]
            deepest = 1 + np.max(depths, axis=0) if depths else np.ones(len(fresh), dtype=np.int64)
            if int(np.max(deepest)) > MOST_DEPTH:
                raise TooLarge(f"terms nest deeper than {MOST_DEPTH}")
            self.depth[base : base + len(fresh)] = deepest
            for place, column in enumerate(columns):
                self._column(place)[base : base + len(fresh)] = column[first[fresh]]
            index.add(keys[fresh], numbers[fresh])
        found: Column = numbers[inverse.reshape(-1)]
        return found

    def number(self, term: Term) -> int:
        """The number of a ground term."""
        if isinstance(term, str):
            return self.constant(term)
        head = term[0] if isinstance(term[0], str) else ""
        columns = [np.array([self.number(item)], dtype=np.int64) for item in term[1:]]
        return int(self.make(self.functor_number(head, len(term) - 1), columns, 1)[0])

    def term(self, number: int) -> Term:
        """The ground term with a number."""
        name = self._names.get(number)
        if name is not None:
            return name
        head, arity = self._shapes[int(self.functor[number])]
        return (head, *(self.term(int(self.args[place][number])) for place in range(arity)))

    def _grow(self, more: int) -> int:
        base = self.count
        self.count += more
        while self.count > len(self.functor):
            room = len(self.functor)
            self.functor = np.concatenate([self.functor, np.full(room, -1, dtype=np.int64)])
            self.depth = np.concatenate([self.depth, np.zeros(room, dtype=np.int64)])
            self.args = [np.concatenate([column, np.zeros(room, dtype=np.int64)]) for column in self.args]
        return base

    def _column(self, place: int) -> Column:
        while place >= len(self.args):
            self.args.append(np.zeros(len(self.functor), dtype=np.int64))
        return self.args[place]


class Relation:
    """The tuples of one relation, in the order in which they were found."""

    def __init__(self, arity: int) -> None:
        self._stored: list[Column] = [np.zeros(16, dtype=np.int64) for _ in range(arity)]
        self._room = 16
        self.length = 0
        self._index = KeyIndex()

    @property
    def columns(self) -> list[Column]:
        """The tuples, column by column."""
        return [column[: self.length] for column in self._stored]

    def add(self, columns: Sequence[Column], length: int) -> list[Column] | None:
        """Add tuples; returns those that are new, None if there are none."""
        keys, first = np.unique(pack(columns, length), return_index=True)
        fresh = np.flatnonzero(self._index.find(keys) < 0)
        if not len(fresh):
            return None
        rows = first[fresh]
        new = [column[rows] for column in columns]
        end = self.length + len(rows)
        self._index.add(keys[fresh], np.arange(self.length, end, dtype=np.int64))
        if end > self._room:
            # Doubling keeps the cost of many small additions small.
            self._room = max(end, 2 * self._room)
            self._stored = [np.concatenate([c, np.zeros(self._room - len(c), dtype=np.int64)]) for c in self._stored]
        for column, added in zip(self._stored, new, strict=True):
            column[self.length : end] = added
        self.length = end
        return new

    def find(self, columns: Sequence[Column], length: int) -> Column:
        """The row number of each tuple; -1 where it is not in the relation."""
        return self._index.find(pack(columns, length))


class Bindings:
    """Bindings of variables: one column each, all of the same length."""

    def __init__(self, columns: dict[str, Column], length: int) -> None:
        self.columns, self.length = columns, length

    def rows(self, chosen: NDArray[np.intp] | NDArray[np.bool_]) -> Bindings:
        """Some of the rows."""
        columns = {name: column[chosen] for name, column in self.columns.items()}
        length = int(np.count_nonzero(chosen)) if chosen.dtype == np.bool_ else len(chosen)
        return Bindings(columns, length)

    def keep(self, names: set[str], least: int = 0) -> Bindings:
        """Only some variables; rows that became equal are merged from this number on."""
        if all(name in names for name in self.columns):
            return self
        columns = {name: column for name, column in self.columns.items() if name in names}
        smaller = Bindings(columns, self.length)
        if self.length <= least:
            return smaller
        return smaller.distinct()

    def distinct(self) -> Bindings:
        """Equal rows only once."""
        _, first = np.unique(pack(list(self.columns.values()), self.length), return_index=True)
        return self if len(first) == self.length else self.rows(first)


class SortedFrame:
    """A frame sorted by some of its variables, ready to be joined."""

    def __init__(self, frame: Bindings, shared: Sequence[str]) -> None:
        keys = pack([frame.columns[name] for name in shared], frame.length)
        order = np.argsort(keys, kind="stable")
        self.keys, self.order, self.frame = keys[order], order, frame

    def bounds(self, left: Bindings, shared: Sequence[str]) -> tuple[Column, Column]:
        """First partner of each row of another frame, and number of partners."""
        keys = pack([left.columns[name] for name in shared], left.length)
        begin = np.searchsorted(self.keys, keys, side="left")
        return begin, np.searchsorted(self.keys, keys, side="right") - begin

    def join(self, left: Bindings, begin: Column, counts: Column) -> Bindings:
        """All pairs of partners."""
        total = int(counts.sum())
        rows = np.repeat(np.arange(left.length), counts)
        within = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
        partners = self.order[np.repeat(begin, counts) + within]
        columns = {name: column[rows] for name, column in left.columns.items()}
        for name, column in self.frame.columns.items():
            if name not in columns:
                columns[name] = column[partners]
        return Bindings(columns, total)


def match(terms: TermNumbers, patterns: Sequence[Term], columns: Sequence[Column], length: int) -> Bindings:
    """The bindings under which patterns equal the rows of a table."""
    bound: dict[str, Column] = {}
    good: NDArray[np.bool_] | None = None
    waiting: list[tuple[Term, Column]] = list(zip(patterns, columns, strict=True))[::-1]
    while waiting:
        pattern, column = waiting.pop()
        if isinstance(pattern, str) and pattern.startswith("?") and pattern not in bound:
            bound[pattern] = column
            continue
        if isinstance(pattern, str):
            test = column == (bound[pattern] if pattern.startswith("?") else terms.constant(pattern))
        else:
            assert isinstance(pattern[0], str)
            test = terms.functor[column] == terms.functor_number(pattern[0], len(pattern) - 1)
            if not test.any():
                # Nothing of this shape exists, so its arguments cannot be looked at.
                left = [pattern, *(other for other, _ in waiting)]
                names = [*bound, *(name for other in left for name in variables(other))]
                return Bindings(dict.fromkeys(names, column[:0]), 0)
            waiting += [(item, terms.args[place][column]) for place, item in enumerate(pattern[1:])][::-1]
        good = test if good is None else good & test
    frame = Bindings(bound, length)
    return frame if good is None or good.all() else frame.rows(good)


def build(terms: TermNumbers, pattern: Term, frame: Bindings) -> Column:
    """The terms that a pattern becomes in each row of a frame."""
    if isinstance(pattern, str):
        if pattern.startswith("?"):
            return frame.columns[pattern]
        return np.full(frame.length, terms.constant(pattern), dtype=np.int64)
    assert isinstance(pattern[0], str)
    columns = [build(terms, item, frame) for item in pattern[1:]]
    return terms.make(terms.functor_number(pattern[0], len(pattern) - 1), columns, frame.length)
