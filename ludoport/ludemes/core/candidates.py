"""What the candidates for a random move are, as tables instead of code for each kind of piece.

The code of a candidate is a tree of questions about who stands where. It is run for every candidate of every kind on
every site, on rows that show nothing but the owner of what stands on a site. Where it asks whether some sites are
empty, and then who stands on the destination, a line of a table says all of it. Other candidates are left to the code.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludoport.budget import spend
from ludoport.kernels.found import found
from ludoport.kernels.source import Function

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

MOST_CANDIDATES = 24_000
"""Longer tables would drive others out of the processor's caches."""

LEAST_GROUPS = 4
"""With fewer groups of kinds, a processor foresees well enough which code is next."""

MOST_LEFT = 0.1
"""The share of candidates that may be left to code; where there are more, tables would mostly be read for nothing."""

_CALLED = re.compile(r"\b([a-z]\w*)\(")
_COLUMNS = ("RULE", "FROM", "TO", "BY", "TAG")


class _Unknown(Exception):  # noqa: N818  (no mistake, but a way that does not lead on)
    """A candidate depends on more than who stands where."""


class _Piece:
    """What stands on a site: only its owner can be asked, and whether it is there."""

    def __init__(self, owner: int) -> None:
        self.owner = owner

    def __eq__(self, other: object) -> bool:
        if type(other) is not int or other != 0:
            raise _Unknown
        return self.owner == 0

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]


class _Row:
    """A row that shows who owns what stands on a board site, and remembers which sites were looked at."""

    def __init__(self, pieces: Sequence[_Piece | int], sites: int) -> None:
        self.pieces, self.sites = pieces, sites
        self.origin = self.mover = 0
        self.owners: Mapping[int, int] = {}
        self.seen: list[int] = []

    def __getitem__(self, site: object) -> _Piece | int:
        if type(site) is not int or not 0 <= site < self.sites:
            raise _Unknown
        if site == self.origin:
            return self.pieces[self.mover]
        if site not in self.seen:
            self.seen.append(site)
        return self.pieces[self.owners.get(site, 0)]


class _Table:
    """A table of the game; the owner of a piece is looked up in the same way."""

    def __init__(self, numbers: list[int]) -> None:
        self.numbers = numbers

    def __getitem__(self, index: object) -> int:
        if type(index) is _Piece:
            return index.owner
        if type(index) is not int or not 0 <= index < len(self.numbers):
            raise _Unknown
        return self.numbers[index]


@dataclass(frozen=True)
class CandidateLine:
    """One candidate: where it ends, what must be empty, and its rule by who stands there (nothing, mover, others)."""

    to: int
    passed: tuple[int, ...]
    rules: tuple[int, ...]


@dataclass
class CandidateTables:
    """Names of the tables, and what moves hold beside rule, origin and destination.

    Attributes:
        first: by piece and site, how many candidates there are, and the first line.
        lines: four numbers for each candidate: destination, its part of ``passed``, and its part of ``rules``.
        passed: sites that must be empty.
        rules: the number of a rule by mover and by what stands on the destination; 0 for no move.
        length: the numbers in ``lines``.
        left: numbers of the groups with candidates that no line describes.
        more: other columns of moves.
    """

    first: str
    lines: str
    passed: str
    rules: str
    length: int
    left: set[int]
    more: dict[str, int | None]


