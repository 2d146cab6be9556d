"""Splits rules so that grounding them does not multiply what has nothing to do with each other.

``(<= (next (cell ?x ?y ?p)) (does ?r (move ?u ?v)) (true (cell ?x ?y ?p)) (or (distinct ?x ?u) (distinct ?y ?v)))``
has one instance for each move, cell and piece. The move matters only through ``?x`` and ``?y``; with a relation of its
own for *some move goes elsewhere than ?x ?y* the pieces multiply nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludoport.gdl.kif import KEYWORDS, Term, variables
from ludoport.gdl.program import Literal, SheetRule, arguments, predicate, variables_of

MOST_SHARED = 4
"""Most arguments of a relation that replaces a variable."""


def condense(rules: Sequence[SheetRule], dynamic: set[str], hard: bool = False) -> list[SheetRule]:
    """Split rules at variables that their heads do not mention.

    Args:
        rules: the rules.
        dynamic: the relations that depend on the state; only what these multiply is worth a split.
        hard: also split chains of conditions, variable by variable. The network gets deeper, but rules that multiply
            many conditions become small.
    """
    done: list[SheetRule] = []
    names: dict[tuple[object, ...], str] = {}
    for rule in rules:
        for part in _split(rule, dynamic, names):
            done += _chain(part, names) if hard else [part]
    return done


def needed_only(rules: Sequence[SheetRule]) -> list[SheetRule]:
    """Restrict relations to the constants with which they are used, where they are used with constants only.

    ``(count ?a ?b ?c ?n)`` that is only ever asked for three given cells need not be derived for all others.
    """
    uses: dict[str, list[tuple[Term, ...]]] = {}
    for rule in rules:
        for literal in rule.body:
            if literal.atom:
                uses.setdefault(predicate(literal.atom), []).append(arguments(literal.atom))
    wanted: dict[str, tuple[int, ...]] = {}
    facts: list[SheetRule] = []
    for key, asked in uses.items():
        fixed = [i for i in range(len(asked[0])) if all(not any(variables(args[i])) for args in asked)]
        if fixed and key.split("/")[0] not in KEYWORDS:
            wanted[key] = tuple(fixed)
            facts += [
                SheetRule((f"_for_{key}", *given))
                for given in dict.fromkeys(tuple(args[i] for i in fixed) for args in asked)
            ]
    done = []
    for rule in rules:
        positions = wanted.get(predicate(rule.head))
        if positions and rule.body and any(any(variables(arguments(rule.head)[i])) for i in positions):
            name = f"_for_{predicate(rule.head)}"
            atom: Term = (name, *(arguments(rule.head)[i] for i in positions))
            rule = SheetRule(rule.head, (*rule.body, Literal("holds", atom)), rule.offset)
        done.append(rule)
    return facts + done


def _chain(rule: SheetRule, names: dict[tuple[object, ...], str]) -> list[SheetRule]:
    """Take variables out of a rule one after another, as long as what replaces them is small."""
    made: list[SheetRule] = []
    body = list(rule.body)
    head = set(variables(rule.head))
    while len(body) > 3:
        best: tuple[int, list[Literal], list[str]] | None = None
        for name in sorted(variables_of(body) - head):
            group = [literal for literal in body if name in variables_of([literal])]
            bound = variables_of([literal for literal in group if literal.kind == "holds"])
            outside = head | variables_of([literal for literal in body if literal not in group])
            shared = sorted(variables_of(group) & outside)
            small = len(shared) <= MOST_SHARED and len(group) < len(body)
            if small and bound >= variables_of(group) and (best is None or len(shared) < best[0]):
                best = (len(shared), group, shared)
        if best is None:
            break
        _, group, shared = best
        key = (tuple(shared), tuple(group))
        known = names.get(key)
        atom: Term = (names.setdefault(key, f"_{len(names)}"), *shared)
        if not known:
            made.append(SheetRule(atom, tuple(group), rule.offset))
        body = [literal for literal in body if literal not in group] + [Literal("holds", atom)]
    return [*made, SheetRule(rule.head, tuple(body), rule.offset)]


def _split(rule: SheetRule, dynamic: set[str], names: dict[tuple[object, ...], str]) -> list[SheetRule]:
    head = set(variables(rule.head))
    groups = _groups(rule.body, head)
    outside = sum(_is_dynamic(literal, dynamic) for literal in rule.body)
    made: list[SheetRule] = []
    body = list(rule.body)
    for group in groups:
        inside = sum(_is_dynamic(literal, dynamic) for literal in group)
        if not inside or inside == outside:
            continue
        auxiliary, atom = _auxiliary(rule, group, head, names)
        made += auxiliary
        body = [literal for literal in body if literal not in group] + [Literal("holds", atom)]
    return [*made, SheetRule(rule.head, tuple(body), rule.offset)]


def _groups(body: Sequence[Literal], head: set[str]) -> list[list[Literal]]:
    """Conditions that are linked by variables which the head does not mention."""
    groups: list[tuple[set[str], list[Literal]]] = []
    for literal in body:
        free = variables_of([literal]) - head
        if not free:
            continue
        touching = [group for group in groups if group[0] & free]
        groups = [group for group in groups if not group[0] & free]
        names = free.union(*(group[0] for group in touching))
        groups.append((names, [*(member for group in touching for member in group[1]), literal]))
    return [[literal for literal in body if literal in members] for _, members in groups]


def _auxiliary(
    rule: SheetRule, group: list[Literal], head: set[str], names: dict[tuple[object, ...], str]
) -> tuple[list[SheetRule], Term]:
    shared = [name for name in dict.fromkeys(variables(rule.head)) if name in variables_of(group)]
    bound = variables_of([literal for literal in group if literal.kind == "holds"])
    guards = [
        Literal("domain", literal.atom)
        for literal in rule.body
        if literal.kind == "holds" and literal not in group and (set(variables(literal.atom)) & set(shared)) - bound
    ]
    body = (*group, *guards)
    key = (tuple(shared), body)
    known = names.get(key)
    name = names.setdefault(key, f"_{len(names)}")
    atom: Term = (name, *shared)
    return ([] if known else [SheetRule(atom, body, rule.offset)]), atom


def _is_dynamic(literal: Literal, dynamic: set[str]) -> bool:
    return literal.kind in ("holds", "fails") and predicate(literal.atom) in dynamic
