"""The functions ``legal`` and ``sample``: listing the legal moves, and drawing one of them."""

from __future__ import annotations

from ludoport.kernels.source import LIST_FULL, Function
from ludoport.ludemes.contract_together import list_choices
from ludoport.ludemes.core.context import Cx
from ludoport.ludemes.core.phases import Course
from ludoport.ludemes.core.picking import write_picks
from ludoport.ludemes.core.sinks import Spec
from ludoport.ludemes.fields.layers import write_fall, write_stands, write_unpinned


def add_swap(course: Course) -> None:
    """Make the rule by which the second player may take over what the first one has played."""
    program = course.program
    program.state.want("SWAPPED")
    node = course.meta["swap"]
    program.primitives.add("set_next")

    def act(cx: Cx) -> None:
        cx.line("state[SWAPPED] = 1 - state[SWAPPED]")
        cx.line("state[NEXT] = state[MOVER]")

    cx = program.root(Function("unused", []))
    rule = program.rules.rule(cx, Spec(node, "swap", -1, -1, act))
    program.listed.add(rule.number)
    course.swap_rule = rule.number


def write_legal(course: Course) -> None:
    """Write the list of legal moves: those of the rules that pass all tests, or the forced pass."""
    program = course.program
    function = Function("legal", [], "the legal moves: rules of play, then meta rules, then the forced pass")
    function.line("if state[OVER] != 0:")
    function.line("    return 0")
    _list(course, function)
    _append_swap(course, function)
    _end_when_full(function)
    tests = legal_tests(course)
    if tests:
        function.line("kept = 0")
        with function.block("for i in range(n):"):
            function.line("move = moves[i * MOVE_SIZE : (i + 1) * MOVE_SIZE]")
            with function.block("if " + " and ".join(tests) + ":"):
                with function.block("for c in range(MOVE_SIZE):"):
                    function.line("moves[kept * MOVE_SIZE + c] = moves[i * MOVE_SIZE + c]")
                function.line("kept += 1")
        function.line("n = kept")
    with function.block("if n == 0:"):
        _forced(function, "moves[{}]")
        function.line("n = 1")
    function.line("return n")
    program.close(function)
    function.params = ["state", "moves", "work"]


def _list(course: Course, function: Function) -> None:
    """Write the list of the moves that the rules of play give to the player who chooses."""
    if course.program.together:
        list_choices(function)
    else:
        function.line("n = list_play(state, work, moves, wide(0), wide(MAX_MOVES))")


def legal_tests(course: Course) -> list[str]:
    """Calls that a listed move must pass to be legal."""
    program = course.program
    tests = []
    if program.any_tests:
        if "accept" not in program.wants:
            program.wants.add("accept")
            program.after.append(lambda: program.rules._write_accept("accept", None))
        tests.append("accept(state, move, work)")
    if "no Repeat" in course.meta:
        tests.append("is_new(state, move, work)")
    return [*tests, *layer_tests(course)]


def layer_tests(course: Course, move: str = "move") -> list[str]:
    """Calls by which the meta rules of boards with several layers accept a move."""
    tests = {"pin": f"unpinned(state, {move})", "noStackOn": f"stands({move})"}
    return [test for keyword, test in tests.items() if keyword in course.meta]


def write_layers(course: Course) -> None:
    """Write the functions of the meta rules about layers."""
    writers = {"pin": write_unpinned, "noStackOn": write_stands, "gravity": write_fall}
    for keyword, write in writers.items():
        node = course.meta.get(keyword)
        if node is not None:
            # Each of these rules has one type only.
            node.get("type")
            write(course.program)


def _append_swap(course: Course, function: Function) -> None:
    if not course.swap_rule:
        return
    # Only a player who did not make the moves so far may take them over.
    with function.block("if state[PLY] == N_PLAYERS - 1 and state[PREV] != state[MOVER]:"):
        tag = [("TAG", 0)] if course.program.any_tests else []
        for column, value in [("RULE", course.swap_rule), ("FROM", -1), ("TO", -1), *tag]:
            function.line(f"moves[n * MOVE_SIZE + {column}] = {value}")
        function.line("n += 1")


def _end_when_full(function: Function) -> None:
    """A list that is full may lack moves: the next move ends the game, and callers outside of kernels report it."""
    with function.block(f"if n >= MAX_MOVES:{LIST_FULL}"):
        for line in ("n = wide(MAX_MOVES)", "work[FULL] = MARK"):
            function.line(line + LIST_FULL)


def _forced(function: Function, target: str) -> None:
    for column, value in (("RULE", 0), ("FROM", -1), ("TO", -1)):
        function.line(f"{target.format(column)} = {value}")


def write_sample(course: Course) -> None:
    """One legal move at random: list without the costly tests, draw, test, and drop what fails."""
    program = course.program
    f = Function("sample", ["state", "rng", "move", "moves", "work"], "one legal move, uniformly at random")
    if not program.together:
        # Who had no move at the last turn may well have none again, which only a list tells.
        with f.when("state[STUCK + state[MOVER]] == 0" if program.state.has("STUCK") else True):
            _write_draws(course, f)
    _list(course, f)
    _append_swap(course, f)
    _end_when_full(f)
    tests = legal_tests(course)
    with f.block("while n > 0:" if tests else "if n > 0:"):
        f.line("k = draw_number(rng, n)")
        with f.block("for c in range(MOVE_SIZE):"):
            f.line("move[c] = moves[k * MOVE_SIZE + c]")
        if tests:
            with f.block("if " + " and ".join(tests) + ":"):
                f.line("return 0")
            f.line("n -= 1")
            with f.block("for c in range(MOVE_SIZE):"):
                f.line("moves[k * MOVE_SIZE + c] = moves[n * MOVE_SIZE + c]")
        else:
            f.line("return 0")
    _forced(f, "move[{}]")
    f.line("return 0")
    program.module.functions.append(f)


def _write_draws(course: Course, f: Function) -> None:
    """Draw candidates first; listing comes only after many of them have failed."""
    program = course.program
    cx = program.root(f)

    def finish(place: object) -> None:
        tests = legal_tests(course)
        if tests:
            with f.block("if " + " and ".join(tests) + ":"):
                f.line("return 0")
        else:
            f.line("return 0")

    if course.swap_rule:
        f.line("if state[PLY] != N_PLAYERS - 1:")
        f.depth += 1
        mark = len(f.lines)
    if len(course.phases) == 1:
        write_picks(course.phases[0].plays, cx, finish)
    else:
        f.line("phase = state[PHASE + mover]")
        for index, phase in enumerate(course.phases):
            with f.block(f"if phase == {index}:"):
                write_picks(phase.plays, cx, finish)
    if course.swap_rule:
        if len(f.lines) == mark:
            f.line("pass")
        f.depth -= 1
    reads = [f"    {s} = state[{n}]" for s, n in (("mover", "MOVER"), ("nxt", "NEXT"), ("prv", "PREV")) if f.uses(s)]
    f.lines = reads + f.lines
