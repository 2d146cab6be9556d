"""Rules without compound terms: every relation is split by the shapes that its arguments can have.

``(true (cell ?x ?y ?p))`` becomes a relation of three constants, ``(legal ?r (move ?a ?b))`` one of three as well, and
``(legal ?r noop)`` another one. A rule with a variable that may stand for several shapes becomes several rules.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ludoport.gdl.ground import LINKS
from ludoport.gdl.kif import Term, is_variable
from ludoport.gdl.limits import Clock, TooLarge
from ludoport.gdl.program import Literal, SheetProgram, SheetRule, arguments, predicate

MOST_SHAPES = 400
"""A relation whose arguments have more shapes is not split."""

MOST_DEPTH = 50
"""Terms may be nested so deep; rules that nest without end are noticed by this."""

MOST_RULES = 6000
"""A sheet that becomes more rules is left to the interpreter."""

LEAF = "*"
"""The shape of a constant; the shape of a compound term is a tuple of its functor and the shapes of its arguments."""

Shape = Term
Shapes = tuple[Shape, ...]
Env = dict[str, Shape]


@dataclass(frozen=True, slots=True)
class Flat:
    """A relation of constants: a relation of the sheet with the shapes of its arguments."""

    key: str
    shapes: Shapes

    @property
    def arity(self) -> int:
        """Number of constants in a tuple."""
        return sum(leaves(shape) for shape in self.shapes)


@dataclass(frozen=True, slots=True)
class Atom:
    """A relation with arguments; a string that begins with ``?`` is a variable, any other a constant."""

    flat: Flat
    args: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of a flat rule; the kinds are ``holds``, ``fails``, ``differ`` and ``equal``."""

    kind: str
    atom: Atom | None = None
    pairs: tuple[tuple[str, str], ...] = ()

    @property
    def args(self) -> tuple[str, ...]:
        """All arguments."""
        return self.atom.args if self.atom else tuple(term for pair in self.pairs for term in pair)

    @property
    def names(self) -> set[str]:
        """The variables."""
        return {term for term in self.args if term.startswith("?")}


@dataclass(frozen=True, slots=True)
class FlatRule:
    """A rule about relations of constants."""

    head: Atom
    body: tuple[Condition, ...]
    offset: int = 0


def leaves(shape: Shape) -> int:
    """Number of constants in a term of a shape."""
    if isinstance(shape, str):
        return int(shape == LEAF)
    return sum(leaves(part) for part in shape[1:])


class Flattener:
    """Flattens the rules of one program.

    A goal value that is written as a constant belongs to the shape, because goals of different values may be defined
    by each other.
    """

    def __init__(self, program: SheetProgram, clock: Clock) -> None:
        unused = ("base/1", "input/2", "sees/2")
        self._rules = [rule for rule in program.rules if predicate(rule.head) not in unused] + LINKS
        self._clock = clock
        self.shapes: dict[str, dict[Shapes, None]] = defaultdict(dict)

    def run(self) -> list[FlatRule]:
        """All flat rules."""
        self._find_shapes()
        done: dict[FlatRule, None] = {}
        made = 0
        for rule in self._rules:
            for env in self._envs(rule):
                done.update(dict.fromkeys(self._flatten(rule, env)))
                made += bool(rule.body)
                if made > MOST_RULES:
                    raise TooLarge(f"the sheet becomes more than {MOST_RULES} rules")
        return list(done)

    def _find_shapes(self) -> None:
        waiting = set(range(len(self._rules)))
        uses: dict[str, set[int]] = defaultdict(set)
        for number, rule in enumerate(self._rules):
            for literal in rule.body:
                if literal.kind == "holds":
                    uses[predicate(literal.atom)].add(number)
        while waiting:
            self._clock.check()
            rule = self._rules[waiting.pop()]
            key = predicate(rule.head)
            known = self.shapes[key]
            for env in self._envs(rule):
                found = tuple(_shape_of(term, env) for term in arguments(rule.head))
                if key == "goal/2" and not is_variable(arguments(rule.head)[1]):
                    found = (found[0], arguments(rule.head)[1])
                if found not in known:
                    if max(map(_depth, found), default=0) > MOST_DEPTH:
                        raise TooLarge(f"arguments of `{key.split('/')[0]}` are nested deeper than {MOST_DEPTH}")
                    known[found] = None
                    waiting |= uses[key]
            if len(known) > MOST_SHAPES:
                raise TooLarge(f"`{key.split('/')[0]}` has more than {MOST_SHAPES} shapes of arguments")

    def _envs(self, rule: SheetRule) -> list[Env]:
        """The shapes that the variables of a rule can have together."""
        found: list[Env] = [{}]
        for literal in rule.body:
            if literal.kind != "holds":
                continue
            args = arguments(literal.atom)
            following: dict[tuple[tuple[str, Shape], ...], Env] = {}
            for env in found:
                for shapes in self.shapes.get(predicate(literal.atom), ()):
                    inner = dict(env)
                    if all(_match(term, shape, inner) for term, shape in zip(args, shapes, strict=True)):
                        following[tuple(sorted(inner.items(), key=repr))] = inner
            found = list(following.values())
            if len(found) > MOST_RULES:
                raise TooLarge(f"a rule has more than {MOST_RULES} combinations of shapes")
        return found

    def _flatten(self, rule: SheetRule, env: Env) -> Iterator[FlatRule]:
        terms: dict[str, Term] = {name: _pattern(name, shape) for name, shape in env.items()}
        head = [_put(term, terms) for term in arguments(rule.head)]
        heads = list(self._flats(predicate(rule.head), head))
        if predicate(rule.head) == "goal/2":
            fixed = not is_variable(arguments(rule.head)[1])
            heads = [flat for flat in heads if (flat.shapes[1] != LEAF) == fixed]
        ways: list[list[Condition]] = [[]]
        for literal in rule.body:
            parts = self._conditions(literal, terms)
            ways = [[*way, *part] for way in ways for part in parts]
        for way in ways:
            body = tuple(dict.fromkeys(way))
            for flat in heads:
                yield FlatRule(Atom(flat, _leaf_terms(flat, head)), body, rule.offset)

    def _conditions(self, literal: Literal, terms: dict[str, Term]) -> list[list[Condition]]:
        """The ways in which a condition can be met, each a list of flat conditions."""
        if literal.pairs:
            pairs = [(_put(a, terms), _put(b, terms)) for a, b in literal.pairs]
            return _compared(literal.kind, pairs)
        args = [_put(term, terms) for term in arguments(literal.atom)]
        flats = list(self._flats(predicate(literal.atom), args))
        conditions = [Condition(literal.kind, Atom(flat, _leaf_terms(flat, args))) for flat in flats]
        if literal.kind == "fails":
            return [conditions]
        return [[condition] for condition in conditions]

    def _flats(self, key: str, args: Sequence[Term]) -> Iterator[Flat]:
        """The relations to which arguments can belong."""
        for shapes in self.shapes.get(key, ()):
            if all(_fits(term, shape) for term, shape in zip(args, shapes, strict=True)):
                yield Flat(key, shapes)


