"""Building the text of kernels: functions, constants and tables of one generated module."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

_READ = re.compile(r"^(\s*\w+) = ((?:state|work|moves?|[A-Z][A-Z0-9_]*)\[[^\[\]:]*\])$")
"""A variable that is read from an array; reads become wide integers, so that functions exist for one type only."""


_CALLED = re.compile(r"\b([a-z]\w*)\(")


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
    _counter: int = 0

    def line(self, text: str) -> None:
        """Add one line at the current indentation."""
        self.lines.append("    " * self.depth + text)

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

    def fresh(self, stem: str) -> str:
        """A local name that is not used yet in this function."""
        self._counter += 1
        return f"{stem}{self._counter}"

    def uses(self, name: str) -> bool:
        """Whether a name occurs in the body."""
        pattern = re.compile(rf"\b{name}\b")
        return any(pattern.search(line) for line in self.lines)

    def text(self) -> str:
        """The source of the function."""
        head = [f"# {self.comment}"] if self.comment else []
        body = [_READ.sub(r"\1 = wide(\2)", line) for line in self.lines] or ["    pass"]
        decorator = "@inlined" if self.inlined else "@kernel"
        return "\n".join([*head, decorator, f"def {self.name}({', '.join(self.params)}):", *body])


class Module:
    """The text of a generated module: constants, tables, then functions in the order they were finished."""

    def __init__(self) -> None:
        self.constants: dict[str, int] = {}
        self.tables: dict[str, NDArray[np.int16]] = {}
        self.functions: list[Function | str] = []
        self._table_names: dict[tuple[str, bytes], str] = {}
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

    def table(self, stem: str, values: object) -> str:
        """Define a table of small integers; equal tables share one name."""
        array = np.ascontiguousarray(np.asarray(values, dtype=np.int16).reshape(-1))
        if array.size == 0:
            array = np.zeros(1, dtype=np.int16)
        found = self._table_names.get((stem, array.tobytes()))
        if found is not None:
            return found
        name = f"{stem}_{self.number()}"
        self._table_names[(stem, array.tobytes())] = name
        self.tables[name] = array
        return name

    def _choose_inlined(self) -> None:
        """Functions with one caller go into it, and so do those of every step of a playout."""
        everything = "\n".join(f if isinstance(f, str) else "\n".join(f.lines) for f in self.functions)
        calls: dict[str, int] = {}
        for name in _CALLED.findall(everything):
            calls[name] = calls.get(name, 0) + 1
        for function in self.functions:
            if isinstance(function, Function):
                once = calls.get(function.name, 0) <= 1
                function.inlined = once or function.name in ("sample", "play")

    def text(self, title: str) -> str:
        """The whole module as Python source."""
        parts = [f'"""{title}"""', "import numpy as np", ""]
        parts += [f"{name} = {value}" for name, value in self.constants.items()]
        parts.append("")
        for name, array in self.tables.items():
            parts.append(f"{name} = np.array({_digits(array)}, dtype=np.int16)")
        parts.append("")
        self._choose_inlined()
        for function in self.functions:
            parts += ["", function if isinstance(function, str) else function.text(), ""]
        return "\n".join(parts) + "\n"


def _digits(array: NDArray[np.int16]) -> str:
    text = ",".join(map(str, array.tolist()))
    # Long lines are folded so that a person can scroll through the file.
    pieces = [text[i : i + 4000] for i in range(0, len(text), 4000)]
    if len(pieces) == 1:
        return f"[{text}]"
    return "[" + "\n".join(_fold(text)) + "]"


def _fold(text: str, width: int = 160) -> Iterator[str]:
    items = text.split(",")
    line: list[str] = []
    length = 0
    for item in items:
        line.append(item)
        length += len(item) + 1
        if length > width:
            yield ",".join(line) + ","
            line, length = [], 0
    yield ",".join(line)
