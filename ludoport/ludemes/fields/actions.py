"""Lines that the functions which change a position have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ludoport.kernels.source import Function

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


Writer = Callable[["Program"], None]

FOR_PIECES: list[Writer] = []
"""Writers of further primitives for games without stacks."""

FOR_ALL: list[Writer] = []
"""Writers of further primitives for all games."""


def piece_primitives(writer: Writer) -> Writer:
    """Register a function that writes primitives of its own, for games without stacks."""
    FOR_PIECES.append(writer)
    return writer


def primitives(writer: Writer) -> Writer:
    """Register a function that writes primitives of its own, for all games."""
    FOR_ALL.append(writer)
    return writer


def state_function(program: Program, name: str, params: str, comment: str) -> Function:
    """A new function whose first parameter is the state."""
    function = Function(name, ["state", *params.split()], comment)
    program.module.functions.append(function)
    return function


def note_lost(program: Program, f: Function) -> None:
    """Write code for what has no room in a list of the row; what applies moves turns the note into an error."""
    f.line(f"state[{program.state.want('ROW_FULL')}] = 1")


def among_board(program: Program, site: str) -> str | bool:
    """The test that a site belongs to the board, where the game has others; otherwise True."""
    return f"{site} < {program.n_board}" if program.n_board < program.n_sites else True


def _state_places(program: Program, f: Function) -> None:
    """A site that leaves a list was in it, and one that joins was not: so its place is one of the list."""
    f.facts.update(n=(0, program.n_board - 1), last=(0, program.n_board - 1))


def leave_empty(program: Program, f: Function, site: str) -> None:
    """Take a site out of the list of empty sites."""
    _state_places(program, f)
    f.line(f"i = state[SLOT + {site}]")
    f.line("last = state[N_EMPTY] - 1")
    f.line("moved = state[EMPTY + last]")
    f.line("state[EMPTY + i] = moved")
    f.line("state[SLOT + moved] = i")
    f.line("state[N_EMPTY] = last")


def join_empty(program: Program, f: Function, site: str) -> None:
    """Put a site into the list of empty sites."""
    _state_places(program, f)
    f.line("n = state[N_EMPTY]")
    f.line(f"state[EMPTY + n] = {site}")
    f.line(f"state[SLOT + {site}] = n")
    f.line("state[N_EMPTY] = n + 1")


def leave_own(program: Program, f: Function, site: str, piece: str) -> None:
    """Take a site out of its owner's list."""
    _state_places(program, f)
    f.line(f"owner = {program.owner_of(piece)}")
    with f.when(f"owner >= 1 and owner <= {program.n_players}" if _has_others(program) else True):
        f.line(f"i = state[SLOT + {site}]")
        f.line("last = state[N_OWN + owner] - 1")
        f.line(f"moved = state[OWN + (owner - 1) * {program.n_board} + last]")
        f.line(f"state[OWN + (owner - 1) * {program.n_board} + i] = moved")
        f.line("state[SLOT + moved] = i")
        f.line("state[N_OWN + owner] = last")
        _count_ways(program, f, site, piece, "-")


def join_own(program: Program, f: Function, site: str, piece: str) -> None:
    """Put a site into its owner's list."""
    _state_places(program, f)
    f.line(f"owner = {program.owner_of(piece)}")
    with f.when(f"owner >= 1 and owner <= {program.n_players}" if _has_others(program) else True):
        f.line("n = state[N_OWN + owner]")
        f.line(f"state[OWN + (owner - 1) * {program.n_board} + n] = {site}")
        f.line(f"state[SLOT + {site}] = n")
        f.line("state[N_OWN + owner] = n + 1")
        _count_ways(program, f, site, piece, "+")


def _count_ways(program: Program, f: Function, site: str, piece: str, sign: str) -> None:
    """Keep the number of candidates of a player's pieces up to date."""
    if program.ways is not None:
        f.line(f"state[N_WAYS + owner] {sign}= {program.ways}[{piece} * {program.n_board} + {site}]")


def _has_others(program: Program) -> bool:
    return any(not 1 <= c.owner <= program.n_players for c in program.components[1:])


def touch(program: Program, f: Function, site: str) -> None:
    """Note that a move changed a site, for games that ask which sites it changed."""
    if program.state.has("TOUCHED"):
        f.line(f"state[TOUCHED + {site}] = 1")


@contextmanager
def left_alone(program: Program, f: Function, site: str) -> Iterator[None]:
    """Write the departure of a piece that moves: only the sites where pieces arrive count as changed by a move."""
    if program.state.has("TOUCHED"):
        f.line(f"touched = state[TOUCHED + {site}]")
    yield
    if program.state.has("TOUCHED"):
        f.line(f"state[TOUCHED + {site}] = touched")


def hashing(program: Program, f: Function, site: str, piece: str) -> None:
    """Keep the hash of the position up to date where the game remembers positions."""
    if "ZOBRIST" not in program.module.tables:
        return
    for k in range(4):
        f.line(f"state[HASH + {k}] ^= ZOBRIST[({site} * {len(program.components)} + {piece}) * 4 + {k}]")


def trail(program: Program, f: Function, start: str, end: str) -> None:
    """Note where an action started and ended, for games that ask where a move ended with all its consequents."""
    if "last after" in program.wants:
        f.line(f"state[TRAIL_FROM] = {start}")
        f.line(f"state[TRAIL_TO] = {end}")


def along_tracks(program: Program, f: Function, change: str, arguments: str) -> None:
    """Keep where on their tracks pieces are, for games whose tracks pass a site more than once."""
    if "laps" in program.wants:
        with f.block("if state[FOLLOWED] == 0:"):
            f.line(f"{change}_tracks(state, {arguments})")


def staying_along(program: Program, f: Function, piece: str) -> None:
    """A move that ends where it started may lead to the next place of the site on a track."""
    if "laps" in program.wants:
        with f.block(f"if start == end and {piece} != 0:"):
            f.line(f"follow_tracks(state, start, end, {piece})")


@contextmanager
def moving_along(program: Program, f: Function, piece: str) -> Iterator[None]:
    """Write the departure and the arrival of one piece as one step along its tracks."""
    if "laps" not in program.wants:
        yield
        return
    with f.block(f"if {piece} != 0:"):
        f.line(f"follow_tracks(state, start, end, {piece})")
    f.line("state[FOLLOWED] = 1")
    yield
    f.line("state[FOLLOWED] = 0")
