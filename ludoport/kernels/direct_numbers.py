"""Numbers, conditions and arrays of a kernel as text of LLVM. Every number has 64 bits."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

_ARITHMETIC: dict[type, str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.LShift: "shl",
    ast.RShift: "ashr",
}
_COMPARED: dict[type, str] = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "slt",
    ast.LtE: "sle",
    ast.Gt: "sgt",
    ast.GtE: "sge",
}


class NotDirectError(Exception):
    """A kernel uses something that is not written here."""


@dataclass(frozen=True, slots=True)
class Cells:
    """What an array holds: the width of its numbers in bits, and whether they may be negative."""

    bits: int
    signed: bool = True

    @classmethod
    def of(cls, dtype: Any) -> Cells:
        """The cells of a numpy array."""
        kind = np.dtype(dtype)
        if kind.kind not in "iu" or (kind.kind == "u" and kind.itemsize == 8):
            raise NotDirectError(f"an array of {kind}")
        return cls(8 * kind.itemsize, kind.kind == "i")


@dataclass(frozen=True, slots=True)
class Callee:
    """Another kernel: its name in LLVM and what its parameters are (None for a number)."""

    name: str
    params: tuple[Cells | None, ...]


@dataclass(slots=True)
class _Place:
    """Address of a variable's value, or of the start of an array."""

    pointer: str
    cells: Cells | None


