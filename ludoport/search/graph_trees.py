"""From a tree in a pool to a graph of states, and back, so that a search can go on where another one ended."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.search.graph import About, SearchGraph, about_game, arranged, move_codes
from ludoport.search.graph_kernels import graph_source
from ludoport.search.pool import FACTS
from ludoport.search.tree import EXACT, LINK, VISITS, Tree, UctSettings

if TYPE_CHECKING:
    from ludoport.game import Game, State

MOST_VISITS = 2**31 - 2**24
"""A pool counts visits in 32 bits; there must be room for more."""


def graph_of(tree: Tree, leave_out: int = 0, about: About | None = None, root: int | None = None) -> SearchGraph:
    """What a tree knows.

    Args:
        tree: the tree.
        leave_out: a head; it and all below it is left out (0 for nothing), because the search goes on there.
        about: where it comes from; the moves to its root are unknown if this is not given.
        root: the key of the root of the search, where the tree has gone on to a pseudoroot since.
    """
    game, pool = tree.state.game, tree.pool
    kernels = game.kernels_with(graph_source(game))
    came, level = np.zeros((2, pool.used), dtype=np.int32)
    queue = np.zeros(pool.used, dtype=np.int32)
    if leave_out:
        kernels.call("enter_reach_heads", pool.nodes, came, level, queue, leave_out, -1)
        level[:] = 0
    depth = int(kernels.call("enter_reach_heads", pool.nodes, came, level, queue, pool.root, -2))
    size = int(tree.edge_mask().sum()) if came[pool.root] == -2 else 0
    names = np.zeros((2, size), dtype=np.int64)
    person, visits = np.zeros(size, dtype=np.int8), np.zeros(size, dtype=np.int64)
    worth, moves = np.zeros(size), np.zeros((size, game.rules.move_size), dtype=game.dtype)
    n = 0
    if size:
        rows = np.zeros((depth + 2, game.rules.state_size), dtype=game.dtype)
        n = int(
            kernels.call(
                "enter_list_edges", tree.state.row, rows, np.zeros((3, depth + 2), dtype=np.int64), tree.hands.work,
                pool.nodes, pool.sums, pool.moves, pool.root, came, names, person, visits, worth, moves,
            )
        )  # fmt: skip
    about = about or about_game(game, draw=tree.settings.draw, settings=asdict(tree.settings), seeds=(tree.seed,))
    rows = game.rules.tidy(moves[:n]).astype(game.rules.dtype)
    key = tree.state.key if root is None else root
    return arranged(about, key, names[0, :n], names[1, :n], rows, person[:n], visits[:n], worth[:n])


@dataclass(frozen=True)
class LoadedTree:
    """A graph as a tree.

    Attributes:
        tree: the tree, in which equal positions share what follows.
        rest: what the tree could not take; together they are the graph.
    """

    tree: Tree
    rest: SearchGraph

    def graph(self, about: About | None = None) -> SearchGraph:
        """What was known and what the tree has learned since, everything once."""
        from ludoport.search.graph import merged

        now = graph_of(self.tree, about=about or self.rest.about, root=self.rest.root)
        # The rest holds edges only; where they come from is said once.
        return merged([now, replace(self.rest, about=replace(now.about, iterations=0, seeds=()))])


def into_tree(
    graph: SearchGraph, state: State, room: int, settings: UctSettings | None = None, seed: int = 0
) -> LoadedTree:
    """Put a graph into a pool.

    Known moves come first, those visited most before others, then the untried ones in random order.

    Args:
        graph: what is known.
        state: its root.
        room: entries for new nodes, besides those that the graph needs.
        settings: how the search will go on; equal positions are shared in any case.
        seed: where the randomness begins.
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
    positions = _Positions.of(graph, state)
    used = 1 + len(positions.order) + len(positions.owner)
    tree = Tree(state, max(used + room, len(state.moves()) + 2), chosen, seed)
    known = _fill(tree, graph, positions, seed)
    taken = np.zeros(graph.edges, dtype=np.bool_)
    taken[known[known >= 0]] = True
    return LoadedTree(tree, graph.chosen(~taken))


