"""The agent ``uct``: Monte-Carlo tree search until the time is up, in one tree from move to move."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ludoport.arena.specification import Specification
from ludoport.errors import LudoportError
from ludoport.ggp.agent import Agent, register
from ludoport.ggp.positions import Compiled
from ludoport.search.tree import LINK, STUNTED, VISITS, Tree, UctSettings

if TYPE_CHECKING:
    from ludoport.game import Game, State
    from ludoport.ggp.positions import Position

ENTRIES = 2_000_000
"""Room of a tree; memory is taken only as the tree grows."""

SLICE = 0.01
"""Seconds between two looks at the clock."""


class UctAgent(Agent):
    """Searches as long as it may.

    Roles choose one after another in the tree, but none may know what the others choose in the same step. A role that
    is not the first to choose therefore takes the move that is best on average over what the others may choose.

    Args:
        settings: how to search.
        entries: room in the tree.
    """

    def __init__(self, settings: UctSettings | None = None, entries: int = ENTRIES) -> None:
        self.settings, self.entries = settings or UctSettings(), entries
        self.seed = 0
        self.tree: Tree | None = None
        self._batch = 16

    def begin(self, role: int, seed: int) -> None:
        """Begin with an empty tree."""
        self.seed, self.tree = seed, None

    def warm(self, game: Game) -> None:
        """Compile the search."""
        state = game.start()
        if state.over:
            return
        tree = Tree(state, 10 * len(state.moves()) + 1000, self.settings)
        tree.run(10)
        tree.keep(tree.pool.root)

    def think(self, position: Position, role: int, until: float) -> Iterator[str]:
        """The move that looks best after each slice of search."""
        legal = position.legal[role]
        yield legal[0]
        state = position.state
        if len(legal) == 1 or state is None:
            return
        tree = self._tree(state)
        while True:
            begin = time.monotonic()
            done = tree.run(self._batch)
            yield best_move(tree, role, legal)
            spent = time.monotonic() - begin
            if done < self._batch:
                return  # everything is known
            self._batch = max(1, self._batch // 2) if spent > SLICE else min(2 * self._batch, 1 << 16)

    def _tree(self, state: State) -> Tree:
        known = self.tree
        if known is None or known.state.game is not state.game or (known.state.row != state.row).any():
            room = max(self.entries, len(state.moves()) + 2)
            known = self.tree = Tree(state, room, self.settings, self.seed)
            known.pool.facts[STUNTED] = 1
        return known

    def moved(self, position: Position, moves: Sequence[str]) -> None:
        """Keep what is known below the moves that were made."""
        tree, state = self.tree, position.state
        if tree is None or state is None or (tree.state.row != state.row).any():
            self.tree = None
            return
        assert isinstance(position, Compiled)
        try:
            for role in position.choosers():
                tree.advance(tree.state.find(moves[role]))
        except LudoportError:
            self.tree = None  # the game is over


def best_move(tree: Tree, role: int, legal: Sequence[str]) -> str:
    """The move of a role that was visited most, or is best on average where others choose before it."""
    rules, pool = tree.state.game.rules, tree.pool
    if tree.state.mover == role + 1:
        edges = tree.edges()
        number = int(pool.nodes[VISITS, edges].argmax())
        return rules.move_texts(tree.state.row, pool.moves[edges][number : number + 1])[0]
    worth: dict[str, float] = dict.fromkeys(legal, 0.0)
    _add_values(tree, pool.root, role, 1.0, worth)
    return max(worth, key=lambda move: worth[move])


def _add_values(tree: Tree, head: int, role: int, weight: float, worth: dict[str, float]) -> None:
    """Add the values of a role's moves below a position, weighted by how likely others choose what leads there."""
    pool, edges = tree.pool, tree.edges(head)
    visits = pool.nodes[VISITS, edges]
    total = int(visits.sum())
    if not total:
        return
    if int(pool.sums[0, head]) == role + 1:
        texts = tree.state.game.rules.move_texts(tree.state.row, pool.moves[edges])
        for text, count, result in zip(texts, visits.tolist(), pool.sums[0, edges].tolist(), strict=True):
            if text in worth:
                worth[text] += weight * (result / count if count else 0.5)
        return
    for count, link in zip(visits.tolist(), pool.nodes[LINK, edges].tolist(), strict=True):
        if link > 0:
            _add_values(tree, link, role, weight * count / total, worth)


@register("uct", "uct[:exploration=NUMBER][,rave=NUMBER][,entries=N]")
def make(specification: Specification) -> Agent:
    """The agent of a text."""
    settings = specification.named(None, ("exploration", "rave", "entries"))
    exploration, rave = settings.number("exploration"), settings.number("rave")
    try:
        chosen = UctSettings(math.sqrt(2) if exploration is None else exploration, rave=rave or 0.0)
    except LudoportError as error:
        raise specification.refuse(str(error)) from None
    return UctAgent(chosen, settings.integer("entries", least=1000) or ENTRIES)
