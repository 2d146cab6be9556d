"""Relations that depend on themselves: which of them can be followed like a path."""

from __future__ import annotations

from dataclasses import dataclass

from ludoport.gdl.compiled.domains import World
from ludoport.gdl.compiled.flat import Condition, Flat, FlatRule
from ludoport.gdl.compiled.plan import ConditionPlanner, PlannedCondition


@dataclass(frozen=True, slots=True)
class Linear:
    """A relation that needs itself once per rule, asked for in one mode.

    ``right``: the answers of a question are those of other questions, so questions are followed.
    ``left``: the question stays the same, so answers are followed.

    Attributes:
        kind: ``right`` or ``left``.
        base: the rules that do not need the relation.
        steps: the rules that do, with their conditions but for the one on the relation itself, which comes apart.
        varying: for ``right`` the bound positions that change from question to question.
    """

    kind: str
    base: tuple[FlatRule, ...]
    steps: tuple[tuple[FlatRule, Condition, tuple[PlannedCondition, ...]], ...]
    varying: tuple[int, ...] = ()


def recursive_relations(world: World) -> dict[Flat, frozenset[Flat]]:
    """The relations that depend on themselves, each with the group of those that it depends on."""
    found: dict[Flat, frozenset[Flat]] = {}
    for group in world.groups:
        own = [flat for flat in group if flat in world.rules]
        loops = len(group) > 1 or any(own_condition(rule, group[0]) for flat in own for rule in world.rules[flat])
        if own and loops:
            found.update(dict.fromkeys(own, frozenset(own)))
    return found


def own_condition(rule: FlatRule, flat: Flat) -> list[Condition]:
    """The conditions of a rule that ask about a relation."""
    return [x for x in rule.body if x.kind == "holds" and x.atom is not None and x.atom.flat == flat]


def linear_kind(world: World, flat: Flat, mode: str) -> str | None:
    """Whether questions (``right``) or answers (``left``) can be followed in a mode."""
    looping = [rule for rule in world.rules[flat] if own_condition(rule, flat)]
    if any(len(own_condition(rule, flat)) > 1 for rule in looping):
        return None
    if all(_is_right(rule, flat, mode) for rule in looping):
        return "right"
    left = "_" not in mode and "f" in mode and all(_is_left(rule, flat, mode) for rule in looping)
    return "left" if left else None


def find_linear(world: World, planner: ConditionPlanner, flat: Flat, mode: str) -> Linear | None:
    """The plan for following a relation in a mode; None if it cannot be followed."""
    rules, kind = world.rules[flat], linear_kind(world, flat, mode)
    base = tuple(rule for rule in rules if not own_condition(rule, flat))
    looping = [rule for rule in rules if own_condition(rule, flat)]
    if kind == "right":
        found = []
        for rule in looping:
            (own,) = own_condition(rule, flat)
            found.append((rule, own, _right_steps(planner, rule, own, mode)))
        return Linear("right", base, tuple(found), _varying(looping, flat, mode))
    if kind == "left":
        found = []
        for rule in looping:
            (own,) = own_condition(rule, flat)
            rest = tuple(x for x in rule.body if x != own)
            wanted = {t for t, sign in zip(rule.head.args, mode, strict=True) if sign == "f" and t.startswith("?")}
            bound = own.names | {t for t, s in zip(rule.head.args, mode, strict=True) if s == "b" and t.startswith("?")}
            found.append((rule, own, planner.plan(rest, bound, wanted).steps))
        return Linear("left", base, tuple(found))
    return None


def _is_right(rule: FlatRule, flat: Flat, mode: str) -> bool:
    """Whether what is wanted passes through unchanged, and everything else is known before."""
    (own,) = own_condition(rule, flat)
    assert own.atom is not None
    rest = [x for x in rule.body if x != own]
    elsewhere = set().union(*(x.names for x in rest))
    known = {name for x in rest if x.kind == "holds" for name in x.names}
    for term, sign in zip(rule.head.args, mode, strict=True):
        if sign == "b":
            known.add(term)
    passing = [(h, o) for h, o, sign in zip(rule.head.args, own.atom.args, mode, strict=True) if sign != "b"]
    names = [h for h, _ in passing]
    if any(h != o or not h.startswith("?") or h in known or h in elsewhere for h, o in passing):
        return False
    given = [o for o, sign in zip(own.atom.args, mode, strict=True) if sign == "b"]
    return len(set(names)) == len(names) and all(not o.startswith("?") or o in known for o in given)


def _right_steps(planner: ConditionPlanner, rule: FlatRule, own: Condition, mode: str) -> tuple[PlannedCondition, ...]:
    assert own.atom is not None
    bound = {t for t, sign in zip(rule.head.args, mode, strict=True) if sign == "b" and t.startswith("?")}
    wanted = {t for t, sign in zip(own.atom.args, mode, strict=True) if sign == "b" and t.startswith("?")}
    rest = tuple(x for x in rule.body if x != own)
    return planner.plan(rest, bound, wanted).steps


def _varying(rules: list[FlatRule], flat: Flat, mode: str) -> tuple[int, ...]:
    found = []
    for position, sign in enumerate(mode):
        if sign != "b":
            continue
        for rule in rules:
            (own,) = own_condition(rule, flat)
            assert own.atom is not None
            term = own.atom.args[position]
            if term != rule.head.args[position]:
                found.append(position)
                break
    return tuple(found)


def _is_left(rule: FlatRule, flat: Flat, mode: str) -> bool:
    """Whether the relation is asked the same question again."""
    (own,) = own_condition(rule, flat)
    assert own.atom is not None
    pairs = zip(rule.head.args, own.atom.args, mode, strict=True)
    return all(head == asked for head, asked, sign in pairs if sign == "b")