@dataclass
class _Reader:
    """Runs the code of candidates."""

    program: Program
    names: dict[str, Any]
    row: _Row
    more: dict[str, int | None] = field(default_factory=dict)

    def outcome(self, name: str, number: int, owners: Mapping[int, int]) -> tuple[list[int], dict[str, Any] | None]:
        """The sites that the code of a candidate looks at, and the move that it writes."""
        self.row.owners, self.row.seen = owners, []
        move: dict[str, Any] = {}
        given = {"state": self.row, "move": move, "c": number, "mover": self.row.mover, "frm": self.row.origin}
        function = self.names[name]
        code = function.__code__
        values = [given.get(each) for each in code.co_varnames[: code.co_argcount]]
        written = function(*values)
        if written is not True and written is not False:
            raise _Unknown
        return self.row.seen, move if written else None

    def line(self, name: str, number: int) -> CandidateLine:
        """One candidate as a line of the table."""
        players, mover = self.program.n_players, self.row.mover
        seen, first = self.outcome(name, number, {})
        outcomes = {0: first}
        for step, site in enumerate(seen, 1):
            for owner in range(1, players + 1):
                before, move = self.outcome(name, number, {site: owner})
                if before != seen[:step] or (step < len(seen) and move is not None):
                    raise _Unknown
                if step == len(seen):
                    outcomes[owner] = move
        if not seen:
            outcomes = dict.fromkeys(range(players + 1), first)
        places = {self._destination(move) for move in outcomes.values() if move is not None}
        if not places:
            return CandidateLine(0, (), (0,) * (players + 1))
        to = places.pop()
        if places or (seen and seen[-1] != to) or not 0 <= to < self.program.n_board:
            raise _Unknown
        by_owner = {owner: move["RULE"] if move is not None else 0 for owner, move in outcomes.items()}
        others = [by_owner[(mover - 1 + k) % players + 1] for k in range(players)]
        return CandidateLine(to, tuple(seen[:-1]), (by_owner[0], *others))

    def _destination(self, move: dict[str, Any]) -> int:
        if set(move) - set(_COLUMNS) or move["FROM"] != self.row.origin or type(move["TO"]) is not int:
            raise _Unknown
        more: dict[str, int | None] = {}
        if "BY" in move:
            if move["BY"] != self.row.mover:
                raise _Unknown
            more["BY"] = None
        if "TAG" in move:
            more["TAG"] = move["TAG"]
        if any(type(value) is not int for value in move.values()):
            raise _Unknown
        if any(self.more.get(column, value) != value for column, value in more.items()):
            raise _Unknown
        self.more |= more
        return int(move["TO"])


def candidate_tables(
    program: Program, names: Sequence[str], groups: Sequence[Sequence[int]], widths: NDArray[np.signedinteger[Any]]
) -> CandidateTables | None:
    """Tables of the candidates of pieces; None where code is as fast.

    Args:
        program: the game.
        names: the function of each group of kinds.
        groups: these kinds.
        widths: how many candidates each kind (row) has on each site (column).
    """
    owners = [c.owner for c in program.components]
    if len(groups) < LEAST_GROUPS or int(widths.sum()) > MOST_CANDIDATES:
        return None
    if not all(1 <= owner <= program.n_players for owner in owners[1:]):
        return None
    text, known = _code(program, names)
    tables = {name: hashlib.sha256(known[name].tobytes()).hexdigest() for name in sorted(known) if name in text}
    numbers = {k: v for k, v in program.module.constants.items() if re.search(rf"\b{k}\b", text)}
    recipe = (_own_text(), text, tables, numbers, list(names), list(map(list, groups)), owners, widths.tolist())

    def find() -> list[Any] | None:
        return _numbers(program, _reader(program, text, known, numbers), names, groups, widths)

    answer = found(repr(recipe), "candidates", find)
    if answer is None:
        return None
    first, lines, passed, rules, left, more = answer
    table = program.module.table
    return CandidateTables(
        table("FIRST", first),
        table("CANDIDATES", lines),
        table("PASSED", passed),
        table("RULES", rules),
        len(lines),
        set(left),
        more,
    )


@cache
def _own_text() -> str:
    """Changes whenever what is found may."""
    return hashlib.sha256(Path(__file__).read_bytes()).hexdigest()


