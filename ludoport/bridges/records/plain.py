"""Records as plain text, for every game: a head of names and values, then the moves."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields

from ludoport.bridges.records.record import Record
from ludoport.errors import LudoportError
from ludoport.moves import split_moves

HEAD = "# Ludoport game record"
WIDTH = 100


def write(record: Record) -> str:
    """The text of a record.

    >>> print(write(Record("Tic-Tac-Toe", moves=("B2", "A1"), facts={"Event": "Test"})))
    # Ludoport game record
    game: Tic-Tac-Toe
    result: *
    Event: Test
    <BLANKLINE>
    B2 A1
    <BLANKLINE>
    """
    lines = [HEAD, f"game: {record.game}", *(f"option: {option}" for option in record.options)]
    lines += [f"start: {record.start}"] if record.start else []
    lines += [f"result: {record.result}", *(f"{name}: {value}" for name, value in record.facts.items()), ""]
    between = ", " if any(re.search(r"[\s(]", move) for move in record.moves) else " "
    row = ""
    for move in record.moves:
        if len(row) + len(move) > WIDTH:
            lines.append(row.rstrip())
            row = ""
        row += move + between
    return "\n".join([*lines, row.rstrip(), ""])


def read(text: str) -> list[Record]:
    """All records of a text."""
    return [_read(part) for part in text.split(HEAD)[1:]]


@dataclass
class _Head:
    game: str = ""
    start: str = ""
    result: str = "*"


_NAMES = frozenset(each.name for each in fields(_Head))


def _read(text: str) -> Record:
    head, _, body = text.strip().partition("\n\n")
    found, options, facts = _Head(), list[str](), dict[str, str]()
    for line in head.splitlines():
        name, colon, value = (part.strip() for part in line.partition(":"))
        if not colon:
            raise LudoportError(f"a line of a game record is `name: value`, not `{line}`")
        if name == "option":
            options.append(value)
        elif name in _NAMES:
            setattr(found, name, value)
        else:
            facts[name] = value
    if not found.game:
        raise LudoportError("a game record has no line `game: ...`")
    # A line that ends with a comma continues in the next one.
    moves = split_moves(" ".join(body.split()))
    return Record(found.game, tuple(options), tuple(moves), found.result, found.start, facts)
