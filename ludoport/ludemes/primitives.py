"""The small changes of a position that everything else is made of, written for the fields a game has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.kernels.source import Function
from ludoport.ludemes.counts import trail, write_counts

if TYPE_CHECKING:
    from ludoport.ludemes.program import Program


def write_primitives(program: Program) -> None:
    """Write the functions that change a position."""
    if program.stacking:
        from ludoport.ludemes.stack_primitives import write_stack_primitives

        write_stack_primitives(program)
    else:
        _write_pieces(program)
    _write_control(program)
    from ludoport.ludemes.memory import write_memory

    write_memory(program)
    from ludoport.ludemes.voting import write_voting

    write_voting(program)


def state_function(program: Program, name: str, params: str, comment: str) -> Function:
    """A new function whose first parameter is the state."""
    function = Function(name, ["state", *params.split()], comment)
    program.module.functions.append(function)
    return function


def on_board(program: Program, site: str) -> str | None:
    """The test that a site is on the board, where the game has others."""
    return f"if {site} < {program.n_board}:" if program.n_board < program.n_sites else None


def leave_empty(f: Function, site: str) -> None:
    """Take a site out of the list of empty sites."""
    f.line(f"i = state[SLOT + {site}]")
    f.line("last = state[N_EMPTY] - 1")
    f.line("moved = state[EMPTY + last]")
    f.line("state[EMPTY + i] = moved")
    f.line("state[SLOT + moved] = i")
    f.line("state[N_EMPTY] = last")


def join_empty(f: Function, site: str) -> None:
    """Put a site into the list of empty sites."""
    f.line("n = state[N_EMPTY]")
    f.line(f"state[EMPTY + n] = {site}")
    f.line(f"state[SLOT + {site}] = n")
    f.line("state[N_EMPTY] = n + 1")


def leave_own(program: Program, f: Function, site: str, piece: str) -> None:
    """Take a site out of its owner's list."""
    f.line(f"owner = {program.owner_of(piece)}")
    with f.block(f"if owner >= 1 and owner <= {program.n_players}:" if _has_others(program) else "if True:"):
        f.line(f"i = state[SLOT + {site}]")
        f.line("last = state[N_OWN + owner] - 1")
        f.line(f"moved = state[OWN + (owner - 1) * {program.n_board} + last]")
        f.line(f"state[OWN + (owner - 1) * {program.n_board} + i] = moved")
        f.line("state[SLOT + moved] = i")
        f.line("state[N_OWN + owner] = last")


def join_own(program: Program, f: Function, site: str, piece: str) -> None:
    """Put a site into its owner's list."""
    f.line(f"owner = {program.owner_of(piece)}")
    with f.block(f"if owner >= 1 and owner <= {program.n_players}:" if _has_others(program) else "if True:"):
        f.line("n = state[N_OWN + owner]")
        f.line(f"state[OWN + (owner - 1) * {program.n_board} + n] = {site}")
        f.line(f"state[SLOT + {site}] = n")
        f.line("state[N_OWN + owner] = n + 1")


def _has_others(program: Program) -> bool:
    return any(not 1 <= c.owner <= program.n_players for c in program.components[1:])


def touch(program: Program, f: Function, site: str) -> None:
    """Note that a move changed a site, for games that ask which sites it changed."""
    if program.state.has("TOUCHED"):
        f.line(f"state[TOUCHED + {site}] = 1")


