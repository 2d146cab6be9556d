"""``max Moves``: only the moves that begin the longest turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.errors import UnsupportedError
from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.context import Cx
from ludoport.ludemes.registry import condition, generate, moves_ludeme, optional
from ludoport.ludemes.sinks import ListSink, Sink

if TYPE_CHECKING:
    from ludoport.ludemes.program import Program

DEEPEST = 24
"""Most moves of one turn that are looked at."""


@moves_ludeme("max Moves")
def max_moves(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """The moves after which the mover can go on longest."""
    if condition(node.get("withValue"), cx, False) is not False:
        raise UnsupportedError("`max Moves withValue:` is not implemented yet", node.source)
    place = cx.inside(optional(node.get("then")))
    if not isinstance(sink, ListSink) or not sink.longest:
        generate(node.args["moves"], place, sink)
        return
    cx.program.wants.add("longest")
    start = cx.fresh("n")
    cx.line(f"{start} = n")
    inner = node.args["moves"]
    assert isinstance(inner, Ludeme)
    generate(inner, place, ListSink())
    cx.program.rules.sieve(place, inner, start)
    with cx.block(f"if n > {start} + 1:"):
        cx.line(f"n = keep_longest(state, work, moves, {start}, n)")


def write_longest(program: Program) -> None:
    """Write the function that keeps the moves of the longest turns.

    What may follow a move is searched depth first; the lists of moves on the way lie behind the list being filtered.
    """
    for _ in range(DEEPEST - 1):
        program.scratch("CORE_SIZE", "TURN")
    rows = program.scratch("CORE_SIZE", "TURN")
    cursors = program.scratch(2 * DEEPEST, "CURSORS")
    _write_keep(program)
    f = Function(
        "turn_length", ["state", "work", "moves", "first", "n"], "the most moves of a turn that begins with a move"
    )
    top = f"{rows} - CORE_SIZE * {DEEPEST - 1}"
    f.line("depth = 0")
    f.line("best = 1")
    f.line(f"base = {top}")
    f.line("here = work[base : base + CORE_SIZE]")
    with f.block("for i in range(CORE_SIZE):"):
        f.line("here[i] = state[i]")
    f.line("play(here, moves[first * MOVE_SIZE : (first + 1) * MOVE_SIZE], work)")
    with f.block("if here[OVER] != 0 or here[PREV] != here[MOVER]:"):
        f.line("return 1")
    f.line(f"work[{cursors}] = n")
    f.line(f"work[{cursors} + 1] = open_play(here, work, moves, n, MAX_MOVES)")
    with f.block(f"if work[{cursors} + 1] == n:"):
        f.line("return 2")
    with f.block("while depth >= 0:"):
        f.line(f"k = work[{cursors} + 2 * depth]")
        f.line(f"end = work[{cursors} + 2 * depth + 1]")
        with f.block("if k >= end:"):
            f.line("depth -= 1")
            f.line("continue")
        f.line(f"work[{cursors} + 2 * depth] = k + 1")
        f.line("here = work[base + depth * CORE_SIZE : base + (depth + 1) * CORE_SIZE]")
        f.line("after = work[base + (depth + 1) * CORE_SIZE : base + (depth + 2) * CORE_SIZE]")
        with f.block("for i in range(CORE_SIZE):"):
            f.line("after[i] = here[i]")
        f.line("play(after, moves[k * MOVE_SIZE : (k + 1) * MOVE_SIZE], work)")
        f.line("length = depth + 2")
        with f.block(f"if after[OVER] == 0 and after[PREV] == after[MOVER] and depth + 2 < {DEEPEST}:"):
            f.line("last = open_play(after, work, moves, end, MAX_MOVES)")
            with f.block("if last == end:"):
                # The forced pass is a move too.
                f.line("length += 1")
            with f.block("else:"):
                f.line("depth += 1")
                f.line(f"work[{cursors} + 2 * depth] = end")
                f.line(f"work[{cursors} + 2 * depth + 1] = last")
        with f.block("if length > best:"):
            f.line("best = length")
    f.line("return best")
    program.module.functions.append(f)


def _write_keep(program: Program) -> None:
    f = Function(
        "keep_longest", ["state", "work", "moves", "start", "n"], "keep the moves that begin the longest turns"
    )
    f.line("best = 0")
    f.line("kept = start")
    with f.block("for i in range(start, n):"):
        f.line("length = turn_length(state, work, moves, i, n)")
        with f.block("if length > best:"):
            f.line("best = length")
            f.line("kept = start")
        with f.block("if length == best:"):
            with f.block("for c in range(MOVE_SIZE):"):
                f.line("moves[kept * MOVE_SIZE + c] = moves[i * MOVE_SIZE + c]")
            f.line("kept += 1")
    f.line("return kept")
    program.module.functions.append(f)
