"""The buffer of actions: effects that are evaluated first and done afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.errors import UnsupportedError
from ludoport.kernels.source import Function
from ludoport.ludemes.core.kept import KEPT, ONE_EACH, write_kept

if TYPE_CHECKING:
    from ludoport.ludemes.core.context import Cx, Expr
    from ludoport.ludemes.core.program import Program


class ActionBuffer:
    """Writes code that remembers actions in scratch space, and the functions that do them later."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._levels: dict[int, dict[str, int]] = {}
        self._arity: dict[str, int] = {}
        self._kept: dict[str, int] = {}

    def top(self) -> str:
        """Where the length of the buffer of actions is kept."""
        self.program.buffer_wanted = True
        return "BUFFER_TOP"

    def want_level(self, level: int) -> None:
        """There is a function that does the actions buffered at this level."""
        self._levels.setdefault(level, {})

    def push(self, cx: Cx, name: str, arguments: tuple[Expr, ...]) -> None:
        """Write code that remembers an action for later."""
        assert cx.buffer is not None
        if cx.buffer >= KEPT and not (name in ONE_EACH or name.startswith("then_")):
            text = "effects that change more than pieces, scores, variables and turns are not implemented yet here"
            raise UnsupportedError(text, cx.source.source if cx.source is not None else None)
        codes = self._levels.setdefault(cx.buffer, {})
        # Actions that are kept have the same code at all levels.
        numbers = codes if cx.buffer < KEPT else self._kept
        codes[name] = code = numbers.setdefault(name, len(numbers) + 1)
        self._arity[name] = len(arguments)
        self._remember(cx, code, arguments)

    def idle(self, cx: Cx) -> None:
        """Write code that remembers an action that does nothing, such as a pass."""
        self._remember(cx, 0, ())

    def _remember(self, cx: Cx, code: int, arguments: tuple[Expr, ...]) -> None:
        top = cx.fresh("top")
        cx.line(f"{top} = work[{self.top()}]")
        with cx.block(f"if {top} < BUFFER_ROOM:"):
            for k, value in enumerate((code, *arguments)):
                cx.line(f"work[BUFFER + {top} + {k}] = {value}")
            cx.line(f"work[BUFFER_TOP] = {top} + 5")
        with cx.block("else:"):
            cx.line("work[FULL] = MARK")

    def write_flushes(self) -> None:
        """Write the functions that do buffered actions."""
        for level, codes in self._levels.items():
            function = Function(f"flush_{level}", ["state", "work", "base"], "do the actions collected since base")
            function.line("end = work[BUFFER_TOP]")
            function.line("i = base")
            with function.block("while i < end:"):
                function.line("code = work[BUFFER + i]")
                self._write_cases(function, codes, "BUFFER + i")
                if level >= KEPT:
                    thens = [str(code) for name, code in codes.items() if name.startswith("then_")]
                    with function.when(" and ".join(f"code != {code}" for code in thens) or True):
                        function.line("keep_action(work, i)")
                function.line("i += 5")
            function.line("work[BUFFER_TOP] = base")
            function.line("return 0")
            self.program.module.functions.append(function)
        if self._kept:
            actions = {name: code for name, code in self._kept.items() if not name.startswith("then_")}
            write_kept(self.program, lambda function, at: self._write_cases(function, actions, at))

    def _write_cases(self, function: Function, codes: dict[str, int], at: str) -> None:
        """Write the call of the action whose code is in ``code`` and whose values follow a place in scratch space."""
        for name in function.cases((f"code == {code}", name) for name, code in codes.items()):
            count = self._arity.get(name, 0)
            values = ", ".join(f"work[{at} + {k + 1}]" for k in range(count))
            tail = "work" if name.startswith("then_") else values
            function.line(f"{name}(state, {tail})" if tail else f"{name}(state)")