def _shape_of(term: Term, env: Env) -> Shape:
    if isinstance(term, str):
        found = env[term] if term.startswith("?") else LEAF
        return found if not isinstance(found, str) else LEAF
    return (term[0], *(_shape_of(item, env) for item in term[1:]))


def _depth(shape: Shape) -> int:
    return 0 if isinstance(shape, str) else 1 + max((_depth(part) for part in shape[1:]), default=0)


def _match(term: Term, shape: Shape, env: Env) -> bool:
    """Whether a term can have a shape; binds the shapes of its variables."""
    if isinstance(term, str):
        if not term.startswith("?"):
            return shape in (LEAF, term)
        known = env.get(term)
        if known is None:
            env[term] = shape
            return True
        if known == shape:
            return True
        if isinstance(known, str) and isinstance(shape, str) and LEAF in (known, shape):
            env[term] = known if shape == LEAF else shape
            return True
        return False
    if isinstance(shape, str) or len(term) != len(shape) or term[0] != shape[0]:
        return False
    return all(_match(item, part, env) for item, part in zip(term[1:], shape[1:], strict=True))


def _fits(term: Term, shape: Shape) -> bool:
    """Whether a term of constants and plain variables belongs to a shape."""
    if isinstance(term, str):
        return isinstance(shape, str) and shape in (LEAF, term)
    if isinstance(shape, str) or len(term) != len(shape) or term[0] != shape[0]:
        return False
    return all(_fits(item, part) for item, part in zip(term[1:], shape[1:], strict=True))


def _pattern(name: str, shape: Shape) -> Term:
    """A term of a shape with variables of its own."""
    if isinstance(shape, str):
        return name if shape == LEAF else shape
    return (shape[0], *(_pattern(f"{name}.{number}", part) for number, part in enumerate(shape[1:])))


def _put(term: Term, terms: dict[str, Term]) -> Term:
    if isinstance(term, str):
        return terms.get(term, term)
    return tuple(_put(item, terms) for item in term)


def _leaf_terms(flat: Flat, args: Sequence[Term]) -> tuple[str, ...]:
    """The constants and variables where a shape has constants."""

    def walk(term: Term, shape: Shape) -> Iterator[str]:
        if isinstance(shape, str):
            if shape == LEAF:
                assert isinstance(term, str)
                yield term
        else:
            for item, part in zip(term[1:], shape[1:], strict=True):
                yield from walk(item, part)

    return tuple(name for term, shape in zip(args, flat.shapes, strict=True) for name in walk(term, shape))


def _compared(kind: str, pairs: Sequence[tuple[Term, Term]]) -> list[list[Condition]]:
    """A comparison of terms as one of constants: no way to meet it, one without conditions, or one with one."""
    left: list[tuple[str, str]] = []
    waiting = list(pairs)
    while waiting:
        a, b = waiting.pop()
        if a == b:
            continue
        if isinstance(a, str) and isinstance(b, str):
            if any(term.startswith("?") for term in (a, b)):
                left.append((a, b))
                continue
        elif not isinstance(a, str) and not isinstance(b, str) and len(a) == len(b) and a[0] == b[0]:
            waiting += list(zip(a[1:], b[1:], strict=True))
            continue
        # Two different constants or shapes.
        return [[]] if kind == "differ" else []
    if not left:
        return [] if kind == "differ" else [[]]
    return [[Condition(kind, None, tuple(left))]]
