"""From a description to the source of its kernels."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ludoport.kernels import library
from ludoport.lud.tree import Description
from ludoport.ludemes.contract_legal import add_swap, legal_tests, write_legal, write_sample
from ludoport.ludemes.contract_moves import write_can_play, write_hits, write_list, write_open
from ludoport.ludemes.contract_play import write_end, write_late, write_phases, write_play
from ludoport.ludemes.contract_setup import write_setup
from ludoport.ludemes.contract_values import write_key, write_utility
from ludoport.ludemes.interning import intern
from ludoport.ludemes.phases import Course, read_course
from ludoport.ludemes.primitives import write_primitives
from ludoport.ludemes.program import Program
from ludoport.ludemes.repetition import want_history, write_repetition
from ludoport.ludemes.starting import other_start_rules, placements
from ludoport.ludemes.unions import find_unions

_MOST_MOVES = 20_000
_WANTED = {"can_play": write_can_play, "hits_play": write_hits, "longest": write_open}


@dataclass
class Compiled:
    """Generated source and what is needed to run and to show it."""

    source: str
    program: Program
    state_size: int
    move_size: int
    max_moves: int
    work_size: int
    columns: dict[str, int]
    fields: dict[str, int]
    large_numbers: bool = False
    """Whether rows need more than 16 bits per number, as scores that are products do."""


def compile_description(description: Description) -> Compiled:
    """Write the kernels of a game."""
    program = Program(replace(description, root=intern(description.root)))
    course = read_course(program)
    find_unions(program)
    _write_functions(course)
    return _finish(program)


def _write_functions(course: Course) -> None:
    """Write the functions of the kernel contract, and all that they call."""
    program = course.program
    _want_fields(course)
    write_list(course)
    if "swap" in course.meta:
        add_swap(course)
    write_legal(course)
    write_end(course)
    write_phases(course)
    starts = other_start_rules(program)
    # Some functions are only known to be needed once others are written.
    done: set[str] = set()
    _write_wanted(course, done)
    program.rules.finish()
    legal_tests(course)
    _write_wanted(course, done)
    program.rules.write_flushes()
    write_late(program)
    write_play(course)
    write_sample(course)
    if "no Repeat" in course.meta:
        write_repetition(program)
    if program.unions is not None:
        program.unions.write()
    write_primitives(program)
    program.module.functions += library.parts(program.library)
    write_setup(course, starts)
    write_key(program)
    write_utility(program)
    program.module.functions.append(library.ALWAYS.strip())
    program.module.functions.append(library.entries())


def _want_fields(course: Course) -> None:
    """Ask for the fields that follow from the rules as a whole."""
    program = course.program
    if len(course.phases) > 1:
        program.state.want("PHASE", program.n_players + 1)
    if "no Repeat" in course.meta:
        want_history(program, course.meta["no Repeat"])
    if any(placed.state for placed in placements(program)):
        program.want_state()


def _write_wanted(course: Course, done: set[str]) -> None:
    """Write the functions that others asked for, until nothing is missing."""
    program = course.program
    while True:
        missing = next((name for name in _WANTED if name in program.wants - done), None)
        if missing is not None:
            done.add(missing)
            _WANTED[missing](course)
        elif program.after:
            program.after.pop(0)()
        else:
            break


def _finish(program: Program) -> Compiled:
    """Fix all offsets and sizes, and put the text together."""
    core = program.state.offsets.get("HISTORY", program.state.size)
    for name, offset in program.state.offsets.items():
        program.module.constant(name, offset)
    for name, offset in program.moves.offsets.items():
        program.module.constant(name, offset)
    program.module.constant("STATE_SIZE", program.state.size)
    program.module.constant("CORE_SIZE", core)
    program.module.constant("MOVE_SIZE", program.moves.size)
    max_moves = min(_MOST_MOVES, max(256, 12 * program.n_board + 200 + program.extra_moves))
    program.module.constant("MAX_MOVES", max_moves)
    if program.buffer_wanted:
        program.reserve("BUFFER_TOP", 1)
        program.reserve("BUFFER", 5 * (4 * program.n_sites + 64 + program.buffer_extra))
    sizes = {
        "STATE_SIZE": program.state.size,
        "MAX_MOVES * MOVE_SIZE": max_moves * program.moves.size,
        "CORE_SIZE": core,
        "MOVE_SIZE": program.moves.size,
    }
    work = program.scratch_layout(sizes) or 1
    program.module.constant("WORK_SIZE", work)
    title = f"Kernels of {program.description.name}, generated from {program.description.file.rsplit('/', 1)[-1]}."
    return Compiled(
        program.module.text(title),
        program,
        program.state.size,
        program.moves.size,
        max_moves,
        work,
        dict(program.moves.offsets),
        dict(program.state.offsets),
        program.state.has("SCORE") and bool(program.keys & {"int:*", "int:^"}),
    )
