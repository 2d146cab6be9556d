"""The arrays of kernels, what is found out about their indices, and the functions that are looked at."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from ludoport.kernels.ranges.pairs import Pair


@dataclass(frozen=True)
class CellBlock:
    """A run of cells of an array that hold one kind of number."""

    name: str
    offset: int
    size: int
    array: str
    fixed: Pair | None = None
    """What the cells hold where primitives keep it so; otherwise it is computed from what is written."""
    outside: int = 0
    """What reading beside the block gives."""
    counter: bool = False
    """Whether one more cell follows, which only a constant index names."""
    zero: bool = True
    """Whether the cells are 0 before anything is written; the start of a game sets the others."""

    @property
    def last(self) -> int:
        """The last cell."""
        return self.offset + self.size - 1


@dataclass
class Shapes:
    """The arrays of a module: fields of state rows, columns of moves, blocks of scratch space, tables."""

    constants: Mapping[str, int]
    tables: Mapping[str, NDArray[Any]]
    fields: dict[str, CellBlock] = field(default_factory=dict)
    scratch: dict[str, CellBlock] = field(default_factory=dict)
    columns: Mapping[str, int] = field(default_factory=dict)
    move_size: int = 1
    rows: int = 1
    """Moves that a list of moves has room for."""
    state_size: int = 0
    core_size: int = 0
    sites: int = 0
    players: int = 0
    pieces: int = 0
    once: Mapping[str, str] = field(default_factory=dict)
    """Blocks that list sites, each with the block whose marks keep a site from being listed twice."""


@dataclass
class Unproved:
    """One place in the text that could not be proved, or an ``on_board`` to be written out."""

    function: str
    node: ast.expr
    kind: str
    """``read``, ``write``, ``slice`` or ``on_board``."""
    seen: Pair
    low: int = 0
    high: int = 0
    otherwise: int = 0
    block: str = ""


@dataclass
class EntryTest:
    """A parameter that a function must test before it begins, because a caller may pass something else."""

    function: str
    parameter: str
    low: int
    high: int
    seen: Pair


@dataclass
class AnalysedFunction:
    """One function of the module being analysed."""

    name: str
    node: ast.FunctionDef
    params: list[str]
    facts: Mapping[str, Pair]
    needs: Mapping[str, Pair]
    """What parameters must be; a caller that may pass something else makes the function test it."""


class Array:
    """An array as the analysis sees it: a state row, a move, a list of moves, scratch space, a table, or unknown."""

    __slots__ = ("kind", "name", "rule", "size")

    def __init__(self, kind: str, name: str = "", size: int = 0, rule: Pair | None = None) -> None:
        self.kind, self.name, self.size, self.rule = kind, name, size, rule


KINDS = {"state": "state", "position": "state", "move": "move", "moves": "moves", "work": "work"}
"""What the parameters of kernels are by their names."""
