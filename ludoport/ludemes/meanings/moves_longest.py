"""``max Moves``: only the moves that begin the longest turns; ``max Captures``: those that take most."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ludoport.errors import UnsupportedError
from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Cx
from ludoport.ludemes.core.registry import condition, generate, moves_ludeme, optional
from ludoport.ludemes.core.sinks import ExistsSink, ListSink, Sink
from ludoport.ludemes.fields.captured import counts_values, values_by_level, want_captured
from ludoport.ludemes.meanings.moves_parts import refuse_then
from ludoport.ludemes.meanings.moves_sequence import After, measures_before

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

DEEPEST = 24
"""Most moves of one turn that are looked at."""


@moves_ludeme("max Moves", writes=["board"], draws=False, pieces="stay", chooses=True)
def max_moves(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """The moves after which the mover can move longest."""
    refuse_then(node)
    valued = condition(node.get("withValue"), cx, False)
    if valued is not _valued(cx.program):
        raise UnsupportedError("`withValue:` must be the same in all of a game, and known before it", node.source)
    place = cx.inside(optional(node.get("then")))
    inner = node.args["moves"]
    assert isinstance(inner, Ludeme)
    if isinstance(sink, After) and sink.longest and not cx.program.dice:
        _choose_after(node, cx, sink)
        return
    if sink.takes:
        _choose_elsewhere(node, cx, sink)
        return
    if not chooses_here(node, sink, cx.program):
        generate(inner, place, sink)
        return
    cx.program.wants.add("longest")
    start = cx.fresh("n")
    cx.line(f"{start} = n")
    generate(inner, place, sink)
    cx.program.rules.sieve(place, inner, start)
    with cx.block(f"if n > {start} + 1:"):
        cx.line(f"n = keep_longest(state, work, moves, {start}, n)")


def _choose_after(node: Ludeme, cx: Cx, sink: After) -> None:
    """Choose among moves with effects before them.

    Turns are measured where these effects have been done, so the same moves are listed once more without them, tried,
    and dropped.
    """
    inner = node.args["moves"]
    assert isinstance(inner, Ludeme)
    if cx.program.rules.has_tests(cx, inner):
        text = "`max Moves` after other effects is not implemented yet for moves with `ifAfterwards:`"
        raise UnsupportedError(text, node.source)
    cx.program.wants.add("longest")
    then = optional(node.get("then"))
    start = cx.name("n + 0", "before")
    generate(inner, cx.inside(then), sink)
    end = cx.name("n + 0", "listed")
    generate(inner, replace(cx, chain=()).inside(then), sink.plain)
    cx.fn.when_full("n >= cap")
    cx.line(f"n = keep_longest_after(state, work, moves, {start}, {end}, n)")


def _choose_elsewhere(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Choose in a list of its own, and hand the chosen moves over."""
    program, lists = cx.program, ListSink()
    if cx.filters or not measures_before(program):
        raise UnsupportedError(
            "`max Moves` is not implemented yet here for moves that are not decisions, only in effects before moves "
            "(`do ... next:`)",
            node.source,
        )
    size = "MAX_MOVES * MOVE_SIZE"
    offset = program.scratch(size, "LISTED")
    rows, count, index, row = (cx.fresh(stem) for stem in ("rows", "count", "i", "row"))
    cx.line(f"{rows} = work[{offset} : {offset} + {size}]")
    bare = replace(cx, chain=(), buffer=None)
    key = ("longest", id(node))
    call = lists.function(
        bare, "longest", node, lambda place: generate(node, place, lists), key, rows, "wide(0)", "wide(MAX_MOVES)"
    )
    cx.line(f"{count} = {call}")
    cx.fn.when_full(f"{count} >= MAX_MOVES")
    with cx.block(f"for {index} in range({count}):"):
        cx.line(f"{row} = {rows}[{index} * MOVE_SIZE : ({index} + 1) * MOVE_SIZE]")
        sink.take(cx, row)


