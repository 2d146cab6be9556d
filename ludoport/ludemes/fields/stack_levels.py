"""Levels of a stack: as code, and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.fields.stacks import max_height, want_level_states, want_stacks

if TYPE_CHECKING:
    from ludoport.ludemes.compile import Compiled
    from ludoport.ludemes.core.program import Program


def what_at_level(cx: Cx, site: Expr, level: Expr) -> Expr:
    """Code for the component at a level of a site."""
    return _at_level(cx, site, level, "LEVELS")


def state_at_level(cx: Cx, site: Expr, level: Expr) -> Expr:
    """Code for the local state at a level of a site."""
    want_level_states(cx.program)
    return _at_level(cx, site, level, "STATES")


def value_at_level(cx: Cx, site: Expr, level: Expr) -> Expr:
    """Code for the value of the piece at a level of a site."""
    return _at_level(cx, site, level, "VALUES")


def _at_level(cx: Cx, site: Expr, level: Expr, field: str) -> Expr:
    """Value of a level in a block of values; 0 if the stack has no such level."""
    program = cx.program
    want_stacks(program)
    if isinstance(level, int) and level < 0:
        return 0
    if isinstance(site, int) and site < 0:
        return 0
    level = level if isinstance(level, int) else cx.name(level, "level")
    text = f"state[{field} + {_index(program, site, level)}]"
    tests = [] if isinstance(site, int) or site in cx.safe else [f"on_board({site})"]
    if not isinstance(level, int):
        tests.append(f"0 <= {level} < state[HEIGHT + {site}]")
    elif level >= max_height(program) or field != "LEVELS":
        tests.append(f"{level} < state[HEIGHT + {site}]")
    return f"({text} if {' and '.join(tests)} else 0)" if tests else text


def _index(program: Program, site: Expr, level: Expr) -> str:
    height = max_height(program)
    if isinstance(site, int) and isinstance(level, int):
        return str(site * height + level)
    start = str(site * height) if isinstance(site, int) else f"{site} * {height}"
    return start if level == 0 else f"{start} + {level}"


def stack_texts(compiled: Compiled, row: NDArray[Any]) -> dict[int, str | list[str]]:
    """The pieces of every stack from the bottom to the top."""
    program, fields = compiled.program, compiled.fields
    height = max_height(program)
    found: dict[int, str | list[str]] = {}
    for site in range(program.n_sites):
        levels = []
        for level in range(int(row[fields["HEIGHT"] + site])):
            index = site * height + level
            piece = int(row[fields["LEVELS"] + index])
            # The notation leaves out local states within stacks.
            levels.append(program.components[piece].name if piece else "what0")
        if levels:
            found[site] = levels
    return found
