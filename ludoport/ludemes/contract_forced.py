"""The meta rule ``automove``: after each move, moves that are the only one to their site are made at once."""

from __future__ import annotations

from ludoport.errors import UnsupportedError
from ludoport.kernels.source import LIST_FULL, Function
from ludoport.ludemes.core.phases import Course

_APART = ("no Repeat", "swap", "gravity", "pin", "noStackOn")
"""Meta rules that are not implemented beside it."""


def write_forced(course: Course) -> None:
    """Write the function that makes forced moves, round by round, until none is left.

    All forced moves of a round are found before any of them is made.
    """
    program, node = course.program, course.meta["automove"]
    beside = next((keyword for keyword in _APART if keyword in course.meta), None)
    if beside is not None or program.together or program.simulation:
        other = f"`{beside}`" if beside is not None else "simultaneous moves and games without players"
        raise UnsupportedError(f"`automove` with {other} is not implemented yet", node.source)
    rules = program.rules.write_bare("do_forced")
    if any(rule.chain or rule.spec.kind == "pass" for rule in rules):
        raise UnsupportedError(
            "`automove` with passes or with moves that something follows is not implemented yet", node.source
        )
    size = "MAX_MOVES * MOVE_SIZE"
    rows, ways = program.scratch(size, "FORCED"), program.scratch(program.n_sites, "WAYS_TO")
    f = Function("make_forced", ["state", "work"], "moves that are the only one to their site are made")
    f.line(f"moves = work[{rows} : {rows} + {size}]")
    # Every round fills a site, unless forced moves change nothing.
    with f.block(f"for _ in range({program.n_board}):"):
        f.line("n = list_play(state, work, moves, wide(0), wide(MAX_MOVES))")
        with f.block(f"if n >= MAX_MOVES:{LIST_FULL}"):
            f.line(f"work[FULL] = MARK{LIST_FULL}")
        with f.block(f"for s in range({program.n_sites}):"):
            f.line(f"work[{ways} + s] = 0")
        f.line("kept = 0")
        with f.block("for i in range(n):"):
            f.line("to = moves[i * MOVE_SIZE + TO]")
            tested = "accept(state, moves[i * MOVE_SIZE : (i + 1) * MOVE_SIZE], work)" if program.any_tests else ""
            with f.block(f"if {' and '.join(['to >= 0', tested] if tested else ['to >= 0'])}:"):
                f.line(f"work[{ways} + to] += 1")
                with f.block("for c in range(MOVE_SIZE):"):
                    f.line("moves[kept * MOVE_SIZE + c] = moves[i * MOVE_SIZE + c]")
                f.line("kept += 1")
        f.line("made = 0")
        with f.block("for i in range(kept):"):
            with f.block(f"if work[{ways} + moves[i * MOVE_SIZE + TO]] == 1:"):
                f.line("do_forced(state, moves[i * MOVE_SIZE : (i + 1) * MOVE_SIZE], work)")
                f.line("made += 1")
        with f.block("if made == 0:"):
            f.line("return 0")
    f.line("return 0")
    program.module.functions.append(f)
