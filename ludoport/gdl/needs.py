"""How a list of effects is read with little work: what several facts ask for first, the rest where it can matter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ludoport.gdl.effects import Entry
from ludoport.gdl.propnet import Kind, Net

MOST_NEEDS = 6
"""Looking at more literals would cost more than it saves."""


@dataclass(slots=True)
class Plan:
    """The gates to compute for a list.

    Attributes:
        shared: gates that several facts ask for.
        own: for each fact the gates that it alone asks for.
        needs: for each fact literals of which one must hold for it to hold; empty where that is of no use.
    """

    shared: list[int]
    own: list[list[int]] = field(default_factory=list)
    needs: list[list[int]] = field(default_factory=list)


class Needs:
    """Plans lists of effects.

    Args:
        net: the network.
        asked: the gates that are only computed when they are asked for.
    """

    def __init__(self, net: Net, asked: set[int]) -> None:
        self.net, self.asked = net, asked
        self._known: dict[int, frozenset[int] | None] = {}
        # What many gates ask for, such as who is in control, holds more often than what few ask for.
        self._uses = Counter(x for node in asked for x in net.inputs[node])

    def cone(self, literals: Iterable[int]) -> list[int]:
        """The gates to compute before some literals can be read, in their order."""
        found: set[int] = set()
        waiting = [literal >> 1 for literal in literals]
        while waiting:
            node = waiting.pop()
            if node in self.asked and node not in found:
                found.add(node)
                waiting += [x >> 1 for x in self.net.inputs[node]]
        return sorted(found)

    def plan(self, entries: Sequence[Entry]) -> Plan:
        """The gates of one list."""
        cones = [self.cone([literal]) for _, literal in entries]
        counts = Counter(node for cone in cones for node in cone)
        plan = Plan(sorted(node for node, count in counts.items() if count > 1))
        for (_, literal), cone in zip(entries, cones, strict=True):
            own = [node for node in cone if counts[node] == 1]
            needs = self.needs(literal) if own else None
            plan.own.append(own)
            plan.needs.append(sorted(needs) if needs is not None else [])
        return plan

    def _worth(self, part: frozenset[int]) -> tuple[int, int]:
        return len(part), sum(self._uses[literal] for literal in part)

    def needs(self, literal: int) -> frozenset[int] | None:
        """Literals of which at least one holds whenever this one does; None if there are too many."""
        node = literal >> 1
        if node not in self.asked:
            return frozenset([literal])
        if literal in self._known:
            return self._known[literal]
        kind, result = self.net.kind[node], None
        if kind != Kind.DOES:
            parts = [self.needs(x ^ (literal & 1)) for x in self.net.inputs[node]]
            if (kind == Kind.AND) != bool(literal & 1):
                result = min((part for part in parts if part is not None), key=self._worth, default=None)
            elif all(part is not None for part in parts):
                result = frozenset().union(*(part for part in parts if part is not None))
                result = result if len(result) <= MOST_NEEDS else None
        self._known[literal] = result
        return result
