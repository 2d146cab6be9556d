"""Sites that the mover has been to during the turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Bool, Cx
from ludoport.ludemes.core.registry import boolean_ludeme, number

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


@boolean_ludeme("is Visited", reads=["board"])
def is_visited(node: Ludeme, cx: Cx) -> Bool:
    """Whether a move of this turn began or ended on a site."""
    program = cx.program
    program.state.want("VISITED", program.n_sites)
    program.state.want("N_VISITED")
    site = cx.name(number(node.get("value"), cx, cx.slots["to"]))
    test = f"state[VISITED + {site}] != 0"
    return test if site in cx.safe else f"(on_board({site}) and {test})"


def as_visited(node: Ludeme, cx: Cx, question: Callable[[Cx], str]) -> str:
    """A question asked with the ends of the last move counted as visited."""
    cx.program.state.want("VISITED", cx.program.n_sites)

    def body(inner: Cx) -> None:
        for name, field in (("a", "LAST_FROM"), ("b", "LAST_TO")):
            inner.line(f"{name} = state[{field}]")
            inner.line(f"was_{name} = state[VISITED + {name}] if on_board({name}) else 0")
        for name in "ab":
            with inner.block(f"if on_board({name}):"):
                inner.line(f"state[VISITED + {name}] = 1")
        inner.line(f"found = {question(inner)}")
        for name in "ba":
            with inner.block(f"if on_board({name}):"):
                inner.line(f"state[VISITED + {name}] = was_{name}")
        inner.line("return found")

    return cx.call("visited", node, body, key=("visited", id(node)))


def write_visits(program: Program, f: Function) -> None:
    """Write what a move adds to the visited sites, before the turn passes on."""
    with f.block("if state[NEXT] == mover:"):
        for column in ("FROM", "TO"):
            with f.block(f"if move[{column}] >= 0:"):
                f.line(f"state[VISITED + move[{column}]] = 1")
        f.line("state[N_VISITED] = 1")
    with f.block("elif state[N_VISITED] != 0:"):
        f.line("state[N_VISITED] = 0")
        with f.block(f"for i in range({program.n_sites}):"):
            f.line("state[VISITED + i] = 0")