@dataclass
class NumberWriter:
    """Lines of one kernel while it is written: what numbers, conditions and arrays mean.

    Attributes:
        globals: what names mean outside of the kernel.
        call: finds a kernel that is called, by its object and the kinds of its arguments.
        loops: number of loops that were written.
    """

    globals: dict[str, Any]
    call: Callable[[Any, tuple[Cells | None, ...]], Callee]
    lines: list[str] = field(default_factory=list)
    slots: list[str] = field(default_factory=list)
    tables: dict[str, NDArray[Any]] = field(default_factory=dict)
    declared: dict[str, Callee] = field(default_factory=dict)
    loops: int = 0
    _places: dict[str, _Place] = field(default_factory=dict)
    _loops: list[tuple[str, str]] = field(default_factory=list)
    _local: set[str] = field(default_factory=set)
    _counter: int = 0
    _open: bool = True

    # Lines, names and labels.

    def _new(self, text: str) -> str:
        """A value that an instruction gives."""
        self._counter += 1
        name = f"%v{self._counter}"
        self.lines.append(f"  {name} = {text}")
        return name

    def _label(self) -> str:
        self._counter += 1
        return f"l{self._counter}"

    def _begin(self, label: str) -> None:
        """Begin a block; the one before ends by going there."""
        if self._open:
            self.lines.append(f"  br label %{label}")
        self.lines.append(f"{label}:")
        self._open = True

    def _go(self, label: str) -> None:
        if self._open:
            self.lines.append(f"  br label %{label}")
        self._open = False

    def _fork(self, test: str, yes: str, no: str) -> None:
        self.lines.append(f"  br i1 {test}, label %{yes}, label %{no}")
        self._open = False

    def _slot(self, kind: str) -> str:
        self._counter += 1
        name = f"%s{self._counter}"
        self.slots.append(f"  {name} = alloca {kind}")
        return name

    def _place(self, name: str, cells: Cells | None) -> _Place:
        """The place of a variable, which holds either numbers or arrays of one kind."""
        place = self._places.get(name)
        if place is None:
            place = self._places[name] = _Place(self._slot("i64" if cells is None else "ptr"), cells)
        if place.cells != cells:
            raise NotDirectError(f"{name} holds different things")
        return place

    def _store(self, place: _Place, value: str) -> None:
        kind = "i64" if place.cells is None else "ptr"
        self.lines.append(f"  store {kind} {value}, ptr {place.pointer}")

    # Conditions.

    def branch(self, node: ast.expr, yes: str, no: str) -> None:
        """Go to one label where a condition holds, otherwise to the other."""
        match node:
            case ast.BoolOp(op=op, values=values):
                for value in values[:-1]:
                    other = self._label()
                    self.branch(value, *((other, no) if isinstance(op, ast.And) else (yes, other)))
                    self._begin(other)
                self.branch(values[-1], yes, no)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self.branch(operand, no, yes)
            case ast.Compare(ops=[_, _, *_]):
                self._fork(self._new(f"icmp ne i64 {self.value(node)}, 0"), yes, no)
            case ast.Compare():
                self._fork(self._compared(node), yes, no)
            case _:
                self._fork(self._new(f"icmp ne i64 {self.value(node)}, 0"), yes, no)

    def _compared(self, node: ast.Compare) -> str:
        """A comparison of two numbers."""
        word = _COMPARED.get(type(node.ops[0]))
        if word is None:
            raise NotDirectError(type(node.ops[0]).__name__)
        left = self.value(node.left)
        return self._new(f"icmp {word} i64 {left}, {self.value(node.comparators[0])}")

    def _chain(self, node: ast.Compare) -> str:
        """A comparison of more than two numbers, the last of which are only asked for if the first agree."""
        held, after = self._slot("i64"), self._label()
        left = self.value(node.left)
        for op, right in zip(node.ops, node.comparators, strict=True):
            word = _COMPARED.get(type(op))
            if word is None:
                raise NotDirectError(type(op).__name__)
            value = self.value(right)
            test = self._new(f"icmp {word} i64 {left}, {value}")
            number = self._new(f"zext i1 {test} to i64")
            self.lines.append(f"  store i64 {number}, ptr {held}")
            following = self._label()
            self._fork(test, following, after)
            self._begin(following)
            left = value
        self._begin(after)
        return self._new(f"load i64, ptr {held}")

    # Numbers.

    def value(self, node: ast.expr) -> str:
        """Write what a number is; returns its name, or the number itself."""
        match node:
            case ast.Constant(value=bool() | int() as number):
                return _literal(number)
            case ast.Name(id=name):
                return self._name(name)
            case ast.Subscript():
                return self._get(*self._cell(node))
            case ast.BinOp(left=left, op=op, right=right):
                first = self.value(left)
                return self._arithmetic(op, first, self.value(right))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                positive = self.value(operand)
                return self._new(f"sub i64 0, {positive}") if positive.startswith("%") else _literal(-int(positive))
            case ast.UnaryOp(op=ast.Invert(), operand=operand) if not _is_test(operand):
                return self._new(f"xor i64 {self.value(operand)}, -1")
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                test = self._new(f"icmp eq i64 {self.value(operand)}, 0")
                return self._new(f"zext i1 {test} to i64")
            case ast.Compare(ops=[_]):
                return self._new(f"zext i1 {self._compared(node)} to i64")
            case ast.Compare():
                return self._chain(node)
            case ast.BoolOp():
                return self._either(node)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._choice(test, body, orelse)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                return self._called(name, args)
            case _:
                raise NotDirectError(ast.unparse(node))

    def _name(self, name: str) -> str:
        place = self._places.get(name)
        if place is not None:
            if place.cells is not None:
                raise NotDirectError(f"the array {name} as a number")
            return self._new(f"load i64, ptr {place.pointer}")
        known = None if name in self._local else self.globals.get(name)
        if isinstance(known, bool | int):
            return _literal(known)
        raise NotDirectError(f"the name {name}")

    def _either(self, node: ast.BoolOp) -> str:
        """``a and b`` or ``a or b`` as a number, which is the one that decided."""
        held, after = self._slot("i64"), self._label()
        for number, each in enumerate(node.values):
            value = self.value(each)
            self.lines.append(f"  store i64 {value}, ptr {held}")
            if number < len(node.values) - 1:
                following = self._label()
                test = self._new(f"icmp ne i64 {value}, 0")
                self._fork(test, *((following, after) if isinstance(node.op, ast.And) else (after, following)))
                self._begin(following)
        self._begin(after)
        return self._new(f"load i64, ptr {held}")

    def _choice(self, test: ast.expr, body: ast.expr, orelse: ast.expr) -> str:
        held = self._slot("i64")
        yes, no, after = self._label(), self._label(), self._label()
        self.branch(test, yes, no)
        for label, each in ((yes, body), (no, orelse)):
            self._begin(label)
            self.lines.append(f"  store i64 {self.value(each)}, ptr {held}")
            self._go(after)
        self._begin(after)
        return self._new(f"load i64, ptr {held}")

    def _arithmetic(self, op: ast.operator, left: str, right: str) -> str:
        word = _ARITHMETIC.get(type(op))
        if word is not None:
            return self._new(f"{word} i64 {left}, {right}")
        if isinstance(op, ast.FloorDiv | ast.Mod):
            return self._divided(isinstance(op, ast.Mod), left, right)
        raise NotDirectError(type(op).__name__)

    def _divided(self, rest: bool, left: str, right: str) -> str:
        """Division that rounds down, as in Python; dividing by 0 gives 0, as in numba."""
        known = not right.startswith("%") and right not in ("0", "-1")
        divisor = right
        if not known:
            # The processor refuses 0, and -1 for the smallest number.
            minus = self._new(f"icmp eq i64 {right}, -1")
            zero = self._new(f"icmp eq i64 {right}, 0")
            special = self._new(f"or i1 {minus}, {zero}")
            divisor = self._new(f"select i1 {special}, i64 1, i64 {right}")
        left_over = self._new(f"srem i64 {left}, {divisor}")
        differ = self._new(f"xor i64 {left_over}, {divisor}")
        below = self._new(f"icmp slt i64 {differ}, 0")
        some = self._new(f"icmp ne i64 {left_over}, 0")
        down = self._new(f"and i1 {below}, {some}")
        if rest:
            more = self._new(f"select i1 {down}, i64 {divisor}, i64 0")
            return self._new(f"add i64 {left_over}, {more}")
        whole = self._new(f"sdiv i64 {left}, {divisor}")
        less = self._new(f"sext i1 {down} to i64")
        result = self._new(f"add i64 {whole}, {less}")
        if not known:
            negative = self._new(f"sub i64 0, {left}")
            result = self._new(f"select i1 {minus}, i64 {negative}, i64 {result}")
            result = self._new(f"select i1 {zero}, i64 0, i64 {result}")
        return result

    def _called(self, name: str, args: list[ast.expr]) -> str:
        known = self.globals.get(name)
        if name in self._places:
            raise NotDirectError(f"a call of the variable {name}")
        if (name == "wide" or (known is None and name == "int")) and len(args) == 1:
            return self.value(args[0])
        if known is None and name in ("min", "max") and len(args) >= 2:
            best = self.value(args[0])
            for each in args[1:]:
                value = self.value(each)
                test = self._new(f"icmp {'slt' if name == 'min' else 'sgt'} i64 {value}, {best}")
                best = self._new(f"select i1 {test}, i64 {value}, i64 {best}")
            return best
        if known is None and name == "abs" and len(args) == 1:
            value = self.value(args[0])
            test = self._new(f"icmp slt i64 {value}, 0")
            negative = self._new(f"sub i64 0, {value}")
            return self._new(f"select i1 {test}, i64 {negative}, i64 {value}")
        if known is None:
            raise NotDirectError(f"a call of {name}")
        kinds: list[Cells | None] = []
        values: list[str] = []
        for each in args:
            found = self._array(each)
            kinds.append(None if found is None else found[1])
            values.append(f"i64 {self.value(each)}" if found is None else f"ptr {found[0]}")
        callee = self.call(known, tuple(kinds))
        self.declared[callee.name] = callee
        return self._new(f'call i64 @"{callee.name}"({", ".join(values)})')

    # Arrays.

    def _array(self, node: ast.expr) -> tuple[str, Cells] | None:
        """Where an array begins and what it holds; None if an expression is not one."""
        match node:
            case ast.Name(id=name):
                place = self._places.get(name)
                if place is not None:
                    if place.cells is None:
                        return None
                    return self._new(f"load ptr, ptr {place.pointer}"), place.cells
                known = self.globals.get(name)
                if isinstance(known, np.ndarray):
                    return self._table(known)
            case ast.Subscript(value=inner, slice=ast.Slice(lower=lower, step=None)):
                found = self._array(inner)
                if found is None:
                    raise NotDirectError("a part of something that is no array")
                if lower is None:
                    return found
                begin = self.value(lower)
                bits = found[1].bits
                return self._new(f"getelementptr inbounds i{bits}, ptr {found[0]}, i64 {begin}"), found[1]
        return None

    def _table(self, array: NDArray[Any]) -> tuple[str, Cells]:
        if array.ndim != 1 or not array.flags.c_contiguous:
            raise NotDirectError("a table with more than one axis")
        cells = Cells.of(array.dtype)
        for name, known in self.tables.items():
            if known is array:
                return f'@"{name}"', cells
        name = table_name(array)
        self.tables[name] = array
        return f'@"{name}"', cells

    def _cell(self, node: ast.Subscript) -> tuple[str, Cells]:
        """Address of an element of an array."""
        if isinstance(node.slice, ast.Slice | ast.Tuple):
            raise NotDirectError("a part of an array as a number")
        found = self._array(node.value)
        if found is None:
            raise NotDirectError(f"{ast.unparse(node.value)} as an array")
        index = self.value(node.slice)
        return self._new(f"getelementptr inbounds i{found[1].bits}, ptr {found[0]}, i64 {index}"), found[1]

    def _get(self, pointer: str, cells: Cells) -> str:
        value = self._new(f"load i{cells.bits}, ptr {pointer}")
        if cells.bits == 64:
            return value
        return self._new(f"{'sext' if cells.signed else 'zext'} i{cells.bits} {value} to i64")

    def _put(self, pointer: str, cells: Cells, value: str) -> None:
        if cells.bits < 64:
            value = self._new(f"trunc i64 {value} to i{cells.bits}")
        self.lines.append(f"  store i{cells.bits} {value}, ptr {pointer}")


def _is_test(node: ast.expr) -> bool:
    """Whether an expression is true or false and not a number; numba inverts these in another way."""
    return isinstance(node, ast.Compare | ast.BoolOp) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    )


def _literal(number: int) -> str:
    if not -(2**63) <= number < 2**63:
        raise NotDirectError(f"the number {number}")
    return str(int(number))


_TABLES: dict[int, tuple[NDArray[Any], str]] = {}
"""Names of tables by identity; the array is held, so that its identity stays its own."""


def table_name(array: NDArray[Any]) -> str:
    """The name of a table in LLVM, which says what it holds."""
    known = _TABLES.get(id(array))
    if known is None or known[0] is not array:
        digest = hashlib.sha256(f"{array.dtype} ".encode() + array.tobytes()).hexdigest()[:32]
        known = _TABLES[id(array)] = (array, f"ludoport.table.{digest}")
    return known[1]


def table_text(name: str, array: NDArray[Any]) -> str:
    """The definition of a table, which modules that are linked share."""
    data = array.tobytes()
    content = f'c"\\{data.hex(chr(92))}"'
    return f'@"{name}" = linkonce_odr unnamed_addr constant [{len(data)} x i8] {content}, align 16'
