"""Building the text of kernels: functions, constants and tables of one generated module."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ludoport.budget import spend
from ludoport.errors import LudoportError
from ludoport.kernels.table_text import LONG, UNPACKING, table_text
from ludoport.kernels.tidy import tidied

Case = TypeVar("Case")

_READ = re.compile(r"^(\s*\w+) = ((?:state|work|moves?|[A-Z][A-Z0-9_]*)\[[^\[\]:]*\])$")
"""A variable that is read from an array; reads become wide integers, so that functions exist for one type only."""


_FACTOR_ONE = re.compile(r" \* 1(?![\w.])|(?<=[\[(+=] )1 \* |(?<=[\[(])1 \* ")
_PLUS_ZERO = re.compile(r" \+ 0(?![\w.]| (?:\*|//|%))| << 0(?![\w.]| [-+*/%])|(?<=[\[(])0 \+ ")

_INDEX = re.compile(r"\[\(([^()]*)\)\]")
_BRACKETED = re.compile(r"^(\s*(?:if|elif|while)) \((.*)\):$")
_PAIR = re.compile(r"\([^()]*\)")

_ASSIGNED = re.compile(r"^\s*(?:([a-z]\w*) [^=<>!(\[]?=|for ([a-z]\w*) in)")
_WORD = re.compile(r"\b[a-z]\w*\b")
_CALLED = re.compile(r"\b([a-z]\w*)\(")
_DEFINED = re.compile(r"^def (\w+)", re.MULTILINE)

_NUMBERED = re.compile(r"[a-z_]+_\d+|accept|apply")
_OF_RULE = re.compile(r"(?:try_)?do_\d")

MOST_ENTRIES = 12_000_000
"""Most numbers in one table."""

_UNPLAIN = re.compile(r"[^ -~]")
"""All but printable ASCII. Line ends are more than newlines for some readers of source (form feed, U+0085, U+2028)."""


def quoted(text: str) -> str:
    r"""Text from a game or a file name, as a Python literal of one line in ASCII.

    This and ``remark`` are the only ways for such text to get into generated source: games come from strangers, and
    source is run.

    Example:
        >>> print(quoted("it's\nme"))
        "it's\nme"
    """
    return ascii(text)


def remark(text: str) -> str:
    r"""Text from a game or a file name, as a comment of one line in ASCII.

    Example:
        >>> print(remark("a\nb"))
        # a\nb
    """
    return "# " + _UNPLAIN.sub(lambda found: ascii(found[0])[1:-1], text)


SHORT = 32
"""Most lines of a function that goes into more than one caller."""

NO_ROOM = "  # no room"
LIST_FULL = f"{NO_ROOM} for moves"
"""Ends of lines that are left out where everything, or every list of moves, is known to have room."""


def wide(text: object) -> str:
    """An argument that may be read from an array, as a wide integer."""
    shown = str(text)
    return f"wide({shown})" if "[" in shown else shown


@dataclass
class Function:
    """One kernel while it is being written."""

    name: str
    params: list[str]
    comment: str = ""
    lines: list[str] = field(default_factory=list)
    depth: int = 1
    inlined: bool = False
    values: dict[str, str] = field(default_factory=dict)
    """Names of values that later code of the function may use again."""
    facts: dict[str, tuple[int, int]] = field(default_factory=dict)
    """What variables hold where this follows from more than their own arithmetic (see ``ranges.py``)."""
    _counter: int = 0

    def line(self, text: str) -> None:
        """Add one line at the current indentation."""
        spend()
        self.lines.append("    " * self.depth + text)

    def remark(self, text: str) -> None:
        """Add a comment, which may hold text of a game."""
        self.line(remark(text))

    @contextmanager
    def block(self, header: str) -> Iterator[None]:
        """Write a header such as ``if x:`` and indent what follows."""
        self.line(header)
        self.depth += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.line("pass")
        self.depth -= 1

    @contextmanager
    def when(self, test: str | bool) -> Iterator[None]:
        """Write ``if test:`` and indent what follows; a test that always holds is not written."""
        if test is True:
            yield
        else:
            with self.block(f"if {test}:"):
                yield

    def cases(self, tests: Iterable[tuple[str, Case]]) -> Iterator[Case]:
        """Write ``if test:``, ``elif test:`` and so on; each value is given while its branch is written."""
        for number, (test, value) in enumerate(tests):
            with self.block(f"{'elif' if number else 'if'} {test}:"):
                yield value

    def when_full(self, test: str) -> None:
        """Note in scratch space that a list had no room for everything, where a test says so."""
        with self.block(f"if {test}:{LIST_FULL}"):
            self.line(f"work[FULL] = MARK{LIST_FULL}")

    def fresh(self, stem: str) -> str:
        """A local name that is not used yet in this function."""
        self._counter += 1
        return f"{stem}{self._counter}"

    def begin_names_after(self, other: Function) -> None:
        """Make all local names differ from those that another function has so far."""
        self._counter = other._counter

    def uses(self, name: str) -> bool:
        """Whether a name occurs in the body."""
        pattern = re.compile(rf"\b{name}\b")
        return any(pattern.search(line) for line in self.lines)

    def assigned(self) -> set[str]:
        """The names that the body gives a value to."""
        return {name for line in self.lines for found in _ASSIGNED.findall(line) for name in found if name}

    def unknown(self) -> set[str]:
        """The names in the body that it does not give a value to."""
        return {name for line in self.lines for name in _WORD.findall(line)} - self.assigned()

    def text(self) -> str:
        """The source of the function."""
        head = [remark(self.comment)] if self.comment else []
        body = [_READ.sub(r"\1 = wide(\2)", _neutral(line)) for line in self.lines] or ["    pass"]
        decorator = "@inlined" if self.inlined else "@kernel"
        return "\n".join([*head, decorator, f"def {self.name}({', '.join(self.params)}):", *body])


def _callers(name: str) -> int:
    """Most callers that a short function goes into: what is done for every piece or every move goes into several."""
    return 3 if name == "apply" else 2 if name.startswith("piece_") else 1


def _neutral(line: str) -> str:
    """A line without factors of 1, summands of 0 and needless brackets; comments may hold text of a game and stay."""
    code, mark, comment = line.partition("#")
    code = _INDEX.sub(r"[\1]", _PLUS_ZERO.sub("", _FACTOR_ONE.sub("", code)))
    while (found := _BRACKETED.match(code)) and _balanced(found[2]):
        code = f"{found[1]} {found[2]}:"
    return code + mark + comment


def _balanced(code: str) -> bool:
    """Whether every bracket has its partner."""
    while _PAIR.search(code):
        code = _PAIR.sub("", code)
    return "(" not in code and ")" not in code


def _renamed(line: str, names: re.Pattern[str], new: Mapping[str, str]) -> str:
    """A line with calls of other functions."""
    return names.sub(lambda found: f"{new[found[1]]}(", line)


class Module:
    """The text of a generated module: constants, tables, then functions in the order they were finished."""

    def __init__(self) -> None:
        self.constants: dict[str, int] = {}
        self.tables: dict[str, NDArray[np.signedinteger[Any]]] = {}
        self.functions: list[Function | str] = []
        self._table_names: dict[tuple[str, str, bytes], str] = {}
        self._counter = 0

    def number(self) -> int:
        """A number that was not given out before, for names."""
        self._counter += 1
        return self._counter

    def constant(self, name: str, value: int) -> str:
        """Define a module constant."""
        if self.constants.get(name, value) != value:
            raise AssertionError(f"constant {name} has two values")
        self.constants[name] = value
        return name

    def claim(self, entries: int) -> None:
        """Make sure that a table of a size may be made, before it is.

        Raises:
            LudoportError: it would be too large.
        """
        if entries > MOST_ENTRIES:
            raise LudoportError(
                f"a table of {entries:,} numbers is too large (at most {MOST_ENTRIES:,}); "
                "make the board or the numbers in the rules smaller"
            )

    def table(self, stem: str, values: object) -> str:
        """Define a table of integers, of 16 bits where they fit; equal tables share one name."""
        spend()
        wide = np.asarray(values, dtype=np.int64).reshape(-1)
        small = wide.size == 0 or bool(wide.min() >= -(2**15) and wide.max() < 2**15)
        array: NDArray[np.signedinteger[Any]] = wide.astype(np.int16 if small else np.int32)
        self.claim(array.size)
        if array.size == 0:
            array = np.zeros(1, dtype=np.int16)
        content = (stem, array.dtype.str, array.tobytes())
        found = self._table_names.get(content)
        if found is not None:
            return found
        name = self._table_names[content] = f"{stem}_{self.number()}"
        self.tables[name] = array
        return name

    def merge_equal(self) -> None:
        """Merge functions with the same text, except those named after rules."""
        while True:
            first: dict[object, str] = {}
            same: dict[str, str] = {}
            for f in self.functions:
                if isinstance(f, Function) and _NUMBERED.fullmatch(f.name) and not _OF_RULE.match(f.name):
                    text = (tuple(f.params), tuple(f.lines), tuple(f.facts.items()))
                    if first.setdefault(text, f.name) != f.name:
                        same[f.name] = first[text]
            if not same:
                return
            self.functions = [f for f in self.functions if isinstance(f, str) or f.name not in same]
            names = re.compile(rf"\b({'|'.join(same)})\(")
            for f in self.functions:
                if isinstance(f, Function):
                    f.lines = [_renamed(line, names, same) for line in f.lines]

    def tidy(self) -> None:
        """Drop what has no effect from every function."""
        for f in self.functions:
            if isinstance(f, Function):
                f.lines = tidied(f.lines)

    def drop_unused(self, roots: Iterable[str]) -> None:
        """Drop the functions that none of the given ones needs."""
        texts = [f if isinstance(f, str) else "\n".join(f.lines) for f in self.functions]
        names = [_DEFINED.findall(f) if isinstance(f, str) else [f.name] for f in self.functions]
        owner = {name: i for i, each in enumerate(names) for name in each}
        used: set[int] = set()
        queue = [owner[name] for name in roots]
        while queue:
            i = queue.pop()
            if i not in used:
                used.add(i)
                queue += [owner[name] for name in _CALLED.findall(texts[i]) if name in owner]
        self.functions = [f for i, f in enumerate(self.functions) if i in used]

    def calls_itself(self, name: str) -> bool:
        """Whether a function needs itself: machine code cannot do that."""
        texts = {f.name: "\n".join(f.lines) for f in self.functions if isinstance(f, Function)}
        reached: set[str] = set()
        queue = _CALLED.findall(texts[name])
        while queue:
            called = queue.pop()
            if called in texts and called not in reached:
                reached.add(called)
                queue += _CALLED.findall(texts[called])
        return name in reached

    def _choose_inlined(self) -> None:
        """Functions with one caller go into it, and so do those of every step of a playout; short ones into a few."""
        everything = "\n".join(f if isinstance(f, str) else "\n".join(f.lines) for f in self.functions)
        calls: dict[str, int] = {}
        for name in _CALLED.findall(everything):
            calls[name] = calls.get(name, 0) + 1
        for function in self.functions:
            if isinstance(function, Function):
                few = calls.get(function.name, 0) <= (_callers(function.name) if len(function.lines) <= SHORT else 1)
                function.inlined = few or function.name in ("sample", "play")

    def texts(self) -> list[str]:
        """The source of every function."""
        self._choose_inlined()
        return [function if isinstance(function, str) else function.text() for function in self.functions]

    def text(self, title: str, texts: list[str]) -> str:
        """The whole module as Python source, with the given texts of its functions."""
        parts = [
            quoted(title),
            *[UNPACKING] * any(len(t) > LONG for t in self.tables.values()),
            "import numpy as np",
            "",
        ]
        parts += [f"{name} = {value}" for name, value in self.constants.items()]
        parts.append("")
        parts += [f"{name} = {table_text(array)}" for name, array in self.tables.items()]
        parts.append("")
        for each in texts:
            parts += ["", each, ""]
        text = "\n".join(parts) + "\n"
        assert text.isascii(), "text of a game got into its source other than as a literal or a comment"
        return text
