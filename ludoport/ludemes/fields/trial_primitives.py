"""The small changes of a position for trials: of sites and numbers only, each noted before it happens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.kernels.source import Function
from ludoport.ludemes.core.trials import CHANGES, NOTES, SITE_FIELDS
from ludoport.ludemes.fields.actions import among_board
from ludoport.ludemes.fields.spots import join_spot, leave_spot

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def write_trials(program: Program) -> None:
    """Write the primitives of trials, and what takes a trial back."""
    if "trials" not in program.wants:
        return
    kept = [name for name in SITE_FIELDS if program.state.has(name)]
    program.reserve("W_TRIED", 1)
    program.reserve("W_ARRIVED", 1)
    for name in ("SITE", *kept):
        program.reserve(f"W_TRIED_{name}", NOTES)
    _write_note(program, kept)
    _write_take_back(program, kept)
    _write_pieces(program, kept)
    _write_numbers(program)


def _function(program: Program, name: str, params: str, comment: str) -> Function:
    function = Function(f"try_{name}" if name in CHANGES else name, ["state", "work", *params.split()], comment)
    program.module.functions.append(function)
    return function


def _leave(f: Function, program: Program, piece: bool = False) -> None:
    """Do nothing off the board, as the primitives of moves do."""
    test = f"s < 0 or s >= {program.n_sites}"
    with f.block(f"if {test} or piece < 1 or piece >= {len(program.components)}:" if piece else f"if {test}:"):
        f.line("return 0")


def _write_note(program: Program, kept: list[str]) -> None:
    f = _function(program, "note", "s", "remember a site before a trial changes it")
    f.facts["n"] = (0, NOTES - 1)
    f.line("n = work[W_TRIED]")
    f.line("work[W_TRIED_SITE + n] = s")
    for name in kept:
        f.line(f"work[W_TRIED_{name} + n] = state[{name} + s]")
    f.line("work[W_TRIED] = n + 1")
    f.line("return 0")


def _write_take_back(program: Program, kept: list[str]) -> None:
    f = _function(program, "take_back", "", "put everything back that a trial has changed, the last change first")
    f.facts.update(n=(0, NOTES), k=(0, NOTES - 1))
    f.line("n = work[W_TRIED]")
    with f.block("for i in range(n):"):
        f.line("k = n - 1 - i")
        f.line("s = work[W_TRIED_SITE + k]")
        for name in kept:
            f.line(f"state[{name} + s] = work[W_TRIED_{name} + k]")
    f.line("return 0")


def _write_pieces(program: Program, kept: list[str]) -> None:
    f = _function(program, "lift", "s", "take the piece from a site on trial")
    _leave(f, program)
    f.line("piece = state[WHAT + s]")
    with f.block("if piece == 0:"):
        f.line("return 0")
    f.line("note(state, work, s)")
    for name in kept:
        f.line(f"state[{name} + s] = 0")
    leave_spot(program, f, "s", "piece")
    f.line("return 0")

    f = _function(program, "place", "s piece", "put a piece on a site on trial")
    _leave(f, program, piece=True)
    with f.block("if state[WHAT + s] != 0:"):
        f.line("try_lift(state, work, s)")
    f.line("note(state, work, s)")
    f.line("state[WHAT + s] = piece")
    if "COUNT" in kept:
        f.line("state[COUNT + s] = 1")
    with f.when(among_board(program, "s")):
        f.line(f"work[W_ARRIVED] = work[W_ARRIVED] | (1 << {program.owner_of('piece')})")
    join_spot(program, f, "s", "piece")
    f.line("return 0")

    f = _function(program, "add_piece", "s piece", "a piece arrives on trial; one that is there already stays")
    _leave(f, program, piece=True)
    with f.block("if state[WHAT + s] == 0:"):
        f.line("try_place(state, work, s, piece)")
    if "COUNT" in kept:
        with f.block("else:"):
            f.line("note(state, work, s)")
            f.line("state[COUNT + s] += 1")
    f.line("return 0")

    f = _function(program, "promote", "s piece", "turn a piece into another on trial")
    f.line("try_place(state, work, s, piece)")
    f.line("return 0")
    _write_shift(program, kept)
    if "STATE" in kept:
        f = _function(program, "set_state", "s value", "set the local state of a site on trial")
        _leave(f, program)
        f.line("note(state, work, s)")
        f.line("state[STATE + s] = value")
        f.line("return 0")


def _write_shift(program: Program, kept: list[str]) -> None:
    f = _function(program, "shift", "start end", "move a piece on trial")
    with f.block(f"if start < 0 or start >= {program.n_sites} or end < 0 or end >= {program.n_sites}:"):
        f.line("return 0")
    f.line("piece = state[WHAT + start]")
    with f.block("if piece == 0 or start == end:"):
        f.line("return 0")
    more = [name for name in kept if name in ("STATE", "VALUE", "ROTATION")]
    for name in more:
        f.line(f"kept_{name.lower()} = state[{name} + start]")
    if "COUNT" in kept:
        with f.block("if state[COUNT + start] > 1:"):
            f.line("note(state, work, start)")
            f.line("state[COUNT + start] -= 1")
        with f.block("else:"):
            f.line("try_lift(state, work, start)")
        with f.block("if state[WHAT + end] == piece:"):
            f.line("note(state, work, end)")
            f.line("state[COUNT + end] += 1")
        with f.block("else:"):
            f.line("try_place(state, work, end, piece)")
    else:
        f.line("try_lift(state, work, start)")
        f.line("try_place(state, work, end, piece)")
    for name in more:
        f.line(f"state[{name} + end] = kept_{name.lower()}")
    f.line("return 0")


def _write_numbers(program: Program) -> None:
    f = _function(program, "set_next", "player", "set the next player on trial")
    with f.block("if player >= 1 and player <= N_PLAYERS:"):
        f.line("state[NEXT] = player")
    f.line("return 0")
    if program.state.has("COUNTER"):
        f = _function(program, "set_counter", "value", "set the counter on trial")
        f.line("state[COUNTER] = value")
        f.line("return 0")
    if program.uses_pending:
        f = _function(program, "pend", "value", "make a value pending on trial")
        f.line("state[N_PENDING] += 1")
        f.line("state[PENDING_VALUE] = value")
        f.line("return 0")
