"""Trying a move in place: the board is changed, the test is asked, and the board is restored.

The plain way tries a move on a copy of the whole row. In place, only sites and a few numbers change, and are noted;
lists of sites (of the players, of the empty ones) stay as they were. That is enough for the question whether a piece
is threatened: enemies are found by their list, where each one is looked at again, and a taken piece is no longer
there. It is not enough where a move brings a piece of the enemy, who does not have it in the list, or where the
question is about another piece; then the copy is used. What functions read and change is taken from their text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme, Word

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program
    from ludoport.ludemes.core.rule import Rule

IN_TRIALS = "  # also right in trials"
"""End of lines that read a list of sites and are right although a trial has not changed the list."""

NOTES = 24
"""Changes of sites that one trial may note."""

CHANGES = {"lift": 1, "place": 2, "add_piece": 2, "shift": 4, "promote": 2, "set_state": 1}
CHANGES |= {"set_next": 0, "set_counter": 0, "pend": 0}
"""The primitives that can be tried, and how many changes of sites each may note."""

SITE_FIELDS = ("WHAT", "STATE", "VALUE", "COUNT", "ROTATION")
"""Fields by site that trials change as moves do."""

SAVED = ("NEXT", "PLY", "LAST_FROM", "LAST_TO", "COUNTER", "N_PENDING", "PENDING_VALUE")
"""Numbers that trials change as moves do."""

_UNCHANGED = ("MOVER", "PREV", "TURN", "RANK", "PHASE", "SCORE", "PASSES", "OVER", "SPOT")
_READABLE = {*SITE_FIELDS, *SAVED, *_UNCHANGED}

_FIELD = re.compile(r"\bstate\[([A-Z]\w*)")
_CALL = re.compile(r"\b([a-z]\w*)\(")
_WRITE = re.compile(r"^\s*(?:state|work)\[.*\] [-+|^*]?= ")
_LOOP = re.compile(r"^\s*(?:for|while) ")
_BUILT_IN = {"wide", "on_board", "range", "abs", "min", "max"}
_THREAT_WRITES = re.compile(r"^\s*state\[(?:MOVER|PREV)\] = ")
"""What a question about threats changes and puts back."""


@dataclass(frozen=True)
class Trial:
    """A function that tests a move: which piece must not be threatened, and the rules of the moves it tests."""

    keep: Function
    role: str
    name: str
    rules: list[Rule]
    outer: int
    copying: tuple[str, ...] = ()
    """The lines that try a move on a copy of the row."""


@dataclass(frozen=True)
class LibertyTest:
    """A function that tests whether the group of the last piece has a liberty, and the rules of the moves it tests."""

    keep: Function
    count: Ludeme
    rules: list[Rule]
    outer: int


def liberty(condition: Ludeme) -> Ludeme | None:
    """The ludeme that counts liberties of the last piece, if a condition holds wherever there is one."""
    count = condition.peek("valueA")
    if condition.keyword != ">" or condition.peek("valueB") != 0 or not isinstance(count, Ludeme):
        return None
    at = count.peek("at")
    last = at is None or (isinstance(at, Ludeme) and at.keyword == "last To" and not at.args)
    return count if count.keyword == "count Liberties" and last and not set(count.args) - {"at", "directions"} else None


def threatened_role(condition: Ludeme) -> tuple[str, str] | None:
    """The player (a field of the row) and the name of a piece that must not be threatened, if a condition says so."""
    inner = condition.peek("a")
    if condition.keyword != "not" or not isinstance(inner, Ludeme) or inner.keyword != "is Threatened":
        return None
    what = inner.peek("what")
    if set(inner.args) != {"what"} or not isinstance(what, Ludeme) or what.keyword != "id":
        return None
    who = what.peek("who")
    fields = {"Mover": "MOVER", "Next": "NEXT"}
    if not isinstance(who, Word) or who.name not in fields or what.peek("name") is None:
        return None
    return fields[who.name], str(what.peek("name"))


def threatening(condition: Ludeme) -> str | None:
    """The name of a piece of the next player, if a condition holds wherever that piece is not threatened."""
    inner = condition.peek("a")
    if condition.keyword != "not" or not isinstance(inner, Ludeme) or inner.keyword != "and":
        return None
    parts = [v for x in dict.values(inner.args) for v in (x if isinstance(x, list) else [x])]
    for part in parts:
        what = part.peek("what") if isinstance(part, Ludeme) and part.keyword == "is Threatened" else None
        if (
            isinstance(part, Ludeme)
            and isinstance(what, Ludeme)
            and set(part.args) == {"what"}
            and what.keyword == "id"
        ):
            who, name = what.peek("who"), what.peek("name")
            if isinstance(who, Word) and who.name == "Next" and name is not None:
                return str(name)
    return None


class Trials:
    """The functions of a game that try moves in place."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.written: list[Trial] = []
        self.threatening: list[Trial] = []
        """Tests that all moves pass which do not threaten a piece of the next player."""
        self.stacked: list[Trial] = []
        """Tests about threats in games with stacks."""
        self.liberties: list[LibertyTest] = []
        """Tests that all moves pass whose piece has a liberty."""
        self._notes: dict[str, int | None] = {}

    def write(self, keep: Function, number: int, asked: tuple[str, str], rules: list[Rule], outer: int) -> None:
        """Put a trial before the copy in a function that tests a move, if its test can be asked in place."""
        program = self.program
        if program.stacking:
            self.stacked.append(Trial(keep, *asked, rules, outer))
            return
        if program.n_players != 2 or not program.spots or "pending sites" in program.wants:
            return
        if program.state.has("HISTORY") or program.chance or program.cover:
            # Whether a position is new is asked of the copy on which the move was tried.
            return
        if not self._pure(f"test_{number}", set()):
            return
        chosen = [rule for rule in rules if self._fits(rule, outer)]
        role, name = asked
        self.written.append(Trial(keep, role, name, rules, outer, tuple(keep.lines)))
        if not chosen:
            return
        program.wants.add("trials")
        self._write_apply(f"try_{number}", chosen, outer)
        lines, keep.lines = keep.lines, []
        if len(chosen) < len(rules):
            keep.line("rule = move[RULE]")
            with keep.block(f"if {one_of_rules([r.number for r in chosen])}:"):
                self._write_trial(keep, number, role)
        else:
            self._write_trial(keep, number, role)
        keep.lines += lines

    def _write_trial(self, keep: Function, number: int, role: str) -> None:
        program = self.program
        kept = [name for name in SAVED if program.state.has(name)]
        kept += [f"SPOT + {kind}" for kind in sorted(program.spots)]
        for k, name in enumerate(kept):
            keep.line(f"was{k} = state[{name}]")
        keep.line("work[W_TRIED] = 0")
        keep.line("work[W_ARRIVED] = 0")
        keep.line(f"try_{number}(state, move, work)")
        with keep.block("if state[NEXT] == state[MOVER] and state[PREV] > 0:"):
            keep.line("state[NEXT] = state[PREV]")
        keep.line(f"sure = work[W_ARRIVED] == 0 or work[W_ARRIVED] == (1 << state[{role}])")
        for kind in sorted(program.spots):
            keep.line(f"sure = sure and state[SPOT + {kind}] >= -1")
        keep.line("answer = False")
        with keep.block("if sure:"):
            keep.line(f"answer = test_{number}(state, work)")
        keep.line("take_back(state, work)")
        for k, name in enumerate(kept):
            keep.line(f"state[{name}] = was{k}")
        with keep.block("if sure:"):
            keep.line("return answer")

    def _write_apply(self, name: str, rules: list[Rule], outer: int) -> None:
        function = Function(name, ["state", "move", "work"], "what a move changes of the sites, and of the numbers")
        if self.program.uses_pending:
            function.line("state[N_PENDING] = 0")
        function.line("rule = move[RULE]")
        parts = self.program.rules.merged(rules)
        for word, (name, part) in zip(["if", *["elif"] * len(parts)], parts, strict=False):
            self._derive(name)
            with function.block(f"{word} {one_of_rules([rule.number for rule in part])}:"):
                function.line(f"try_{name}(state, move, work)")
        function.line("state[LAST_FROM] = move[FROM]")
        function.line("state[LAST_TO] = move[TO]")
        function.line("state[PLY] += 1")
        chains: dict[tuple[str, ...], list[int]] = {}
        for rule in rules:
            chains.setdefault(self.consequents(rule, outer), []).append(rule.number)
        chains.pop((), None)
        for word, (calls, numbers) in zip(["if", *["elif"] * len(chains)], chains.items(), strict=False):
            with function.block(f"{word} {one_of_rules(numbers)}:"):
                for call in calls:
                    function.line(f"try_{call}(state, work)")
        function.line("return 0")
        self.program.module.functions.append(function)

    def consequents(self, rule: Rule, outer: int) -> tuple[str, ...]:
        """The functions of what follows a move of a rule."""
        chain = rule.chain[: len(rule.chain) - outer] if outer else rule.chain
        return tuple(self.program.rules.consequent_call(then).split("(")[0] for then in chain)

    def _fits(self, rule: Rule, outer: int) -> bool:
        """Whether all that a rule does can be tried; the functions that do so are written."""
        names = [f"do_{rule.number}", *self.consequents(rule, outer)]
        notes = [self._derive(name) for name in names]
        return all(n is not None for n in notes) and sum(n or 0 for n in notes) <= NOTES

    def _function(self, name: str) -> Function | None:
        found = (f for f in self.program.module.functions if isinstance(f, Function) and f.name == name)
        return next(found, None)

    def _derive(self, name: str) -> int | None:
        """Write the trial of a function; returns how many changes it notes at most, None if it cannot be tried."""
        if name not in self._notes:
            self._notes[name] = None
            self._notes[name] = self._write_derived(name)
        return self._notes[name]

    def _write_derived(self, name: str) -> int | None:
        function = self._function(name)
        if function is None:
            return None
        notes, changes, lines = 0, 0, []
        for line in function.lines:
            if _WRITE.match(line) or not _READABLE.issuperset(_FIELD.findall(line)):
                return None
            for called in _CALL.findall(line):
                if called in CHANGES:
                    notes, changes = notes + CHANGES[called], changes + 1
                    line = line.replace(f"{called}(state", f"try_{called}(state, work")
                elif called.startswith("then_"):
                    more = self._derive(called)
                    if more is None:
                        return None
                    notes, changes = notes + more, changes + 1
                    line = line.replace(f"{called}(", f"try_{called}(")
                elif called not in _BUILT_IN and not self._pure(called, set()):
                    return None
            lines.append(line)
        if changes and any(map(_LOOP.match, lines)):
            return None
        derived = Function(f"try_{name}", list(function.params), function.comment, lines, facts=function.facts)
        self.program.module.functions.append(derived)
        return notes

    def _pure(self, name: str, seen: set[str]) -> bool:
        """Whether a function changes nothing and reads nothing but what trials keep right."""
        if name in seen:
            return True
        seen.add(name)
        function = self._function(name)
        if function is None:
            return False
        for line in function.lines:
            if line.endswith(IN_TRIALS):
                continue
            if _WRITE.match(line) and not _THREAT_WRITES.match(line):
                return False
            if not _READABLE.issuperset(_FIELD.findall(line)):
                return False
            if not all(c in _BUILT_IN or self._pure(c, seen) for c in _CALL.findall(line)):
                return False
        return True


def one_of_rules(numbers: list[int]) -> str:
    """A test for membership that needs few comparisons when the numbers are a run."""
    if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]} <= rule <= {numbers[-1]}"
    return " or ".join(f"rule == {n}" for n in numbers)
