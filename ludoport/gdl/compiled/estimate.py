"""Estimates the number of tuples of relations, so that no network is tried where it would be much too large."""

from __future__ import annotations

from collections import Counter

from ludoport.gdl.compiled.domains import World, explore
from ludoport.gdl.compiled.flat import Flat, FlatRule, Flattener
from ludoport.gdl.compiled.listing import room_for
from ludoport.gdl.limits import Clock, TooLarge
from ludoport.gdl.program import SheetProgram


def most_tuples(program: SheetProgram, seconds: float) -> float:
    """About how many tuples the largest relation of a program has; 0 if that is not found out in time."""
    try:
        clock = Clock(seconds)
        world = explore(Flattener(program, clock).run(), clock)
    except (TooLarge, RecursionError, MemoryError):
        return 0.0
    return largest_relation(world)


def largest_relation(world: World) -> float:
    """About how many tuples the largest relation has that depends on the state.

    Every relation is taken to have as many tuples as its rules have instances, if variables were independent of each
    other, but not more than its domains allow; a relation that depends on itself has those of its other rules.
    """
    rows: dict[Flat, float] = {}
    largest = 0.0
    for group in world.groups:
        for flat in group:
            most = float(room_for(world.domains[flat]))
            if flat in world.static:
                rows[flat] = float(world.static[flat].length)
            elif flat not in world.rules:
                rows[flat] = most
            else:
                counts = [_instances(world, rows, rule) for rule in world.rules[flat]]
                rows[flat] = min(most, sum(counts))
                largest = max(largest, rows[flat])
    return largest


def _instances(world: World, rows: dict[Flat, float], rule: FlatRule) -> float:
    seen: Counter[str] = Counter()
    found = 1.0
    for condition in rule.body:
        atom = condition.atom
        if condition.kind != "holds" or atom is None:
            continue
        found *= max(1.0, rows.get(atom.flat, 0.0))
        for term, domain in zip(atom.args, world.domains[atom.flat], strict=True):
            if seen[term] or not term.startswith("?"):
                found /= len(domain)
            seen[term] += 1
    return found
