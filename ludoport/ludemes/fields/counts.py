"""Sites that hold several pieces of a kind: the small changes that keep their counts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from ludoport.kernels.source import Function
from ludoport.ludemes.fields.actions import left_alone, state_function, trail
from ludoport.ludemes.fields.entries import enter

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def one_leaves(f: Function) -> None:
    """One of the pieces on the site ``start`` leaves it."""
    with f.block("if state[COUNT + start] > 1:"):
        f.line("state[COUNT + start] -= 1")
    with f.block("else:"):
        f.line("lift(state, start)")


@contextmanager
def one_arrives(f: Function) -> Iterator[None]:
    """One more of the pieces ``piece`` on the site ``end``; what is written inside happens where there are none yet."""
    with f.block("if state[WHAT + end] == piece:"):
        f.line("state[COUNT + end] += 1")
    with f.block("else:"):
        yield


def write_counts(program: Program) -> None:
    """Write the primitives about counts."""
    if "move_many" in program.primitives:
        f = state_function(
            program, "move_many", "start end count", "several pieces move to an empty site or to their like"
        )
        f.line("piece = state[WHAT + start]")
        f.line("left = state[COUNT + start] - count")
        with f.block("if piece != 0:"):
            with f.block("if left <= 0:"), left_alone(program, f, "start"):
                f.line("lift(state, start)")
            with f.block("else:"):
                f.line("state[COUNT + start] = left")
            # The number that arrives is the one asked for, even if fewer pieces were there.
            with f.block("if state[COUNT + end] == 0:"):
                f.line("place(state, end, piece)")
                f.line("state[COUNT + end] = count")
            with f.block("elif state[WHAT + end] == piece:"):
                f.line("state[COUNT + end] += count")
                enter(program, f, "end", "piece")
        trail(program, f, "start", "end")
        f.line("return 0")
    if "seed" in program.primitives:
        f = state_function(
            program, "seed", "start end", "one piece moves; the site where it arrives keeps its local state"
        )
        f.line("piece = state[WHAT + start]")
        with f.block("if piece != 0 and start != end:"):
            with left_alone(program, f, "start"):
                one_leaves(f)
            with one_arrives(f):
                if program.state.has("STATE"):
                    f.line("local = state[STATE + end]")
                f.line("place(state, end, piece)")
                if program.state.has("STATE"):
                    f.line("state[STATE + end] = local")
        trail(program, f, "start", "end")
        f.line("return 0")
    if "set_count" in program.primitives:
        f = state_function(program, "set_count", "s piece count", "set how many pieces lie on a site")
        with f.block("if count > 0:"):
            with f.block("if state[WHAT + s] != piece:"):
                f.line("place(state, s, piece)")
            f.line("state[COUNT + s] = count")
        with f.block("else:"):
            f.line("lift(state, s)")
        trail(program, f, "s", "s")
        f.line("return 0")
    if "copy_piece" in program.primitives:
        f = state_function(program, "copy_piece", "start end", "a copy of a piece arrives; the piece itself stays")
        f.line("piece = state[WHAT + start]")
        with f.block("if piece != 0 and start != end:"):
            kept = [name for name in ("STATE", "VALUE") if program.state.has(name)]
            with one_arrives(f) if program.state.has("COUNT") else nullcontext():
                f.line("place(state, end, piece)")
            for name in kept:
                f.line(f"state[{name} + end] = state[{name} + start]")
        trail(program, f, "start", "end")
        f.line("return 0")
