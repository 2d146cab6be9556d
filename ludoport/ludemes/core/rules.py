"""All rules of a game: what a move does when it is played, and which tests it must pass."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.buffer import ActionBuffer
from ludoport.ludemes.core.context import UNSET, Cx, Expr, Filter
from ludoport.ludemes.core.effects import conflicts
from ludoport.ludemes.core.features import moves_others
from ludoport.ludemes.core.kept import KEPT
from ludoport.ludemes.core.registry import condition, generate
from ludoport.ludemes.core.rule import COLUMNS, Rule
from ludoport.ludemes.core.shortcuts import taken
from ludoport.ludemes.core.sinks import EffectSink, Spec
from ludoport.ludemes.core.trials import (
    LibertyTest,
    Trial,
    Trials,
    liberty,
    one_of_rules,
    threatened_role,
    threatening,
)

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


class MoveRules:
    """All rules of a game, and the functions that play them."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.rules: list[Rule] = []
        self._known: dict[object, Rule] = {}
        self._filters: dict[tuple[int, int, int], Filter] = {}
        self.tags: dict[tuple[Filter, ...], int] = {}
        self._tests: dict[tuple[object, ...], str] = {}
        self._thens: dict[tuple[int, int], str] = {}
        self.copies: dict[Filter, str] = {}
        """Where the copy lies on which a condition was tested last."""
        self.trials = Trials(program)
        self.buffer = ActionBuffer(program)

    # Rules -------------------------------------------------------------------------------------

    def filter(self, node: Ludeme, scope: Ludeme, outer: int, piece: bool = False) -> Filter:
        """The condition of a ``do`` on the moves of its scope, one object per place."""
        return self._filters.setdefault((id(node), id(scope), outer), Filter(node, scope, outer, piece))

    def tag(self, filters: tuple[Filter, ...]) -> int:
        """The number by which a listed move remembers the tests it still has to pass; 0 for none."""
        return self.tags.setdefault(filters, len(self.tags) + 1) if filters else 0

    def rule(self, cx: Cx, spec: Spec) -> Rule:
        """The rule for a generator in its surroundings; made when first asked for."""
        key, chain, fixed = self._key(cx, spec)
        rule = self._known.get(key)
        if rule is not None:
            return rule
        rule = Rule(len(self.rules) + 1, spec, chain, fixed=fixed)
        self.rules.append(rule)
        self._known[key] = rule
        self._write_do(rule, cx, {**cx.slots, **spec.slots})
        return rule

    def known_rule(self, cx: Cx, spec: Spec) -> Rule | None:
        """The rule for a generator in its surroundings, if it was made before."""
        return self._known.get(self._key(cx, spec)[0])

    def _key(self, cx: Cx, spec: Spec) -> tuple[object, tuple[Ludeme, ...], dict[str, Expr]]:
        """Identity of a rule, its consequents, and the iterators that are known for it."""
        chain = ((spec.then,) if spec.then is not None else ()) + cx.chain
        bound = {**cx.slots, **spec.slots}
        fixed: dict[str, Expr] = {s: v for s, v in bound.items() if isinstance(v, int) and s != "tag"}
        return (id(spec.node), spec.variant, tuple(map(id, chain)), tuple(sorted(fixed.items()))), chain, fixed

    def _write_do(self, rule: Rule, cx: Cx, bound: dict[str, Expr]) -> None:
        """Write the function that performs a rule's own actions and reads what it needs from the row."""
        function = Function(f"do_{rule.number}", ["state", "move", "work"], self.program.cite(rule.spec.node))
        slots: dict[str, Expr] = {}
        for slot in UNSET:
            value = bound[slot]
            slots[slot] = value if isinstance(value, int) else slot
        # Placements are written with equal from and to; the generator's own iterators are what effects see.
        safe = {s for s, v in bound.items() if isinstance(v, str) and v in cx.safe}
        for slot, value in rule.spec.slots.items():
            if slot not in UNSET:
                slots[slot] = value if isinstance(value, int) else slot
        inner = Cx(self.program, function, slots, frozenset(safe), source=rule.spec.node)
        inner = replace(inner, owner="mover" if cx.owner is not None and cx.owner == cx.slots["mover"] else None)
        rule.spec.act(inner)
        reads: list[str] = []
        rule.needed = []
        foreign = self.program.any_foreign
        for slot in (*UNSET, *(s for s in rule.spec.slots if s not in UNSET)):
            if slots.get(slot) != slot or not (function.uses(slot) or slot in rule.spec.show):
                continue
            if slot == "mover" and not foreign:
                reads.append("mover = state[MOVER]")
            elif slot in ("nxt", "prv"):
                fieldname = "NEXT" if slot == "nxt" else "PREV"
                # While another player's pieces are asked, the mover is both next and previous.
                other = " if move[BY] == state[MOVER] else wide(state[MOVER])" if foreign else ""
                reads.append(f"{slot} = wide(state[{fieldname}]){other}")
                if foreign and "mover" not in rule.needed:
                    self.program.moves.want("BY")
                    rule.needed.append("mover")
            elif slot == "frm" and bound["frm"] == rule.spec.frm:
                reads.append("frm = move[FROM]")
            elif slot == "to" and bound["to"] == rule.spec.to:
                reads.append("to = move[TO]")
            elif slot in ("frm", "to", "site", "btw") and bound[slot] == rule.spec.to:
                reads.append(f"{slot} = move[TO]")
            elif slot in ("frm", "to", "site", "btw") and bound[slot] == rule.spec.frm:
                reads.append(f"{slot} = move[FROM]")
            else:
                column = COLUMNS.setdefault(slot, slot.upper())
                self.program.moves.want(column)
                if slot not in rule.needed:
                    rule.needed.append(slot)
                reads.append(f"{slot} = move[{column}]")
        if self.program.memo(_asked_of_others) and "mover" not in rule.needed and slots["mover"] == "mover":
            self.program.moves.want("BY")
            rule.needed.append("mover")
        function.lines = ["    " + r for r in reads] + function.lines
        self.program.module.functions.append(function)

    def forget(self, count: int) -> None:
        """Forget all rules after the first ones, when an attempt to write code was given up."""
        self._known = {key: rule for key, rule in self._known.items() if rule.number <= count}

    def scratch_row(self, cx: Cx) -> str:
        """A local name for a move's row in scratch space."""
        offset = self.program.scratch("MOVE_SIZE", "ROW")
        name = cx.fresh("row")
        cx.line(f"{name} = work[{offset} : {offset} + MOVE_SIZE]")
        return name

    # Tests after a move --------------------------------------------------------------------------

    def keep(self, cx: Cx, each: Filter, row: str) -> str:
        """A call that tries a move on a copy and tests its condition; empty if it always passes."""
        stuck = cx.stuck and any(part.keyword == "no Moves" for part in each.condition.walk())
        shared = self._shares(each, cx.threat)
        others = id(each.scope) in self.program.memo(_asked_of_others)
        key = (id(each.condition), each.piece, stuck, others) if shared else (each, cx.threat, stuck)
        known = self._tests.get(key)
        if known is None:
            known = self._write_keep(each, cx.threat, stuck)
            self._tests[key] = known
        return f"{known}(state, {row}, work)" if known else ""

    def _shares(self, each: Filter, threat: bool) -> bool:
        """Whether a test is the same for moves of every generator.

        It is where all consequents belong to the move that is tested, so that it is applied like any other, and where
        no code looks at the copy on which it was tried. Where consequents of other moves test moves themselves, those
        would be part of the test, which would call itself.
        """
        if each.outer != 0 or threat or self.program.state.has("HISTORY") or not taken("merge"):
            return False
        return not self.program.memo(_testing_consequents)

    def _write_keep(self, each: Filter, threat: bool, stuck: bool) -> str:
        number = self.program.module.number()
        test = Function(f"test_{number}", [], self.program.cite(each.condition))
        cx = replace(self.program.root(test, each.condition), threat=threat, stuck=stuck)
        if each.piece:
            cx = cx.bind(frm="state[LAST_FROM]")
        result = condition(each.condition, cx)
        if result is True:
            return ""
        cx.line(f"return {result}")
        self.program.close(test)
        keep = Function(
            f"keep_{number}", ["state", "move", "work"], "try a move on a copy: " + self.program.cite(each.condition)
        )
        offset = self.program.scratch("CORE_SIZE", "COPY")
        if not threat and not stuck:
            self.copies[each] = offset
        keep.line(f"copy = work[{offset} : {offset} + CORE_SIZE]")
        with keep.block("for i in range(CORE_SIZE):"):
            keep.line("copy[i] = state[i]")
        others = id(each.scope) in self.program.memo(_asked_of_others)
        if others:
            # Moves of another player's pieces are tried as if that player moved between two turns of the mover.
            with keep.block("if move[BY] != copy[MOVER]:"):
                keep.line("copy[PREV] = copy[MOVER]")
                keep.line("copy[NEXT] = copy[MOVER]")
                keep.line("copy[MOVER] = move[BY]")
        shared = self._shares(each, threat)
        keep.line(f"{'apply_0' if shared else f'apply_{number}'}(copy, move, work)")
        with keep.block("if copy[NEXT] == copy[MOVER] and copy[PREV] > 0:"):
            keep.line("copy[NEXT] = copy[PREV]")
        keep.line(f"return test_{number}(copy, work)")
        self.program.module.functions.append(keep)
        if not shared:
            self.program.after.append(lambda: self._write_apply(f"apply_{number}", self._in_scope(each), each.outer))
        if others:
            return f"keep_{number}"
        name = threatening(each.condition)
        if name is not None and not threat and not stuck:

            def note_test() -> None:
                rules = self._tested() if shared else self._in_scope(each)
                self.trials.threatening.append(Trial(keep, "NEXT", name, rules, each.outer))

            self.program.after.append(note_test)
        count = liberty(each.condition)
        if count is not None and not threat and not stuck:

            def note_liberty() -> None:
                rules = self._tested() if shared else self._in_scope(each)
                self.trials.liberties.append(LibertyTest(keep, count, rules, each.outer))

            self.program.after.append(note_liberty)
        asked = threatened_role(each.condition)
        if asked is not None and taken("trial") and not threat and not stuck:

            def write_trial() -> None:
                rules = self._tested() if shared else self._in_scope(each)
                self.trials.write(keep, number, asked, rules, each.outer)

            self.program.after.append(write_trial)
        return f"keep_{number}"

    def _tested(self) -> list[Rule]:
        """The rules whose moves may be tested."""
        return [rule for rule in self.rules if not rule.spec.joins]

    def _in_scope(self, each: Filter) -> list[Rule]:
        """The rules whose moves a condition may be asked about."""
        inside = {id(part) for part in self.program.reach(each.scope)}
        rules = [rule for rule in self.rules if id(rule.spec.node) in inside]
        if not self.program.memo(_testing_consequents):
            return rules
        # Moves of the same generator elsewhere may have consequents in which the condition is asked again.
        return [r for r in rules if all(id(then) in inside for then in r.chain[: len(r.chain) - each.outer])]

    def has_tests(self, cx: Cx, node: Ludeme) -> bool:
        """Whether listed moves of a generator still have to be tested, because of ``ifAfterwards`` conditions."""
        return bool(cx.filters) or any(part.get("ifAfterwards") is not None for part in self.program.reach(node))

    def accept_call(self, cx: Cx, node: Ludeme, row: str) -> str:
        """A call that makes all tests of a listed move; the function is written once all rules are known."""
        tested = [part for part in self.program.reach(node) if part.get("ifAfterwards") is not None]
        places = {(id(p.args["ifAfterwards"]), id(scope)) for p in tested for scope in (p, p.args["prior"])}
        places |= {(id(f.condition), id(f.scope)) for f in cx.filters}
        name = f"accept_{self.program.module.number()}"
        self.program.after.append(lambda: self._write_accept(name, places, cx.threat, cx.stuck))
        return f"{name}(state, {row}, work)"

    def _write_accept(
        self, name: str, places: set[tuple[int, int]] | None, threat: bool = False, stuck: bool = False
    ) -> None:
        """Write the function that makes the tests of moves, those of the given conditions and scopes (default: all)."""
        function = Function(name, ["state", "move", "work"], "the tests that a move of its rule must pass")
        function.line("tag = move[TAG]")
        cx = replace(self.program.root(Function("unused", [])), threat=threat, stuck=stuck)
        for filters, tag in list(self.tags.items()):
            if places is not None and not all((id(f.condition), id(f.scope)) in places for f in filters):
                continue
            tests = [self.keep(cx, f, "move") for f in reversed(filters)]
            texts = [t for t in tests if t]
            if texts:
                with function.block(f"if tag == {tag}:"):
                    function.line(f"return {' and '.join(texts)}")
        function.line("return True")
        self.program.module.functions.append(function)

    def sieve(self, cx: Cx, node: Ludeme, start: str) -> None:
        """Write code that drops the listed moves since ``start`` that fail their tests."""
        if not self.has_tests(cx, node):
            return
        test = self.accept_call(cx, node, "moves[i * MOVE_SIZE : (i + 1) * MOVE_SIZE]")
        cx.line(f"kept = {start}")
        with cx.block(f"for i in range({start}, n):"), cx.block(f"if {test}:"):
            with cx.block("for c in range(MOVE_SIZE):"):
                cx.line("moves[kept * MOVE_SIZE + c] = moves[i * MOVE_SIZE + c]")
            cx.line("kept += 1")
        cx.line("n = kept")

    # Playing -------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Write the functions that apply any move: those that are played, and those that are tried as well."""
        self._write_apply("apply", [r for r in self.rules if r.number in self.program.listed], 0)
        self._write_apply("apply_0", self._tested(), 0)
        if any(r.spec.measures for r in self.rules):
            self._write_apply("apply_on", [r for r in self.rules if not r.spec.measures], 0)

    def _write_apply(self, name: str, rules: list[Rule], outer: int) -> None:
        function = Function(name, ["state", "move", "work"], "actions of a move, then its consequents")
        if self.program.uses_pending:
            late = [r.number for r in rules if r.spec.clears]
            with function.when(f"not ({one_of_rules(late).replace('rule', 'move[RULE]')})" if late else True):
                function.line("clear_pending(state)")
        if self.program.state.has("STORED"):
            # A move that stores its own position is compared with the one stored before it.
            with function.block(f"for k in range({self.program.state.fields['STORED']}):"):
                function.line("state[STORED_BEFORE + k] = state[STORED + k]")
        if self.program.state.has("TOUCHED"):
            with function.block("for s in range(N_SITES):"):
                function.line("state[TOUCHED + s] = 0")
        if self.program.state.has("NOW_BETWEEN"):
            with function.block("for s in range(N_SITES):"):
                function.line("state[NOW_BETWEEN + s] = 0")
        self._write_actions(function, rules)
        function.line("state[LAST_FROM] = move[FROM]")
        function.line("state[LAST_TO] = move[TO]")
        for line in self.program.on_history():
            function.line(line)
        if "int:last LevelTo" in self.program.keys and self.program.stacking:
            self._note_level(function, rules)
        if "boolean:was Pass" in self.program.keys:
            # A consequent that asks for it may be written only below.
            self.program.state.want("WAS_PASS")
            passes = [0, *(r.number for r in rules if r.spec.kind == "pass")]
            function.line(f"state[WAS_PASS] = 1 if {one_of_rules(passes)} else 0")
        function.line("state[PLY] += 1")
        chains: dict[tuple[int, ...], tuple[tuple[Ludeme, ...], list[int]]] = {}
        for r in rules:
            chain = r.chain[: len(r.chain) - outer] if outer else r.chain
            chain = tuple(then for then in chain if not self._waits(then))
            chains.setdefault(tuple(map(id, chain)), (chain, []))[1].append(r.number)
        groups = [(chain, numbers) for chain, numbers in chains.values() if chain]
        if self.program.chance:
            function.line("state[UNSEEN] = 1")
        for chain in function.cases((one_of_rules(numbers), chain) for chain, numbers in groups):
            for then in chain:
                function.line(self.consequent_call(then))
        for line in self.program.on_done():
            function.line(line)
        lists = self.program.state.has("N_REMEMBERED") or "repeats in turn" in self.program.wants
        if self.program.stacking or lists:
            with function.block(f"if state[{self.program.state.want('ROW_FULL')}] != 0:"):
                function.line("work[FULL] = MARK")
        function.line("return 0")
        self.program.module.functions.append(function)

    def _write_actions(self, function: Function, rules: list[Rule]) -> None:
        """Write the calls that do what moves of these rules do, consequents apart."""
        function.line("rule = move[RULE]")
        parts = self.merged(rules)
        for name in function.cases((one_of_rules([r.number for r in part]), name) for name, part in parts):
            function.line(f"{name}(state, move, work)")

    def write_bare(self, name: str) -> list[Rule]:
        """Write a function that does what a listed move does and nothing that follows it; returns the rules."""
        rules = [r for r in self.rules if r.number in self.program.listed]
        function = Function(name, ["state", "move", "work"], "actions of a move that enters no history")
        self._write_actions(function, rules)
        function.line("return 0")
        self.program.module.functions.append(function)
        return rules

    def _waits(self, then: Ludeme) -> bool:
        """Whether a consequent happens after the moves of all players; where they move by turns, that is at once."""
        return then.get("applyAfterAllMoves") is True and self.program.together

    def write_late_consequents(self) -> bool:
        """Write what happens after the moves of all players; False if there is nothing."""
        late = [(then, r.number) for r in self.rules for then in r.chain if self._waits(then)]
        if not late:
            return False
        function = Function("follow_all", ["state", "move", "work"], "what follows a move when all have moved")
        function.line("rule = move[RULE]")
        for then, rule in late:
            with function.block(f"if rule == {rule}:"):
                function.line(self.consequent_call(then))
        function.line("return 0")
        self.program.module.functions.append(function)
        return True

    def _note_level(self, function: Function, rules: list[Rule]) -> None:
        """Note the level that a move chose; where it put a piece does not count, as in the reference."""
        self.program.state.want("LAST_LEVEL")
        function.line("state[LAST_LEVEL] = 0")
        chosen = [r.number for r in rules if r.spec.kind == "select" and "lvl" in r.needed]
        if chosen:
            with function.block(f"if {one_of_rules(chosen)}:"):
                function.line("state[LAST_LEVEL] = move[LEVEL]")

    def merged(self, rules: list[Rule]) -> list[tuple[str, list[Rule]]]:
        """Rules with the functions that perform them: one function for rules in a row that do the same."""
        texts = {f.name: f for f in self.program.module.functions if isinstance(f, Function)}
        parts: list[list[Rule]] = []
        for rule in rules:
            last = parts[-1][-1].number if parts else -1
            same = last + 1 == rule.number and texts[f"do_{last}"].lines == texts[f"do_{rule.number}"].lines
            if same and taken("merge"):
                parts[-1].append(rule)
            else:
                parts.append([rule])
        named = []
        for part in parts:
            first = texts[f"do_{part[0].number}"]
            name = first.name if len(part) == 1 else f"{first.name}_{part[-1].number}"
            if name not in texts:
                one = Function(name, first.params, first.comment, first.lines, facts=first.facts)
                self.program.module.functions.append(one)
            named.append((name, part))
        return named

    def consequent_call(self, then: Ludeme, level: int = 0, on: str = "state") -> str:
        """A call of the function for a consequent, written when first asked for."""
        key = (id(then), level)
        name = self._thens.get(key)
        if name is None:
            name = f"then_{self.program.module.number()}"
            self._thens[key] = name
            self._write_then(name, then, level)
        return f"{name}({on}, work)"

    def consequent(self, cx: Cx, then: Ludeme) -> None:
        """Write the code that runs a consequent of an effect, now or when the buffered actions are done."""
        if cx.buffer is None:
            cx.line(self.consequent_call(then))
        else:
            call = self.consequent_call(then, cx.buffer + 1)
            self.buffer.push(cx, call.split("(")[0], ())

    def _write_then(self, name: str, then: Ludeme, level: int) -> None:
        node = then.args["moves"]
        assert isinstance(node, Ludeme)
        function = Function(name, [], self.program.cite(then))
        cx = self.program.root(function, then)
        self.effect(cx, node, level)
        function.line("return 0")
        self.program.close(function)

    def effect(self, cx: Cx, node: Ludeme, level: int | None = None, sink: EffectSink | None = None) -> None:
        """Write code that evaluates effects completely and then does them."""
        if level is None:
            level = 0 if cx.buffer is None else cx.buffer
        sink = EffectSink() if sink is None else sink
        if cx.buffer is not None or not (conflicts(node) or level >= KEPT):
            generate(node, cx, sink)
            return
        base = cx.fresh("base")
        cx.line(f"{base} = work[{self.buffer.top()}]")
        generate(node, replace(cx, buffer=level), sink)
        self.buffer.want_level(level)
        cx.line(f"flush_{level}(state, work, {base})")


def _asked_of_others(program: Program) -> set[int]:
    """The parts of generators that are made for the pieces of another player, if there are tests among them."""
    others = [part for part in program.description.root.walk() if moves_others(part, deep=False)]
    inside = [inner for part in others for inner in program.reach(part) if inner is not part]
    tested = any(inner.peek("ifAfterwards") is not None for inner in inside)
    return {id(inner) for inner in inside} if tested else set()


def _testing_consequents(program: Program) -> bool:
    """Whether moves that are tested are listed in a consequent."""
    thens = [part for part in program.description.root.walk() if part.keyword == "then"]
    return any(part.peek("ifAfterwards") is not None for then in thens for part in program.reach(then))
