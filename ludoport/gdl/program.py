"""Rules in a plain form: a head and a list of literals, without disjunctions.

An ``or`` becomes several rules, except one of ``distinct`` alone, which stays one literal because splitting it would
only derive the same things several times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Literal as Choice

from ludoport.gdl.kif import Sheet, SheetNode, Term, term_text, variables

MOST_BRANCHES = 20_000
"""A rule with more ways through its disjunctions is refused."""

Kind = Choice["holds", "fails", "differ", "equal", "domain"]


@dataclass(frozen=True, slots=True)
class Literal:
    """One condition of a rule.

    ``holds`` and ``fails`` ask about the atom; ``differ`` means that at least one of the pairs differs, ``equal`` that
    all are equal; ``domain`` only says that the atom could hold in some state (grounding adds such literals).
    """

    kind: Kind
    atom: Term = ""
    pairs: tuple[tuple[Term, Term], ...] = ()

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms of the literal, in which variables may occur."""
        return tuple(term for pair in self.pairs for term in pair) if self.pairs else (self.atom,)


@dataclass(frozen=True, slots=True)
class SheetRule:
    """``head`` holds if all of ``body`` does; ``offset`` is where the rule was written."""

    head: Term
    body: tuple[Literal, ...] = ()
    offset: int = 0


@dataclass(slots=True)
class SheetProgram:
    """A rulesheet as rules."""

    sheet: Sheet
    rules: list[SheetRule] = field(default_factory=list)
    loose: list[tuple[str, int]] = field(default_factory=list)
    """Mistakes of the rulesheet whose meaning is clear nonetheless, with their places; a strict reader refuses them."""

    @property
    def roles(self) -> list[str]:
        """The roles, in the order in which they are written."""
        found = [term_text(rule.head[1]) for rule in self.rules if predicate(rule.head) == "role/1" and not rule.body]
        return list(dict.fromkeys(found))


def predicate(atom: Term) -> str:
    """Name and number of arguments; ``p`` and ``(p)`` are different.

    >>> predicate(("cell", "1", "2")), predicate("p"), predicate(("p",))
    ('cell/2', 'p', 'p/0')
    """
    return atom if isinstance(atom, str) else f"{atom[0]}/{len(atom) - 1}"


def arguments(atom: Term) -> tuple[Term, ...]:
    """The arguments of an atom."""
    return () if isinstance(atom, str) else atom[1:]


def variables_of(literals: Sequence[Literal]) -> set[str]:
    """All variables of some literals."""
    return {name for literal in literals for term in literal.terms for name in variables(term)}


def read_program(sheet: Sheet) -> SheetProgram:
    """The rules of a sheet; only their form is checked here."""
    program = SheetProgram(sheet)
    for node in sheet.nodes:
        if node.word is None and node.items[0].word == "<=":
            if len(node.items) < 2:
                raise sheet.error("a rule needs a head: `(<= head body ...)`", node.offset)
            head, body = node.items[1], node.items[2:]
        else:
            head, body = node, ()
        atom = _atom(sheet, head)
        if atom == ("terminal",):
            # As a head this can mean nothing else; as a condition it stays the other sentence that `(p)` is beside `p`.
            atom = "terminal"
        branches = _expand(program, body, True)
        if len(branches) > MOST_BRANCHES:
            raise sheet.error(f"the disjunctions of this rule multiply to {len(branches)} rules", node.offset)
        seen = dict.fromkeys(tuple(dict.fromkeys(branch)) for branch in branches)
        program.rules += [SheetRule(atom, branch, node.offset) for branch in seen]
    return program


_ARITY = {"role": 1, "init": 1, "true": 1, "next": 1, "base": 1, "does": 2, "legal": 2, "goal": 2, "input": 2}


def _atom(sheet: Sheet, node: SheetNode) -> Term:
    if node.word is not None:
        if node.word in _ARITY:
            raise sheet.error(f"`{node.word}` needs {_ARITY[node.word]} argument(s)", node.offset)
        if node.word.startswith("?"):
            raise sheet.error(f"the variable `{node.word}` stands where a sentence should be", node.offset)
        return node.word
    name = node.items[0].word
    if name is None or name.startswith("?"):
        raise sheet.error("a sentence begins with the name of a relation", node.offset)
    if name in ("not", "or", "<=", "and", "distinct"):
        raise sheet.error(f"`{name}` cannot be a relation here", node.offset)
    given, wanted = len(node.items) - 1, _ARITY.get(name)
    if wanted is not None and given != wanted:
        raise sheet.error(f"`{name}` has {wanted} argument(s), not {given}", node.offset)
    return node.term


def _expand(program: SheetProgram, nodes: Sequence[SheetNode], positive: bool) -> list[tuple[Literal, ...]]:
    """All ways to make every one of some conditions true (or, if not ``positive``, every one of them false)."""
    ways = [_ways(program, node, positive) for node in nodes]
    count = 1
    for way in ways:
        count *= len(way)
    if count > MOST_BRANCHES:
        raise program.sheet.error(f"the disjunctions of this rule multiply to {count} rules", nodes[0].offset)
    return [tuple(literal for part in parts for literal in part) for parts in product(*ways)]


def _ways(program: SheetProgram, node: SheetNode, positive: bool) -> list[tuple[Literal, ...]]:
    sheet, name = program.sheet, node.items[0].word if node.word is None else None
    if name == "not":
        if len(node.items) != 2:
            raise sheet.error("`not` takes one condition", node.offset)
        inner = node.items[1]
        if not positive or inner.head in ("distinct", "or", "and", "not"):
            program.loose.append(("only a sentence may be negated", node.offset))
        return _ways(program, inner, not positive)
    if name in ("or", "and"):
        if name == "and":
            program.loose.append(("`and` is not part of the language; conditions are simply listed", node.offset))
        if (name == "or") == positive:
            return _either(program, node.items[1:], positive)
        return _expand(program, node.items[1:], positive)
    if name == "distinct":
        if len(node.items) != 3:
            raise sheet.error("`distinct` compares two terms", node.offset)
        pair = (node.items[1].term, node.items[2].term)
        return [(Literal("differ" if positive else "equal", pairs=(pair,)),)]
    return [(Literal("holds" if positive else "fails", _atom(sheet, node)),)]


def _either(program: SheetProgram, nodes: Sequence[SheetNode], positive: bool) -> list[tuple[Literal, ...]]:
    """One of several conditions; inequalities alone become one literal."""
    branches = [branch for node in nodes for branch in _ways(program, node, positive)]
    if all(len(branch) == 1 and branch[0].kind == "differ" for branch in branches):
        return [(Literal("differ", pairs=tuple(pair for branch in branches for pair in branch[0].pairs)),)]
    return branches


def dependencies(rules: Sequence[SheetRule]) -> Iterator[tuple[str, str, bool]]:
    """Dependencies between relations: (head, used in the body, whether negatively)."""
    for rule in rules:
        head = predicate(rule.head)
        for literal in rule.body:
            if literal.kind in ("holds", "fails", "domain"):
                yield head, predicate(literal.atom), literal.kind == "fails"
