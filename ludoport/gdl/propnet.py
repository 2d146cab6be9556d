"""A propositional network: facts, moves and gates, simplified while it is built.

A *literal* is twice a node's number, plus 1 if it is negated; so there are no gates for negation. Node 0 always holds.
A leaf for moves stands for a set of moves of one role (*the role's move is one of these*). Since a role makes exactly
one move, sets can be united, intersected and complemented when the network is built, and most of the rules that carry
facts over from one state to the next shrink to a single leaf.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum

TRUE, FALSE = 0, 1


class NodeKind(IntEnum):
    """Kind of a node."""

    TRUE = 0
    BASE = 1
    DOES = 2
    AND = 3
    OR = 4


class Net:
    """The nodes; equal ones exist once, and those that others are made of have smaller numbers (except in loops)."""

    def __init__(self, move_counts: list[int]) -> None:
        self.everything = [(1 << count) - 1 for count in move_counts]
        self.kind: list[NodeKind] = [NodeKind.TRUE]
        self.inputs: list[tuple[int, ...]] = [()]
        self.moves: dict[int, tuple[int, int]] = {}
        """The role and the set of moves (as bits) of each leaf for moves."""
        self.uses_moves: list[bool] = [False]
        self.loops: set[int] = set()
        """Gates that depend on themselves."""
        self._known: dict[tuple[object, ...], int] = {}
        self._conjuncts: dict[int, tuple[int, ...]] = {}

    def _node(self, kind: NodeKind, inputs: tuple[int, ...]) -> int:
        self.kind.append(kind)
        self.inputs.append(inputs)
        self.uses_moves.append(kind == NodeKind.DOES or any(self.uses_moves[x >> 1] for x in inputs))
        return len(self.kind) - 1

    def base(self) -> int:
        """A new fact; returns its literal."""
        return 2 * self._node(NodeKind.BASE, ())

    def does(self, role: int, moves: int) -> int:
        """The literal for *the move of this role is one of these*."""
        if moves == 0:
            return FALSE
        if moves == self.everything[role]:
            return TRUE
        known = self._known.get((NodeKind.DOES, role, moves))
        if known is None:
            known = self._known[(NodeKind.DOES, role, moves)] = self._node(NodeKind.DOES, ())
            self.moves[known] = (role, moves)
        return 2 * known

    def negated(self, literal: int) -> int:
        """The opposite of a literal."""
        found = self.moves.get(literal >> 1)
        if found is None:
            return literal ^ 1
        role, moves = found
        return self.does(role, self.everything[role] & ~moves)

    def placeholder(self) -> int:
        """A disjunction whose inputs are given later, because it depends on itself."""
        node = self._node(NodeKind.OR, ())
        self.loops.add(node)
        return 2 * node

    def fill(self, literal: int, inputs: Iterable[int]) -> None:
        """Give a placeholder its inputs."""
        chosen = tuple(dict.fromkeys(x for x in inputs if x != FALSE))
        self.inputs[literal >> 1] = (TRUE,) if TRUE in chosen else chosen
        self.uses_moves[literal >> 1] = any(self.uses_moves[x >> 1] for x in chosen)

    def conjuncts(self, literal: int) -> tuple[int, ...]:
        """Literals that must all hold for a literal to hold; the literal alone if it is not a conjunction."""
        if literal & 1 or self.kind[literal >> 1] != NodeKind.AND:
            return (literal,)
        known = self._conjuncts.get(literal)
        if known is None:
            parts: list[int] = []
            for part in self.inputs[literal >> 1]:
                parts += self.conjuncts(part)
            known = self._conjuncts[literal] = tuple(dict.fromkeys(parts))
        return known

    def all_of(self, literals: Iterable[int]) -> int:
        """The conjunction of some literals."""
        chosen: dict[int, None] = {}
        sets: dict[int, int] = {}
        for literal in literals:
            if literal == FALSE:
                return FALSE
            found = self.moves.get(literal >> 1)
            if found is not None:
                sets[found[0]] = sets.get(found[0], self.everything[found[0]]) & found[1]
            elif literal != TRUE:
                chosen[literal] = None
        for role, moves in sets.items():
            leaf = self.does(role, moves)
            if leaf == FALSE:
                return FALSE
            if leaf != TRUE:
                chosen[leaf] = None
        if any(literal ^ 1 in chosen for literal in chosen):
            return FALSE
        return self._gate(NodeKind.AND, chosen, TRUE)

    def any_of(self, literals: Iterable[int]) -> int:
        """The disjunction of some literals, with what they have in common taken out."""
        chosen: dict[int, None] = {}
        sets: dict[tuple[int, frozenset[int]], int] = {}
        for literal in literals:
            if literal == TRUE:
                return TRUE
            if literal == FALSE:
                continue
            split = self._split(literal)
            if split is None:
                chosen[literal] = None
            else:
                role, moves, rest = split
                sets[(role, rest)] = sets.get((role, rest), 0) | moves
        for (role, rest), moves in sets.items():
            literal = self.all_of([self.does(role, moves), *sorted(rest)])
            if literal == TRUE:
                return TRUE
            chosen[literal] = None
        if any(literal ^ 1 in chosen for literal in chosen):
            return TRUE
        if len(chosen) > 1:
            factored = self._factored(list(chosen))
            if factored is not None:
                return factored
        return self._gate(NodeKind.OR, chosen, FALSE)

    def _split(self, literal: int) -> tuple[int, int, frozenset[int]] | None:
        """A leaf for moves, or a conjunction with exactly one of them: its role, its moves and the other conditions."""
        node = literal >> 1
        if not self.uses_moves[node] or literal & 1:
            return None
        if self.kind[node] == NodeKind.DOES:
            return (*self.moves[node], frozenset())
        if self.kind[node] != NodeKind.AND:
            return None
        leaves = [x for x in self.inputs[node] if x >> 1 in self.moves]
        if len(leaves) != 1:
            return None
        return (*self.moves[leaves[0] >> 1], frozenset(x for x in self.inputs[node] if x != leaves[0]))

    def _factored(self, literals: list[int]) -> int | None:
        """``(a and b) or (a and c)`` as ``a and (b or c)``; None if nothing is common to all."""
        common = set(self.conjuncts(literals[0]))
        parts = [self.conjuncts(literal) for literal in literals]
        for part in parts:
            common &= set(part)
            if not common:
                return None
        rest = [self.all_of(x for x in part if x not in common) for part in parts]
        return self.all_of([*sorted(common), self.any_of(rest)])

    def _gate(self, kind: NodeKind, chosen: dict[int, None], nothing: int) -> int:
        if not chosen:
            return nothing
        if len(chosen) == 1:
            return next(iter(chosen))
        inputs = tuple(sorted(chosen))
        known = self._known.get((kind, inputs))
        if known is None:
            known = self._known[(kind, inputs)] = self._node(kind, inputs)
        return 2 * known

    def cone(self, literals: Iterable[int]) -> set[int]:
        """All nodes that some literals depend on, themselves included."""
        found: set[int] = set()
        waiting = [literal >> 1 for literal in literals]
        while waiting:
            node = waiting.pop()
            if node not in found:
                found.add(node)
                waiting += [x >> 1 for x in self.inputs[node] if x >> 1 not in found]
        return found

    def leaves(self, literal: int) -> Iterator[int]:
        """The leaves for moves that a literal depends on."""
        seen: set[int] = set()
        waiting = [literal >> 1]
        while waiting:
            node = waiting.pop()
            if node in seen or not self.uses_moves[node]:
                continue
            seen.add(node)
            if node in self.moves:
                yield node
            waiting += [x >> 1 for x in self.inputs[node]]

    def restricted(self, literal: int, value: Callable[[int], int], known: dict[int, int]) -> int:
        """A literal when leaves for moves are given values.

        Args:
            literal: the literal.
            value: TRUE or FALSE for a leaf.
            known: results so far, for nodes; shared between calls with the same values.
        """
        node = literal >> 1
        if not self.uses_moves[node]:
            return literal
        found = known.get(node)
        if found is None:
            if node in self.moves:
                found = value(node)
            elif self.kind[node] == NodeKind.AND:
                found = self.all_of(self.restricted(x, value, known) for x in self.inputs[node])
            else:
                found = self.any_of([self.restricted(x, value, known) for x in self.inputs[node]])
            known[node] = found
        return self.negated(found) if literal & 1 else found
