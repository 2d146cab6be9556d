"""From a description to the source of its kernels."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ludoport.budget import limited
from ludoport.kernels import library
from ludoport.kernels.build import plain_functions, too_deep
from ludoport.kernels.room import GIVEN_UP, MARK
from ludoport.kernels.source import LIST_FULL, NO_ROOM
from ludoport.kernels.turns import counts_turns
from ludoport.lud.signatures import INT_WORDS
from ludoport.lud.tree import Description
from ludoport.ludemes.bounds import Bounds
from ludoport.ludemes.contract_legal import add_swap, legal_tests, write_layers, write_legal, write_sample
from ludoport.ludemes.contract_match import with_winners, write_worth
from ludoport.ludemes.contract_moves import (
    write_can_play,
    write_hits,
    write_hits_stuck,
    write_list,
    write_open,
)
from ludoport.ludemes.contract_play import write_end, write_late, write_phases, write_play
from ludoport.ludemes.contract_setup import write_begin, write_setup
from ludoport.ludemes.contract_together import check_room, want_choices, write_choosing
from ludoport.ludemes.contract_values import write_key, write_utility
from ludoport.ludemes.core.arguments import refuse_unread, settle_unused
from ludoport.ludemes.core.interning import intern
from ludoport.ludemes.core.part import Part
from ludoport.ludemes.core.phases import Course, read_course
from ludoport.ludemes.core.program import Program
from ludoport.ludemes.core.rewriting import rewritten
from ludoport.ludemes.core.shortcuts import taken
from ludoport.ludemes.core.traits import traits
from ludoport.ludemes.core.unforeseen import explained
from ludoport.ludemes.fields.domains import needs_wide_rows
from ludoport.ludemes.fields.drawn_start import drawn_start
from ludoport.ludemes.fields.primitives import write_primitives
from ludoport.ludemes.fields.repetition import want_history, write_position_hash, write_repetition
from ludoport.ludemes.fields.starting import other_start_rules, placements
from ludoport.ludemes.fields.stored_position import want_stored
from ludoport.ludemes.fields.unions import find_unions
from ludoport.ludemes.meanings.enemies import leave_turns
from ludoport.ludemes.meanings.safety import write_safety
from ludoport.ludemes.meanings.stack_trials import write_stack_trials
from ludoport.ludemes.meanings.sure_liberties import write_sure_liberties
from ludoport.ludemes.meanings.winning import refuse_endless

_MOST_MOVES = 500_000
"""Rows of the longest list of moves; a position with more of them is an error."""
_MOST_SMALL = 32_000
"""Longer lists need rows of 32 bits, because kernels keep numbers of moves in them."""
_FOR_EACH_MOVE = re.compile(r"(?s).*?^def (?:legal|sample|play)\([^\n]*\):\n", re.MULTILINE)
"""The head of a function that is called for each move."""
_WANTED = {
    "can_play": write_can_play,
    "hits_play": write_hits,
    "hits_play_stuck": write_hits_stuck,
    "longest": write_open,
}


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

    @cached_property
    def plain(self) -> dict[str, Any]:
        """The functions as ordinary Python, for what has to be known about single moves."""
        return plain_functions(f"{self.source}\nINITIAL = None\n")


def compile_description(description: Description, part: Part | None = None) -> Compiled:
    """Write the kernels of a game.

    Args:
        description: the game.
        part: the match that it is a game of.

    Raises:
        LudoportError: the rules are wrong, or take too much time or memory to compile.
    """
    with limited(description.file), explained(description.root):
        program = Program(replace(description, root=intern(rewritten(description.root))), part)
        course = read_course(program)
        if "gravity" not in course.meta:
            find_unions(program)
        try:
            _write_functions(course)
            settle_unused(*program.board.options.tracks, *(part for each in program.regions for part in each.parts))
            settle_unused(*(component.moves for component in program.components if component.moves is not None))
            refuse_unread(program.description.root, program.board.kind)
            return _finish(program)
        except (RecursionError, SyntaxError) as error:
            raise too_deep(error) from None


def _write_functions(course: Course) -> None:
    """Write the functions of the kernel contract, and all that they call."""
    program = course.program
    _want_fields(course)
    write_list(course)
    if "swap" in course.meta:
        add_swap(course)
    write_legal(course)
    write_end(course)
    if program.part is not None:
        write_worth(course)
    write_phases(course)
    starts = other_start_rules(program)
    # Some functions are only known to be needed once others are written.
    done: set[str] = set()
    _write_wanted(course, done)
    program.rules.finish()
    legal_tests(course)
    _write_wanted(course, done)
    write_safety(course)
    write_stack_trials(course)
    leave_turns(program)
    program.rules.buffer.write_flushes()
    write_late(program)
    write_layers(course)
    write_play(course)
    if program.together:
        write_choosing(course)
    write_sample(course)
    if program.repetition is not None:
        write_position_hash(program)
    if "no Repeat" in course.meta:
        write_repetition(program)
    write_sure_liberties(course)
    if program.unions is not None:
        program.unions.write()
    write_primitives(program)
    parts = library.parts(program.library)
    program.module.functions += with_winners(parts) if program.state.has("WON") else parts
    write_setup(course, starts)
    if program.chance:
        write_begin(course)
    write_key(program)
    write_utility(program)
    program.module.functions.append(library.always(program.chance).strip())
    program.module.functions.append(library.entries())


def _want_fields(course: Course) -> None:
    """Ask for the fields that follow from the rules as a whole."""
    program = course.program
    want_choices(program)
    if len(course.phases) > 1:
        program.state.want("PHASE", program.n_players + 1)
    if "no Repeat" in course.meta:
        want_history(program, course.meta["no Repeat"])
    want_stored(program)
    drawn = drawn_start(program)
    if any(placed.state for each in [placements(program), *(drawn.placed if drawn else [])] for placed in each):
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
    check_room(program)
    # Copies for tests leave it out; fields that are wanted late belong to them.
    program.state.put_last("HISTORY")
    program.module.tidy()
    if taken("merge"):
        program.module.merge_equal()
    worth = [] if program.part is None else ["game_worth"]
    program.module.drop_unused(["setup", *worth, *(f"enter_{name}" for name in library.ENTRIES)])
    refuse_endless(program)
    written = program.module.texts()
    rows = max(256, 12 * program.n_board + 200 + program.extra_moves)
    work = lay_out(program, rows)
    bounds = Bounds(program, written)
    listed, likely = bounds.listed(rows)
    most = listed + 1
    if most >= rows:
        wanted = min(max(rows, likely + 2), most + 1, _MOST_MOVES)
        if wanted != rows:
            rows = wanted
            work = lay_out(program, rows)
    texts = _with_room(program, bounds.guarded(rows), most < rows and "longest" not in program.wants)
    if counts_turns(texts):
        texts = [_turns_from_zero(text) for text in texts]
    else:
        work = lay_out(program, rows, marks=any("FULL" in text for text in texts), turns=False)
    title = f"Kernels of {program.description.name}, generated from {program.description.file.rsplit('/', 1)[-1]}."
    products = program.state.has("SCORE") and any(traits(node).get("large") for node in program.description.root.walk())
    return Compiled(
        program.module.text(title, texts),
        program,
        program.state.size,
        program.moves.size,
        rows,
        work,
        dict(program.moves.offsets),
        dict(program.state.offsets),
        products or rows > _MOST_SMALL or _writes_large_numbers(program) or needs_wide_rows(program),
    )


def _turns_from_zero(text: str) -> str:
    """The text of a function; one that is called for each move counts the turns of long loops from 0.

    After a move that took too long it does not: whatever the call still does ends soon.
    """
    found = _FOR_EACH_MOVE.match(text)
    start = "    if work[FULL] == 0:\n        work[TURNS] = 0\n        work[LAPS] = 0\n"
    return text if found is None else f"{text[: found.end()]}{start}{text[found.end() :]}"


def lay_out(program: Program, rows: int, marks: bool = True, turns: bool = True) -> int:
    """Fix all offsets and sizes.

    Args:
        program: the game.
        rows: how many moves a list has room for.
        marks: whether something may be full, which is noted in a cell at the end of the scratch space.
        turns: whether long loops count their turns, in the last cells.

    Returns:
        The size of the scratch space.
    """
    core = program.state.offsets.get("HISTORY", program.state.size)
    constants = program.module.constants
    constants |= {**program.state.offsets, **program.moves.offsets}
    constants |= {"STATE_SIZE": program.state.size, "CORE_SIZE": core, "MOVE_SIZE": program.moves.size}
    constants["MAX_MOVES"] = rows
    if program.buffer_wanted:
        room = 5 * (4 * program.n_sites + 64 + program.buffer_extra)
        constants["BUFFER_ROOM"] = room
        program.reserve("BUFFER_TOP", 1)
        program.reserve("BUFFER", room + 5)
    if marks:
        program.reserve("FULL", 1)
        constants |= {"GIVEN_UP": GIVEN_UP, "MARK": MARK}
    else:
        program.drop("FULL")
        del constants["GIVEN_UP"], constants["MARK"]
    if turns:
        program.reserve("TURNS", 1)
        program.reserve("LAPS", 1)
    else:
        program.drop("TURNS")
        program.drop("LAPS")
    sizes = {
        "STATE_SIZE": program.state.size,
        "MAX_MOVES * MOVE_SIZE": rows * program.moves.size,
        "CORE_SIZE": core,
        "MOVE_SIZE": program.moves.size,
    }
    work = program.scratch_layout(sizes) or 1
    constants["WORK_SIZE"] = work
    return work


def _with_room(program: Program, texts: list[str], proved: bool) -> list[str]:
    """The texts without the tests for lists that cannot be full."""
    others = program.buffer_wanted or program.state.has("ROW_FULL") or counts_turns(texts)
    dropped = NO_ROOM if proved and not others else LIST_FULL if proved else "\0"
    lines = [[line for line in text.split("\n") if dropped not in line] for text in texts]
    return ["\n".join(line.split(NO_ROOM)[0] for line in each) for each in lines]


def _writes_large_numbers(program: Program) -> bool:
    """Whether the text writes a number that needs more than 16 bits."""
    values = [value for node in program.description.root.walk() for value in node.parts()]
    while values:
        value = values.pop()
        if isinstance(value, list):
            values += value
        elif type(value) is int and abs(value) > _MOST_SMALL and value not in INT_WORDS.values():
            return True
    return False
