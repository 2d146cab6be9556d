"""Number of pieces taken so far, for games in which the moves that take most must be chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.kernels.source import Function
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.fields.actions import primitives, state_function
from ludoport.ludemes.fields.stacks import max_height

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def counts_values(program: Program) -> bool:
    """Whether pieces that are taken count by their values (``withValue:True``)."""
    return any(node.peek("withValue") is True for node in program.description.root.walk())


def counts_captures(program: Program) -> bool:
    """Whether a game asks how much moves take."""
    return "moves:max Captures" in program.keys or program.memo(counts_values)


def want_captured(program: Program) -> None:
    """Positions count the pieces taken, or add up their values."""
    program.state.want("CAPTURED")
    if program.memo(counts_values):
        program.state.want("VALUE", program.n_sites)
        if program.stacking:
            program.state.want("CAPTURED_TOPS")


def values_by_level(program: Program) -> bool:
    """Whether stacks that are taken count by two values.

    As in the reference, the first move of a turn counts the value at the bottom, and the later ones the value on top,
    for every piece; what waits for the end of the turn counts once more when it goes, and then the first move counts
    every level.
    """
    return program.stacking and program.memo(counts_values)


def note_capture(cx: Cx, site: Expr) -> None:
    """Write that the piece on a site is taken, before it is."""
    if counts_captures(cx.program):
        want_captured(cx.program)
        cx.act("count_capture", site)


def count_late(program: Program, f: Function) -> None:
    """Write that the pieces on a site, which were taken before, go at the end of the turn."""
    if not (values_by_level(program) and program.state.has("CAPTURED")):
        return
    with f.block("for k in range(min(state[LATE + s], state[HEIGHT + s])):"):
        f.line(f"state[CAPTURED] += state[VALUES + s * {max_height(program)} + k]")
        f.line("state[CAPTURED_TOPS] += state[VALUE + s]")


@primitives
def write_captured(program: Program) -> None:
    """Write the primitive that counts a piece."""
    if "count_capture" in program.primitives:
        f = state_function(program, "count_capture", "s", "count a piece that is taken")
        if values_by_level(program):
            f.line(f"state[CAPTURED] += state[VALUES + s * {max_height(program)}]")
            f.line("state[CAPTURED_TOPS] += state[VALUE + s]")
            f.line("return 0")
            return
        f.line(f"state[CAPTURED] += {'state[VALUE + s]' if program.memo(counts_values) else 1}")
        f.line("return 0")
