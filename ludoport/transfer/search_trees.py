"""Search trees transferred from one game to another (chapter 5.2 of the thesis).

The tree is played through from the root in the target: moves that lead to the same position there are kept with their
statistics, everything else is pruned. Continuing the search from what is left is the fine-tuning (``build_tree`` with
``begin``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.game import as_game
from ludoport.search.graph import About, SearchGraph, about_game, arranged
from ludoport.transfer.tree_names import Names, names_of, same_position
from ludoport.transfer.tree_replay import Replayed, Tells, replay
from ludoport.transfer.tree_rows import replay_rows, same_rows

if TYPE_CHECKING:
    from ludoport.game import Game, State

Case = Literal["same domain", "sub-domain", "super-domain", "partial overlap"]
"""Relation of source and target (Figure 13), by the legal moves of all positions that were compared. Two
domains that are disjoint have nothing to transfer."""


@dataclass(frozen=True)
class TreeTransfer:
    """A transferred tree.

    Attributes:
        graph: the tree in the target.
        source: the name of the source game.
        target: the name of the target.
        case: relation of the two domains.
        discount: weight of a source visit.
        source_states: states of the tree before.
        source_edges: its moves.
        source_visits: their visits.
        states: states that exist in the target.
        edges: moves that do.
        visits: their visits in the source.
        positions: positions with moves that were compared.
        both: legal moves of these positions that both games have.
        only_source: those that only the source has.
        only_target: those that only the target has.
        kept: the numbers of the moves that the target keeps, among those of the tree before; shape (edges,).
        file: file of the tree, if it was written.
    """

    graph: SearchGraph
    source: str
    target: str
    case: Case
    discount: float
    source_states: int
    source_edges: int
    source_visits: int
    states: int
    edges: int
    visits: int
    positions: int
    both: int
    only_source: int
    only_target: int
    kept: NDArray[np.int64]
    file: Path | None = None

    def as_json(self) -> dict[str, Any]:
        """All numbers, as data for JSON."""
        numbers = {name: value for name, value in vars(self).items() if name not in ("graph", "kept", "file")}
        return {"knowledge": "search tree", "file": None if self.file is None else str(self.file), **numbers,
                "result_states": self.graph.states, "result_edges": self.graph.edges,
                "result_visits": int(self.graph.visits.sum())}  # fmt: skip

    def __str__(self) -> str:
        lines = [
            f"{self.source} to {self.target}: {DESCRIBED[self.case]}",
            f"  {self.states:,} of {_counted(self.source_states, 'state')} kept, {self.edges:,} of "
            f"{_counted(self.source_edges, 'move')} between them, {self.visits:,} of "
            f"{_counted(self.source_visits, 'visit')}",
            f"  legal moves of {_counted(self.positions, 'position')}: {self.both:,} in both games, "
            f"{self.only_source:,} only in the source, {self.only_target:,} only in the target",
        ]
        if self.discount != 1:
            lines.append(
                f"  a visit is worth {self.discount:g}: {_counted(self.graph.states, 'state')}, "
                f"{_counted(self.graph.edges, 'move')} and {_counted(int(self.graph.visits.sum()), 'visit')} are left"
            )
        return "\n".join(lines)


def _counted(number: int, thing: str) -> str:
    """A number with a noun, as in ``1 state`` and ``2 states``."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


DESCRIBED: dict[Case, str] = {
    "same domain": "the same moves in all positions of the tree",
    "sub-domain": "the source is a part of the target; nothing has to be pruned",
    "super-domain": "the target is a part of the source; the rest is pruned",
    "partial overlap": "the two overlap; what only the source has is pruned",
}


def transfer_tree(
    graph: SearchGraph,
    source: Game | str | Path,
    target: Game | str | Path,
    *,
    discount: float = 1.0,
    loaded: tuple[str, Sequence[str], str | None] = ("", (), None),
    tell: Tells = lambda done, total: None,
) -> TreeTransfer:
    """Carry a tree over to another game.

    Args:
        graph: the tree.
        source: its game.
        target: the other one.
        discount: what a visit of the source is worth in the target, above 0 and at most 1; moves whose visits are then
            worth less than half of one are forgotten.
        loaded: name or path of the target, its options and its ruleset; the new tree records them.
        tell: called with the number of positions compared so far, and their maximum.

    Raises:
        LudoportError: the tree belongs to another game, or nothing of it exists in the target or is left there.
    """
    check_discount(discount)
    source, target = as_game(source), as_game(target)
    if source.n_players != target.n_players:
        raise LudoportError(
            f"{source.name} has {source.n_players} players and {target.name} {target.n_players}; trees can only be "
            "transferred between games with the same number"
        )
    names = names_of(source, target)
    one = graph.root_state(source)
    two, moves = _same_root(graph.about, one, target, names)
    if same_rows(source, target) and two.key == graph.root:
        found = replay_rows(graph, (one, two), tell)
    else:
        found = replay(graph, (one, two), names, tell)
    if not len(found.edges):
        raise disjoint(graph.about, target, "no move of its root leads to the same position in both")
    about = _about(graph.about, target, moves, loaded, discount)
    left = discounted(_kept(graph, found, about, two.key), discount)
    if not left.edges:
        raise LudoportError(
            f"nothing of this tree of {source.name} is left in {target.name} if a visit is worth {discount:g}: none of "
            f"the {len(found.edges):,} moves that could be transferred keeps half a visit; use a larger discount"
        )
    return TreeTransfer(
        left, source.name, target.name, _case(found), discount,
        graph.states, graph.edges, int(graph.visits.sum()),
        len(np.unique(np.append(graph.child[found.edges], graph.number(graph.root)))),
        len(found.edges), int(graph.visits[found.edges].sum()),
        found.positions, found.both, found.only_source, found.only_target, found.edges,
    )  # fmt: skip


