"""The function ``setup``, which builds the initial position."""

from __future__ import annotations

from ludoport.kernels.source import Function
from ludoport.ludemes.core.phases import Course
from ludoport.ludemes.core.program import Program
from ludoport.ludemes.fields.dice import dice_setup
from ludoport.ludemes.fields.domains import all_values
from ludoport.ludemes.fields.dominoes import pool_setup
from ludoport.ludemes.fields.drawn_start import write_drawn
from ludoport.ludemes.fields.facings import TURNS
from ludoport.ludemes.fields.hidden import hide_at_start
from ludoport.ludemes.fields.memory import memory_setup
from ludoport.ludemes.fields.random_start import random_start
from ludoport.ludemes.fields.spots import setup_spots
from ludoport.ludemes.fields.stack_changes import setup_line
from ludoport.ludemes.fields.starting import Placement, chance_nodes, placements


def write_setup(course: Course, starts: list[tuple[str, tuple[int, ...]]]) -> None:
    """Write the setup, which runs once, when the module is made; its result is kept as a table.

    Args:
        course: the game.
        starts: calls for the start rules that do not place pieces, each with its arguments.
    """
    program = course.program
    f = Function("setup", ["state"], "build the initial position")
    f.line("state[MOVER] = 1")
    f.line(f"state[NEXT] = {2 if program.n_players > 1 else 1}")
    f.line("state[TURN] = 1")
    f.line("state[LAST_FROM] = -1")
    if program.state.has("LAST_TURN_MOVER"):
        f.line("state[LAST_TURN_MOVER] = -1")
    f.line("state[LAST_TO] = -1")
    f.line("state[WHAT + N_SITES] = -1")
    if program.together:
        f.line("state[LEADER] = 1")
    if program.state.has("COUNTER"):
        f.line("state[COUNTER] = -1")
    if program.state.has("TURN_FROM"):
        f.line("state[TURN_FROM] = -1")
    if program.state.has("DOMAIN"):
        with f.block(f"for i in range({program.n_board}):"):
            f.line(f"state[DOMAIN + i] = {all_values(program)}")
    if program.state.has("EMPTY"):
        with f.block(f"for i in range({program.n_board}):"):
            f.line("state[EMPTY + i] = i")
            f.line("state[SLOT + i] = i")
        f.line(f"state[N_EMPTY] = {program.n_board}")
    setup_spots(program, f)
    if program.unions is not None:
        program.unions.setup(f)
    if len(course.phases) > 1:
        for player in range(1, program.n_players + 1):
            first = next((i for i, p in enumerate(course.phases) if p.owner in (None, player)), 0)
            f.line(f"state[PHASE + {player}] = {first}")
    for line in (*memory_setup(program), *dice_setup(program), *pool_setup(program)):
        f.line(line)
    for call, arguments in starts:
        f.line(f"{call}(state, {', '.join(map(str, arguments))})")
    placed = None
    for placed in placements(program):
        _place(program, f, placed)
        if "laps" in program.wants:
            # Start rules count pieces on tracks once more, as in the reference.
            with f.block(f"for i in range({placed.count if program.stacking else 2 * placed.count - 1}):"):
                f.line(f"enter_tracks(state, {placed.site}, {placed.component})")
    if placed is not None:
        f.line(f"state[LAST_FROM] = {placed.site}")
        f.line(f"state[LAST_TO] = {placed.site}")
    if not program.chance:
        hide_at_start(program, f)
    if "last after" in program.wants:
        f.line("state[LAST_FROM_AFTER] = state[LAST_FROM]")
        f.line("state[LAST_TO_AFTER] = state[LAST_TO]")
    if "no Repeat" in course.meta:
        f.line("remember_position(state, -1)")
    f.line("return 0")
    program.module.functions.append(f)


def write_begin(course: Course) -> None:
    """Write what chance decides before the first move."""
    f = Function("begin", ["state"], "start rules that draw at random")
    random_start(course.program, f, chance_nodes(course.program))
    write_drawn(course.program, f)
    hide_at_start(course.program, f)
    if course.program.state.has("STARTED"):
        with f.block(f"for s in range({course.program.n_sites}):"):
            f.line("state[STARTED + s] = state[WHAT + s]")
    f.line("return 0")
    course.program.module.functions.append(f)


def _place(program: Program, f: Function, placed: Placement) -> None:
    if program.stacking:
        for line in setup_line(program, placed):
            f.line(line)
    else:
        f.line(f"place(state, {placed.site}, {placed.component})")
        if program.state.has("COUNT"):
            f.line(f"state[COUNT + {placed.site}] = {placed.count}")
        if placed.state and program.state.has("STATE"):
            f.line(f"state[STATE + {placed.site}] = {placed.state}")
        if placed.value >= 0 and program.state.has("VALUE"):
            f.line(f"state[VALUE + {placed.site}] = {placed.value}")
        if placed.rotation and program.state.has("ROTATION"):
            f.line(f"state[ROTATION + {placed.site}] = {placed.rotation % TURNS}")
        if program.components[placed.component].walks:
            f.line(f"cover(state, {placed.site})")