def _code(program: Program, names: Sequence[str]) -> tuple[str, dict[str, NDArray[np.signedinteger[Any]]]]:
    """The text of functions with all that they call, and the tables of the game."""
    written = {f.name: f for f in program.module.functions if isinstance(f, Function)}
    queue, texts = list(names), dict[str, str]()
    while queue:
        name = queue.pop()
        if name in written and name not in texts:
            texts[name] = written[name].text()
            queue += _CALLED.findall(texts[name])
    return "\n\n".join(texts.values()), program.module.tables


def _numbers(
    program: Program,
    reader: _Reader,
    names: Sequence[str],
    groups: Sequence[Sequence[int]],
    widths: NDArray[np.signedinteger[Any]],
) -> list[Any] | None:
    """What is in the tables, as far as the code of candidates can be told by lines."""
    first = np.zeros(widths.shape, dtype=np.int64)
    lines: list[CandidateLine | None] = []
    known: dict[tuple[CandidateLine | None, ...], int] = {}
    left: list[int] = []
    for number, (name, kinds) in enumerate(zip(names, groups, strict=True)):
        for kind in kinds:
            for site in range(program.n_board):
                reader.row.origin, reader.row.mover = site, program.components[kind].owner
                each = tuple(_line(reader, name, c) for c in range(widths[kind, site]))
                left += [number] * each.count(None)
                if each not in known:
                    known[each] = len(lines)
                    lines += each
                first[kind, site] = known[each]
    if len(left) > MOST_LEFT * widths.sum():
        return None
    by_place = np.stack([widths, first], axis=-1).reshape(-1).tolist()
    return [by_place, *_packed(program, lines), sorted(set(left)), reader.more]


def _line(reader: _Reader, name: str, number: int) -> CandidateLine | None:
    spend()
    try:
        return reader.line(name, number)
    except (_Unknown, NameError, LookupError, TypeError, ValueError, ArithmeticError):
        return None


def _reader(
    program: Program, text: str, tables: Mapping[str, NDArray[np.signedinteger[Any]]], numbers: Mapping[str, int]
) -> _Reader:
    """Runs functions of the game as plain Python on rows that hide most."""
    hidden = {*program.state.fields, *program.moves.offsets}
    known: dict[str, Any] = {k: v for k, v in numbers.items() if k not in hidden}
    known |= {name: name for name in _COLUMNS}
    known |= {name: _Table(table.tolist()) for name, table in tables.items() if name in text}
    known |= {"WHAT": 0, "kernel": _same, "inlined": _same, "wide": _same, "on_board": lambda site: site >= 0}
    exec(compile(text, "<candidates>", "exec"), known)  # our own generated text
    pieces: list[_Piece | int] = [_Piece(owner) for owner in range(program.n_players + 1)]
    if program.same_owner:
        pieces = list(range(program.n_players + 1))
    return _Reader(program, known, _Row(pieces, program.n_board))


def _same(value: Any) -> Any:
    return value


def _packed(program: Program, lines: Sequence[CandidateLine | None]) -> tuple[list[int], list[int], list[int]]:
    """Lines as numbers, the sites that they pass, and their rules."""
    players, owners = program.n_players, [c.owner for c in program.components[1:]]
    ways: dict[tuple[int, ...], int] = {}
    passed: list[int] = []
    rules: list[int] = []
    shapes: dict[tuple[int, ...], int] = {}
    numbers: list[int] = []
    for each in sorted((line.passed for line in lines if line is not None), key=len, reverse=True):
        if each not in ways:
            for length in range(len(each) + 1):
                ways.setdefault(each[:length], len(passed))
            passed += each
    for line in lines:
        if line is None:
            numbers += [0, 0, 0, -1]
            continue
        if line.rules not in shapes:
            shapes[line.rules] = len(rules)
            for mover in range(players):
                rules += [line.rules[0], *(line.rules[1 + (owner - 1 - mover) % players] for owner in owners)]
        begin = ways[line.passed]
        numbers += [line.to, begin, begin + len(line.passed), shapes[line.rules]]
    return numbers, passed, rules
