"""The layout of a network: gates that are kept up to date, groups of moves, and edges between gates."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ludoport.gdl.effects import Effects, Entry
from ludoport.gdl.order import components
from ludoport.gdl.propnet import FALSE, TRUE, Net, NodeKind
from ludoport.gdl.wiring import Wiring

BLOCK_MOVES = 32
"""Moves in a block in which they are counted."""

WORD_BITS = 30
"""Facts in one number of a state row."""

MOST_GUARDS = 3
"""Maximum number of groups of moves with a common condition for each role."""


@dataclass(slots=True)
class Group:
    """Moves of one role that share a condition; where that fails, they need not be looked at."""

    role: int
    guard: int
    moves: list[int]
    literals: list[int]
    first: int = 0


@dataclass(slots=True)
class NetworkLayout:
    """The plan of a network's tables.

    Attributes:
        groups: groups of moves.
        live: gates that are kept up to date, in ascending order; facts and the constant come first.
        place: the index of each node in ``work``; gates that are computed when asked follow behind the snapshot.
        asked: gates that are computed when asked.
        move_ids: for each role the numbers of its moves in rows.
        slots: number of slots for moves; some stand for no move.
        lists: lists of effects, with the gates to compute first; equal lists exist once.
        order: the live nodes, each behind those that it depends on (except in loops).
    """

    wiring: Wiring
    effects: Effects
    groups: list[Group] = field(default_factory=list)
    live: list[int] = field(default_factory=list)
    place: dict[int, int] = field(default_factory=dict)
    asked: list[int] = field(default_factory=list)
    move_ids: list[list[int]] = field(default_factory=list)
    slots: int = 0
    lists: list[tuple[Entry, ...]] = field(default_factory=list)
    programs: list[list[int]] = field(default_factory=list)
    loops: list[list[int]] = field(default_factory=list)
    stage: dict[int, int] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)
    _numbers: dict[tuple[Entry, ...], int] = field(default_factory=dict)

    @property
    def net(self) -> Net:
        """The network."""
        return self.wiring.net

    def list_number(self, entries: list[Entry]) -> int:
        """The number of a list of effects."""
        found = tuple(entries)
        known = self._numbers.get(found)
        if known is None:
            known = self._numbers[found] = len(self.lists)
            self.lists.append(found)
        return known


def plan_layout(wiring: Wiring, effects: Effects) -> NetworkLayout:
    """Decide everything that tables are made from."""
    layout = NetworkLayout(wiring, effects)
    for role in range(len(wiring.roles)):
        layout.groups += _groups(wiring, role)
    _number_moves(layout)
    _choose_live(layout)
    return layout


def _groups(wiring: Wiring, role: int) -> list[Group]:
    """Group the moves of a role by the conditions that most of them share, such as being in control."""
    net = wiring.net
    parts = {move: set(net.conjuncts(literal)) for move, literal in enumerate(wiring.legal[role]) if literal != FALSE}
    groups: list[Group] = []
    while parts and len(groups) < MOST_GUARDS:
        counts = Counter(part for conditions in parts.values() for part in conditions if part != TRUE)
        guard, common = max(counts.items(), key=lambda item: (item[1], -item[0]), default=(TRUE, 0))
        if common < 3 and not (common == 1 and len(parts) == 1):
            break
        moves = [move for move, conditions in parts.items() if guard in conditions]
        literals = [net.all_of(part for part in sorted(parts[move]) if part != guard) for move in moves]
        groups.append(Group(role, guard, moves, literals))
        for move in moves:
            del parts[move]
    if parts or not groups:
        groups.append(Group(role, TRUE, list(parts), [wiring.legal[role][move] for move in parts]))
    return groups


def _number_moves(layout: NetworkLayout) -> None:
    layout.move_ids = [[-1] * len(moves) for moves in layout.wiring.moves]
    for group in layout.groups:
        group.first = layout.slots
        for number, move in enumerate(group.moves):
            layout.move_ids[group.role][move] = group.first + number
        layout.slots += -(-max(1, len(group.moves)) // BLOCK_MOVES) * BLOCK_MOVES


def _choose_live(layout: NetworkLayout) -> None:
    """Gates that decide on moves and the end are kept up to date; others are computed when a move asks for them."""
    net, wiring, effects = layout.net, layout.wiring, layout.effects
    watched = [wiring.terminal, *(literal for _, literal in effects.always)]
    for group in layout.groups:
        watched += [group.guard, *group.literals]
    lists = [effects.always, effects.general]
    lists += [entries for role in effects.alone for entries in role]
    lists += [entries for role in effects.joint if role is not None for entries in role]
    goals = [literal for role in wiring.goals for _, literal in role]
    needed = net.cone([*goals, *(literal for entries in lists for _, literal in entries)])
    watched += [2 * node for node in needed if node in net.loops]
    live = net.cone(watched)
    live |= set(range(1 + len(wiring.facts)))
    layout.live = sorted(live)
    layout.asked = sorted(needed - live)
    layout.place = {node: place for place, node in enumerate(layout.live)}
    _find_stages(layout)


def _find_stages(layout: NetworkLayout) -> None:
    """Loops get odd stages, everything else even ones; a node comes after all that it depends on."""
    net = layout.net
    if not any(node in net.loops for node in layout.live):
        layout.stage = dict.fromkeys(layout.live, 0)
        layout.order = layout.live
        return
    for group in components({node: [x >> 1 for x in net.inputs[node]] for node in layout.live}):
        members = set(group)
        before = max((layout.stage[x >> 1] for n in group for x in net.inputs[n] if x >> 1 not in members), default=0)
        if len(group) > 1:
            stage = before + 1 + before % 2
            layout.loops.append(sorted(group))
        else:
            stage = before + before % 2
        layout.stage.update(dict.fromkeys(group, stage))
        layout.order += group


def truth(layout: NetworkLayout) -> dict[int, bool]:
    """Truth of the live nodes in the initial state."""
    net = layout.net
    held: dict[int, bool] = {0: True}
    for fact, holds in enumerate(layout.wiring.initial):
        held[1 + fact] = holds

    def holds_now(node: int) -> bool:
        values = (held.get(x >> 1, False) != bool(x & 1) for x in net.inputs[node])
        return all(values) if net.kind[node] == NodeKind.AND else any(values)

    for stage in sorted(set(layout.stage.values())):
        nodes = [node for node in layout.order if layout.stage[node] == stage and node > len(layout.wiring.facts)]
        changed = True
        while changed:
            changed = False
            for node in nodes:
                now = holds_now(node)
                changed = changed or (stage % 2 == 1 and now != held.get(node, False))
                held[node] = now
    return held