def _write_pieces(program: Program) -> None:
    layout = program.state
    lists = layout.has("EMPTY") or layout.has("OWN")
    guard = on_board(program, "s")
    f = state_function(program, "lift", "s", "take the piece from a site")
    trail(program, f, "s", "s")
    f.line("piece = state[WHAT + s]")
    with f.block("if piece == 0:"):
        f.line("return 0")
    hashing(program, f, "s", "piece")
    f.line("state[WHAT + s] = 0")
    touch(program, f, "s")
    if layout.has("STATE"):
        f.line("state[STATE + s] = 0")
    if layout.has("VALUE"):
        f.line("state[VALUE + s] = 0")
    if layout.has("COUNT"):
        f.line("state[COUNT + s] = 0")
    if lists:
        with f.block(guard or "if True:"):
            if layout.has("OWN"):
                leave_own(program, f, "s", "piece")
            if layout.has("EMPTY"):
                join_empty(f, "s")
    f.line("return 0")

    f = state_function(program, "place", "s piece", "put a piece on a site in place of what is there")
    with f.block("if state[WHAT + s] != 0:"):
        f.line("lift(state, s)")
    f.line("state[WHAT + s] = piece")
    touch(program, f, "s")
    hashing(program, f, "s", "piece")
    if layout.has("COUNT"):
        f.line("state[COUNT + s] = 1")
    if lists:
        with f.block(guard or "if True:"):
            if layout.has("EMPTY"):
                leave_empty(f, "s")
            if layout.has("OWN"):
                join_own(program, f, "s", "piece")
    if program.unions is not None:
        f.line("join_neighbours(state, s)")
    trail(program, f, "s", "s")
    f.line("return 0")

    f = state_function(
        program, "add_piece", "s piece", "a piece arrives on a site; a piece that is there already stays"
    )
    trail(program, f, "s", "s")
    with f.block("if state[WHAT + s] == 0:"):
        f.line("place(state, s, piece)")
    if layout.has("COUNT"):
        with f.block("else:"):
            f.line("state[COUNT + s] += 1")
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
    from ludoport.ludemes.shoving import write_swap

    write_swap(program)
    from ludoport.ludemes.puzzles import write_puzzle

    write_puzzle(program)
    if "remove_later" in program.primitives:
        f = state_function(program, "remove_later", "s", "remember a piece to remove when the turn ends")
        with f.block("if state[LATE + s] == 0:"):
            f.line("state[LATE + s] = 1")
            f.line("state[N_LATE] += 1")
        f.line("return 0")


def _write_shift(program: Program) -> None:
    layout = program.state
    f = state_function(
        program, "shift", "start end", "move a piece; it replaces what is there and keeps its local state"
    )
    f.line("piece = state[WHAT + start]")
    trail(program, f, "start", "end")
    with f.block("if piece == 0 or start == end:"):
        f.line("return 0")
    kept = [name for name in ("STATE", "VALUE") if layout.has(name)]
    for name in kept:
        f.line(f"kept_{name.lower()} = state[{name} + start]")
    if layout.has("COUNT"):
        with f.block("if state[COUNT + start] > 1:"):
            f.line("state[COUNT + start] -= 1")
        with f.block("else:"):
            f.line("lift(state, start)")
        with f.block("if state[WHAT + end] == piece:"):
            f.line("state[COUNT + end] += 1")
        with f.block("else:"):
            f.line("place(state, end, piece)")
    else:
        f.line("lift(state, start)")
        f.line("place(state, end, piece)")
    for name in kept:
        f.line(f"state[{name} + end] = kept_{name.lower()}")
    trail(program, f, "start", "end")
    f.line("return 0")


def hashing(program: Program, f: Function, site: str, piece: str) -> None:
    """Keep the hash of the position up to date where the game remembers positions."""
    if "ZOBRIST" not in program.module.tables:
        return
    for k in range(4):
        f.line(f"state[HASH + {k}] ^= ZOBRIST[({site} * {len(program.components)} + {piece}) * 4 + {k}]")


def _write_control(program: Program) -> None:
    simple = {
        "set_next": ("player", "state[NEXT] = player"),
        "set_counter": ("value", "state[COUNTER] = value"),
        "set_score": ("player value", "state[SCORE + player] = value"),
        "add_score": ("player value", "state[SCORE + player] += value"),
        "set_piece_value": ("site value", "state[VALUE + site] = value"),
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
            with f.block("if value >= 0 and state[PENDING + value] != 0:"):
                f.line("return 0")
            with f.block("if value >= 0:"):
                f.line("state[PENDING + value] = 1")
        f.line("state[N_PENDING] += 1")
        f.line("state[PENDING_VALUE] = value")
        f.line("return 0")
        f = state_function(program, "clear_pending", "", "nothing is pending any more")
        if "pending sites" in program.wants:
            with f.block("if state[N_PENDING] != 0:"):
                with f.block(f"for i in range({program.n_sites}):"):
                    f.line("state[PENDING + i] = 0")
        f.line("state[N_PENDING] = 0")
        f.line("return 0")