def check_discount(discount: float) -> None:
    """Refuses a worth of visits that makes no sense."""
    if not 0 < discount <= 1:
        raise LudoportError(f"the discount is {discount:g}; it must be above 0 and at most 1")


def discounted(graph: SearchGraph, discount: float) -> SearchGraph:
    """A tree whose visits are worth less; mean results stay as they are, as far as visits are left."""
    check_discount(discount)
    if discount == 1:
        return graph
    visits = np.floor(graph.visits * discount + 0.5).astype(np.int64)
    lighter = replace(graph, visits=visits, worth=graph.worth / graph.visits * visits)
    left = lighter.chosen(visits > 0)
    # What can only be reached by moves that were forgotten is forgotten as well.
    return left.chosen(left.spanning[0][left.parent] >= 0)


def disjoint(about: About, target: Game, why: str) -> LudoportError:
    """The error about a tree of which nothing exists in the target."""
    return LudoportError(
        f"nothing of this tree of {about.game} can be transferred to {target.name}: their domains are disjoint ({why})"
    )


def _case(found: Replayed) -> Case:
    if found.only_source:
        return "partial overlap" if found.only_target else "super-domain"
    return "sub-domain" if found.only_target else "same domain"


def _same_root(about: About, root: State, target: Game, names: tuple[Names, Names]) -> tuple[State, tuple[str, ...]]:
    """The root in the target, and the moves that lead to it there."""
    source = root.game
    one = replace(about, moves=()).root(source)
    two = About(target.name, target.rules.fingerprint, target.n_players, setup=about.setup).root(target)
    texts: list[str] = []
    for text in about.moves:
        _compare(about, one, two, names)
        move = one.find(text)
        name = _names(names[0], one)[move.row.tobytes()]
        theirs = {other: row for row, other in _names(names[1], two).items()}
        if name not in theirs:
            raise disjoint(about, target, f"the way to its root has the move {text}, which {target.name} has not")
        answer = next(other for other in two.moves() if other.row.tobytes() == theirs[name])
        texts.append(answer.text)
        one, two = one.play(move), two.play(answer)
    _compare(about, one, two, names)
    if two.over:
        raise disjoint(about, target, f"its root is the end of a game of {target.name}")
    return two, tuple(texts)


def _compare(about: About, one: State, two: State, names: tuple[Names, Names]) -> None:
    if not same_position(names[0], one.row, names[1], two.row):
        where = "their start positions differ" if not about.moves and not about.setup else "its root differs there"
        raise disjoint(about, two.game, where)


def _names(names: Names, state: State) -> dict[bytes, str]:
    rows = [move.row for move in state.moves()]
    called = names.moves(state.row, np.array(rows)) if rows else []
    return {row.tobytes(): name for row, name in zip(rows, called, strict=True)}


def _about(
    before: About,
    target: Game,
    moves: tuple[str, ...],
    loaded: tuple[str, Sequence[str], str | None],
    discount: float,
) -> About:
    """Origin of the new tree; its settings say what it was before."""
    origin = {**asdict(before), "settings": before.settings.get("transferred_from"), "discount": discount}
    return about_game(
        target,
        draw=before.draw,
        source=loaded[0],
        options=tuple(loaded[1]),
        ruleset=loaded[2],
        setup=before.setup,
        moves=moves,
        simulations=before.simulations,
        seeds=before.seeds,
        settings={"transferred_from": origin},
    )


def _kept(graph: SearchGraph, found: Replayed, about: About, root: int) -> SearchGraph:
    """The kept edges as a tree of the target."""
    edges = found.edges
    return arranged(
        about, root, found.parents, found.children, found.moves,
        graph.person[edges], graph.visits[edges], graph.worth[edges],
    )  # fmt: skip
