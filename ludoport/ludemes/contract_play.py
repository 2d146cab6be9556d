"""The function ``play``: what a move does, whether the game is over, and who is next."""

from __future__ import annotations

import re

from ludoport.errors import LudError
from ludoport.kernels.source import NO_ROOM, Function
from ludoport.lud.tree import Ludeme, Word
from ludoport.ludemes.contract_forced import write_forced
from ludoport.ludemes.contract_together import each_choice
from ludoport.ludemes.core.context import Cx
from ludoport.ludemes.core.phases import Course
from ludoport.ludemes.core.program import Program
from ludoport.ludemes.core.registry import condition, number
from ludoport.ludemes.core.shortcuts import taken
from ludoport.ludemes.fields.late import write_late_stack
from ludoport.ludemes.fields.starting import placements
from ludoport.ludemes.meanings.ending import end_rules
from ludoport.ludemes.meanings.visits import write_visits


def write_end(course: Course) -> None:
    """Write the end rules."""
    program = course.program
    function = Function("check_end", [], "end rules: those of the mover's phase, then the common ones")
    cx = program.root(function)
    for index, phase in enumerate(course.phases):
        if phase.end is None:
            continue
        if len(course.phases) == 1:
            end_rules(phase.end, cx)
        else:
            with cx.block(f"if state[PHASE + mover] == {index}:"):
                end_rules(phase.end, cx)
    if course.end is not None:
        end_rules(course.end, cx)
    if program.n_players == 2 and taken("once"):
        _ask_once(function)
    function.line("return 0")
    program.close(function)


_STUCK = re.compile(r"\bno_moves_next_\d+\(state, work\)")
_RULE = re.compile(r"\s*(?:if .*:|#.*|(?:win|lose|draw)\(state\b.*\))$")


def _ask_once(function: Function) -> None:
    """Ask once whether the next player can move, where several end rules do.

    Of two players, the first to win, lose or draw ends the game, after which no rule changes anything.
    """
    asking = [i for i, line in enumerate(function.lines) if _STUCK.search(line)]
    if len(asking) < 2:
        return
    first = function.lines[asking[0]]
    calls = {call for i in asking for call in _STUCK.findall(function.lines[i])}
    between = function.lines[asking[0] : asking[-1] + 1]
    if len(calls) > 1 or not all(map(_RULE.match, between)) or not _STUCK.match(first.removeprefix("    if ")):
        return
    function.lines[asking[0] : asking[-1] + 1] = [
        f"    stuck = {calls.pop()}",
        *(_STUCK.sub("stuck", line) for line in between),
    ]


def write_phases(course: Course) -> None:
    """Write how players go from phase to phase, where there are several."""
    program = course.program
    if len(course.phases) == 1:
        return
    function = Function("change_phase", [], "each player's phase may change after a move")
    cx = program.root(function)
    with cx.block("for p in range(1, N_PLAYERS + 1):"):
        cx.line("current = state[PHASE + p]")
        for index, phase in enumerate(course.phases):
            if not phase.following:
                continue
            with cx.block(f"if current == {index}:"):
                cx.line("changed = False")
                for entry in phase.following:
                    _write_change(course, cx, entry, index)
    function.line("return 0")
    program.close(function)


def _write_change(course: Course, cx: Cx, entry: Ludeme, index: int) -> None:
    """One way out of a phase."""
    names = [phase.name for phase in course.phases]
    role = entry.get("role") if entry.get("role") is not None else entry.get("indexPlayer")
    test = "not changed"
    if role is not None and not (isinstance(role, Word) and role.name in ("Shared", "All", "Each")):
        test += f" and p == {number(role, cx)}"
    with cx.block(f"if {test}:"):
        with cx.when(condition(entry.get("cond"), cx)):
            name = entry.get("phaseName")
            if name is None:
                target = (index + 1) % len(names)
            elif str(name) in names:
                target = names.index(str(name))
            else:
                raise LudError(f"there is no phase `{name}`", entry.source)
            cx.line(f"state[PHASE + p] = {target}")
            cx.line("changed = True")


def write_late(program: Program) -> None:
    """Write the removal of what was captured during a turn, where this waits for its end."""
    if "late removal" not in program.wants:
        return
    program.primitives.add("remove_later")
    function = Function("remove_late", ["state"], "remove the pieces that were captured during the turn")
    with function.block("if state[N_LATE] != 0:"):
        with function.block(f"for s in range({program.n_sites}):"):
            with function.block("if state[LATE + s] != 0:"):
                if program.stacking:
                    write_late_stack(program, function)
                else:
                    function.line("lift(state, s)")
                function.line("state[LATE + s] = 0")
        function.line("state[N_LATE] = 0")
    function.line("return 0")
    program.module.functions.append(function)


