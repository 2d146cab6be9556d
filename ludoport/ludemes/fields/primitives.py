"""The small changes of a position that everything else is made of, written for the fields a game has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.kernels.source import Function
from ludoport.ludemes.fields.actions import (
    FOR_ALL,
    FOR_PIECES,
    along_tracks,
    among_board,
    hashing,
    join_empty,
    join_own,
    leave_empty,
    leave_own,
    left_alone,
    moving_along,
    state_function,
    staying_along,
    touch,
    trail,
)
from ludoport.ludemes.fields.arrivals import arrive, depart
from ludoport.ludemes.fields.counts import one_arrives, one_leaves, write_counts
from ludoport.ludemes.fields.entries import enter, leave
from ludoport.ludemes.fields.facings import TURNS
from ludoport.ludemes.fields.hidden import carried_masks, clear_hidden
from ludoport.ludemes.fields.large_pieces import write_uncover
from ludoport.ludemes.fields.put_back import write_put_back
from ludoport.ludemes.fields.spots import join_spot, leave_spot
from ludoport.ludemes.fields.stack_primitives import write_stack_primitives
from ludoport.ludemes.fields.trial_primitives import write_trials

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def write_primitives(program: Program) -> None:
    """Write the functions that change a position."""
    if program.stacking:
        write_stack_primitives(program)
    else:
        _write_pieces(program)
        for writer in FOR_PIECES:
            writer(program)
    if "remove_later" in program.primitives:
        f = state_function(program, "remove_later", "s", "remember a piece to remove when the turn ends")
        with f.block("if state[LATE + s] == 0:"):
            f.line("state[N_LATE] += 1")
        f.line(f"state[LATE + s] {'+= 1' if program.stacking else '= 1'}")
        f.line("return 0")
    _write_control(program)
    for writer in FOR_ALL:
        writer(program)


def _write_pieces(program: Program) -> None:
    _write_lift(program)
    _write_place(program)
    _write_arrivals(program)
    if "remove_many" in program.primitives:
        f = state_function(program, "remove_many", "s count", "several pieces leave")
        trail(program, f, "s", "s")
        with f.block("if state[COUNT + s] <= count:"):
            f.line("lift(state, s)")
        with f.block("else:"):
            f.line("state[COUNT + s] -= count")
        f.line("return 0")
    _write_shift(program)
    if "promote" in program.primitives:
        f = state_function(program, "promote", "s piece", "turn the piece on a site into another")
        f.line("place(state, s, piece)")
        f.line("return 0")
    if "set_state" in program.primitives:
        f = state_function(program, "set_state", "s value", "set the local state of a site")
        f.line("state[STATE + s] = value")
        trail(program, f, "s", "s")
        f.line("return 0")
    write_counts(program)
    write_trials(program)
    write_put_back(program)


def _lists(program: Program) -> bool:
    """Whether positions keep lists of sites."""
    return program.state.has("EMPTY") or program.state.has("OWN")


def _write_lift(program: Program) -> None:
    layout = program.state
    f = state_function(program, "lift_one" if program.cover else "lift", "s", "take the piece from a site")
    trail(program, f, "s", "s")
    f.line("piece = state[WHAT + s]")
    with f.block("if piece == 0:"):
        f.line("return 0")
    hashing(program, f, "s", "piece")
    leave(program, f, "s", "piece")
    depart(program, f, "s")
    along_tracks(program, f, "leave", "s, piece")
    f.line("state[WHAT + s] = 0")
    touch(program, f, "s")
    for name in ("STATE", "ROTATION", "VALUE", "COUNT"):
        if layout.has(name):
            f.line(f"state[{name} + s] = 0")
    clear_hidden(program, f, "s")
    if _lists(program):
        with f.when(among_board(program, "s")):
            if layout.has("OWN"):
                leave_own(program, f, "s", "piece")
            if layout.has("EMPTY"):
                join_empty(program, f, "s")
    if program.spots:
        leave_spot(program, f, "s", "piece")
    f.line("return 0")
    if program.cover:
        f = state_function(program, "lift", "s", "take the piece from a site, and from all cells that it covers")
        write_uncover(program, f)
        f.line("lift_one(state, s)")
        f.line("return 0")


def _write_place(program: Program) -> None:
    layout = program.state
    f = state_function(program, "place", "s piece", "put a piece on a site in place of what is there")
    with f.block("if state[WHAT + s] != 0:"):
        f.line("lift(state, s)")
    f.line("state[WHAT + s] = piece")
    enter(program, f, "s", "piece")
    arrive(program, f, "s")
    along_tracks(program, f, "enter", "s, piece")
    touch(program, f, "s")
    hashing(program, f, "s", "piece")
    if layout.has("COUNT"):
        f.line("state[COUNT + s] = 1")
    if _lists(program):
        with f.when(among_board(program, "s")):
            if layout.has("EMPTY"):
                leave_empty(program, f, "s")
            if layout.has("OWN"):
                join_own(program, f, "s", "piece")
    if program.spots:
        join_spot(program, f, "s", "piece")
    if program.unions is not None:
        f.line("join_neighbours(state, s)")
    trail(program, f, "s", "s")
    f.line("return 0")


def _write_arrivals(program: Program) -> None:
    layout = program.state
    f = state_function(
        program, "add_piece", "s piece", "a piece arrives on a site; a piece that is there already stays"
    )
    trail(program, f, "s", "s")
    with f.block("if state[WHAT + s] == 0:"):
        f.line("place(state, s, piece)")
    if layout.has("COUNT"):
        with f.block("else:"):
            f.line("state[COUNT + s] += 1")
            along_tracks(program, f, "enter", "s, piece")
    f.line("return 0")

    if "add_with_state" in program.primitives:
        f = state_function(program, "add_with_state", "s piece value", "a piece arrives with a local state")
        f.line("add_piece(state, s, piece)")
        f.line("state[STATE + s] = value")
        f.line("return 0")
    if "add_many" in program.primitives:
        layout.want("COUNT", program.n_sites)
        f = state_function(program, "add_many", "s piece value count", "several pieces arrive")
        f.line("add_piece(state, s, piece)")
        f.line("state[COUNT + s] += count - 1")
        if layout.has("STATE"):
            f.line("state[STATE + s] = value")
        f.line("return 0")


def _write_shift(program: Program) -> None:
    layout = program.state
    f = state_function(
        program, "shift", "start end", "move a piece; it replaces what is there and keeps its local state"
    )
    f.line("piece = state[WHAT + start]")
    trail(program, f, "start", "end")
    staying_along(program, f, "piece")
    with f.block("if piece == 0 or start == end:"):
        f.line("return 0")
    kept = [name for name in ("STATE", "VALUE", "ROTATION") if layout.has(name)]
    for name in kept:
        f.line(f"kept_{name.lower()} = state[{name} + start]")
    for name, base in carried_masks(program):
        f.line(f"{name} = state[{base} + start]")
    with moving_along(program, f, "piece"):
        _write_step(program, f)
    for name in kept:
        f.line(f"state[{name} + end] = kept_{name.lower()}")
    for name, base in carried_masks(program):
        f.line(f"state[{base} + end] = {name}")
    trail(program, f, "start", "end")
    f.line("return 0")


def _write_step(program: Program, f: Function) -> None:
    """One piece leaves a site and arrives on another."""
    if program.state.has("COUNT"):
        with left_alone(program, f, "start"):
            one_leaves(f)
        with one_arrives(f):
            f.line("place(state, end, piece)")
    else:
        with left_alone(program, f, "start"):
            f.line("lift(state, start)")
        f.line("place(state, end, piece)")


def _write_control(program: Program) -> None:
    simple = {
        "set_next": ("player", "state[NEXT] = player"),
        "set_counter": ("value", "state[COUNTER] = value"),
        "set_score": ("player value", "state[SCORE + player] = value"),
        "add_score": ("player value", "state[SCORE + player] += value"),
        "set_piece_value": ("site value", "state[VALUE + site] = value"),
        "set_rotation": ("site value", f"state[ROTATION + site] = value % {TURNS}"),
        "trigger_event": ("player", "state[TRIGGERED + player] = 1"),
    }
    for name, (params, line) in simple.items():
        if name in program.primitives:
            f = state_function(program, name, params, name.replace("_", " "))
            f.line(line)
            f.line("return 0")
    if program.uses_pending:
        f = state_function(program, "pend", "value", "make a value pending")
        if "pending sites" in program.wants:
            with f.block("if on_board(value) and state[PENDING + value] != 0:"):
                f.line("return 0")
            with f.block("if on_board(value):"):
                f.line("state[PENDING + value] = 1")
        f.line("state[N_PENDING] += 1")
        f.line("state[PENDING_VALUE] = value")
        f.line("return 0")
        f = state_function(program, "clear_pending", "", "clear what is pending")
        if "pending sites" in program.wants:
            with f.block("if state[N_PENDING] != 0:"):
                with f.block(f"for i in range({program.n_sites}):"):
                    f.line("state[PENDING + i] = 0")
        f.line("state[N_PENDING] = 0")
        f.line("return 0")
