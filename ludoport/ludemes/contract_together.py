"""Games in which all players choose in the same step.

In a row the players choose one after another: ``MOVER`` is the one who chooses, ``LEADER`` the mover of the rules, and
``CHOSEN`` keeps what was chosen. When all have chosen, their moves are done in the order of the players.
"""

from __future__ import annotations

from collections.abc import Callable

from ludoport.errors import UnsupportedError
from ludoport.kernels.source import Function
from ludoport.ludemes.core.phases import Course
from ludoport.ludemes.core.program import Program

ROOM = 16
"""Numbers of a row for what one player has chosen."""


def want_choices(program: Program) -> None:
    """Rows keep whose rules hold, and what was chosen."""
    if program.together:
        program.state.want("LEADER")
        program.state.want("CHOSEN", program.n_players * ROOM)
        program.moves.want("WHOSE")


def check_room(program: Program) -> None:
    """Refuse moves that need more numbers than a row keeps of each choice."""
    if program.together and program.moves.size > ROOM:
        raise UnsupportedError(f"moves of {program.moves.size} numbers are too large for simultaneous moves")


def list_choices(f: Function) -> None:
    """Write the list of the moves among which the player to choose has the choice."""
    f.line("chooser = state[MOVER]")
    f.line("state[MOVER] = state[LEADER]")
    f.line("n = list_play(state, work, moves, wide(0), wide(MAX_MOVES))")
    f.line("state[MOVER] = chooser")
    f.line("kept = 0")
    with f.block("for i in range(n):"), f.block("if moves[i * MOVE_SIZE + WHOSE] == chooser:"):
        with f.block("for c in range(MOVE_SIZE):"):
            f.line("moves[kept * MOVE_SIZE + c] = moves[i * MOVE_SIZE + c]")
        f.line("kept += 1")
    f.line("n = kept")


def write_choosing(course: Course) -> None:
    """Write the function ``play``: a choice is kept, and the last one makes all moves happen."""
    program = course.program
    f = Function("play", ["state", "move", "work"], "one choice; after the last one, all moves together")
    f.line("chooser = state[MOVER]")
    f.facts["chooser"] = (1, program.n_players)
    with f.block("for c in range(MOVE_SIZE):"):
        f.line(f"state[CHOSEN + (chooser - 1) * {ROOM} + c] = move[c]")
    with f.block("if chooser < N_PLAYERS:"):
        f.line("state[MOVER] = chooser + 1")
        f.line("return 0")
    f.line("state[MOVER] = state[LEADER]")
    f.line("play_all(state, move, work)")
    f.line("state[LEADER] = state[MOVER]")
    with f.block(f"for c in range({program.n_players * ROOM}):"):
        f.line("state[CHOSEN + c] = 0")
    with f.block("if state[OVER] == 0:"):
        f.line("state[MOVER] = 1")
    f.line("return 0")
    program.module.functions.append(f)


def each_choice(program: Program, f: Function, write: Callable[[str], None]) -> None:
    """Write a loop over the chosen moves in the order of the players; each move is copied to scratch space."""
    offset = program.scratch("MOVE_SIZE", "CHOICE")
    f.line(f"choice = work[{offset} : {offset} + MOVE_SIZE]")
    with f.block("for p in range(N_PLAYERS):"):
        with f.block("for c in range(MOVE_SIZE):"):
            f.line(f"choice[c] = state[CHOSEN + p * {ROOM} + c]")
        write("choice")