def write_play(course: Course) -> None:
    """Write what happens when a move is played."""
    program = course.program
    program.state.want("PASSES")
    f = Function(
        "play_all" if program.together else "play",
        ["state", "move", "work"],
        "one move: its actions and consequents, the end rules, then the turn passes on",
    )
    f.line("mover = state[MOVER]")
    f.line("rule = move[RULE]")
    _write_passes(program, f)
    if program.noted is not None:
        f.lines += program.noted[0]
    if program.together:
        each_choice(program, f, lambda choice: f.line(f"apply(state, {choice}, work)"))
        if program.rules.write_late_consequents():
            each_choice(program, f, lambda choice: f.line(f"follow_all(state, {choice}, work)"))
    else:
        f.line("apply(state, move, work)")
    if "automove" in course.meta:
        write_forced(course)
        f.line("make_forced(state, work)")
    if "gravity" in course.meta:
        f.line("fall(state)")
    if "stuck" in program.wants:
        f.line("state[STUCK + mover] = 1 if rule == 0 else 0")
    if "late removal" in program.wants:
        with f.when("state[NEXT] != mover" if program.n_players > 1 else True):
            f.line("remove_late(state)")
    if program.noted is not None:
        f.lines += program.noted[1]
    f.line("check_end(state, work)")
    _write_draws(course, f)
    with f.block(f"if work[FULL] != 0:{NO_ROOM}"):
        f.line(f"state[OVER] = GIVEN_UP{NO_ROOM}")
    if program.state.has("COUNTER"):
        f.line("state[COUNTER] += 1")
    if program.chance:
        f.line("next_luck(state)")
    with f.block("if state[OVER] != 0:"):
        f.line("state[PREV] = mover")
        f.line("return 0")
    if len(course.phases) > 1:
        f.line("change_phase(state, work)")
    if "no Repeat" in course.meta:
        f.line("remember_position(state, mover)")
    if program.state.has("VISITED"):
        write_visits(program, f)
    _write_turn(program, f)
    _write_next(program, f)
    if program.simulation:
        with f.block("if not can_play(state, work):"):
            f.line("draw(state)")
    f.line("return 0")
    program.module.functions.append(f)
    if any(rule.spec.measures for rule in program.rules.rules):
        _write_play_on(program, f)


def _write_play_on(program: Program, play: Function) -> None:
    """Write the same for the moves of a turn that is being measured, of which none measures turns again."""
    lines = [line.replace("apply(state, move, work)", "apply_on(state, move, work)") for line in play.lines]
    program.module.functions.append(Function("play_on", play.params, play.comment, lines, facts=play.facts))


def _listed_rules(program: Program, kind: str) -> list[int]:
    return [r.number for r in program.rules.rules if r.spec.kind == kind and r.number in program.listed]


def _write_passes(program: Program, f: Function) -> None:
    """Count the passes in a row."""
    players = program.n_players
    passes = _listed_rules(program, "pass")
    # Consequents already count this move as a pass.
    with f.block("if " + " or ".join(f"rule == {n}" for n in ([0, *passes] if players > 1 else [0])) + ":"):
        # A pass that ends a turn of several moves is not a turn passed; alone, only being stuck counts.
        if players > 1:
            with f.block("if state[PREV] == mover:"):
                f.line("state[PASSES] = 0")
            with f.block("else:"):
                f.line("state[PASSES] += 1")
        else:
            f.line("state[PASSES] += 1")
    # As recorded, a turn that goes on after its only pass is passed all the same.
    with f.block("elif state[PREV] != mover:" if _goes_on_after_pass(program) else "else:"):
        f.line("state[PASSES] = 0")


def _goes_on_after_pass(program: Program) -> bool:
    """Whether players may move again after a pass, and an end rule asks for passes."""
    passes = [node for node in program.description.root.walk() if node.keyword == "move Pass"]
    thens = [then for node in passes if isinstance(then := node.peek("then"), Ludeme)]
    again = any(part.keyword == "moveAgain" for then in thens for part in then.walk())
    return again and "boolean:all Passed" in program.keys


def _pass_on(course: Course) -> bool:
    """Whether a game continues although all players pass."""
    rule = course.meta.get("passEnd")
    return rule is not None and str(rule.args["type"]) == "NoEnd"


def _write_draws(course: Course, f: Function) -> None:
    """End games in which all players pass, and those that last too long."""
    program = course.program
    asked = "boolean:all Passed" in program.keys
    automatic = not _pass_on(course) and not asked and not program.dice and not program.together
    if automatic:
        quirk = " or (state[PASSES] == 1 and state[PLY] == 1)" if not placements(program) else ""
        with f.block(f"if state[OVER] == 0 and (state[PASSES] >= N_PLAYERS{quirk}):"):
            f.line("draw(state)")
    with f.block(f"if state[OVER] == 0 and (state[TURN] >= {1250 * program.n_players} or state[PLY] >= 10000):"):
        f.line("draw(state)")
    program.library.add("draw")


def _write_turn(program: Program, f: Function) -> None:
    """The next player becomes the mover; counts of turns and within a turn are updated."""
    f.line("following = state[NEXT]")
    f.line("state[PREV] = mover")
    f.line("state[MOVER] = following")
    swaps = _listed_rules(program, "swap")
    swapped = "".join(f" or rule == {n}" for n in swaps)
    with f.block(f"if following != mover{swapped}:"):
        f.line("state[TURN] += 1")
        if program.state.has("LAST_TURN_MOVER"):
            f.line("state[LAST_TURN_MOVER] = mover")
        if program.state.has("TURN_FROM"):
            f.line("state[TURN_FROM] = -1")
    if program.state.has("TURN_MOVES"):
        same = "following == mover" + "".join(f" and rule != {n}" for n in swaps)
        f.line(f"state[TURN_MOVES] = state[TURN_MOVES] + 1 if {same} else 0")
    if program.state.has("TURN_FROM"):
        with f.block("if following == mover and state[TURN_FROM] < 0:"):
            f.line("state[TURN_FROM] = move[FROM]")


def _write_next(program: Program, f: Function) -> None:
    """Who moves after the new mover, unless a move says otherwise: the next one who is not out of the game."""
    if program.n_players == 1:
        f.line("state[NEXT] = 1")
    elif program.n_players == 2:
        f.line("state[NEXT] = 3 - following")
    else:
        f.line("upcoming = following % N_PLAYERS + 1")
        with f.block("while state[RANK + upcoming] != 0 and upcoming != following:"):
            f.line("upcoming = upcoming % N_PLAYERS + 1")
        f.line("state[NEXT] = upcoming")
