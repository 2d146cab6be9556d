"""State rows taken apart, for games whose rules name every field that they touch.

Single integers of the row then live in registers, and sites in bytes where they fit: a multiprocessor works on more
games at once, and each of them waits less. Games that copy rows or compute where a field lies keep their rows whole.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport.kernels.build import plain_functions
from ludoport.kernels.cuda_inline import ROOTS, reachable

_NAMED = re.compile(r"\bstate\[([A-Z][A-Z0-9_]*)(\]| \+ )")
_OF_SITES = ("EMPTY", "SLOT", "OWN", "ROOT")
"""Fields whose entries are sites, or places in lists of sites; they are never negative."""


@dataclass(frozen=True)
class Field:
    """A field of the row.

    Attributes:
        name: its name in the source.
        begin: where it begins in the row.
        size: how many integers it has.
        single: whether it is one integer, kept in a register.
        bits: how wide its entries are stored.
        signed: whether they may be negative.
        word: where it begins among the words that a thread keeps.
    """

    name: str
    begin: int
    size: int
    single: bool
    bits: int = 16
    signed: bool = True
    word: int = 0

    @property
    def words(self) -> int:
        """Size in words of 32 bits."""
        return 0 if self.single else -(-self.size * self.bits // 32)


@dataclass(frozen=True)
class Split:
    """A row that was taken apart.

    Attributes:
        source: the generated source, with fields as attributes of the state.
        fields: the fields in the order of the row.
        initial: the words of the initial position that are not in registers.
    """

    source: str
    fields: tuple[Field, ...]
    initial: NDArray[np.int16]

    @property
    def words(self) -> int:
        """Words of 32 bits that a thread keeps beside its registers."""
        return sum(field.words for field in self.fields)


class _Bounded(list[int]):
    """The entries of a field, without the negative indices of Python."""

    def __getitem__(self, index: Any) -> Any:
        if index < 0:
            raise IndexError(f"index {index} of a field")
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        if index < 0:
            raise IndexError(f"index {index} of a field")
        super().__setitem__(index, value)


class SimulatedSplit:
    """A state that was taken apart, in plain Python."""

    def __init__(self, fields: tuple[Field, ...]) -> None:
        self._fields = fields

    def begin(self, row: Any) -> None:
        """Write the initial position."""
        for field in self._fields:
            entries = _Bounded(map(int, row[field.begin : field.begin + field.size]))
            setattr(self, field.name, entries[0] if field.single else entries)


@cache
def split(source: str) -> Split | None:
    """Take the rows of a game apart.

    Args:
        source: the generated source.

    Returns:
        The parts; None for a game that does not name every field it touches.
    """
    names = plain_functions(source)
    functions = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    used = reachable(functions, [name for name in ROOTS if name != "start"])
    texts = [ast.unparse(functions[name]) for name in used]
    if any("state" in text and not _names_all(text) for text in texts) or any(map(_slices, texts)):
        return None
    found: dict[str, bool] = {}
    for text in texts:
        for name, end in _NAMED.findall(text):
            found[name] = found.get(name, True) and end == "]"
    fields = _place(found, names)
    lines = source
    for field in fields:
        lines = lines.replace(f"state[{field.name}]", f"state.{field.name}" + ("" if field.single else "[0]"))
        lines = lines.replace(f"state[{field.name} + ", f"state.{field.name}[")
    return Split(lines, fields, _initial(fields, names))


def _names_all(text: str) -> bool:
    return len(re.findall(r"\bstate\[", text)) == len(_NAMED.findall(text))


def _slices(text: str) -> bool:
    return any(isinstance(node, ast.Slice) for node in ast.walk(ast.parse(text)))


def _place(found: dict[str, bool], names: dict[str, object]) -> tuple[Field, ...]:
    begins = sorted((_number(names, name), name) for name in found)
    ends = [begin for begin, _ in begins[1:]] + [_number(names, "STATE_SIZE")]
    placed: list[Field] = []
    word = 0
    for (begin, name), end in zip(begins, ends, strict=True):
        field = Field(name, begin, end - begin, found[name], _bits(name, names), name not in _OF_SITES, word)
        word += field.words
        placed.append(field)
    return tuple(placed)


def _bits(name: str, names: dict[str, object]) -> int:
    """Number of bits of an entry; 16 for a field without a known range."""
    tables = {key: value for key, value in names.items() if isinstance(value, np.ndarray)}
    if name in _OF_SITES:
        return 8 if _number(names, "N_SITES") <= 256 else 16
    if name == "WHAT":
        return 8 if max(table.size for key, table in tables.items() if key.startswith("OWNER_")) <= 127 else 16
    if name == "TOUCH":
        bits = [int(table.max()) for key, table in tables.items() if key.startswith("TOUCHES_")]
        return 8 if bits and max(bits) <= 63 else 16
    return 16


def _initial(fields: tuple[Field, ...], names: dict[str, object]) -> NDArray[np.int16]:
    row = names["INITIAL"]
    assert isinstance(row, np.ndarray)
    parts = [np.zeros(0, dtype=np.int16)]
    for field in fields:
        if not field.single:
            values = row[field.begin : field.begin + field.size].astype(np.uint8 if field.bits == 8 else np.uint16)
            padded = np.zeros(field.words * 32 // field.bits, dtype=values.dtype)
            padded[: field.size] = values
            parts.append(padded.view(np.int16))
    return np.concatenate(parts)


def _number(names: dict[str, object], name: str) -> int:
    value = names[name]
    assert isinstance(value, int)
    return value
