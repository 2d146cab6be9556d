"""Pieces that move within and between stacks: the top one, one at a level, several, or all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.kernels.source import Function
from ludoport.ludemes.fields.actions import along_tracks, state_function, staying_along, trail
from ludoport.ludemes.fields.stacks import level_values, max_height

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def write_shifts(program: Program, apart: bool) -> None:
    """Write the functions that move pieces within and between stacks.

    Args:
        program: the game.
        apart: whether lists of owned pieces are kept beside the stacks.
    """
    wanted = program.primitives
    _write_shift(program, apart)
    if wanted & {"insert_piece", "shift_into"}:
        _write_insertions(program)
    if "copy_piece" in wanted:
        f = state_function(program, "copy_piece", "start end", "a piece like the top one arrives on another stack")
        f.line("return add_piece(state, end, state[WHAT + start])")
    if "shift_level" in wanted:
        _write_shift_level(program, apart)
    if wanted & {"shift_stack", "shift_some"}:
        _write_shift_some(program, apart)
        _write_shift_stack(program, apart)


def _write_shift(program: Program, apart: bool) -> None:
    f = state_function(program, "shift", "start end", "move the top piece onto another stack")
    staying_along(program, f, "state[WHAT + start]")
    with f.block("if start == end:"):
        f.line("return 0")
    f.line("piece = pop(state, start)")
    along_tracks(program, f, "follow", "start, end, piece")
    f.line("pushed = push(state, end, piece)")
    _note_shift(program, f, apart, "state[HEIGHT + start]")
    f.line("return 0")


def _write_insertions(program: Program) -> None:
    height = max_height(program)
    blocks = ["LEVELS", *(levels for _, levels in level_values(program))]
    f = state_function(
        program, "insert_piece", "s level piece", "put a piece into a stack; levels from there on move up"
    )
    f.line("h = state[HEIGHT + s]")
    with f.block("if level < 0 or level > h or push(state, s, piece) == 0:"):
        f.line("return 0")
    f.line(f"base = s * {height}")
    with f.block("for i in range(h, level, -1):"):
        for block in blocks:
            f.line(f"state[{block} + base + i] = state[{block} + base + i - 1]")
    f.line("state[LEVELS + base + level] = piece")
    for block in blocks[1:]:
        f.line(f"state[{block} + base + level] = 0")
    f.line("state[WHAT + s] = state[LEVELS + base + h]")
    for top, levels in level_values(program):
        f.line(f"state[{top} + s] = state[{levels} + base + h]")
    f.line("return 1")
    f = state_function(program, "shift_into", "start level end above", "move the piece at a level into another stack")
    with f.block("if start == end or level < 0:"):
        f.line("return 0")
    f.line("piece = take(state, start, level)")
    f.line("insert_piece(state, end, above, piece)")
    f.line("return 0")


def _write_shift_level(program: Program, apart: bool) -> None:
    height, kept = max_height(program), level_values(program)
    f = state_function(program, "shift_level", "start level end", "move the piece at a level onto another stack")
    with f.block("if start == end:"):
        f.line("return 0")
    with f.block("if level < 0:"):
        f.line("level = state[HEIGHT + start] - 1")
        with f.block("if level < 0:"):
            f.line("return 0")
    for top, levels in kept:
        f.line(f"kept_{top.lower()} = state[{levels} + start * {height} + level] if level < {height} else 0")
    f.line("piece = take(state, start, level)")
    along_tracks(program, f, "follow", "start, end, piece")
    f.line("pushed = push(state, end, piece)")
    if kept:
        with f.block("if pushed != 0:"):
            f.line(f"last = end * {height} + state[HEIGHT + end] - 1")
            for top, levels in kept:
                f.line(f"state[{top} + end] = kept_{top.lower()}")
                f.line(f"state[{levels} + last] = kept_{top.lower()}")
    _note_shift(program, f, apart, "level")
    f.line("return 0")


def _write_shift_some(program: Program, apart: bool) -> None:
    height, kept = max_height(program), level_values(program)
    f = state_function(program, "shift_some", "start end count", "move the top levels of a stack in their order")
    f.line("h = state[HEIGHT + start]")
    with f.block("if start == end or count <= 0 or h < count:"):
        f.line("return 0")
    with f.block("for i in range(h - count, h):"):
        f.line(f"piece = state[LEVELS + start * {height} + i]")
        f.line("pushed = push(state, end, piece)")
        along_tracks(program, f, "follow", "start, end, piece")
        if kept:
            with f.block("if pushed != 0:"):
                f.line(f"last = end * {height} + state[HEIGHT + end] - 1")
                for top, levels in kept:
                    f.line(f"state[{levels} + last] = state[{levels} + start * {height} + i]")
                    f.line(f"state[{top} + end] = state[{levels} + last]")
        if apart:
            with f.block("if piece != 0 and pushed != 0:"):
                f.line("own(state, piece, end, state[HEIGHT + end] - 1)")
    if "laps" in program.wants:
        f.line("state[FOLLOWED] = 1")
    with f.block("for i in range(count):"):
        f.line("lift(state, start)")
    if "laps" in program.wants:
        f.line("state[FOLLOWED] = 0")
    trail(program, f, "start", "end")
    f.line("return 0")


def _write_shift_stack(program: Program, apart: bool) -> None:
    f = state_function(program, "shift_stack", "start end", "move a whole stack onto another")
    with f.block("if start == end:"):
        f.line("return 0")
    if apart:
        with f.block("for i in range(state[HEIGHT + start]):"):
            f.line(f"piece = state[LEVELS + start * {max_height(program)} + i]")
            with f.block("if piece != 0:"):
                f.line("disown_all(state, piece, start)")
    f.line("return shift_some(state, start, end, state[HEIGHT + start])")


def _note_shift(program: Program, f: Function, apart: bool, level: str) -> None:
    """Write code that brings the lists of owned pieces up to date."""
    if apart:
        with f.block("if piece != 0:"):
            with f.block("if pushed != 0:"):
                f.line("own(state, piece, end, state[HEIGHT + end] - 1)")
            f.line(f"disown(state, piece, start, {level})")
    trail(program, f, "start", "end")
