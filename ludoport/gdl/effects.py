"""Effects of moves: the network for the next state, specialised for one move at a time.

With a move given, most facts simply stay as they are, and nothing has to be done for them. What is left for a move is
a short list of facts with the literals that they take their new values from. Where facts depend on the moves of
several roles, the lists are for the usual case that all other roles are idle (they play their ``noop``); a general list
is there for all other cases.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ludoport.gdl.limits import Clock, TooLarge
from ludoport.gdl.propnet import FALSE, TRUE, Net, NodeKind
from ludoport.gdl.wiring import Wiring

MOST_ENTRIES = 1_500_000
"""More entries in all lists together would make too large tables."""

Entry = tuple[int, int]
"""A fact and the literal of its next value."""


@dataclass(slots=True)
class Effects:
    """The lists of facts that a step may change.

    Attributes:
        always: facts whose next value depends on no move.
        alone: for each role and move, facts that depend on the moves of this role only.
        joint: for each role and move, facts that depend on several roles, if the others are idle; None if they cannot
            be.
        general: all facts that depend on several roles, as the rules have them.
        idle: for each role the moves that count as idle.
    """

    always: list[Entry] = field(default_factory=list)
    alone: list[list[list[Entry]]] = field(default_factory=list)
    joint: list[list[list[Entry]] | None] = field(default_factory=list)
    general: list[Entry] = field(default_factory=list)
    idle: list[int] = field(default_factory=list)


Task = tuple[int, list[int]]
"""A fact, and moves with which it has the same next value."""


def find_effects(wiring: Wiring, clock: Clock) -> Effects:
    """The effects of all moves."""
    net, roles = wiring.net, range(len(wiring.roles))
    effects = Effects(alone=[[[] for _ in moves] for moves in wiring.moves], idle=_idle_sets(wiring))
    for role in roles:
        resting = all(other == role or idle for other, idle in enumerate(effects.idle))
        effects.joint.append([[] for _ in wiring.moves[role]] if resting else None)
    several: set[int] = set()
    tasks: list[dict[int, list[Task]]] = [{} for _ in roles]
    for fact, literal in enumerate(wiring.following):
        clock.check()
        leaves = list(net.leaves(literal))
        asked = sorted({net.moves[leaf][0] for leaf in leaves})
        if not asked:
            if literal != 2 * (1 + fact):
                effects.always.append((fact, literal))
            continue
        if len(asked) > 1:
            effects.general.append((fact, literal))
            several.add(fact)
        for role in asked if len(asked) == 1 else roles:
            if len(asked) == 1 or effects.joint[role] is not None:
                own = [leaf for leaf in leaves if net.moves[leaf][0] == role]
                for moves in _classes(net, role, own):
                    tasks[role].setdefault(moves[0], []).append((fact, moves))
    room = MOST_ENTRIES
    kept = net.cone([wiring.terminal, *(literal for legal in wiring.legal for literal in legal)])
    for role in roles:
        for move, given in tasks[role].items():
            clock.check()
            room -= _enter(wiring, effects, role, move, given, several, kept)
            if room < 0:
                raise TooLarge("the effects of moves do not fit into tables")
    return effects


def general_effects(wiring: Wiring) -> Effects:
    """All effects in one list, for networks that are too large to be specialised for every move."""
    net = wiring.net
    effects = Effects(alone=[[[] for _ in moves] for moves in wiring.moves], idle=_idle_sets(wiring))
    effects.joint = [None] * len(wiring.roles)
    for fact, literal in enumerate(wiring.following):
        if net.uses_moves[literal >> 1]:
            effects.general.append((fact, literal))
        elif literal != 2 * (1 + fact):
            effects.always.append((fact, literal))
    return effects


def _enter(
    wiring: Wiring, effects: Effects, role: int, move: int, tasks: list[Task], several: set[int], kept: set[int]
) -> int:
    """Enter what facts become with a move into the lists; returns how many entries that are."""
    net = wiring.net

    def value(leaf: int) -> int:
        other, moves = net.moves[leaf]
        chosen = 1 << move if other == role else effects.idle[other]
        return TRUE if moves & chosen else FALSE

    known: dict[int, int] = {}
    given: dict[tuple[int, bool], Given] = {}
    entries = 0
    joint = effects.joint[role] or []
    for fact, moves in tasks:
        outcome = net.restricted(wiring.following[fact], value, known)
        if outcome == 2 * (1 + fact):
            continue
        together = fact in several
        lists = joint if together else effects.alone[role]
        for each in moves:
            result = outcome
            if outcome not in (TRUE, FALSE):
                if (each, together) not in given:
                    given[each, together] = Given(net, _conditions(wiring, effects, role, each, together), kept)
                result = given[each, together].apply(outcome)
            if result != 2 * (1 + fact):
                lists[each].append((fact, result))
                entries += 1
    return entries


def _conditions(wiring: Wiring, effects: Effects, role: int, move: int, together: bool) -> set[int]:
    """Literals that hold when a move is made because it is legal, and, with idle moves of others, because those are."""
    net = wiring.net
    found = set(net.conjuncts(wiring.legal[role][move]))
    for other, idle in enumerate(effects.idle):
        if together and other != role and idle.bit_count() == 1:
            found.update(net.conjuncts(wiring.legal[other][idle.bit_length() - 1]))
    return found


class Given:
    """Simplifies literals by conditions that are known to hold.

    Args:
        net: the network.
        conditions: literals that hold.
        kept: gates that exist anyway, so that it is no use to simplify them.
    """

    def __init__(self, net: Net, conditions: set[int], kept: set[int]) -> None:
        self.net, self.kept = net, kept
        self._known = dict.fromkeys(conditions, TRUE)
        self._known |= {net.negated(literal): FALSE for literal in conditions}

    def apply(self, literal: int, depth: int = 6) -> int:
        """The literal under the conditions."""
        known = self._known.get(literal)
        if known is not None:
            return known
        net, node = self.net, literal >> 1
        if depth == 0 or node in self.kept or not net.inputs[node] or node in net.loops:
            return literal
        if literal & 1:
            result = net.negated(self.apply(literal ^ 1, depth))
        elif net.kind[node] == NodeKind.AND:
            result = net.all_of([self.apply(x, depth - 1) for x in net.inputs[node]])
        else:
            result = net.any_of([self.apply(x, depth - 1) for x in net.inputs[node]])
        self._known[literal] = result
        return result


def _idle_sets(wiring: Wiring) -> list[int]:
    """For each role its idle move, with all moves that no rule distinguishes from it; 0 if there is none."""
    net = wiring.net
    found = []
    for role, moves in enumerate(wiring.moves):
        unasked = [move for move, idle in enumerate(wiring.idle[role]) if idle]
        named = [move for move, text in enumerate(moves) if text.lower() == "noop"]
        chosen = (named or unasked)[:1]
        same = net.everything[role] if chosen else 0
        for other, leaf in net.moves.values():
            if chosen and other == role:
                same &= leaf if leaf >> chosen[0] & 1 else ~leaf
        found.append(same)
    return found


def _classes(net: Net, role: int, leaves: list[int]) -> Iterator[list[int]]:
    """The moves of a role in groups that some leaves do not distinguish."""
    everything = net.everything[role]
    count = everything.bit_length()
    sets = [net.moves[leaf][1] for leaf in leaves]
    special = 0
    for moves in sets:
        special |= moves if 2 * moves.bit_count() <= count else everything & ~moves
    classes: dict[tuple[int, ...], list[int]] = {}
    for move in _bits(special):
        classes.setdefault(tuple(number for number, moves in enumerate(sets) if moves >> move & 1), []).append(move)
    usual = tuple(number for number, moves in enumerate(sets) if 2 * moves.bit_count() > count)
    rest = list(_bits(everything & ~special))
    if rest:
        classes.setdefault(usual, []).extend(rest)
    yield from classes.values()


def _bits(number: int) -> Iterator[int]:
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low
