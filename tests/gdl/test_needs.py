"""Needs of a gate: if the gate holds, so does one of the literals."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from ludoport.gdl.needs import Needs
from ludoport.gdl.propnet import FALSE, TRUE, Net, NodeKind

FACTS, MOVES = 6, 5


def random_net(rng: random.Random) -> tuple[Net, list[int]]:
    """A network of two roles, and its gates."""
    net = Net([MOVES, MOVES])
    literals = [net.base() for _ in range(FACTS)]
    literals += [net.does(role, rng.randrange(1, 1 << MOVES)) for role in (0, 1) for _ in range(3)]
    gates = []
    for _ in range(12):
        parts = [rng.choice(literals) for _ in range(rng.randrange(2, 5))]
        parts = [net.negated(x) if rng.random() < 0.3 else x for x in parts]
        literal = net.all_of(parts) if rng.random() < 0.5 else net.any_of(parts)
        literals.append(literal)
        gates.append(literal)
    return net, gates


def holds(net: Net, literal: int, facts: int, moves: tuple[int, int]) -> bool:
    node = literal >> 1
    kind = net.kind[node]
    if kind == NodeKind.TRUE:
        value = True
    elif kind == NodeKind.BASE:
        value = bool(facts >> (node - 1) & 1)
    elif kind == NodeKind.DOES:
        role, chosen = net.moves[node]
        value = bool(chosen >> moves[role] & 1)
    else:
        inputs = (holds(net, x, facts, moves) for x in net.inputs[node])
        value = all(inputs) if kind == NodeKind.AND else any(inputs)
    return value != bool(literal & 1)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9))
def test_one_of_the_needs_holds_whenever_the_gate_does(seed: int) -> None:
    rng = random.Random(seed)
    net, gates = random_net(rng)
    asked = {node for node in range(len(net.kind)) if net.kind[node] in (NodeKind.AND, NodeKind.OR, NodeKind.DOES)}
    needs = Needs(net, asked)
    for literal in gates:
        found = needs.needs(literal)
        if literal in (TRUE, FALSE) or found is None:
            continue
        for _ in range(30):
            facts, moves = rng.getrandbits(FACTS), (rng.randrange(MOVES), rng.randrange(MOVES))
            if holds(net, literal, facts, moves):
                assert any(holds(net, x, facts, moves) for x in found)


def test_moves_are_needed_where_facts_would_be_too_many() -> None:
    net = Net([MOVES, MOVES])
    facts = [net.base() for _ in range(20)]
    move = net.does(0, 0b00010)
    literal = net.any_of([net.all_of([fact, move]) for fact in facts])
    asked = {node for node in range(len(net.kind)) if net.kind[node] in (NodeKind.AND, NodeKind.OR, NodeKind.DOES)}
    needs = Needs(net, asked)
    assert needs.needs(literal) == frozenset([move])
    plan = needs.plan([(0, literal), (1, net.all_of([facts[0], facts[1]]))])
    # The move is computed first, everything else only if it was made.
    assert plan.shared == [move >> 1]
    assert plan.needs[0] == [move]
    assert move >> 1 not in plan.own[0]
