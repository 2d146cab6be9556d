"""The small changes of a position in games with stacks; those within and between stacks are in ``stack_shifts.py``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.kernels.source import Function
from ludoport.ludemes.core.conditions import all_of
from ludoport.ludemes.fields.actions import (
    along_tracks,
    among_board,
    join_empty,
    leave_empty,
    note_lost,
    state_function,
)
from ludoport.ludemes.fields.stack_owned import write_owned
from ludoport.ludemes.fields.stack_shifts import write_shifts
from ludoport.ludemes.fields.stacks import level_values, max_height, want_level_states, want_stacks

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def write_stack_primitives(program: Program) -> None:
    """Write the functions that change stacks."""
    want_stacks(program)
    if program.state.has("STATE"):
        want_level_states(program)
    if program.state.has("VALUE"):
        program.state.want("VALUES", program.n_sites * max_height(program))
    apart = program.state.has("N_OWNED")
    _write_push(program)
    _write_pop(program)
    _write_take(program)
    if apart:
        write_owned(program)
    _write_pieces(program, apart)
    write_shifts(program, apart)
    if "promote" in program.primitives:
        _write_promote(program, apart)
    _write_settings(program)


def _write_push(program: Program) -> None:
    height = max_height(program)
    f = state_function(program, "push", "s piece", "a level on top of a stack; whether there was room for it")
    f.line("h = state[HEIGHT + s]")
    with f.block(f"if h >= {height}:"):
        note_lost(program, f)
        f.line("return 0")
    f.line(f"state[LEVELS + s * {height} + h] = piece")
    f.line("state[HEIGHT + s] = h + 1")
    f.line("state[WHAT + s] = piece")
    _count_levels(program, f, "+= 1")
    if program.state.has("COLUMNS"):
        with f.when(among_board(program, "s")):
            f.line(f"state[COLUMNS + (piece - 1) * {program.n_board + 1} + s] |= 1 << h")
    for top, levels in level_values(program):
        # A new level takes over what an earlier one left behind there.
        f.line(f"state[{top} + s] = state[{levels} + s * {height} + h]")
    if program.state.has("EMPTY"):
        with f.when(all_of("h == 0", among_board(program, "s"))):
            leave_empty(program, f, "s")
    f.line("return 1")


def _write_pop(program: Program) -> None:
    f = state_function(program, "pop", "s", "take the level on top away")
    f.line("h = state[HEIGHT + s] - 1")
    with f.block("if h < 0:"):
        f.line("return 0")
    f.line(f"base = s * {max_height(program)}")
    f.line("piece = state[LEVELS + base + h]")
    _count_levels(program, f, "-= 1")
    f.line("state[LEVELS + base + h] = 0")
    for _, levels in level_values(program):
        f.line(f"state[{levels} + base + h] = 0")
    f.line("state[HEIGHT + s] = h")
    _show_top(program, f)
    f.line("return piece")


def _write_take(program: Program) -> None:
    f = state_function(program, "take", "s level", "take one level away; those above it come down")
    f.line("h = state[HEIGHT + s] - 1")
    with f.block("if h < 0:"):
        f.line("return 0")
    f.line(f"base = s * {max_height(program)}")
    # Above the top there is no piece, but the level on top goes all the same.
    f.line("piece = state[LEVELS + base + level] if level <= h else 0")
    if program.state.has("N_LEVELS"):
        f.line("lost = piece if level <= h else state[LEVELS + base + h]")
        _count_levels(program, f, "-= 1", "lost")
    with f.block("for i in range(level, h):"):
        f.line("state[LEVELS + base + i] = state[LEVELS + base + i + 1]")
        for _, levels in level_values(program):
            f.line(f"state[{levels} + base + i] = state[{levels} + base + i + 1]")
    f.line("state[LEVELS + base + h] = 0")
    f.line("state[HEIGHT + s] = h")
    _show_top(program, f)
    f.line("return piece")


def _show_top(program: Program, f: Function) -> None:
    """Write code that copies the level below ``h`` to the fields that hold the top."""
    with f.block("if h > 0:"):
        f.line("state[WHAT + s] = state[LEVELS + base + h - 1]")
        for top, levels in level_values(program):
            f.line(f"state[{top} + s] = state[{levels} + base + h - 1]")
    with f.block("else:"):
        f.line("state[WHAT + s] = 0")
        for top, _ in level_values(program):
            f.line(f"state[{top} + s] = 0")
        if program.state.has("EMPTY"):
            with f.when(among_board(program, "s")):
                join_empty(program, f, "s")


def _count_levels(program: Program, f: Function, change: str, piece: str = "piece") -> None:
    if program.state.has("N_LEVELS"):
        f.line(f"state[N_LEVELS + {program.owner_of(piece)}] {change}")


def _write_pieces(program: Program, apart: bool) -> None:
    """Single pieces arrive and leave."""
    wanted = program.primitives
    f = state_function(program, "lift", "s", "take the piece on top of a stack away")
    f.line("piece = pop(state, s)")
    along_tracks(program, f, "leave", "s, piece")
    if apart:
        with f.block("if piece != 0:"):
            f.line("disown(state, piece, s, state[HEIGHT + s])")
    f.line("return 0")

    f = state_function(program, "add_piece", "s piece", "a piece arrives on top of a stack")
    f.line("pushed = push(state, s, piece)")
    along_tracks(program, f, "enter", "s, piece")
    if apart:
        with f.block("if pushed != 0 and piece != 0:"):
            f.line("own(state, piece, s, state[HEIGHT + s] - 1)")
    f.line("return pushed")

    if wanted & {"lift_level", "clear_stack"}:
        f = state_function(program, "lift_level", "s level", "take the piece at a level away")
        f.line("piece = take(state, s, level)")
        along_tracks(program, f, "leave", "s, piece")
        if apart:
            with f.block("if piece != 0:"):
                f.line("disown(state, piece, s, level)")
        f.line("return 0")
    if "clear_stack" in wanted:
        f = state_function(program, "clear_stack", "s", "take one level after another away from the top")
        f.line("h = state[HEIGHT + s]")
        with f.block("if h > 0:"):
            f.line("lift(state, s)")
        with f.block("for i in range(h - 2, -1, -1):"):
            f.line("lift_level(state, s, i)")
        f.line("return 0")
    if "add_with_state" in wanted:
        f = state_function(program, "add_with_state", "s piece value", "a piece arrives with a local state")
        with f.block("if add_piece(state, s, piece) != 0:"):
            f.line(f"state[STATES + s * {max_height(program)} + state[HEIGHT + s] - 1] = value")
            f.line("state[STATE + s] = value")
        f.line("return 0")


def _write_promote(program: Program, apart: bool) -> None:
    f = state_function(program, "promote", "s piece", "turn the top piece into another")
    with f.block("if state[HEIGHT + s] == 0:"):
        f.line("return 0")
    f.line("old = pop(state, s)")
    if apart:
        # The list forgets the old piece only where something stays below it.
        with f.block("if state[HEIGHT + s] != 0 and old != 0:"):
            f.line("disown(state, old, s, state[HEIGHT + s])")
    f.line("add_piece(state, s, piece)")
    f.line("return 0")


def _write_settings(program: Program) -> None:
    """Local states and values of pieces change."""
    height = max_height(program)
    if "set_state" in program.primitives:
        f = state_function(program, "set_state", "s value", "set the local state of the top piece")
        with f.block("if state[HEIGHT + s] > 0:"):
            f.line("state[STATE + s] = value")
            f.line(f"state[STATES + s * {height} + state[HEIGHT + s] - 1] = value")
        f.line("return 0")
    for name, top, levels in (("local state", "STATE", "STATES"), ("value", "VALUE", "VALUES")):
        kernel = f"set_{top.lower()}_level"
        if kernel in program.primitives:
            f = state_function(program, kernel, "s value level", f"set the {name} of the piece at a level")
            with f.block("if level >= 0 and level < state[HEIGHT + s]:"):
                f.line(f"state[{levels} + s * {height} + level] = value")
                with f.block("if level == state[HEIGHT + s] - 1:"):
                    f.line(f"state[{top} + s] = value")
            f.line("return 0")
