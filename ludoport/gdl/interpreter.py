"""The reference: evaluates rules as they are written, bottom-up, relation by relation.

Slow and plain. Networks are compared with it, and it plays the games for which neither a network nor compiled rules can
be made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ludoport.errors import LudoportError
from ludoport.gdl.checks import layer
from ludoport.gdl.kif import Term, is_number, term_text, variables
from ludoport.gdl.order import components
from ludoport.gdl.program import Literal, SheetProgram, SheetRule, arguments, predicate

MOST_TUPLES = 500_000
"""Rules that derive more at a time are refused; no game needs a hundredth of it."""

MOST_STEPS = 5_000_000
"""Tuples that are looked at for one state; rules that need more (half a minute) are refused."""

MOST_DEPTH = 300
"""Terms that grow deeper are refused; Python compares deep terms by calling itself."""

Facts = frozenset[Term]
Env = dict[str, Term]
Args = tuple[Term, ...]


class IndexedTuples:
    """The known tuples of one relation, with indexes that grow along."""

    def __init__(self, items: Iterable[Args] = ()) -> None:
        self.items: list[Args] = list(dict.fromkeys(items))
        self.known = set(self.items)
        self._indexes: dict[tuple[int, ...], tuple[list[int], dict[Args, list[Args]]]] = {}

    def add(self, item: Args) -> bool:
        """Add a tuple; whether it is new."""
        if item in self.known:
            return False
        self.known.add(item)
        self.items.append(item)
        return True

    def find(self, positions: tuple[int, ...], key: Args) -> Sequence[Args]:
        """The tuples with these terms in these positions."""
        if not positions:
            return self.items
        done, index = self._indexes.setdefault(positions, ([0], {}))
        for item in self.items[done[0] :]:
            index.setdefault(tuple(item[p] for p in positions), []).append(item)
        done[0] = len(self.items)
        return index.get(key, ())


Store = dict[str, IndexedTuples]
_NOTHING = IndexedTuples()


def substitute(term: Term, env: Env) -> Term:
    """A term with its variables replaced."""
    if isinstance(term, str):
        return env.get(term, term)
    return tuple(substitute(item, env) for item in term)


def unify(pattern: Term, term: Term, env: Env) -> bool:
    """Match a pattern with a ground term; binds variables in ``env``, also where the match then fails."""
    if isinstance(pattern, str):
        if not pattern.startswith("?"):
            return pattern == term
        known = env.get(pattern)
        if known is None:
            env[pattern] = term
            return True
        return known == term
    if isinstance(term, str) or len(pattern) != len(term):
        return False
    return all(unify(part, item, env) for part, item in zip(pattern, term, strict=True))


def satisfied(literal: Literal, env: Env, store: Store) -> bool:
    """Whether a condition that binds nothing holds."""
    if literal.kind == "fails":
        args = tuple(substitute(term, env) for term in arguments(literal.atom))
        return args not in store.get(predicate(literal.atom), _NOTHING).known
    differ = any(substitute(a, env) != substitute(b, env) for a, b in literal.pairs)
    return differ == (literal.kind == "differ")


@dataclass(slots=True)
class OrderedCondition:
    """One condition in the order of evaluation: which arguments are known when it is reached."""

    literal: Literal
    key: str
    positions: tuple[int, ...]


def plan(rule: SheetRule, first: int | None = None) -> list[OrderedCondition]:
    """An order for the conditions: what is known most comes first, tests as soon as they can be made.

    Args:
        rule: the rule.
        first: the condition to begin with, if one is given.
    """
    waiting = list(rule.body)
    bound: set[str] = set()
    steps: list[OrderedCondition] = []

    def take(literal: Literal) -> None:
        waiting.remove(literal)
        args = arguments(literal.atom) if literal.kind == "holds" else ()
        known = tuple(i for i, term in enumerate(args) if all(name in bound for name in variables(term)))
        steps.append(OrderedCondition(literal, predicate(literal.atom) if literal.atom else "", known))
        if literal.kind == "holds":
            bound.update(variables(literal.atom))

    if first is not None:
        take(rule.body[first])
    while waiting:
        ready = [x for x in waiting if x.kind != "holds" and all(n in bound for t in x.terms for n in variables(t))]
        if ready:
            take(ready[0])
            continue
        take(max((x for x in waiting if x.kind == "holds"), key=lambda x: _eagerness(x, bound)))
    return steps


def _eagerness(literal: Literal, bound: set[str]) -> tuple[float, int]:
    names = set(variables(literal.atom))
    unknown = len(names - bound)
    return (-unknown + 0.5 * len(names & bound) if unknown else 100.0, -len(names))


@dataclass(slots=True)
class Effort:
    """Number of steps that working out one state has taken."""

    steps: int = 0

    def spend(self, steps: int, key: str) -> None:
        """Count steps for a relation.

        Raises:
            LudoportError: there are too many.
        """
        self.steps += steps
        if self.steps > MOST_STEPS:
            raise LudoportError(f"working out `{key}` takes more than {MOST_STEPS:,} steps in one state")


def solutions(
    steps: Sequence[OrderedCondition], store: Store, effort: Effort, key: str, delta: IndexedTuples | None = None
) -> Iterator[Env]:
    """All ways to make the conditions true; the first takes its tuples from ``delta`` if that is given."""

    def search(number: int, env: Env) -> Iterator[Env]:
        if number == len(steps):
            yield env
            return
        step = steps[number]
        if step.literal.kind != "holds":
            if satisfied(step.literal, env, store):
                yield from search(number + 1, env)
            return
        args = arguments(step.literal.atom)
        relation = delta if delta is not None and number == 0 else store.get(step.key, _NOTHING)
        items = list(relation.find(step.positions, tuple(substitute(args[p], env) for p in step.positions)))
        effort.spend(len(items), key)
        for item in items:
            inner = dict(env)
            if all(unify(pattern, term, inner) for pattern, term in zip(args, item, strict=True)):
                yield from search(number + 1, inner)

    yield from search(0, {})


class Interpreter:
    """States, moves and results of a rulesheet, straight from its rules."""

    def __init__(self, program: SheetProgram) -> None:
        self.program = program
        self.roles = program.roles
        self._strata = list(self._order())
        self._static = self._evaluate({}, static=True)

    def _order(self) -> Iterator[tuple[list[SheetRule], bool, bool]]:
        """Groups of rules in the order of evaluation: (rules, whether static, whether they need ``does``)."""
        by_layer: dict[str, list[SheetRule]] = {}
        graph: dict[str, set[str]] = {}
        for rule in self.program.rules:
            by_layer.setdefault(layer(rule.head), []).append(rule)
            used = graph.setdefault(layer(rule.head), set())
            used.update(layer(literal.atom) for literal in rule.body if literal.atom)
        graph.setdefault("goal/2", set()).update(key for key in graph if key.startswith("goal/2="))
        static: dict[str, bool] = {"true/1": False, "does/2": False}
        moves: dict[str, bool] = {"true/1": False, "does/2": True}
        for group in components(graph):
            used = {key for member in group for key in graph.get(member, ())}
            fixed = all(static.get(key, True) for key in used)
            needs = any(moves.get(key, False) for key in used)
            static.update(dict.fromkeys(group, fixed and group[0] not in ("true/1", "does/2")))
            moves.update(dict.fromkeys(group, needs or group[0] == "does/2"))
            rules = [rule for member in group for rule in by_layer.get(member, ())]
            if rules:
                yield rules, fixed, needs

    def _evaluate(self, given: dict[str, list[Args]], static: bool = False, wanted: bool | None = None) -> Store:
        """All tuples that follow, by relation.

        Args:
            given: the tuples of ``true`` and ``does``.
            static: only what does not depend on them.
            wanted: False for what needs no ``does``, True for all.
        """
        store: Store = {} if static else dict(self._static)
        effort = Effort()
        for key, items in given.items():
            store[key] = IndexedTuples(items)
        for rules, fixed, needs in self._strata:
            if fixed == static and (wanted or not needs):
                _fixpoint(rules, store, effort)
        return store

    def initial(self) -> Facts:
        """The facts of the initial state."""
        return frozenset(args[0] for args in self._static.get("init/1", _NOTHING).items)

    def view(self, state: Facts) -> View:
        """The facts, legal moves and goals of a state."""
        return View(self, self._evaluate({"true/1": [(fact,) for fact in state], "does/2": []}, wanted=False))

    def following(self, state: Facts, moves: Sequence[Term]) -> Facts:
        """The state after a joint move, one for each role in their order."""
        does = [(role, move) for role, move in zip(self.roles, moves, strict=True)]
        store = self._evaluate({"true/1": [(fact,) for fact in state], "does/2": list(does)}, wanted=True)
        facts = frozenset(args[0] for args in store.get("next/1", _NOTHING).items)
        if any(_deeper(fact, MOST_DEPTH) for fact in facts):
            raise LudoportError(f"the terms of a state nest deeper than {MOST_DEPTH}")
        return facts


@dataclass
class View:
    """The facts, legal moves and goals of one state."""

    interpreter: Interpreter
    store: Store

    @property
    def terminal(self) -> bool:
        """Whether the game has ended."""
        return bool(self.store.get("terminal", _NOTHING).items)

    @cached_property
    def legal(self) -> list[list[Term]]:
        """The legal moves of each role."""
        relation = self.store.get("legal/2", _NOTHING)
        return [[item[1] for item in relation.find((0,), (role,))] for role in self.interpreter.roles]

    @cached_property
    def goals(self) -> list[int | None]:
        """The goal value of each role; None where there is not exactly one."""
        relation = self.store.get("goal/2", _NOTHING)
        found = [[item[1] for item in relation.find((0,), (role,))] for role in self.interpreter.roles]
        return [int(term_text(values[0])) if len(values) == 1 and is_number(values[0]) else None for values in found]


def _deeper(term: Term, levels: int) -> bool:
    if isinstance(term, str):
        return False
    return levels == 0 or any(_deeper(part, levels - 1) for part in term)


def _fixpoint(rules: Sequence[SheetRule], store: Store, effort: Effort) -> None:
    """Add everything that some rules derive; tuples that are new are joined with the others until there are none."""
    heads = {predicate(rule.head) for rule in rules}
    fresh: dict[str, IndexedTuples] = {}

    def derive(rule: SheetRule, steps: Sequence[OrderedCondition], delta: IndexedTuples | None) -> None:
        key = predicate(rule.head)
        args = arguments(rule.head)
        found: dict[Args, None] = {}
        for env in solutions(steps, store, effort, key, delta):
            found[tuple(substitute(term, env) for term in args)] = None
            if len(found) > MOST_TUPLES:
                raise LudoportError(f"`{key}` has more than {MOST_TUPLES:,} tuples in one state")
        for item in found:
            if store.setdefault(key, IndexedTuples()).add(item):
                coming.setdefault(key, IndexedTuples()).add(item)

    # A relation that other groups already extended must not change in their stores.
    for key in heads:
        store[key] = IndexedTuples(store[key].items) if key in store else IndexedTuples()
    coming: dict[str, IndexedTuples] = {}
    for rule in rules:
        derive(rule, plan(rule), None)
    again = [
        (rule, number, plan(rule, number))
        for rule in rules
        for number, literal in enumerate(rule.body)
        if literal.kind == "holds" and predicate(literal.atom) in heads
    ]
    while coming and again:
        fresh, coming = coming, {}
        for rule, number, steps in again:
            delta = fresh.get(predicate(rule.body[number].atom))
            if delta is not None:
                derive(rule, steps, delta)