@dataclass(frozen=True)
class _Positions:
    """The positions of a graph that have edges, with their legal moves.

    Attributes:
        order: the number of each in the graph; shape (positions,).
        persons: the person to move in each.
        counts: how many legal moves each has.
        owner: whose move it is, counted in ``order``; shape (moves,).
        moves: all legal moves; shape (moves, move size).
    """

    order: NDArray[np.int64]
    persons: NDArray[np.int64]
    counts: NDArray[np.int64]
    owner: NDArray[np.int64]
    moves: NDArray[Any]

    @classmethod
    def of(cls, graph: SearchGraph, state: State) -> _Positions:
        game = state.game
        kernels = game.kernels_with(graph_source(game))
        came, depth = graph.spanning[1], graph.depth
        inner = int((np.diff(graph.first) > 0).sum()) + 1
        order, persons, counts = np.zeros((3, inner), dtype=np.int64)
        found = np.zeros(2, dtype=np.int64)
        edge_moves = graph.moves.astype(game.dtype)

        def listing(room: int) -> NDArray[Any]:
            listed = np.zeros((room, game.rules.move_size), dtype=game.dtype)
            kernels.call(
                "enter_list_positions", state.row, _rows(game, depth + 2), np.zeros((2, depth + 2), dtype=np.int64),
                np.zeros_like(game.work), np.zeros_like(game.move_list), graph.keys, graph.first, graph.child,
                edge_moves, came, graph.number(graph.root), counts, persons, order, listed, found,
            )  # fmt: skip
            return listed

        listing(0)
        moves = game.rules.tidy(listing(int(found[1])))
        n = int(found[0])
        return cls(order[:n], persons[:n], counts[:n], np.repeat(np.arange(n), counts[:n]), moves)


def _rows(game: Game, number: int) -> NDArray[Any]:
    return np.zeros((number, game.rules.state_size), dtype=game.dtype)


def _fill(tree: Tree, graph: SearchGraph, positions: _Positions, seed: int) -> NDArray[np.int64]:
    """Write the entries of a pool; returns the edge of the graph that each legal move is, -1 for those untried."""
    known = _matched(graph, positions)
    tried = known >= 0
    visits = np.where(tried, graph.visits[known], 0) if graph.edges else np.zeros(len(known), dtype=np.int64)
    totals = np.bincount(positions.owner, weights=visits, minlength=len(positions.order))
    if totals.max(initial=0) > MOST_VISITS:
        raise LudoportError(f"a position of this tree has {int(totals.max()):,} visits, too many to search on")
    heads = 1 + np.cumsum(1 + positions.counts) - (1 + positions.counts)
    used = 1 + len(heads) + len(known)
    edges = np.ones(used, dtype=np.bool_)
    edges[0] = edges[heads] = False
    pool = tree.pool
    pool.nodes[:, :used] = 0
    pool.nodes[VISITS, heads] = totals
    pool.nodes[LINK, heads] = positions.counts
    pool.nodes[EXACT, heads] = np.bincount(positions.owner[tried], minlength=len(heads))
    pool.sums[0, heads] = positions.persons
    at = np.flatnonzero(edges)
    chance = np.random.default_rng(seed).permutation(len(known))
    order = np.lexsort((chance, -visits, positions.owner))
    head_of = np.zeros(graph.states, dtype=np.int64)
    head_of[positions.order] = heads
    pool.moves[at] = positions.moves[order]
    pool.nodes[VISITS, at] = visits[order]
    edge = known[order]
    pool.nodes[LINK, at] = np.where(edge >= 0, head_of[graph.child[edge]], 0) if graph.edges else 0
    pool.sums[0, at] = np.where(edge >= 0, graph.worth[edge], 0.0) if graph.edges else 0.0
    for name, value in {"USED": used, "ROOT": int(heads[0]), "FULL": 0}.items():
        pool.facts[FACTS.index(name)] = value
    tree.table[:] = 0
    tree.state.game.kernels_with(graph_source(tree.state.game)).call(
        "enter_name_heads", tree.table, graph.keys[positions.order], heads
    )
    return known


def _matched(graph: SearchGraph, positions: _Positions) -> NDArray[np.int64]:
    """For each legal move the edge of the graph with the same move in the same position, -1 if there is none."""
    place = np.full(graph.states, -1, dtype=np.int64)
    place[positions.order] = np.arange(len(positions.order))
    edges = np.flatnonzero(place[graph.parent] >= 0)
    owner = np.concatenate([place[graph.parent[edges]], positions.owner])
    moves = np.concatenate([graph.moves[edges].astype(positions.moves.dtype), positions.moves])
    legal = np.arange(len(owner)) >= len(edges)
    order = np.lexsort((legal, move_codes(moves), owner))
    here, after = order[:-1], order[1:]
    same = ~legal[here] & legal[after] & (owner[here] == owner[after]) & (moves[here] == moves[after]).all(axis=1)
    known = np.full(len(positions.owner), -1, dtype=np.int64)
    known[after[same] - len(edges)] = edges[here[same]]
    return known
