"""Conditions as instructions: every condition continues, or jumps back to the last loop that may have more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from ludoport.gdl.compiled.domains import World
from ludoport.gdl.compiled.flat import Atom, Flat
from ludoport.gdl.compiled.listing import Label, Listing, Op, Value
from ludoport.gdl.compiled.plan import PlannedCondition
from ludoport.gdl.compiled.stored import Fixed, Index, RelationStore

FRAME = 8
"""The first registers of a function are for calls and lists."""

Env = dict[str, Value]
Emit = Callable[["Code", Env], None]


class Functions(Protocol):
    """Source of the functions that answer questions about relations."""

    world: World
    listing: Listing
    fixed: Fixed
    store: RelationStore
    most_registers: int

    def test_function(self, flat: Flat, mode: str) -> Label:
        """A function that says whether something holds."""

    def list_function(self, flat: Flat, mode: str) -> tuple[Label, str]:
        """A function that lists answers, and the mode in which it does."""

    def filled(self, flat: Flat) -> tuple[Label, int] | None:
        """The function that works out a relation that is kept as a whole, and where it is noted that it has."""

    def does_shape(self, flat: Flat) -> int:
        """The number of a shape of moves."""


class Code:
    """Writes one function.

    Args:
        maker: writes the functions that this one calls, but later.
        params: number of its arguments.
        inside: relations that this function itself works out as a whole.
    """

    def __init__(self, maker: Functions, params: int = 0, inside: frozenset[Flat] = frozenset()) -> None:
        self.maker, self.listing = maker, maker.listing
        self._inside = inside
        self.registers = FRAME + params
        self._sizes: list[Label] = []

    def register(self, count: int = 1) -> int:
        """A new register, or several that follow each other."""
        self.registers += count
        return self.registers - count

    def finish(self) -> None:
        """Now that all registers are known, calls can say where the next frame begins."""
        for size in self._sizes:
            size.at = self.registers
        self.maker.most_registers = max(self.maker.most_registers, self.registers)

    def value(self, term: str, env: Env) -> Value:
        """The operand of a term."""
        return env[term] if term.startswith("?") else -1 - self.maker.world.numbers[term]

    def call(self, function: Label, values: Sequence[Value]) -> int:
        """Write a call; returns the register that gets the result."""
        result, size = self.register(), Label()
        self._sizes.append(size)
        self.listing.emit(Op.CALL, function, size, result, len(values), list(values))
        return result

    def solve(self, steps: Sequence[PlannedCondition], env: Env, wanted: set[str], emit: Emit, done: Label) -> None:
        """Writes code that finds all solutions of some conditions, then continues at a label.

        Args:
            steps: the conditions in their order.
            env: the variables that are known.
            wanted: variables whose different values matter; loops over others end with the first solution.
            emit: writes what happens with a solution.
            done: label for the case that there are no more solutions.
        """
        env, back, outer = dict(env), done, done
        for step in steps:
            atom = step.condition.atom
            if atom is None:
                self._compare(step, env, back)
            elif step.condition.kind == "fails" or "f" not in step.mode:
                self._test(step, env, back)
            else:
                # What binds nothing that is wanted need not be continued after a solution.
                new = {t for t, sign in zip(atom.args, step.mode, strict=True) if sign == "f"}
                back = self.each(step, env, back)
                if new & wanted:
                    outer = back
        emit(self, env)
        self.listing.emit(Op.JUMP, outer)

    def match(self, args: Sequence[str], values: Sequence[Value | None], env: Env, fail: Label) -> None:
        """Bind the variables of some arguments to values, and compare what is known already."""
        pairs = list[int]()
        for term, value in zip(args, values, strict=True):
            if value is None:
                continue
            if term.startswith("?") and term not in env:
                env[term] = value
            elif self.value(term, env) != value:
                pairs += [self.value(term, env), value]
        if pairs:
            self.listing.emit(Op.EQUAL, len(pairs) // 2, fail, pairs)

    def _compare(self, step: PlannedCondition, env: Env, fail: Label) -> None:
        pairs = [self.value(term, env) for pair in step.condition.pairs for term in pair]
        op = Op.DIFFER if step.condition.kind == "differ" else Op.EQUAL
        self.listing.emit(op, len(pairs) // 2, fail, pairs)

    def _key(self, atom: Atom, positions: Sequence[int], env: Env) -> list[int] | None:
        domains = self.maker.world.domains[atom.flat]
        values = [self.value(atom.args[i], env) for i in positions]
        return self.listing.place([domains[i] for i in positions], values)

    def _test(self, step: PlannedCondition, env: Env, fail: Label) -> None:
        """Continue if a condition that binds nothing is met."""
        atom, mode, listing = step.atom, step.mode, self.listing
        wrong = 1 if step.condition.kind == "fails" else 0
        bound = [i for i, sign in enumerate(mode) if sign == "b"]
        place = self._key(atom, bound, env)
        if place is None:
            if not wrong:
                listing.emit(Op.JUMP, fail)
            return
        if atom.flat in self.maker.world.static:
            bits = self.maker.fixed.bits(atom.flat, mode)
            if bits is not None:
                listing.emit(Op.BITS, bits, wrong, fail, place)
                return
        where = self._marks(atom.flat, mode)
        if where is not None:
            listing.emit(Op.HELD, where, wrong, fail, place)
            return
        function = self.maker.test_function(atom.flat, mode)
        result = self.call(function, [self.value(atom.args[i], env) for i in bound])
        listing.emit(Op.BRANCH, result, wrong, fail)

    def _marks(self, flat: Flat, mode: str) -> int | None:
        """Address of the marks of a stored relation's tuples with the bound arguments; None without marks."""
        stored = self.maker.store.relations.get(flat)
        if stored is None:
            return None
        self._fill(flat)
        if "_" not in mode:
            return stored.holds
        index = stored.index(mode, self.listing)
        return index.start if len(index.key) == mode.count("b") else None

    def _fill(self, flat: Flat) -> None:
        fill = self.maker.filled(flat)
        if fill is not None and flat not in self._inside:
            size = Label()
            self._sizes.append(size)
            self.listing.emit(Op.FILLED, fill[0], fill[1], size, self.register())

    def each(self, step: PlannedCondition, env: Env, fail: Label) -> Label:
        """Write a loop over the answers to a question; returns where the next answer is asked for."""
        flat, again = step.atom.flat, Label()
        if flat in self.maker.world.static:
            index = self.maker.fixed.index(flat, step.mode)
            self._open(Op.OPEN_FIXED, step, env, fail, index, again, Op.NEXT_FIXED)
        elif flat in self.maker.store.relations:
            self._fill(flat)
            index = self.maker.store.relations[flat].index(step.mode, self.listing)
            self._open(Op.OPEN_STORED, step, env, fail, index, again, Op.NEXT_STORED)
        elif flat.key == "does/2":
            at = self.register()
            self.listing.emit(Op.SET, at, -1)
            self.listing.here(again)
            sources = {i: [i] for i, sign in enumerate(step.mode) if sign != "_"}
            self.listing.emit(Op.NEXT_DONE, at, self.maker.does_shape(flat), fail, self._columns(step, env, sources))
        else:
            function, mode = self.maker.list_function(flat, step.mode)
            values = [self.value(t, env) for t, sign in zip(step.atom.args, mode, strict=True) if sign == "b"]
            at = self.call(function, values)
            self.listing.here(again)
            answers = [i for i, sign in enumerate(mode) if sign == "f"]
            sources = {i: [1 + k] for k, i in enumerate(answers) if step.mode[i] != "_"}
            self.listing.emit(Op.NEXT_LIST, at, fail, self._columns(step, env, sources))
        return again

    def _open(
        self, op: Op, step: PlannedCondition, env: Env, fail: Label, index: Index, again: Label, following: Op
    ) -> None:
        at = self.register(2)
        place = self._key(step.atom, index.key, env)
        if place is None:
            self.listing.emit(Op.JUMP, fail)
            place = [0, 0]
        self.listing.emit(op, at, index.start, fail, place)
        self.listing.here(again)
        others = [i for i, sign in enumerate(step.mode) if sign != "_" and i not in index.key]
        if op == Op.OPEN_FIXED:
            sources = {i: [index.columns[i]] for i in others}
            self.listing.emit(following, at, fail, self._columns(step, env, sources))
        else:
            domains = self.maker.world.domains[step.atom.flat]
            sources = {i: self.listing.part(domains, i) for i in others}
            self.listing.emit(following, at, index.links, fail, self._columns(step, env, sources))

    def _columns(self, step: PlannedCondition, env: Env, sources: dict[int, list[int]]) -> list[int]:
        """Numbers that read an answer: how many values, and for each its source, and its target or comparison."""
        row = [len(sources)]
        for position, source in sources.items():
            term = step.atom.args[position]
            if term.startswith("?") and term not in env:
                env[term] = self.register()
                row += [*source, 0, env[term]]
            else:
                row += [*source, 1, self.value(term, env)]
        return row
