"""Converts a tree in a pool to a graph of states and back, so that a search can continue another one."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.search.chance import refuse_chance
from ludoport.search.graph import About, SearchGraph, about_game, arranged, merged, ranges
from ludoport.search.graph_kernels import graph_source
from ludoport.search.graph_levels import WalkLevels
from ludoport.search.graph_records import EdgeList, GraphKnowledge
from ludoport.search.hidden import refuse_hidden
from ludoport.search.pool import FACTS
from ludoport.search.tree import NOTHING, VISITS, Tree, UctSettings

if TYPE_CHECKING:
    from ludoport.game import Game, State

MOST_VISITS = 2**31 - 2**24
"""A pool counts visits in 32 bits; there must be room for more."""


def graph_of(
    tree: Tree, leave_out: int = 0, about: About | None = None, root: int | None = None, *, new: bool = False
) -> SearchGraph:
    """Statistics of a tree.

    Args:
        tree: the tree.
        leave_out: a head; it and all below it is left out (0 for nothing), because the search continues there.
        about: origin of the graph; default: the moves to its root are unknown.
        root: the key of the root of the search, where the tree has gone on to a pseudoroot since.
        new: only what it has learned since ``remember`` was called.
    """
    game, pool = tree.state.game, tree.pool
    refuse_chance(game, "a saved tree")
    refuse_hidden(game, "a saved tree")
    kernels = game.kernels_with(graph_source(game))
    key = tree.state.key if root is None else root
    everything = NOTHING
    before = tree.remembered if new else everything
    came, level = np.zeros((2, pool.used), dtype=np.int32)
    queue = np.zeros(pool.used, dtype=np.int32)
    if leave_out:
        kernels.call("enter_reach_heads", pool.nodes, everything.visits, came, level, queue, leave_out, -1)
        level[:] = 0
    # Every line from the root consists of new edges as far as something is new; this is not so below a pseudoroot.
    followed = before if tree.state.key == key else everything
    depth = int(kernels.call("enter_reach_heads", pool.nodes, followed.visits, came, level, queue, pool.root, -2))
    size = _new_edges(tree, before.visits) if came[pool.root] == -2 else 0
    found = EdgeList(
        np.zeros((2, size), dtype=np.int64), np.zeros(size, dtype=np.int8), np.zeros(size, dtype=np.int64),
        np.zeros(size), np.zeros((size, game.rules.move_size), dtype=game.dtype),
    )  # fmt: skip
    n = 0
    if size:
        n = int(
            kernels.call(
                "enter_list_edges", tree.state.row, _rows(game, depth + 2), np.zeros((3, depth + 2), dtype=np.int64),
                tree.hands.work, pool, before, pool.root, came, found,
            )
        )  # fmt: skip
    about = about or about_game(game, draw=tree.settings.draw, settings=asdict(tree.settings), seeds=(tree.seed,))
    rows = game.rules.tidy(found.moves[:n]).astype(game.rules.dtype)
    parents, children = found.names[:, :n]
    return arranged(about, key, parents, children, rows, found.person[:n], found.visits[:n], found.worth[:n])


def _new_edges(tree: Tree, before: NDArray[np.int32]) -> int:
    """Number of edges with more visits than before."""
    edges = tree.edge_mask()
    edges[: len(before)] &= tree.pool.nodes[VISITS, : len(before)] > before
    return int(edges.sum())


@dataclass(frozen=True)
class LoadedTree:
    """A graph as a tree.

    Attributes:
        tree: the tree, in which equal positions share what follows.
        rest: the part of the graph that did not fit into the tree.
    """

    tree: Tree
    rest: SearchGraph

    def graph(self, about: About | None = None) -> SearchGraph:
        """The earlier graph and what the tree has learned since, counted once."""
        now = graph_of(self.tree, about=about or self.rest.about, root=self.rest.root)
        # The rest holds edges only; where they come from is said once.
        return merged([now, replace(self.rest, about=replace(now.about, simulations=0, seeds=()))])


def into_tree(
    graph: SearchGraph, state: State, room: int, settings: UctSettings | None = None, seed: int = 0
) -> LoadedTree:
    """Put a graph into a pool.

    Known moves come first, those visited most before others, then the untried ones in random order.

    Args:
        graph: the known graph.
        state: its root.
        room: entries for new nodes, besides those that the graph needs.
        settings: settings of the search that continues; equal positions are shared in any case.
        seed: random seed.
    """
    game = state.game
    graph.about.belongs_to(game)
    if state.key != graph.root:
        raise LudoportError("the position is not the root of this tree")
    chosen = replace(settings or UctSettings(draw=graph.about.draw), transpose=True)
    if chosen.draw != graph.about.draw:
        raise LudoportError(
            f"a draw is worth {graph.about.draw:g} in this tree; the search must not count it as {chosen.draw:g}"
        )
    totals = np.bincount(graph.parent, weights=graph.visits)
    if totals.max(initial=0) > MOST_VISITS:
        raise LudoportError(
            f"a position of this tree has {int(totals.max()):,} visits, too many to continue the search"
        )
    places = _Places(graph, state)
    used = places.used
    tree = Tree(state, max(used + room, len(state.moves()) + 2), chosen, seed)
    tree.pool.nodes[:, : tree.pool.used] = 0
    tree.pool.sums[:, : tree.pool.used] = 0
    taken = places.fill(tree)
    return LoadedTree(tree, graph.chosen(~taken))


@dataclass(frozen=True)
class _Level:
    """Positions at one distance from the root, to be put into a pool: their heads, movers, places of moves, moves."""

    heads: NDArray[np.int64]
    persons: NDArray[np.float64]
    places: NDArray[np.int64]
    moves: NDArray[Any]


class _Places:
    """Places in a pool of the positions of a graph that have edges.

    Attributes:
        head_of: the head of each state, 0 if it has none; shape (states,).
        used: entries of the pool that are taken.
    """

    def __init__(self, graph: SearchGraph, state: State) -> None:
        self.graph, self.game = graph, state.game
        self.kernels = self.game.kernels_with(graph_source(self.game))
        self.head_of: NDArray[np.int64] = np.zeros(graph.states, dtype=np.int64)
        self.used = 1
        self.levels: list[_Level] = []
        walk = WalkLevels(graph, self.game, self.kernels)
        rows, numbers = state.row[None].copy(), np.array([graph.number(graph.root)], dtype=np.int64)
        while len(numbers):
            begin, listed = walk.listed(rows)
            self._place(rows, numbers, np.diff(begin), listed)
            rows, numbers = walk.follow(rows, numbers, begin, listed)
            running = rows[:, self.game.rules.fields["OVER"]] == 0
            rows, numbers = rows[running], numbers[running]

    def _place(
        self, rows: NDArray[Any], numbers: NDArray[np.int64], counts: NDArray[np.int64], listed: NDArray[Any]
    ) -> None:
        """Give positions the next places in the pool."""
        ends = self.used + np.cumsum(counts + 1)
        heads = ends - counts - 1
        persons = np.zeros(len(rows))
        self.kernels.call("enter_persons", rows, persons)
        self.head_of[numbers] = heads
        self.levels.append(_Level(heads, persons, ranges(heads + 1, ends), listed))
        self.used = int(ends[-1])

    def fill(self, tree: Tree) -> NDArray[np.bool_]:
        """Write what is known of the moves of all positions; returns which edges of the graph were found among them."""
        graph, pool = self.graph, tree.pool
        for level in self.levels:
            pool.sums[0, level.heads] = level.persons
            pool.moves[level.places] = level.moves
        numbers = np.flatnonzero(self.head_of)
        numbers = numbers[np.argsort(self.head_of[numbers])]
        heads = self.head_of[numbers]
        taken = np.zeros(graph.edges, dtype=np.int8)
        moves = graph.moves.astype(self.game.dtype)
        known = GraphKnowledge(graph.first, graph.child, graph.visits, graph.worth, moves, self.head_of, taken)
        self.kernels.call("enter_fill_positions", numbers, np.append(heads[1:], self.used), known, pool, tree.rng)
        for name, value in {"USED": self.used, "ROOT": int(heads[0]), "FULL": 0}.items():
            pool.facts[FACTS.index(name)] = value
        tree.table[:] = 0
        self.kernels.call("enter_name_heads", tree.table, graph.keys[numbers], heads)
        return taken.astype(np.bool_)


def _rows(game: Game, number: int) -> NDArray[Any]:
    return np.zeros((number, game.rules.state_size), dtype=game.dtype)
