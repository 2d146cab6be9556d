"""Writes one kernel as text of LLVM, straight from its Python text.

Kernels are a small language: whole numbers of 64 bits, arrays of whole numbers with one axis, loops, branches and calls
of other kernels. Everything is one type, so there is nothing to find out about types. A kernel that uses more raises
``NotDirectError`` and is left to numba.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager

from ludoport.kernels.direct_numbers import Cells, NotDirectError, NumberWriter

HUGE = 20_000
"""Kernels with more lines of LLVM are not optimised: it would take minutes, because the time grows faster than they."""


class Writer(NumberWriter):
    """Statements: the whole of a kernel."""

    def function(
        self, node: ast.FunctionDef, name: str, kinds: tuple[Cells | None, ...], inlined: bool, quickly: bool = False
    ) -> str:
        """The definition of the kernel; LLVM does not optimise it where loading must be quick."""
        arguments = node.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs or arguments.defaults:
            raise NotDirectError("parameters that are not plain")
        self._local = {
            each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        }
        params = []
        for number, (argument, cells) in enumerate(zip(arguments.args, kinds, strict=True)):
            params.append(f"i64 %p{number}" if cells is None else f"ptr noalias %p{number}")
            self._store(self._place(argument.arg, cells), f"%p{number}")
        self._body(node.body)
        if self._open:
            self.lines.append("  ret i64 0")
        mark = "optnone noinline" if quickly or len(self.lines) > HUGE else "alwaysinline" if inlined else ""
        return "\n".join(
            [
                f'define linkonce_odr i64 @"{name}"({", ".join(params)}) {mark} nounwind {{',
                "entry:",
                *self.slots,
                *self.lines,
                "}",
            ]
        )

    # Statements.

    def _body(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            if not self._open:
                return
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found = self._array(value)
                if found is None:
                    number = self.value(value)
                    self._store(self._place(name, None), number)
                else:
                    self._store(self._place(name, found[1]), found[0])
            case ast.Assign(targets=[ast.Subscript() as target], value=value):
                number = self.value(value)
                pointer, cells = self._cell(target)
                self._put(pointer, cells, number)
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                place = self._places.get(name)
                if place is None or place.cells is not None:
                    raise NotDirectError(f"{name} is changed before it has a value")
                before = self._new(f"load i64, ptr {place.pointer}")
                self._store(place, self._arithmetic(op, before, self.value(value)))
            case ast.AugAssign(target=ast.Subscript() as target, op=op, value=value):
                pointer, cells = self._cell(target)
                before = self._get(pointer, cells)
                self._put(pointer, cells, self._arithmetic(op, before, self.value(value)))
            case ast.If():
                self._if(node)
            case ast.While(orelse=[]):
                self._while(node)
            case ast.For(target=ast.Name(), orelse=[]):
                self._for(node)
            case ast.Return(value=value):
                number = "0" if value is None else self.value(value)
                self.lines.append(f"  ret i64 {number}")
                self._open = False
            case ast.Break():
                self._go(self._loops[-1][1])
            case ast.Continue():
                self._go(self._loops[-1][0])
            case ast.Pass() | ast.Expr(value=ast.Constant(value=str())):
                pass
            case ast.Expr(value=value):
                self.value(value)
            case _:
                raise NotDirectError(type(node).__name__)

    def _if(self, node: ast.If) -> None:
        yes, no, after = self._label(), self._label(), self._label()
        self.branch(node.test, yes, no)
        self._begin(yes)
        self._body(node.body)
        reached = self._open
        self._go(after)
        self._begin(no)
        self._body(node.orelse)
        reached = reached or self._open
        self._go(after)
        if reached:
            self._begin(after)

    @contextmanager
    def _loop(self, again: str, after: str) -> Iterator[None]:
        self.loops += 1
        self._loops.append((again, after))
        yield
        self._loops.pop()

    def _while(self, node: ast.While) -> None:
        test, inside, after = self._label(), self._label(), self._label()
        self._begin(test)
        self.branch(node.test, inside, after)
        self._begin(inside)
        with self._loop(test, after):
            self._body(node.body)
        self._go(test)
        self._begin(after)

    def _for(self, node: ast.For) -> None:
        first, last, step = self._range(node.iter)
        assert isinstance(node.target, ast.Name)
        turn = self._slot("i64")
        self.lines.append(f"  store i64 {first}, ptr {turn}")
        test, inside, following, after = self._label(), self._label(), self._label(), self._label()
        self._begin(test)
        now = self._new(f"load i64, ptr {turn}")
        self._fork(self._new(f"icmp {'slt' if step > 0 else 'sgt'} i64 {now}, {last}"), inside, after)
        self._begin(inside)
        self._store(self._place(node.target.id, None), now)
        with self._loop(following, after):
            self._body(node.body)
        self._begin(following)
        more = self._new(f"add nsw i64 {now}, {step}")
        self.lines.append(f"  store i64 {more}, ptr {turn}")
        self._go(test)
        self._begin(after)

    def _range(self, node: ast.expr) -> tuple[str, str, int]:
        match node:
            case ast.Call(func=ast.Name(id="range"), args=args, keywords=[]):
                numbers = [self.value(each) for each in args]
            case _:
                raise NotDirectError("a loop over something else than a range")
        if len(numbers) == 1:
            return "0", numbers[0], 1
        step = int(numbers[2]) if len(numbers) == 3 and not numbers[2].startswith("%") else len(numbers) == 2
        if not step:
            raise NotDirectError("a step that is not known")
        return numbers[0], numbers[1], int(step)
