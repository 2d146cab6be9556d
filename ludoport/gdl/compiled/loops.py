"""Functions for relations that depend on themselves, and for those that can only be searched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ludoport.gdl.compiled.flat import Atom, Condition, Flat, FlatRule
from ludoport.gdl.compiled.listing import Label, Op, Value, room_for
from ludoport.gdl.compiled.plan import PlannedCondition
from ludoport.gdl.compiled.recursion import Linear, find_linear, own_condition
from ludoport.gdl.compiled.steps import Code, Emit, Env
from ludoport.gdl.limits import TooLarge

if TYPE_CHECKING:
    from ludoport.gdl.compiled.functions import Maker

MOST_QUESTIONS = 1 << 20
"""Questions that follow from each other are marked in a table of at most this size."""

MOST_TESTED = 1 << 14
"""Maximum number of candidates to try where a relation can only be tested."""

Answers = Callable[[Sequence[str]], Emit]


class Loops:
    """Writes such functions for a maker."""

    def __init__(self, maker: Maker) -> None:
        self.maker = maker

    def search(self, code: Code, flat: Flat, mode: str, values: dict[int, Value], emit: Emit) -> None:
        """A test of a relation that is kept in a table without a key for the whole question."""
        args = tuple(f"?{position}" for position in range(len(mode)))
        env: Env = {args[position]: value for position, value in values.items()}
        done = Label()
        # Going through the tuples also compares those arguments that are not part of a key.
        step = PlannedCondition(Condition("holds", Atom(flat, args)), mode)
        code.each(step, env, done)
        emit(code, env)
        code.listing.here(done)

    def follow(
        self, code: Code, flat: Flat, mode: str, values: dict[int, Value], answers: Answers, testing: bool
    ) -> None:
        """Answer a question about a relation that depends on itself."""
        maker = self.maker
        linear = find_linear(maker.world, maker.planner, flat, mode) if len(maker.recursive[flat]) == 1 else None
        if linear is None and testing and "_" in mode:
            function, _ = maker.list_function(flat, mode)
            done, at = Label(), code.call(function, list(values.values()))
            code.listing.emit(Op.NEXT_LIST, at, done, 0)
            answers(())(code, {})
            code.listing.here(done)
        elif linear is None:
            self._try_all(code, flat, mode, values, answers)
        elif linear.kind == "left":
            self._follow_answers(code, mode, values, linear, answers)
        else:
            self._follow_questions(code, flat, mode, values, linear, answers)

    def _follow_questions(
        self, code: Code, flat: Flat, mode: str, values: dict[int, Value], linear: Linear, answers: Answers
    ) -> None:
        """A list of questions that grows while it is worked off."""
        maker, listing, positions = self.maker, code.listing, linear.varying
        domains = [maker.world.domains[flat][position] for position in positions]
        if room_for(domains) > MOST_QUESTIONS:
            raise TooLarge(f"`{flat.key.split('/')[0]}` can be asked {room_for(domains):,} questions")
        marks, registers = listing.room(room_for(domains)), code.register(3)
        queue = (registers, registers + 1, registers + 2)
        listing.emit(Op.NEW_LIST, list(queue))
        maker.append(code, queue, marks, domains, [values[position] for position in positions])
        again, done = Label(), Label()
        listing.here(again)
        inner = {**values, **{position: code.register() for position in positions}}
        columns = [x for place, position in enumerate(positions) for x in (1 + place, 0, inner[position])]
        listing.emit(Op.NEXT_LIST, queue[0], done, len(positions), columns)
        for rule in linear.base:
            maker.rule(code, rule, mode, inner, answers(rule.head.args))
        for rule, own, steps in linear.steps:
            assert own.atom is not None
            args, after, env = own.atom.args, Label(), dict[str, Value]()
            code.match(rule.head.args, [inner.get(position) for position in range(len(mode))], env, after)
            maker.prepare(steps)

            def ask(code: Code, env: Env, args: Sequence[str] = args) -> None:
                given = [code.value(args[position], env) for position in positions]
                maker.append(code, queue, marks, domains, given)

            code.solve(steps, env, {args[position] for position in positions}, ask, after)
            listing.here(after)
        listing.emit(Op.JUMP, again)
        listing.here(done)

    def _follow_answers(
        self, code: Code, mode: str, values: dict[int, Value], linear: Linear, answers: Answers
    ) -> None:
        """The list of answers itself grows while it is worked off."""
        maker, listing = self.maker, code.listing
        for rule in linear.base:
            maker.rule(code, rule, mode, values, answers(rule.head.args))
        positions = [position for position, sign in enumerate(mode) if sign == "f"]
        at, again, done = code.register(), Label(), Label()
        listing.emit(Op.SET, at, 4)
        listing.here(again)
        both = {**values, **{position: code.register() for position in positions}}
        columns = [x for place, position in enumerate(positions) for x in (1 + place, 0, both[position])]
        listing.emit(Op.NEXT_LIST, at, done, len(positions), columns)
        for rule, own, steps in linear.steps:
            assert own.atom is not None
            after, env = Label(), dict[str, Value]()
            code.match(own.atom.args, [both[position] for position in range(len(mode))], env, after)
            code.match(rule.head.args, [values.get(position) for position in range(len(mode))], env, after)
            maker.prepare(steps)
            wanted = {term for term, sign in zip(rule.head.args, mode, strict=True) if sign == "f"}
            code.solve(steps, env, wanted, answers(rule.head.args), after)
            listing.here(after)
        listing.emit(Op.JUMP, again)
        listing.here(done)

    def _try_all(self, code: Code, flat: Flat, mode: str, values: dict[int, Value], answers: Answers) -> None:
        """Test every candidate, where a relation can be tested but not listed."""
        maker, listing, full = self.maker, code.listing, "b" * len(mode)
        free = [position for position, sign in enumerate(mode) if sign != "b"]
        domains = [maker.world.domains[flat][position] for position in free]
        if not free or room_for(domains) > MOST_TESTED or not maker.is_followed(flat, full):
            raise TooLarge(f"`{flat.key.split('/')[0]}` depends on itself and is too large to be worked out as a whole")
        at, again, done = code.register(), Label(), Label()
        listing.emit(Op.SET, at, -1)
        listing.here(again)
        both = {**values, **{position: code.register() for position in free}}
        columns = [x for k, position in enumerate(free) for x in (*listing.part(domains, k), 0, both[position])]
        listing.emit(Op.NEXT_NUMBER, at, room_for(domains), done, len(free), columns)
        result = code.call(maker.test_function(flat, full), [both[position] for position in range(len(mode))])
        listing.emit(Op.BRANCH, result, 0, again)
        args = tuple(f"?{position}" for position in range(len(mode)))
        answers(args)(code, {args[position]: value for position, value in both.items()})
        listing.emit(Op.JUMP, again)
        listing.here(done)

    def write_fill(self, function: Label, group: frozenset[Flat]) -> None:
        """Work relations that depend on each other out as a whole, when they are first asked for in a state."""
        maker, listing = self.maker, self.maker.listing
        listing.here(function)
        members, code = sorted(group, key=repr), Code(maker, inside=group)
        for flat in members:
            listing.emit(Op.CLEAR, maker.store.relations[flat].number)
        for flat in members:
            for rule in maker.world.rules[flat]:
                if not any(own_condition(rule, other) for other in members):
                    maker.rule(code, rule, "f" * flat.arity, {}, self._adding(rule))
        self._grow(code, members)
        listing.emit(Op.RETURN, 4, 0)
        code.finish()

    def _adding(self, rule: FlatRule) -> Emit:
        stored = self.maker.store.relations[rule.head.flat]

        def emit(code: Code, env: Env) -> None:
            place = code.listing.place(stored.domains, [code.value(term, env) for term in rule.head.args])
            if place is not None:
                code.listing.emit(Op.ADD, stored.number, place)

        return emit

    def _grow(self, code: Code, members: Sequence[Flat]) -> None:
        """Every tuple is joined once with those that came before it; again until no relation has a new one."""
        maker, listing = self.maker, code.listing
        counters = {flat: code.register() for flat in members}
        for counter in counters.values():
            listing.emit(Op.SET, counter, -1)
        start = Label()
        listing.here(start)
        for flat in members:
            stored, done = maker.store.relations[flat], Label()
            inner = {position: code.register() for position in range(flat.arity)}
            columns = [x for p, r in inner.items() for x in (*listing.part(stored.domains, p), 0, r)]
            end = stored.holds + stored.room
            listing.emit(Op.NEXT_TUPLE, counters[flat], end, end + stored.room, done, flat.arity, columns)
            for other in members:
                for rule in maker.world.rules[other]:
                    for own in own_condition(rule, flat):
                        self._join(code, rule, own, inner)
            # Whatever was added may belong to a relation that was thought to be complete.
            listing.emit(Op.JUMP, start)
            listing.here(done)

    def _join(self, code: Code, rule: FlatRule, own: Condition, values: dict[int, Value]) -> None:
        assert own.atom is not None
        after, env = Label(), dict[str, Value]()
        code.match(own.atom.args, [values[position] for position in range(own.atom.flat.arity)], env, after)
        wanted = {term for term in rule.head.args if term.startswith("?")}
        steps = self.maker.planner.plan([x for x in rule.body if x is not own], set(env), wanted).steps
        self.maker.prepare(steps)
        code.solve(steps, env, wanted, self._adding(rule), after)
        code.listing.here(after)
