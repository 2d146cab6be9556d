"""The functions that answer questions about relations, written when they are first needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ludoport.gdl.compiled.domains import World
from ludoport.gdl.compiled.flat import Flat, FlatRule
from ludoport.gdl.compiled.listing import MOST_PLACES, Domain, Label, Listing, Op, Value, room_for
from ludoport.gdl.compiled.loops import Loops
from ludoport.gdl.compiled.plan import ConditionPlanner, PlannedCondition
from ludoport.gdl.compiled.recursion import linear_kind, recursive_relations
from ludoport.gdl.compiled.steps import FRAME, Code, Emit, Env
from ludoport.gdl.compiled.stored import MOST_STORED, Fixed, RelationStore
from ludoport.gdl.limits import Clock

DENSE = 1 << 14
"""Most questions whose answers have a table of their own; beyond that, answers replace each other."""

HASHED_BITS = 12
"""Number of entries in a replacement table, as a power of two."""

CHEAP = 20.0
"""Tests that cost less are not remembered."""

MOST_MARKS = 1 << 16
"""Answers are marked in a table of this size; longer ones are compared one by one."""

HEADER, LAST, TICK = 4, 5, 6
"""The registers of the list that a function makes."""


class Maker:
    """Writes the functions of one game.

    Args:
        world: its relations.
        clock: time limit.
    """

    def __init__(self, world: World, clock: Clock) -> None:
        self.world, self.clock, self.listing = world, clock, Listing()
        self.fixed, self.store = Fixed(world, self.listing), RelationStore(world, self.listing)
        self.recursive = recursive_relations(world)
        self.planner = ConditionPlanner(world, self.recursive, self.is_followed)
        self.loops = Loops(self)
        self._functions: dict[tuple[str, Flat, str], Label] = {}
        self._waiting: list[Callable[[], None]] = []
        self._filled: dict[Flat, tuple[Label, int]] = {}
        self._shapes: dict[Flat, int] = {}
        self.most_registers = FRAME
        for flat in world.domains:
            if flat.key == "true/1" and all(world.domains[flat]):
                self.store.add(flat)
            elif flat.key == "legal/2":
                self._shapes[Flat("does/2", flat.shapes)] = len(self._shapes)

    def finish(self) -> None:
        """Write all functions that were asked for, and those that they ask for."""
        while self._waiting:
            self.clock.check()
            self._waiting.pop()()

    def does_shape(self, flat: Flat) -> int:
        """The number of a shape of moves."""
        return self._shapes[flat]

    def test_function(self, flat: Flat, mode: str) -> Label:
        """A function that says whether something holds."""
        return self._function("test", flat, mode, self._write_test)

    def list_function(self, flat: Flat, mode: str) -> tuple[Label, str]:
        """A function that lists answers, and the mode in which it does."""
        if flat in self.recursive:
            mode = mode.replace("_", "f")
        return self._function("list", flat, mode, self._write_list), mode

    def _function(self, kind: str, flat: Flat, mode: str, write: Callable[[Flat, str], None]) -> Label:
        label = self._functions.get((kind, flat, mode))
        if label is None:
            label = self._functions[kind, flat, mode] = Label()
            self._waiting.append(partial(self._write, label, write, flat, mode))
        return label

    def _write(self, label: Label, write: Callable[[Flat, str], None], flat: Flat, mode: str) -> None:
        self.listing.here(label)
        write(flat, mode)

    def filled(self, flat: Flat) -> tuple[Label, int] | None:
        """The function that works out a relation that is kept as a whole, and where it is noted that it has."""
        return self._filled.get(flat)

    def is_followed(self, flat: Flat, mode: str) -> bool:
        """Whether a relation that depends on itself can be answered without working it out as a whole."""
        modes = {mode, mode.replace("_", "f")}
        return len(self.recursive[flat]) == 1 and any(linear_kind(self.world, flat, m) for m in modes)

    def prepare(self, steps: Sequence[PlannedCondition]) -> None:
        """Decide how relations that depend on themselves are worked out, before they are asked for."""
        for step in steps:
            flat = step.condition.atom.flat if step.condition.atom is not None else None
            if flat not in self.recursive or flat in self._filled or self.is_followed(flat, step.mode):
                continue
            group = self.recursive[flat]
            if all(room_for(self.world.domains[other]) <= MOST_STORED for other in group):
                function, place = Label(), self.listing.room(1)
                for other in sorted(group, key=repr):
                    self._filled[other] = function, place
                    self.store.add(other)
                self._waiting.append(partial(self.loops.write_fill, function, group))

    def rule(self, code: Code, rule: FlatRule, mode: str, values: dict[int, Value], emit: Emit) -> None:
        """Write a rule whose head is asked for in a mode."""
        self.clock.check()
        done, env = Label(), dict[str, Value]()
        code.match(rule.head.args, [values.get(position) for position in range(len(mode))], env, done)
        steps = self.planner.rule_plan(rule, mode).steps
        self.prepare(steps)
        wanted = {term for term, sign in zip(rule.head.args, mode, strict=True) if sign == "f"}
        code.solve(steps, env, wanted, emit, done)
        self.listing.here(done)

    def _params(self, mode: str) -> dict[int, Value]:
        bound = [position for position, sign in enumerate(mode) if sign == "b"]
        return {position: FRAME + place for place, position in enumerate(bound)}

    def _memo(self, flat: Flat, mode: str, kind: int) -> int:
        """Look whether a question was answered before; returns how an answer is remembered."""
        values = self._params(mode)
        domains: list[Domain] = [self.world.domains[flat][position] for position in values]
        room, base = room_for(domains), 0
        cheap = kind == 0 and self.planner.estimate(flat, mode)[1] < CHEAP
        if cheap or room >= MOST_PLACES:
            how = 4 + kind
        else:
            how = 2 * kind + (room > DENSE)
            size = room if how == 0 else 2 * room if how == 2 else (2 + kind) << HASHED_BITS
            base = self.listing.room(size)
        place = self.listing.place(domains, list(values.values()))
        assert place is not None
        self.listing.emit(Op.MEMO, how, base, place)
        return how

    def _write_test(self, flat: Flat, mode: str) -> None:
        values = self._params(mode)
        code = Code(self, len(values))
        how = self._memo(flat, mode, 0)

        def emit(code: Code, env: Env) -> None:
            del env
            code.listing.emit(Op.RETURN, how, 1)

        if flat not in self.world.rules or flat in self._filled:
            self.loops.search(code, flat, mode, values, emit)
        elif flat in self.recursive:
            self.loops.follow(code, flat, mode, values, lambda terms: emit, testing=True)
        else:
            for rule in self.world.rules[flat]:
                self.rule(code, rule, mode, values, emit)
        self.listing.emit(Op.RETURN, how, 0)
        code.finish()

    def _write_list(self, flat: Flat, mode: str) -> None:
        values = self._params(mode)
        code = Code(self, len(values))
        how = self._memo(flat, mode, 1)
        self.listing.emit(Op.NEW_LIST, HEADER, LAST, TICK)
        positions = [position for position, sign in enumerate(mode) if sign == "f"]
        domains = [self.world.domains[flat][position] for position in positions]
        marks = self.listing.room(room_for(domains)) if room_for(domains) <= MOST_MARKS else -1

        def answers(terms: Sequence[str]) -> Emit:
            def emit(code: Code, env: Env) -> None:
                found = [code.value(terms[position], env) for position in positions]
                self.append(code, (HEADER, LAST, TICK), marks, domains, found)

            return emit

        if flat in self.recursive:
            self.loops.follow(code, flat, mode, values, answers, testing=False)
        else:
            for rule in self.world.rules[flat]:
                self.rule(code, rule, mode, values, answers(rule.head.args))
        self.listing.emit(Op.RETURN, how, 0)
        code.finish()

    def append(
        self, code: Code, registers: tuple[int, int, int], marks: int, domains: Sequence[Domain], found: list[Value]
    ) -> None:
        """Write what adds an entry to a list unless it is there already."""
        place = self.listing.place(domains, found)
        if place is None:
            return
        code.listing.emit(Op.APPEND, list(registers), marks, len(found), found, place)
