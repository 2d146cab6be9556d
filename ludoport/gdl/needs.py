"""Plans how to read a list of effects with little work: shared gates first, the rest where it can matter."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ludoport.gdl.effects import Entry
from ludoport.gdl.propnet import Net, NodeKind

SEVERAL = -1
"""Stands for more than one entry."""

MOST_NEEDS = 6
"""Looking at more literals would cost more than it saves."""


@dataclass(slots=True)
class GateList:
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
        self._known: dict[tuple[int, bool], frozenset[int] | None] = {}
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

    def plan(self, entries: Sequence[Entry]) -> GateList:
        """The gates of one list."""
        owners = self._owners(entries)
        own: list[list[int]] = [[] for _ in entries]
        for node in sorted(owners):
            if owners[node] != SEVERAL:
                own[owners[node]].append(node)
        needs = [self.needs(literal) if nodes else None for (_, literal), nodes in zip(entries, own, strict=True)]
        shared = {node for node, owner in owners.items() if owner == SEVERAL}
        # Moves that are needed must be looked at first.
        shared |= {x >> 1 for need in needs if need is not None for x in need if x >> 1 in self.asked}
        plan = GateList(sorted(shared))
        for nodes, need in zip(own, needs, strict=True):
            plan.own.append([node for node in nodes if node not in shared])
            plan.needs.append(sorted(need) if need is not None else [])
        return plan

    def _owners(self, entries: Sequence[Entry]) -> dict[int, int]:
        """The gates that a list asks for, with the number of the entry that does, or ``SEVERAL``."""
        owners: dict[int, int] = {}
        waiting: list[int] = []

        def ask(literal: int, owner: int) -> None:
            node = literal >> 1
            if node in self.asked:
                if node not in owners:
                    owners[node] = owner
                    heapq.heappush(waiting, -node)
                elif owners[node] != owner:
                    owners[node] = SEVERAL

        for number, (_, literal) in enumerate(entries):
            ask(literal, number)
        while waiting:
            # Who asks for a gate has a larger number, so all of them have been seen before the gate.
            node = -heapq.heappop(waiting)
            for literal in self.net.inputs[node]:
                ask(literal, owners[node])
        return owners

    def _worth(self, part: frozenset[int]) -> tuple[int, int]:
        return len(part), sum(self._uses[literal] for literal in part)

    def needs(self, literal: int) -> frozenset[int] | None:
        """Literals of which at least one holds whenever this one does; None if there are too many.

        They are facts, gates that are kept up to date, or moves: what several roles decide together often needs few
        moves, but many facts.
        """
        found = [self._needs(literal, moves) for moves in (False, True)]
        return min((part for part in found if part is not None), key=self._worth, default=None)

    def _needs(self, literal: int, moves: bool) -> frozenset[int] | None:
        node = literal >> 1
        if node not in self.asked:
            return frozenset([literal])
        if self.net.kind[node] == NodeKind.DOES:
            return frozenset([literal]) if moves else None
        key = literal, moves
        if key not in self._known:
            parts = [self._needs(x ^ (literal & 1), moves) for x in self.net.inputs[node]]
            conjunction = (self.net.kind[node] == NodeKind.AND) != bool(literal & 1)
            self._known[key] = self._least(parts) if conjunction else self._all(parts)
        return self._known[key]

    def _least(self, parts: Sequence[frozenset[int] | None]) -> frozenset[int] | None:
        """One part is enough; one of moves only, if there is any, since others may need the same."""
        known = [part for part in parts if part is not None]
        only = [part for part in known if all(self.net.kind[x >> 1] == NodeKind.DOES for x in part)]
        return min(only or known, key=self._worth, default=None)

    def _all(self, parts: Sequence[frozenset[int] | None]) -> frozenset[int] | None:
        """All parts together, unless they are too many."""
        together: set[int] = set()
        for part in parts:
            if part is None:
                return None
            together |= part
        return frozenset(together) if len(together) <= MOST_NEEDS else None
