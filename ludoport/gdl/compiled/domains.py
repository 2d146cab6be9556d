"""Domains of the arguments of all relations, and the tuples of those that no state changes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ludoport.gdl.compiled.flat import Atom, Flat, FlatRule
from ludoport.gdl.compiled.static import StaticTables
from ludoport.gdl.limits import Clock
from ludoport.gdl.order import components
from ludoport.gdl.tables import Relation

GIVEN = ("true/1", "does/2")
"""Relations that the state and the moves give."""

WANTED = ("next/1", "legal/2", "goal/2", "terminal")
"""Relations that must be worked out; all others are only there for these."""


@dataclass(slots=True)
class World:
    """The flat rules with all that is known about their relations.

    Attributes:
        rules: the rules of the relations that are worked out, by relation.
        static: the tuples of relations that are the same in all states; numbers of constants.
        names: the constants; their places are their numbers.
        numbers: the numbers of the constants.
        domains: for each relation and argument the numbers that it can have, ascending.
        groups: relations that depend on each other, those that others need first.
    """

    rules: dict[Flat, list[FlatRule]] = field(default_factory=dict)
    static: dict[Flat, Relation] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    domains: dict[Flat, list[tuple[int, ...]]] = field(default_factory=dict)
    groups: list[list[Flat]] = field(default_factory=list)


def explore(rules: Sequence[FlatRule], clock: Clock) -> World:
    """Find out everything about the relations of some rules."""
    by_head: dict[Flat, list[FlatRule]] = defaultdict(list)
    for rule in rules:
        by_head[rule.head.flat].append(rule)
    # Facts that no rule asks for are part of the state all the same.
    wanted = [flat for flat in by_head if flat.key in (*WANTED, "init/1", "role/1", "true/1")]
    needed = _reachable(by_head, wanted)
    graph = {flat: [] if flat.key in GIVEN else _used(by_head[flat]) for flat in needed}
    groups = components(graph)
    names = sorted({term for flat in needed for rule in by_head[flat] for term in _constants(rule)})
    statics = StaticTables({name: number for number, name in enumerate(names)}, clock)
    fixed = _static(groups, graph, by_head, statics)
    domains = _domains({flat: by_head[flat] for flat in needed}, fixed, names, statics, clock)
    order = _order(names, domains)
    place = {name: number for number, name in enumerate(order)}
    world = World(names=order, numbers=place, groups=groups)
    for flat in needed:
        # A relation with an argument that no constant can fill never holds, and no rule that is kept asks for it.
        if flat not in fixed and flat.key not in GIVEN and all(domains[flat]):
            useful = [rule for rule in by_head[flat] if variable_values(rule, domains) is not None]
            world.rules[flat] = [_tidied(rule, domains) for rule in useful]
    for flat in (flat for flat in needed if flat in fixed):
        world.static[flat] = _renumbered(statics.table(flat), [place[name] for name in names])
    for flat, columns in domains.items():
        world.domains[flat] = [tuple(sorted(place[name] for name in column)) for column in columns]
    return world


def _reachable(by_head: dict[Flat, list[FlatRule]], wanted: Sequence[Flat]) -> list[Flat]:
    # Dictionaries in the place of sets keep their order, so that the same rules always become the same kernels.
    found, waiting = dict.fromkeys(wanted), list(wanted)
    while waiting:
        for flat in _used(by_head.get(waiting.pop(), ())):
            if flat not in found:
                found[flat] = None
                waiting.append(flat)
    return list(found)


def _used(rules: Sequence[FlatRule]) -> list[Flat]:
    """Relations that some rules ask for, each once."""
    asked = (condition.atom.flat for rule in rules for condition in rule.body if condition.atom is not None)
    return list(dict.fromkeys(asked))


def _constants(rule: FlatRule) -> set[str]:
    terms = {*rule.head.args, *(term for condition in rule.body for term in condition.args)}
    return {term for term in terms if not term.startswith("?")}


def _static(
    groups: Sequence[list[Flat]],
    graph: dict[Flat, list[Flat]],
    by_head: dict[Flat, list[FlatRule]],
    statics: StaticTables,
) -> set[Flat]:
    """The relations that are worked out at once; those that are too large stay rules."""
    fixed: set[Flat] = set()
    for group in groups:
        inside = set(group)
        used = {flat for member in group for flat in graph.get(member, ())} - inside
        if any(flat.key in GIVEN or flat.key in WANTED for flat in group) or not used <= fixed:
            continue
        if statics.close([rule for flat in group for rule in by_head.get(flat, ())], inside):
            fixed |= inside
    return fixed


def _domains(
    rules: dict[Flat, list[FlatRule]], fixed: set[Flat], names: Sequence[str], statics: StaticTables, clock: Clock
) -> dict[Flat, list[set[str]]]:
    domains: dict[Flat, list[set[str]]] = {flat: [set() for _ in range(flat.arity)] for flat in rules}
    for flat in fixed:
        domains[flat] = [{names[number] for number in set(column.tolist())} for column in statics.table(flat).columns]
    uses: dict[Flat, set[Flat]] = defaultdict(set)
    for flat, own in rules.items():
        for used in _used(own):
            uses[used].add(flat)
    waiting = dict.fromkeys(flat for flat in rules if flat not in fixed)
    while waiting:
        clock.check()
        flat = next(iter(waiting))
        del waiting[flat]
        grown = False
        for rule in rules[flat]:
            grown |= _extend(domains, rule)
        if grown:
            waiting.update(dict.fromkeys(user for user in uses[flat] if user not in fixed))
    return domains


def _extend(domains: dict[Flat, list[set[str]]], rule: FlatRule) -> bool:
    """Add what a rule can derive to the domains of its head; whether that was anything new."""
    values = variable_values(rule, domains)
    if values is None:
        return False
    grown = False
    for term, known in zip(rule.head.args, domains[rule.head.flat], strict=True):
        found = values[term] if term.startswith("?") else {term}
        if not found <= known:
            known |= found
            grown = True
    return grown


def variable_values(rule: FlatRule, domains: dict[Flat, list[set[str]]]) -> dict[str, set[str]] | None:
    """The constants that each variable of a rule can have; None if the rule can never apply."""
    values: dict[str, set[str]] = {}
    atoms: list[Atom] = [x.atom for x in rule.body if x.kind == "holds" and x.atom is not None]
    for atom in atoms:
        for term, known in zip(atom.args, domains[atom.flat], strict=True):
            if term.startswith("?"):
                values[term] = values[term] & known if term in values else set(known)
                if not values[term]:
                    return None
            elif term not in known:
                return None
    return values


def _tidied(rule: FlatRule, domains: dict[Flat, list[set[str]]]) -> FlatRule:
    """A rule without conditions that some relation without tuples fails."""
    body = tuple(
        condition
        for condition in rule.body
        if condition.kind != "fails" or condition.atom is None or all(domains[condition.atom.flat])
    )
    return FlatRule(rule.head, body, rule.offset)


def _order(names: Sequence[str], domains: dict[Flat, list[set[str]]]) -> list[str]:
    """An order of the constants in which most domains are ranges of numbers.

    Blocks of constants are split by one domain after the other, so that the parts of a domain lie side by side.
    """
    counts = Counter(frozenset(column) for columns in domains.values() for column in columns)
    blocks = [sorted(names, key=lambda name: (len(name), name))]
    for column in sorted(counts, key=lambda column: (-counts[column], -len(column), sorted(column))):
        touched = [number for number, block in enumerate(blocks) if any(name in column for name in block)]
        split: list[list[str]] = []
        for number, block in enumerate(blocks):
            inside = [name for name in block if name in column]
            outside = [name for name in block if name not in column]
            # What is in the domain moves towards the rest of it.
            parts = [inside, outside] if touched and number == touched[-1] != touched[0] else [outside, inside]
            split += [part for part in parts if part]
        blocks = split
    return [name for block in blocks for name in block]


def _renumbered(table: Relation, places: list[int]) -> Relation:
    found, mapping = Relation(len(table.columns)), np.array(places, dtype=np.int64)
    if table.length:
        found.add([mapping[column] for column in table.columns], table.length)
    return found
