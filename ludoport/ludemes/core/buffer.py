"""The buffer of actions: effects that are evaluated first and done afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.kernels.source import Function

if TYPE_CHECKING:
    from ludoport.ludemes.core.context import Cx, Expr
    from ludoport.ludemes.core.program import Program


class ActionBuffer:
    """Writes code that remembers actions in scratch space, and the functions that do them later."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._levels: dict[int, dict[str, int]] = {}
        self._arity: dict[str, int] = {}

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
        codes = self._levels.setdefault(cx.buffer, {})
        code = codes.setdefault(name, len(codes) + 1)
        top = cx.fresh("top")
        cx.line(f"{top} = work[{self.top()}]")
        with cx.block(f"if {top} < BUFFER_ROOM:"):
            for k, value in enumerate((code, *arguments)):
                cx.line(f"work[BUFFER + {top} + {k}] = {value}")
            cx.line(f"work[BUFFER_TOP] = {top} + 5")
        with cx.block("else:"):
            cx.line("work[FULL] = MARK")
        self._arity[name] = len(arguments)

    def write_flushes(self) -> None:
        """Write the functions that do buffered actions."""
        for level, codes in self._levels.items():
            function = Function(f"flush_{level}", ["state", "work", "base"], "do the actions collected since base")
            function.line("end = work[BUFFER_TOP]")
            function.line("i = base")
            with function.block("while i < end:"):
                function.line("code = work[BUFFER + i]")
                for name in function.cases((f"code == {code}", name) for name, code in codes.items()):
                    count = self._arity.get(name, 0)
                    values = ", ".join(f"work[BUFFER + i + {k + 1}]" for k in range(count))
                    tail = "work" if name.startswith("then_") else values
                    function.line(f"{name}(state, {tail})" if tail else f"{name}(state)")
                function.line("i += 5")
            function.line("work[BUFFER_TOP] = base")
            function.line("return 0")
            self.program.module.functions.append(function)
