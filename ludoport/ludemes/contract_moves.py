"""Functions that go through the moves of the mover's phase: to list them, or to answer a question about them."""

from __future__ import annotations

from dataclasses import replace

from ludoport.errors import UnsupportedError
from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.contract_legal import layer_tests
from ludoport.ludemes.core.phases import Course
from ludoport.ludemes.core.registry import generate
from ludoport.ludemes.core.shortcuts import taken
from ludoport.ludemes.core.sinks import HitsSink, ListSink, Sink
from ludoport.ludemes.meanings.enemies import write_enemies
from ludoport.ludemes.meanings.moves_exist import exists
from ludoport.ludemes.meanings.moves_longest import write_longest


def write_list(course: Course) -> None:
    """Write the function that lists the moves, tests not yet made."""
    _write_generator(course, "list_play", ListSink())


def write_hits(course: Course) -> None:
    """Write the functions that test whether a player, or any enemy of one, has a move to a site."""
    _write_generator(course, "hits_play", HitsSink(), "target", "mover", "prv")
    write_enemies(course.program, "enemy_hits", "hits_play")


def write_hits_stuck(course: Course) -> None:
    """Write the same for threats that are looked for inside ``no Moves Next``, where that question counts as false."""
    _write_generator(course, "hits_play_stuck", HitsSink(), "target", "mover", "prv", stuck=True)
    write_enemies(course.program, "enemy_hits_stuck", "hits_play_stuck")


def write_open(course: Course) -> None:
    """Write the functions by which only the moves that begin the longest sequences are kept."""
    if "no Repeat" in course.meta:
        raise UnsupportedError("`max Moves` with `no Repeat` is not implemented yet", course.meta["no Repeat"].source)
    _write_generator(course, "open_play", ListSink(longest=False, measuring=True))
    write_longest(course.program)


def _write_generator(course: Course, name: str, sink: Sink, *params: str, stuck: bool = False) -> None:
    program = course.program
    function = Function(name, [], f"moves of the mover's phase ({name})")
    cx = program.root(function)
    if isinstance(sink, HitsSink):
        cx = replace(cx, threat=True, stuck=stuck)
    if len(course.phases) == 1:
        for node in course.phases[0].plays:
            generate(node, cx, sink)
    else:
        cx.line("phase = state[PHASE + mover]")
        for index, phase in enumerate(course.phases):
            with cx.block(f"{'if' if index == 0 else 'elif'} phase == {index}:"):
                for node in phase.plays:
                    sink.split(cx, "phase", node, lambda c, n=node: generate(n, c, sink), id(node))  # type: ignore[misc]
    function.line("return n" if sink.lists else "return False")
    program.close(function, *(("moves", "n", "cap") if sink.lists else params))


def write_can_play(course: Course) -> None:
    """Write the function that tests whether the mover has a legal move."""
    program = course.program
    further = layer_tests(course, "{0}")
    if "no Repeat" in course.meta:
        further.append("is_new(state, {0}, work)")
        tested = [part.peek("ifAfterwards") for part in program.description.root.walk()]
        if any(part.keyword == "no Moves" for test in tested if isinstance(test, Ludeme) for part in test.walk()):
            # The copy on which a move is tried does not have the past positions.
            where = course.meta["no Repeat"].source
            raise UnsupportedError("`no Moves` in `ifAfterwards:` with `no Repeat` is not implemented yet", where)
    new = " and ".join(further)
    function = Function("can_play", [], "whether the mover has a move")
    if "swap" in course.meta:
        with function.block("if state[PLY] == N_PLAYERS - 1 and state[PREV] != state[MOVER]:"):
            function.line("return True")
    asks = any(part.keyword == "no Moves" for phase in course.phases for node in phase.plays for part in node.walk())
    cx = replace(program.root(function), stuck=asks)
    if len(course.phases) == 1:
        plays = course.phases[0].plays
        longest = "moves:max Moves" in program.keys
        same = len(plays) == 1 and not asks and not longest and taken("merge")
        for node in plays:
            with cx.block(f"if {exists(node, cx, new, listed='list_play' if same else '')}:"):
                cx.line("return True")
    else:
        cx.line("phase = state[PHASE + mover]")
        for index, phase in enumerate(course.phases):
            with cx.block(f"if phase == {index}:"):
                for node in phase.plays:
                    with cx.block(f"if {exists(node, cx, new)}:"):
                        cx.line("return True")
    function.line("return False")
    program.close(function)