@moves_ludeme("max Captures", writes=["board"], draws=False, pieces="stay", chooses=True)
def max_captures(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """The moves that take the most pieces, or pieces of the greatest value, consequents included."""
    refuse_then(node)
    if condition(node.get("withValue"), cx, False) is not _valued(cx.program):
        raise UnsupportedError("`withValue:` must be the same in all of a game, and known before it", node.source)
    place = cx.inside(optional(node.get("then")))
    inner = node.args["moves"]
    assert isinstance(inner, Ludeme)
    if not chooses_here(node, sink, cx.program):
        generate(inner, place, sink)
        return
    cx.program.memo(_write_capturing)
    start = cx.name("n + 0", "before")
    generate(inner, place, sink)
    cx.program.rules.sieve(place, inner, start)
    with cx.block(f"if n > {start} + 1:"):
        cx.line(f"n = keep_capturing(state, work, moves, {start}, n)")


def _write_capturing(program: Program) -> None:
    """Write the function that keeps the moves that take most."""
    want_captured(program)
    copy = program.scratch("CORE_SIZE", "COPY")
    f = Function("captures_of", ["state", "work", "moves", "k"], "how much a move of a list takes")
    f.line(f"after = work[{copy} : {copy} + CORE_SIZE]")
    with f.block("for i in range(CORE_SIZE):"):
        f.line("after[i] = state[i]")
    f.line("apply(after, moves[k * MOVE_SIZE : (k + 1) * MOVE_SIZE], work)")
    f.line("return after[CAPTURED] - state[CAPTURED]")
    program.module.functions.append(f)
    _write_keep(program, "keep_capturing", "captures_of(state, work, moves, i)", "keep the moves that take most")


def _valued(program: Program) -> bool:
    """Whether pieces that are taken count by their values."""
    return program.memo(counts_values)


def chooses_here(node: Ludeme, sink: Sink, program: Program) -> bool:
    """Whether a list is made from which the best moves are chosen.

    After ``do ... next:`` moves are tried where the prior effects have been done already; a roll may
    be repeated there, since it gives the same again.

    Raises:
        UnsupportedError: the choice makes a difference, and there is no list to choose from.
    """
    here = (isinstance(sink, ListSink) and sink.longest) or (bool(program.dice) and getattr(sink, "longest", False))
    indifferent = isinstance(sink, ExistsSink) or getattr(sink, "longest", True) is False
    if not here and not indifferent:
        raise UnsupportedError(f"`{node.keyword}` is not implemented yet for moves that are not decisions", node.source)
    return here


def write_longest(program: Program) -> None:
    """Write the function that keeps the moves of the longest turns.

    What may follow a move is searched depth first; the lists of moves on the way lie behind the list being filtered.
    """
    if "moves:max Moves" not in program.keys:
        return
    if _valued(program):
        want_captured(program)
    taken = "here[CAPTURED] - state[CAPTURED]"
    later = "after[CAPTURED] - state[CAPTURED]"
    rows = program.scratch(f"CORE_SIZE * {DEEPEST}", "TURN")
    cursors = program.scratch(2 * DEEPEST, "CURSORS")
    measure, comment = "turn_length(state, work, moves, {}, {})", "keep the moves that begin the longest turns"
    _write_keep(program, "keep_longest", measure.format("i", "n"), comment)
    # The same moves without the effects before them stand behind the list, up to its end.
    _write_keep(program, "keep_longest_after", measure.format("n + i - start", "end"), comment, ("end",))
    play = "play_on" if measures_before(program) else "play"
    f = Function(
        "turn_length", ["state", "work", "moves", "first", "n"], "the most moves of a turn that begins with a move"
    )
    f.line("depth = 0")
    f.line(f"best = {0 if _valued(program) else 1}")
    f.line(f"base = {rows}")
    f.line("here = work[base : base + CORE_SIZE]")
    with f.block("for i in range(CORE_SIZE):"):
        f.line("here[i] = state[i]")
    f.line(f"{play}(here, moves[first * MOVE_SIZE : (first + 1) * MOVE_SIZE], work)")
    with f.block("if here[OVER] != 0 or here[PREV] != here[MOVER]:"):
        f.line(f"return {taken if _valued(program) else 1}")
    f.line(f"work[{cursors}] = n")
    f.line(f"work[{cursors} + 1] = open_play(here, work, moves, n, MAX_MOVES)")
    f.when_full(f"work[{cursors} + 1] >= MAX_MOVES")
    with f.block(f"if work[{cursors} + 1] == n:"):
        f.line(f"return {taken if _valued(program) else 2}")
    if values_by_level(program):
        f.line("taken = here[CAPTURED] - state[CAPTURED] - here[CAPTURED_TOPS]")
        later = "taken + after[CAPTURED_TOPS]"
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
        f.line(f"{play}(after, moves[k * MOVE_SIZE : (k + 1) * MOVE_SIZE], work)")
        f.line(f"length = {later if _valued(program) else 'depth + 2'}")
        with f.block(f"if after[OVER] == 0 and after[PREV] == after[MOVER] and depth + 2 < {DEEPEST}:"):
            f.line("last = open_play(after, work, moves, end, MAX_MOVES)")
            f.when_full("last >= MAX_MOVES")
            with f.block("if last == end:"):
                # The forced pass is a move too.
                f.line(f"length += {0 if _valued(program) else 1}")
            with f.block("else:"):
                f.line("depth += 1")
                f.line(f"work[{cursors} + 2 * depth] = end")
                f.line(f"work[{cursors} + 2 * depth + 1] = last")
        with f.block("if length > best:"):
            f.line("best = length")
    f.line("return best")
    program.module.functions.append(f)


def _write_keep(program: Program, name: str, measure: str, comment: str, further: tuple[str, ...] = ()) -> None:
    """Write a function that keeps the moves of a list for which a number is greatest.

    Args:
        program: the game.
        name: of the function.
        measure: code of the number of move ``i``.
        comment: what the function does.
        further: more parameters, which the measure uses.
    """
    f = Function(name, ["state", "work", "moves", "start", "n", *further], comment)
    f.line("best = 0")
    f.line("kept = start")
    with f.block("for i in range(start, n):"):
        f.line(f"length = {measure}")
        with f.block("if length > best:"):
            f.line("best = length")
            f.line("kept = start")
        with f.block("if length == best:"):
            with f.block("for c in range(MOVE_SIZE):"):
                f.line("moves[kept * MOVE_SIZE + c] = moves[i * MOVE_SIZE + c]")
            f.line("kept += 1")
    f.line("return kept")
    program.module.functions.append(f)
