"""Makes a network from ground rules: one literal for each legal move, each next fact, each goal value and the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ludoport.gdl.ground import Grounder, Instances
from ludoport.gdl.kif import Term, is_number, term_text
from ludoport.gdl.limits import TooLarge
from ludoport.gdl.order import components
from ludoport.gdl.propnet import FALSE, Net

MOST_LITERALS = 3_000_000
"""A network made of more conditions would take too long to build."""


@dataclass(slots=True)
class Wiring:
    """The network of a game.

    Attributes:
        net: its nodes.
        roles: the names of the roles.
        facts: the text of each fact; fact number i is node 1 + i.
        initial: numbers of the facts that hold at the start.
        moves: the texts of the moves of each role.
        legal: for each role the literals of its moves.
        following: the literal of each fact in the next state.
        goals: for each role pairs of value and literal.
        terminal: the literal for the end.
        idle: for each role the moves that no rule asks for.
    """

    net: Net
    roles: list[str]
    facts: list[str]
    initial: list[bool]
    moves: list[list[str]]
    legal: list[list[int]] = field(default_factory=list)
    following: list[int] = field(default_factory=list)
    goals: list[list[tuple[int, int]]] = field(default_factory=list)
    terminal: int = FALSE
    idle: list[list[bool]] = field(default_factory=list)


class Wirer:
    """Builds the network of a grounded game."""

    def __init__(self, grounder: Grounder, instances: list[Instances], roles: list[str]) -> None:
        self.grounder = grounder
        if sum(len(x.heads) * (1 + len(x.literals)) for x in instances) > MOST_LITERALS:
            raise TooLarge(f"the rules have more than {MOST_LITERALS:,} conditions when written out")
        self._number_moves(roles)
        facts = [args[0] for args in grounder.texts("true/1")]
        init = {args[0] for args in grounder.texts("init/1")}
        net = Net([len(moves) for moves in self.moves])
        self.wiring = Wiring(
            net, roles, [term_text(fact) for fact in facts], [fact in init for fact in facts], self.move_texts
        )
        self.facts: list[Term] = facts
        self._offsets: dict[str, int] = {}
        self._literals: dict[int, int] = {}
        """The literal of each atom, once it is known."""
        self._number_atoms()
        self._bodies: dict[int, list[tuple[int, ...]]] = {}
        for group in instances:
            self._collect(group)

    def _number_moves(self, roles: list[str]) -> None:
        """Moves are numbered per role, in the order of their texts."""
        pairs = [(term_text(role), term_text(move)) for role, move in self.grounder.texts("does/2")]
        self.move_texts = [sorted(move for role, move in pairs if role == name) for name in roles]
        self.moves = [{text: number for number, text in enumerate(texts)} for texts in self.move_texts]
        self._does = [(roles.index(role), self.moves[roles.index(role)][move]) for role, move in pairs]

    def _number_atoms(self) -> None:
        count = 0
        for key in sorted(self.grounder.dynamic):
            self._offsets[key] = count
            count += self.grounder.table(key).length
        net = self.wiring.net
        for number in range(len(self.facts)):
            self._literals[self._offsets["true/1"] + number] = net.base()
        for number, (role, move) in enumerate(self._does):
            self._literals[self._offsets["does/2"] + number] = net.does(role, 1 << move)

    def _collect(self, group: Instances) -> None:
        """The instances of one rule as tuples of atoms (doubled, plus 1 if negated)."""
        heads = (group.heads + self._offsets[group.head]).tolist()
        columns = []
        for holds, key, rows in group.literals:
            atoms = 2 * (rows + self._offsets[key]) + (0 if holds else 1)
            atoms[rows < 0] = -1
            columns.append(atoms.tolist())
        bodies = self._bodies
        if not columns:
            for head in heads:
                bodies.setdefault(head, []).append(())
        elif any(-1 in column for column in columns):
            for head, *body in zip(heads, *columns, strict=True):
                # An atom that never holds can only be negated here, and then it is not a condition.
                bodies.setdefault(head, []).append(tuple(x for x in body if x >= 0))
        else:
            for head, *body in zip(heads, *columns, strict=True):
                bodies.setdefault(head, []).append(tuple(body))

    def run(self) -> Wiring:
        """Build everything that legal moves, next facts, goals and the end depend on."""
        graph = self._needed(self._roots())
        for number, component in enumerate(components(graph)):
            if number % 1000 == 0:
                self.grounder.clock.check()
            if len(component) == 1:
                self._single(component[0])
            else:
                self._loop(component)
        self._outputs()
        return self.wiring

    def _roots(self) -> Iterator[int]:
        for key in ("legal/2", "next/1", "goal/2", "terminal"):
            offset = self._offsets[key]
            yield from range(offset, offset + self.grounder.table(key).length)

    def _needed(self, roots: Iterator[int]) -> dict[int, list[int]]:
        graph: dict[int, list[int]] = {}
        waiting = [atom for atom in roots if atom not in self._literals]
        while waiting:
            atom = waiting.pop()
            if atom in graph:
                continue
            used = {x >> 1 for body in self._bodies.get(atom, ()) for x in body}
            graph[atom] = [other for other in used if other not in self._literals]
            waiting += [other for other in graph[atom] if other not in graph]
        return graph

    def _single(self, atom: int) -> None:
        net = self.wiring.net
        # What follows from itself follows from the other rules, or not at all.
        bodies = [body for body in self._bodies.get(atom, ()) if 2 * atom not in body]
        if any(2 * atom + 1 in body for body in bodies):
            raise TooLarge("an atom depends on its own negation")
        self._literals[atom] = net.any_of(net.all_of(map(self._literal, body)) for body in bodies)

    def _loop(self, component: list[int]) -> None:
        net, members = self.wiring.net, set(component)
        for atom in component:
            self._literals[atom] = net.placeholder()
        before = len(net.kind)
        for atom in component:
            bodies = self._bodies.get(atom, ())
            if any(x & 1 and x >> 1 in members for body in bodies for x in body):
                raise TooLarge("an atom depends on its own negation")
            inputs = [net.all_of(map(self._literal, body)) for body in bodies if 2 * atom not in body]
            net.fill(self._literals[atom], inputs)
        places = {self._literals[atom] for atom in component}
        net.loops |= {node for node in range(before, len(net.kind)) if places & set(net.inputs[node])}
        if any(net.uses_moves[self._literals[atom] >> 1] for atom in component):
            raise TooLarge("moves take part in a recursion that depends on the state")

    def _literal(self, atom: int) -> int:
        literal = self._literals[atom >> 1]
        return self.wiring.net.negated(literal) if atom & 1 else literal

    def _outputs(self) -> None:
        wiring, grounder = self.wiring, self.grounder
        wiring.legal = [[FALSE] * len(moves) for moves in self.moves]
        for number, (role, move) in enumerate(grounder.texts("legal/2")):
            name = term_text(role)
            if name in wiring.roles:
                literal = self._literals[self._offsets["legal/2"] + number]
                place = wiring.roles.index(name)
                wiring.legal[place][self.moves[place][term_text(move)]] = literal
        place_of = {fact: number for number, fact in enumerate(self.facts)}
        wiring.following = [FALSE] * len(self.facts)
        for number, (fact,) in enumerate(grounder.texts("next/1")):
            wiring.following[place_of[fact]] = self._literals[self._offsets["next/1"] + number]
        wiring.goals = [[] for _ in wiring.roles]
        for number, (role, value) in enumerate(grounder.texts("goal/2")):
            literal = self._literals[self._offsets["goal/2"] + number]
            if literal != FALSE and term_text(role) in wiring.roles:
                worth = int(term_text(value)) if is_number(value) else -1
                wiring.goals[wiring.roles.index(term_text(role))].append((worth, literal))
        if grounder.table("terminal").length:
            wiring.terminal = self._literals[self._offsets["terminal"]]
        self._find_idle()

    def _find_idle(self) -> None:
        offset = self._offsets["does/2"]
        end = offset + len(self._does)
        asked = {x >> 1 for bodies in self._bodies.values() for body in bodies for x in body if offset <= x >> 1 < end}
        self.wiring.idle = [[True] * len(moves) for moves in self.moves]
        for number, (role, move) in enumerate(self._does):
            if offset + number in asked:
                self.wiring.idle[role][move] = False
