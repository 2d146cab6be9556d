"""Stacks whose pieces are taken during a turn and go when it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.errors import UnsupportedError
from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.fields.captured import count_late

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def removes_late(node: Ludeme) -> bool:
    """Whether a removal waits for the end of the turn."""
    return node.keyword in ("remove", "move Remove") and str(node.peek("at")) == "EndOfTurn"


def from_below(program: Program) -> bool:
    """Whether the levels of such stacks go from the bottom up, as they do in the reference after ``max Moves``.

    A list of pieces then keeps the bottom of each higher stack: the stack comes down after each removal, so that the
    last levels are not found.

    Raises:
        UnsupportedError: only some of these removals are part of ``max Moves``, or some of ``max Captures``.
    """
    nodes = list(program.description.root.walk())
    late = [node for node in nodes if removes_late(node)]
    chosen = {id(part) for node in nodes if node.keyword == "max Moves" for part in program.reach(node)}
    outside = [node for node in late if id(node) not in chosen]
    if outside and (len(outside) < len(late) or "moves:max Captures" in program.keys):
        text = "removing stacks at the end of the turn is not implemented yet outside of `max Moves` in this game"
        raise UnsupportedError(text, outside[0].source)
    return not outside


def write_late_stack(program: Program, f: Function) -> None:
    """Write the removal of what was taken from the stack on site ``s``."""
    program.primitives.add("lift_level")
    count_late(program, f)
    f.line("many = min(state[LATE + s], state[HEIGHT + s])")
    with f.block("for k in range(many):"):
        f.line(f"lift_level(state, s, {'k' if program.memo(from_below) else 'many - 1 - k'})")
