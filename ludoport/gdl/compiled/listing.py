"""The program of the abstract machine that evaluates rules: instructions, data and scratch space.

An instruction is an operation followed by its operands. A place is the number of a tuple of constants in a table that
has room for all tuples; it is written as a constant and one term for each register. An operand that is a register is
its number, a constant ``c`` is ``-1 - c``.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from math import prod

Domain = tuple[int, ...]
"""The constants that an argument can have, ascending."""

MOST_PLACES = 1 << 31
"""More tuples than this have no numbers."""

Value = int
"""A register, or ``-1 - c`` for the constant ``c``."""


class Op(IntEnum):
    """The operations; ``machine.py`` says what they do."""

    JUMP = 0
    BITS = 1
    HELD = 2
    DIFFER = 3
    EQUAL = 4
    OPEN_FIXED = 5
    NEXT_FIXED = 6
    OPEN_STORED = 7
    NEXT_STORED = 8
    SET = 9
    NEXT_DONE = 10
    CALL = 11
    BRANCH = 12
    NEXT_LIST = 13
    NEW_LIST = 14
    APPEND = 15
    MEMO = 16
    RETURN = 17
    PUT = 18
    MOVE = 19
    GOAL = 20
    ADD = 21
    CLEAR = 22
    NEXT_TUPLE = 23
    NEXT_NUMBER = 24
    HALT = 25
    FILLED = 26


class Label:
    """A place in the program that is not known yet."""

    __slots__ = ("at",)

    def __init__(self) -> None:
        self.at = -1


class Listing:
    """Collects the program of one game."""

    def __init__(self) -> None:
        self.code: list[int | Label] = []
        self.data: list[int] = []
        # The first numbers of the scratch space take what is written when there is no room.
        self.work_size = 64
        self._tables: dict[Domain, int] = {}
        self._lists: dict[Domain, int] = {}

    def emit(self, op: Op, *operands: int | Label | Sequence[int]) -> None:
        """Write an instruction."""
        self.code.append(int(op))
        for operand in operands:
            if isinstance(operand, Sequence):
                self.code.extend(operand)
            else:
                self.code.append(operand)

    def here(self, label: Label) -> None:
        """Set a label to the next instruction."""
        label.at = len(self.code)

    def store(self, values: Sequence[int]) -> int:
        """Write data; returns where."""
        self.data.extend(values)
        return len(self.data) - len(values)

    def room(self, size: int) -> int:
        """Reserve scratch space; returns where."""
        self.work_size += max(1, size)
        return self.work_size - max(1, size)

    def finished(self) -> list[int]:
        """The program with all labels in their places."""
        return [part.at if isinstance(part, Label) else part for part in self.code]

    def place(self, domains: Sequence[Domain], values: Sequence[Value], first: int = 0) -> list[int] | None:
        """The operands for a place; None if a constant lies outside of its domain.

        Where there are too many tuples to number them, the place only says whether all values are in their domains.
        """
        vast = room_for(domains) >= MOST_PLACES
        stride, terms = 1, list[int]()
        for domain, value in reversed(list(zip(domains, values, strict=True))):
            if value < 0:
                if -1 - value not in domain:
                    return None
                first += domain.index(-1 - value) * stride
            else:
                terms += [value, domain[0], len(domain), stride, -1 if is_range(domain) else self._table(domain)]
            stride = 0 if vast else stride * len(domain)
        return [len(terms) // 5, first, *terms]

    def part(self, domains: Sequence[Domain], position: int) -> list[int]:
        """Numbers that read a constant from the place of its tuple: stride, size, first constant, or a list of them."""
        domain = domains[position]
        stride = prod(len(other) for other in domains[position + 1 :])
        return [stride, len(domain), domain[0], -1 if is_range(domain) else self._list(domain)]

    def _table(self, domain: Domain) -> int:
        """Address of the places of a domain's constants, from the first constant to the last."""
        known = self._tables.get(domain)
        if known is None:
            places = {value: place for place, value in enumerate(domain)}
            values = [places.get(value, -1) for value in range(domain[0], domain[-1] + 1)]
            known = self._tables[domain] = self.store([len(values), *values])
        return known

    def _list(self, domain: Domain) -> int:
        known = self._lists.get(domain)
        if known is None:
            known = self._lists[domain] = self.store(domain)
        return known


def is_range(domain: Domain) -> bool:
    """Whether the numbers of a domain follow each other."""
    return domain[-1] - domain[0] + 1 == len(domain)


def room_for(domains: Sequence[Domain]) -> int:
    """Number of tuples."""
    return prod(len(domain) for domain in domains)
