"""From a description to the source of its kernels."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ludoport.errors import LudError, UnsupportedError
from ludoport.kernels import library
from ludoport.kernels.source import Function
from ludoport.lud.tree import Description, Ludeme, Value, Word
from ludoport.ludemes.ending import end_rules
from ludoport.ludemes.equipment import role_number
from ludoport.ludemes.interning import intern
from ludoport.ludemes.memory import memory_setup
from ludoport.ludemes.moves_logic import exists
from ludoport.ludemes.picking import write_picks
from ludoport.ludemes.primitives import write_primitives
from ludoport.ludemes.program import Program
from ludoport.ludemes.registry import condition, generate, number
from ludoport.ludemes.sinks import HitsSink, ListSink, Sink, Spec
from ludoport.ludemes.starting import other_start_rules, placements


@dataclass
class Phase:
    """A phase of play."""

    name: str
    owner: int | None
    plays: list[Ludeme]
    end: Ludeme | None
    following: list[Ludeme]


@dataclass
class Compiled:
    """Generated source and what is needed to run and to show it."""

    source: str
    program: Program
    state_size: int
    move_size: int
    max_moves: int
    work_size: int
    columns: dict[str, int]
    fields: dict[str, int]
    large_numbers: bool = False
    """Whether rows need more than 16 bits per number, as scores that are products do."""


def compile_description(description: Description) -> Compiled:
    """Write the kernels of a game."""
    program = Program(replace(description, root=intern(description.root)))
    rules = program.description.root.args["rules"]
    assert isinstance(rules, Ludeme)
    phases, end = _read_rules(rules, program)
    meta = _read_meta(rules)
    _refuse_modes(program.description.root)
    from ludoport.ludemes.unions import find_unions

    find_unions(program)
    builder = _Builder(program, phases, end, meta)
    return builder.build()


def _refuse_modes(root: Ludeme) -> None:
    mode = root.get("mode")
    if isinstance(mode, Ludeme):
        kind = str(next(iter(mode.args.values()), "Alternating"))
        if kind != "Alternating":
            raise UnsupportedError(f"the mode `{kind}` is not implemented yet", mode.source)


def _play(value: Value | None) -> list[Ludeme]:
    if not isinstance(value, Ludeme):
        return []
    moves = value.args["moves"]
    assert isinstance(moves, Ludeme)
    return [moves]


def _read_rules(rules: Ludeme, program: Program) -> tuple[list[Phase], Ludeme | None]:
    end = rules.get("end")
    end_node = end if isinstance(end, Ludeme) else None
    listed = rules.get("phases")
    common = _play(rules.get("play"))
    if not isinstance(listed, list):
        return [Phase("", None, common, None, [])], end_node
    phases = []
    for node in listed:
        assert isinstance(node, Ludeme)
        role = node.get("role")
        owner = role_number(role.name, program.n_players) if isinstance(role, Word) else None
        if owner == program.n_players + 1:
            owner = None
        after = node.get("nextPhases") if node.get("nextPhases") is not None else node.get("nextPhase")
        following = [n for n in (after if isinstance(after, list) else [after]) if isinstance(n, Ludeme)]
        own_end = node.get("end")
        phases.append(
            Phase(
                str(node.args["name"]),
                owner,
                _play(node.args["play"]) + common,
                own_end if isinstance(own_end, Ludeme) else None,
                following,
            )
        )
    return phases, end_node


def _read_meta(rules: Ludeme) -> dict[str, Ludeme]:
    meta = rules.get("meta")
    if not isinstance(meta, Ludeme):
        return {}
    listed = meta.get("rules")
    nodes = listed if isinstance(listed, list) else [meta.args["rule"]]
    found = {}
    for node in nodes:
        assert isinstance(node, Ludeme)
        if node.keyword not in ("swap", "no Repeat", "passEnd"):
            raise UnsupportedError(f"the meta rule `{node.keyword}` is not implemented yet", node.source)
        found[node.keyword] = node
    return found


class _Builder:
    """Writes the functions of the kernel contract."""

    def __init__(self, program: Program, phases: list[Phase], end: Ludeme | None, meta: dict[str, Ludeme]) -> None:
        self.program = program
        self.phases = phases
        self.end = end
        self.meta = meta
        self.swap_rule = 0
        self.has_end = end is not None or any(p.end is not None for p in phases)
        if not self.has_end:
            raise LudError("the game has no end rule: add `(end ...)`", program.description.root.source)

    def build(self) -> Compiled:
        program = self.program
        if len(self.phases) > 1:
            program.state.want("PHASE", program.n_players + 1)
        if "no Repeat" in self.meta:
            from ludoport.ludemes.repetition import want_history

            want_history(program, self.meta["no Repeat"])
        if any(placed.state for placed in placements(program)):
            program.want_state()
        self._write_generator("list_play", ListSink())
        if "swap" in self.meta:
            self._add_swap()
        self._write_legal()
        self._write_end()
        self._write_phases()
        starts = other_start_rules(program)
        # Some functions are only known to be needed once others are written.
        done: set[str] = set()
        self._write_wanted(done)
        program.rules.finish()
        self._tests()
        self._write_wanted(done)
        program.rules.write_flushes()
        self._write_late()
        self._write_play()
        self._write_sample()
        if "no Repeat" in self.meta:
            from ludoport.ludemes.repetition import write_repetition

            write_repetition(program)
        if program.unions is not None:
            program.unions.write()
        write_primitives(program)
        program.module.functions += library.parts(program.library)
        self._write_setup(starts)
        self._write_key()
        self._write_utility()
        program.module.functions.append(library.ALWAYS.strip())
        program.module.functions.append(library.entries())
        return self._finish()

    def _write_wanted(self, done: set[str]) -> None:
        """Write the functions that others asked for, until nothing is missing."""
        program = self.program
        while True:
            if "can_play" in program.wants - done:
                done.add("can_play")
                self._write_can_play()
            elif "hits_play" in program.wants - done:
                done.add("hits_play")
                self._write_hits()
            elif "longest" in program.wants - done:
                done.add("longest")
                self._write_longest()
            elif program.after:
                program.after.pop(0)()
            else:
                break

    # Generators ----------------------------------------------------------------------------------

    def _write_generator(self, name: str, sink: Sink, *params: str) -> None:
        program = self.program
        function = Function(name, [], f"moves of the mover's phase ({name})")
        cx = program.root(function)
        if isinstance(sink, HitsSink):
            cx = replace(cx, threat=True)
        if len(self.phases) == 1:
            for node in self.phases[0].plays:
                generate(node, cx, sink)
        else:
            cx.line("phase = state[PHASE + mover]")
            for index, phase in enumerate(self.phases):
                with cx.block(f"{'if' if index == 0 else 'elif'} phase == {index}:"):
                    for node in phase.plays:
                        sink.split(cx, "phase", node, lambda c, n=node: generate(n, c, sink), id(node))  # type: ignore[misc]
        function.line("return n" if sink.lists else "return False")
        program.close(function, *(("moves", "n", "cap") if sink.lists else params))

    def _write_can_play(self) -> None:
        program = self.program
        new = ""
        if "no Repeat" in self.meta:
            new = "is_new(state, {}, work)"
            tested = [part.get("ifAfterwards") for part in program.description.root.walk()]
            if any(part.keyword == "no Moves" for test in tested if isinstance(test, Ludeme) for part in test.walk()):
                # The copy on which a move is tried does not have the past positions.
                where = self.meta["no Repeat"].source
                raise UnsupportedError("`no Moves` in `ifAfterwards:` with `no Repeat` is not implemented yet", where)
        function = Function("can_play", [], "whether the mover has a move")
        if "swap" in self.meta:
            with function.block("if state[PLY] == N_PLAYERS - 1 and state[PREV] != state[MOVER]:"):
                function.line("return True")
        asks = any(part.keyword == "no Moves" for phase in self.phases for node in phase.plays for part in node.walk())
        cx = replace(program.root(function), stuck=asks)
        if len(self.phases) == 1:
            for node in self.phases[0].plays:
                with cx.block(f"if {exists(node, cx, new)}:"):
                    cx.line("return True")
        else:
            cx.line("phase = state[PHASE + mover]")
            for index, phase in enumerate(self.phases):
                with cx.block(f"if phase == {index}:"):
                    for node in phase.plays:
                        with cx.block(f"if {exists(node, cx, new)}:"):
                            cx.line("return True")
        function.line("return False")
        program.close(function)

    def _write_longest(self) -> None:
        from ludoport.ludemes.moves_longest import write_longest

        if "no Repeat" in self.meta:
            raise UnsupportedError("`max Moves` with `no Repeat` is not implemented yet", self.meta["no Repeat"].source)
        self._write_generator("open_play", ListSink(longest=False))
        write_longest(self.program)

    def _write_hits(self) -> None:
        self._write_generator("hits_play", HitsSink(), "target")

    def _add_swap(self) -> None:
        program = self.program
        program.state.want("SWAPPED")
        node = self.meta["swap"]
        program.primitives.add("set_next")

        def act(cx: object) -> None:
            from ludoport.ludemes.context import Cx

            assert isinstance(cx, Cx)
            cx.line("state[SWAPPED] = 1 - state[SWAPPED]")
            cx.line("state[NEXT] = state[MOVER]")

        cx = program.root(Function("unused", []))
        rule = program.rules.rule(cx, Spec(node, "swap", -1, -1, act))
        program.listed.add(rule.number)
        self.swap_rule = rule.number

    def _write_legal(self) -> None:
        program = self.program
        function = Function("legal", [], "the legal moves: rules of play, then meta rules, then the forced pass")
        function.line("if state[OVER] != 0:")
        function.line("    return 0")
        function.line("n = list_play(state, work, moves, wide(0), wide(MAX_MOVES))")
        self._append_swap(function)
        tests = self._tests()
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
            self._forced(function, "moves[{}]")
            function.line("n = 1")
        function.line("return n")
        program.close(function)
        function.params = ["state", "moves", "work"]

    def _tests(self) -> list[str]:
        """Calls that a listed move must pass to be legal."""
        program = self.program
        tests = []
        if program.any_tests:
            if "accept" not in program.wants:
                program.wants.add("accept")
                program.after.append(lambda: program.rules._write_accept("accept", None))
            tests.append("accept(state, move, work)")
        if "no Repeat" in self.meta:
            tests.append("is_new(state, move, work)")
        return tests

    def _append_swap(self, function: Function) -> None:
        if not self.swap_rule:
            return
        # Only a player who did not make the moves so far may take them over.
        with function.block("if state[PLY] == N_PLAYERS - 1 and state[PREV] != state[MOVER]:"):
            tag = [("TAG", 0)] if self.program.any_tests else []
            for column, value in [("RULE", self.swap_rule), ("FROM", -1), ("TO", -1), *tag]:
                function.line(f"moves[n * MOVE_SIZE + {column}] = {value}")
            function.line("n += 1")

    @staticmethod
    def _forced(function: Function, target: str) -> None:
        for column, value in (("RULE", 0), ("FROM", -1), ("TO", -1)):
            function.line(f"{target.format(column)} = {value}")

    # Playing -------------------------------------------------------------------------------------

    def _write_end(self) -> None:
        program = self.program
        function = Function("check_end", [], "end rules: those of the mover's phase, then the common ones")
        cx = program.root(function)
        for index, phase in enumerate(self.phases):
            if phase.end is None:
                continue
            if len(self.phases) == 1:
                end_rules(phase.end, cx)
            else:
                with cx.block(f"if state[PHASE + mover] == {index}:"):
                    end_rules(phase.end, cx)
        if self.end is not None:
            end_rules(self.end, cx)
        function.line("return 0")
        program.close(function)

    def _write_phases(self) -> None:
        program = self.program
        if len(self.phases) == 1:
            return
        names = [phase.name for phase in self.phases]
        function = Function("change_phase", [], "each player's phase may change after a move")
        cx = program.root(function)
        with cx.block("for p in range(1, N_PLAYERS + 1):"):
            cx.line("current = state[PHASE + p]")
            for index, phase in enumerate(self.phases):
                if not phase.following:
                    continue
                with cx.block(f"if current == {index}:"):
                    cx.line("changed = False")
                    for entry in phase.following:
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
        function.line("return 0")
        program.close(function)

    def _write_late(self) -> None:
        program = self.program
        if "late removal" not in program.wants:
            return
        program.primitives.add("remove_later")
        function = Function("remove_late", ["state"], "remove the pieces that were captured during the turn")
        with function.block("if state[N_LATE] != 0:"):
            with function.block(f"for s in range({program.n_sites}):"):
                with function.block("if state[LATE + s] != 0:"):
                    function.line("state[LATE + s] = 0")
                    function.line("lift(state, s)")
            function.line("state[N_LATE] = 0")
        function.line("return 0")
        program.module.functions.append(function)

    def _write_play(self) -> None:
        program = self.program
        players = program.n_players
        passes = [r.number for r in program.rules.rules if r.spec.kind == "pass" and r.number in program.listed]
        program.state.want("PASSES")
        f = Function(
            "play",
            ["state", "move", "work"],
            "one move: its actions and consequents, the end rules, then the turn passes on",
        )
        f.line("mover = state[MOVER]")
        f.line("rule = move[RULE]")
        # Consequents already count this move as a pass.
        with f.block("if " + " or ".join(f"rule == {n}" for n in ([0, *passes] if players > 1 else [0])) + ":"):
            # A pass that ends a turn of several moves is not a turn passed; alone, only being stuck counts.
            with f.block("if state[PREV] == mover:" if players > 1 else "if False:"):
                f.line("state[PASSES] = 0")
            with f.block("else:"):
                f.line("state[PASSES] += 1")
        with f.block("else:"):
            f.line("state[PASSES] = 0")
        f.line("apply(state, move, work)")
        if "stuck" in program.wants:
            f.line("state[STUCK + mover] = 1 if rule == 0 else 0")
        if "late removal" in program.wants:
            with f.block("if state[NEXT] != mover:" if players > 1 else "if True:"):
                f.line("remove_late(state)")
        f.line("check_end(state, work)")
        automatic = "boolean:all Passed" not in program.keys and "passEnd" not in self.meta
        if automatic:
            quirk = " or (state[PASSES] == 1 and state[PLY] == 1)" if not placements(program) else ""
            with f.block(f"if state[OVER] == 0 and (state[PASSES] >= N_PLAYERS{quirk}):"):
                f.line("draw(state)")
        with f.block(f"if state[OVER] == 0 and (state[TURN] >= {1250 * players} or state[PLY] >= 10000):"):
            f.line("draw(state)")
        program.library.add("draw")
        if program.state.has("COUNTER"):
            f.line("state[COUNTER] += 1")
        with f.block("if state[OVER] != 0:"):
            f.line("state[PREV] = mover")
            f.line("return 0")
        if len(self.phases) > 1:
            f.line("change_phase(state, work)")
        if "no Repeat" in self.meta:
            f.line("remember_position(state, mover)")
        if program.state.has("VISITED"):
            from ludoport.ludemes.visits import write_visits

            write_visits(program, f)
        f.line("following = state[NEXT]")
        f.line("state[PREV] = mover")
        f.line("state[MOVER] = following")
        swaps = [r.number for r in program.rules.rules if r.spec.kind == "swap" and r.number in program.listed]
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
        if players == 1:
            f.line("state[NEXT] = 1")
        elif players == 2:
            f.line("state[NEXT] = 3 - following")
        else:
            f.line("upcoming = following % N_PLAYERS + 1")
            with f.block("while state[RANK + upcoming] != 0 and upcoming != following:"):
                f.line("upcoming = upcoming % N_PLAYERS + 1")
            f.line("state[NEXT] = upcoming")
        f.line("return 0")
        program.module.functions.append(f)

    def _write_sample(self) -> None:
        """One legal move at random: list without the costly tests, draw, test, and drop what fails."""
        program = self.program
        f = Function("sample", ["state", "rng", "move", "moves", "work"], "one legal move, uniformly at random")
        self._write_draws(f)
        f.line("n = list_play(state, work, moves, wide(0), wide(MAX_MOVES))")
        self._append_swap(f)
        with f.block("while n > 0:"):
            f.line("k = draw_number(rng, n)")
            with f.block("for c in range(MOVE_SIZE):"):
                f.line("move[c] = moves[k * MOVE_SIZE + c]")
            tests = self._tests()
            if tests:
                with f.block("if " + " and ".join(tests) + ":"):
                    f.line("return 0")
                f.line("n -= 1")
                with f.block("for c in range(MOVE_SIZE):"):
                    f.line("moves[k * MOVE_SIZE + c] = moves[n * MOVE_SIZE + c]")
            else:
                f.line("return 0")
        self._forced(f, "move[{}]")
        f.line("return 0")
        program.module.functions.append(f)

    def _write_draws(self, f: Function) -> None:
        """Draw candidates first; listing comes only after many of them have failed."""
        program = self.program
        cx = program.root(f)

        def finish(place: object) -> None:
            tests = self._tests()
            if tests:
                with f.block("if " + " and ".join(tests) + ":"):
                    f.line("return 0")
            else:
                f.line("return 0")

        if self.swap_rule:
            f.line("if state[PLY] != N_PLAYERS - 1:")
            f.depth += 1
            mark = len(f.lines)
        if len(self.phases) == 1:
            write_picks(self.phases[0].plays, cx, finish)
        else:
            f.line("phase = state[PHASE + mover]")
            for index, phase in enumerate(self.phases):
                with f.block(f"if phase == {index}:"):
                    write_picks(phase.plays, cx, finish)
        if self.swap_rule:
            if len(f.lines) == mark:
                f.line("pass")
            f.depth -= 1
        reads = [
            f"    {s} = state[{n}]" for s, n in (("mover", "MOVER"), ("nxt", "NEXT"), ("prv", "PREV")) if f.uses(s)
        ]
        f.lines = reads + f.lines

    # Start, key, utility -------------------------------------------------------------------------

    def _write_setup(self, starts: list[tuple[str, tuple[int, ...]]]) -> None:
        """The setup runs once, when the module is made; its result is kept as a table."""
        program = self.program
        f = Function("setup", ["state"], "build the initial position")
        f.line("state[MOVER] = 1")
        f.line(f"state[NEXT] = {2 if program.n_players > 1 else 1}")
        f.line("state[TURN] = 1")
        f.line("state[LAST_FROM] = -1")
        if program.state.has("LAST_TURN_MOVER"):
            f.line("state[LAST_TURN_MOVER] = -1")
        f.line("state[LAST_TO] = -1")
        f.line("state[WHAT + N_SITES] = -1")
        if program.state.has("COUNTER"):
            f.line("state[COUNTER] = -1")
        if program.state.has("TURN_FROM"):
            f.line("state[TURN_FROM] = -1")
        if program.state.has("DOMAIN"):
            from ludoport.ludemes.puzzles import all_values

            with f.block(f"for i in range({program.n_board}):"):
                f.line(f"state[DOMAIN + i] = {all_values(program)}")
        if program.state.has("EMPTY"):
            with f.block(f"for i in range({program.n_board}):"):
                f.line("state[EMPTY + i] = i")
                f.line("state[SLOT + i] = i")
            f.line(f"state[N_EMPTY] = {program.n_board}")
        if program.unions is not None:
            program.unions.setup(f)
        if len(self.phases) > 1:
            for player in range(1, program.n_players + 1):
                first = next((i for i, p in enumerate(self.phases) if p.owner in (None, player)), 0)
                f.line(f"state[PHASE + {player}] = {first}")
        for line in memory_setup(program):
            f.line(line)
        for call, arguments in starts:
            f.line(f"{call}(state, {', '.join(map(str, arguments))})")
        for placed in placements(program):
            self._place(f, placed)
        if "last after" in program.wants:
            f.line("state[LAST_FROM_AFTER] = state[LAST_FROM]")
            f.line("state[LAST_TO_AFTER] = state[LAST_TO]")
        if "no Repeat" in self.meta:
            f.line("remember_position(state, -1)")
        f.line("return 0")
        program.module.functions.append(f)

    def _place(self, f: Function, placed: object) -> None:
        from ludoport.ludemes.starting import Placement

        assert isinstance(placed, Placement)
        program = self.program
        if program.stacking:
            from ludoport.ludemes.stacks import setup_line

            for line in setup_line(program, placed):
                f.line(line)
        else:
            f.line(f"place(state, {placed.site}, {placed.component})")
            if program.state.has("COUNT"):
                f.line(f"state[COUNT + {placed.site}] = {placed.count}")
            if placed.state and program.state.has("STATE"):
                f.line(f"state[STATE + {placed.site}] = {placed.state}")
            if placed.value >= 0 and program.state.has("VALUE"):
                f.line(f"state[VALUE + {placed.site}] = {placed.value}")
        f.line(f"state[LAST_FROM] = {placed.site}")
        f.line(f"state[LAST_TO] = {placed.site}")

    def _write_key(self) -> None:
        """A hash of everything that tells two positions apart for the rules of play."""
        program = self.program
        names = ["MOVER", "NEXT", "PREV"]
        names += [n for n in ("SWAPPED", "N_PENDING", "PENDING_VALUE") if program.state.has(n)]
        blocks = [
            (n, program.state.fields[n])
            for n in ("WHAT", "STATE", "COUNT", "VALUE", "LEVELS", "SCORE", "PHASE", "RANK")
            if program.state.has(n)
        ]
        f = Function("key", ["state"], "a hash; equal positions have equal keys")
        f.line("a = 0x2545F491")
        f.line("b = 0x1B873593")
        for name in names:
            f.line(f"a = ((a ^ (state[{name}] & 0xFFFF)) * 0x01000193) & 0x7FFFFFFF")
            f.line("b = (b * 31 + a + 0x9E37) & 0x7FFFFFFF")
        for name, size in blocks:
            with f.block(f"for i in range({size}):"):
                f.line(f"v = state[{name} + i] & 0xFFFF")
                f.line("a = ((a ^ v) * 0x01000193) & 0x7FFFFFFF")
                f.line("b = ((b + v + 1) * 0x2C1B3C6D + (a >> 7)) & 0x7FFFFFFF")
        f.line("return (b << 31) | a")
        program.module.functions.append(f)

    def _write_utility(self) -> None:
        program = self.program
        comment = "what a player got: 1 for the first rank, -1 for the last; undecided players share what is left"
        f = Function("utility", ["state", "player"], comment)
        if program.n_players == 1:
            f.line("return 1.0 if state[RANK + player] == 2 else -1.0")
        else:
            f.line("active = 0")
            f.line("left = N_PLAYERS * (N_PLAYERS + 1)")
            with f.block("for p in range(1, N_PLAYERS + 1):"):
                f.line("left -= state[RANK + p]")
                with f.block("if state[RANK + p] == 0:"):
                    f.line("active += 1")
            f.line("rank = state[RANK + player] * 1.0")
            with f.block("if state[RANK + player] == 0:"):
                f.line("rank = left / active")
            f.line(f"return 1.0 - (rank - 2.0) / {program.n_players - 1}.0")
        program.module.functions.append(f)

    # The module ----------------------------------------------------------------------------------

    def _finish(self) -> Compiled:
        program = self.program
        core = program.state.offsets.get("HISTORY", program.state.size)
        for name, offset in program.state.offsets.items():
            program.module.constant(name, offset)
        for name, offset in program.moves.offsets.items():
            program.module.constant(name, offset)
        program.module.constant("STATE_SIZE", program.state.size)
        program.module.constant("CORE_SIZE", core)
        program.module.constant("MOVE_SIZE", program.moves.size)
        max_moves = min(20_000, max(256, 12 * program.n_board + 200 + program.extra_moves))
        program.module.constant("MAX_MOVES", max_moves)
        if program.buffer_wanted:
            program._scratch.append(("BUFFER_TOP", 1))
            program._scratch.append(("BUFFER", 5 * (4 * program.n_sites + 64 + program.buffer_extra)))
        sizes = {
            "STATE_SIZE": program.state.size,
            "MAX_MOVES * MOVE_SIZE": max_moves * program.moves.size,
            "CORE_SIZE": core,
            "MOVE_SIZE": program.moves.size,
        }
        work = program.scratch_layout(sizes) or 1
        program.module.constant("WORK_SIZE", work)
        title = f"Kernels of {program.description.name}, generated from {program.description.file.rsplit('/', 1)[-1]}."
        return Compiled(
            program.module.text(title),
            program,
            program.state.size,
            program.moves.size,
            max_moves,
            work,
            dict(program.moves.offsets),
            dict(program.state.offsets),
            program.state.has("SCORE") and bool(program.keys & {"int:*", "int:^"}),
        )
