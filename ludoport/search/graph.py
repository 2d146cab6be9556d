"""A search tree as a graph of states, with statistics for every move, however its position was reached.

Trees of several workers and the branches that ``drop`` pruned become one graph by adding up the edges that are the same
(chapter 5.1 of the thesis). Nothing is counted twice, because only edges carry numbers: what is known of a state is the
sum over the edges that lead to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.game import as_game

if TYPE_CHECKING:
    from pathlib import Path

    from ludoport.game import Game, Move, State

Keys = NDArray[np.int64]
Numbers = NDArray[np.int32]


@dataclass(frozen=True)
class About:
    """Origin of a graph: its game, its start and its searches.

    Attributes:
        game: the game's name.
        fingerprint: that of its rules.
        players: number of players.
        draw: value of a draw.
        source: the name by which the game was loaded, or the path of its game file.
        options: its options.
        ruleset: its ruleset.
        setup: the position that the moves begin with, as text; empty for the start of the game.
        moves: the moves that lead from there to the root.
        simulations: number of simulations, all trees together.
        seeds: random seed of each tree.
        settings: settings of the search of the first tree.
    """

    game: str
    fingerprint: str
    players: int
    draw: float = 0.5
    source: str = ""
    options: tuple[str, ...] = ()
    ruleset: str | None = None
    setup: str = ""
    moves: tuple[str, ...] = ()
    simulations: int = 0
    seeds: tuple[int, ...] = ()
    settings: dict[str, Any] = field(default_factory=dict)

    def belongs_to(self, game: Game) -> None:
        """Refuses a graph of another game."""
        if self.fingerprint != game.rules.fingerprint:
            other = "this one has other rules or options" if self.game == game.name else f"this one is {game.name}"
            raise LudoportError(f"the tree belongs to another game: it was built for {self.game}; {other}")
        if self.players != game.n_players:
            raise LudoportError(f"the tree is damaged: it has {self.players} players, and {game.name} {game.n_players}")

    def root(self, game: Game) -> State:
        """The position of the root, reached again."""
        self.belongs_to(game)
        state = game.start()
        if self.setup:
            row_of = getattr(game.rules, "state_row", None)
            if row_of is None:
                raise LudoportError(f"positions of {game.name} cannot be set up from a text such as `{self.setup}`")
            state = type(state)(game, np.asarray(row_of(self.setup), dtype=game.dtype))
        for move in self.moves:
            state = state.play(move)
        return state


@dataclass(frozen=True, eq=False)
class SearchGraph:
    """States and the moves between them; ``arranged`` makes it and sorts the arrays.

    Attributes:
        about: origin of the graph.
        root: the key of the root.
        keys: the key of every state, ascending; shape (states,).
        parent: number of the state before each edge; ascending; shape (edges,).
        child: number of the state after each edge.
        moves: its move; shape (edges, move size).
        person: the person who chose it.
        visits: number of visits.
        worth: the sum of that person's results, from 0 to 1 for every visit.
    """

    about: About
    root: int
    keys: Keys
    parent: Numbers
    child: Numbers
    moves: NDArray[Any]
    person: NDArray[np.int8]
    visits: NDArray[np.int64]
    worth: NDArray[np.float64]

    @property
    def states(self) -> int:
        """Number of states."""
        return len(self.keys)

    @property
    def edges(self) -> int:
        """Number of edges."""
        return len(self.parent)

    @cached_property
    def first(self) -> NDArray[np.int64]:
        """The edges of state s are those from first[s] to first[s + 1]; shape (states + 1,)."""
        return np.searchsorted(self.parent, np.arange(self.states + 1)).astype(np.int64)

    def root_state(self, game: Game) -> State:
        """The position of the root."""
        state = self.about.root(game)
        if state.key != self.root:
            raise LudoportError("the moves that this tree remembers do not lead to its root")
        return state

    def fits(self, game: Game) -> None:
        """Raises an error if the moves of a game have another shape."""
        if self.moves.shape[1:] != (game.rules.move_size,):
            width = self.moves.shape[1]
            raise LudoportError(f"the tree is damaged: its moves have {width} numbers, not {game.rules.move_size}")

    def number(self, key: int) -> int:
        """The number of the state with this key; -1 if there is none."""
        place = int(np.searchsorted(self.keys, key))
        return place if place < self.states and int(self.keys[place]) == key else -1

    def edges_from(self, key: int) -> slice:
        """The edges of a state, as a slice."""
        number = self.number(key)
        return slice(int(self.first[number]), int(self.first[number + 1])) if number >= 0 else slice(0, 0)

    def moves_at(self, state: State) -> tuple[list[Move], NDArray[np.int64], NDArray[np.float64]]:
        """Moves that were tried in a position, their visits, and their mean results for the mover."""
        edges = self.edges_from(state.key)
        if edges.start == edges.stop:
            return [], np.zeros(0, dtype=np.int64), np.zeros(0)
        legal = {move.row.tobytes(): move for move in state.moves()}
        width = state.game.dtype
        found = [legal.get(row.astype(width).tobytes()) for row in self.moves[edges]]
        # Keys leave out what a rule may still know of the past, so a move of another line may be missing here.
        here = np.array([move is not None for move in found])
        visits = self.visits[edges][here]
        return [move for move in found if move is not None], visits, self.worth[edges][here] / visits

    def visits_of_states(self) -> NDArray[np.int64]:
        """Visits of each state; shape (states,)."""
        return np.bincount(self.child, weights=self.visits, minlength=self.states).astype(np.int64)

    @cached_property
    def spanning(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Each state's distance from the root, -1 if there is no way, and the edge by which it is first reached."""
        level = np.full(self.states, -1, dtype=np.int32)
        came = np.full(self.states, -1, dtype=np.int64)
        now = np.array([self.number(self.root)], dtype=np.int64)
        level[now] = 0
        depth = 0
        while len(now):
            depth += 1
            edges = ranges(self.first[now], self.first[now + 1])
            behind = self.child[edges]
            fresh = level[behind] < 0
            now, place = np.unique(behind[fresh], return_index=True)
            now = now.astype(np.int64)
            level[now] = depth
            came[now] = edges[fresh][place]
        return level, came

    @property
    def depth(self) -> int:
        """The distance of the state that is farthest from the root."""
        return int(self.spanning[0].max())

    @property
    def branching(self) -> float:
        """Mean number of edges of states that have any."""
        inner = int((np.diff(self.first) > 0).sum())
        return self.edges / inner if inner else 0.0

    def chosen(self, edges: NDArray[np.bool_]) -> SearchGraph:
        """The graph with these edges only."""
        parts = self.moves[edges], self.person[edges], self.visits[edges], self.worth[edges]
        return arranged(self.about, self.root, self.keys[self.parent[edges]], self.keys[self.child[edges]], *parts)


def about_game(game: Game | str | Path, **more: Any) -> About:
    """Origin of a graph of this game (a Game, its name, or its path)."""
    game = as_game(game)
    return About(game.name, game.rules.fingerprint, game.n_players, **more)


def arranged(
    about: About,
    root: int,
    parents: Keys,
    children: Keys,
    moves: NDArray[Any],
    person: NDArray[np.int8],
    visits: NDArray[np.int64],
    worth: NDArray[np.float64],
) -> SearchGraph:
    """A graph from edges in any order, given by the keys of their states; equal edges are added up."""
    keys, places = np.unique(np.concatenate([[np.int64(root)], parents, children]), return_inverse=True)
    _not_too_many(len(keys))
    numbers = places.astype(np.int32)
    parent, child = numbers[1 : len(parents) + 1], numbers[len(parents) + 1 :]
    return SearchGraph(about, root, keys, *added_up(len(keys), parent, child, moves, person, visits, worth))


def added_up(
    states: int,
    parent: Numbers,
    child: Numbers,
    moves: NDArray[Any],
    person: NDArray[np.int8],
    visits: NDArray[np.int64],
    worth: NDArray[np.float64],
) -> tuple[Any, ...]:
    """Edges in order of parent, child and move, those that are the same added up."""
    pair = parent.astype(np.int64) * states + child
    order, new = _in_order(pair, moves)
    begin = np.flatnonzero(new)
    first = order[begin]
    if not len(order):
        return parent, child, moves, person, visits, worth
    return (
        parent[first],
        child[first],
        moves[first],
        person[first],
        np.add.reduceat(visits[order], begin),
        np.add.reduceat(worth[order], begin),
    )


def _in_order(pair: Keys, moves: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The order of edges by pair and move, and which of them, in this order, differ from the one before."""
    # Edges of graphs that are merged come in sorted runs, which this sort only has to merge.
    order = np.argsort(pair, kind="stable")
    same = np.zeros(len(order), dtype=np.bool_)
    same[1:] = pair[order[1:]] == pair[order[:-1]]
    mixed = np.zeros(len(order), dtype=np.bool_)
    mixed[1:] = same[1:] & (moves[order[1:]] != moves[order[:-1]]).any(axis=1)
    if mixed.any():  # several moves lead from one state to another: only these edges need a closer look
        group = np.cumsum(~same) - 1
        look = np.zeros(int(group[-1]) + 1, dtype=np.bool_)
        look[group[mixed]] = True
        places = np.flatnonzero(look[group])
        edges = order[places]
        order[places] = edges[np.lexsort((move_codes(moves[edges]), pair[edges]))]
        mixed[1:] = same[1:] & (moves[order[1:]] != moves[order[:-1]]).any(axis=1)
    return order, ~same | mixed


def sorted_keys(keys: Keys) -> Keys:
    """Keys in ascending order, each once; quick where they come in sorted runs."""
    keys = np.sort(keys, kind="stable")
    return keys[np.concatenate([[True], keys[1:] != keys[:-1]])] if len(keys) else keys


def move_codes(moves: NDArray[Any]) -> NDArray[np.uint64]:
    """A hash for each move, to sort equal moves next to each other; shape (moves,)."""
    code = np.full(len(moves), 0x9E3779B97F4A7C15, dtype=np.uint64)
    for column in moves.T:
        code ^= column.astype(np.int64).view(np.uint64)
        code *= np.uint64(0xD6E8FEB86659FD93)
        code ^= code >> np.uint64(29)
    return code


def merged(graphs: Sequence[SearchGraph]) -> SearchGraph:
    """One graph of all: visits and results of equal edges added up."""
    if not graphs:
        raise LudoportError("there are no trees to merge")
    about, root = merged_about([graph.about for graph in graphs], [graph.root for graph in graphs])
    check_roots(graphs)
    if len(graphs) == 1:
        return replace(graphs[0], about=about, root=root)
    keys = sorted_keys(np.concatenate([graph.keys for graph in graphs]))
    _not_too_many(len(keys))
    places = [np.searchsorted(keys, graph.keys).astype(np.int32) for graph in graphs]
    edges = added_up(
        len(keys),
        np.concatenate([place[graph.parent] for place, graph in zip(places, graphs, strict=True)]),
        np.concatenate([place[graph.child] for place, graph in zip(places, graphs, strict=True)]),
        np.concatenate([graph.moves for graph in graphs]),
        np.concatenate([graph.person for graph in graphs]),
        np.concatenate([graph.visits for graph in graphs]),
        np.concatenate([graph.worth for graph in graphs]),
    )
    return SearchGraph(about, root, keys, *edges)


APART = "trees of different positions cannot be merged: neither root lies above the other"


def check_roots(graphs: Sequence[SearchGraph]) -> None:
    """Refuses trees of which the first root, counted from the start of the game, does not lie above all others."""
    graphs = sorted(graphs, key=lambda graph: len(graph.about.moves))
    above = graphs[0].about.moves
    for count, graph in enumerate(graphs):
        # One may be reached by other moves than those that it remembers; then a tree above it knows its root.
        below = graph.about.moves[: len(above)] == above
        if not below and all(other.number(graph.root) < 0 for other in graphs[:count]):
            raise LudoportError(APART)


def merged_about(abouts: Sequence[About], roots: Sequence[int]) -> tuple[About, int]:
    """Origin of a merged graph, and its root: the one that is nearest to the start of the game."""
    first = abouts[0]
    for about in abouts:
        if about.fingerprint != first.fingerprint:
            same = about.game == first.game
            names = f"two games called {first.game} with other rules" if same else f"{first.game} and {about.game}"
            raise LudoportError(f"trees of different games cannot be merged: {names}")
        if about.draw != first.draw:
            raise LudoportError(
                f"trees that count draws differently cannot be merged: one as {first.draw:g}, one as {about.draw:g}"
            )
    nearest = min(range(len(abouts)), key=lambda k: len(abouts[k].moves))
    above = abouts[nearest]
    for about, root in zip(abouts, roots, strict=True):
        if about.setup != above.setup or (len(about.moves) == len(above.moves) and root != roots[nearest]):
            raise LudoportError(APART)
    simulations = sum(about.simulations for about in abouts)
    seeds = tuple(seed for about in abouts for seed in about.seeds)
    settings = next((about.settings for about in abouts if about.settings), {})
    return replace(above, simulations=simulations, seeds=seeds, settings=settings), roots[nearest]


def ranges(begin: NDArray[np.int64], end: NDArray[np.int64]) -> NDArray[np.int64]:
    """All numbers of several ranges, one range after another."""
    sizes = end - begin
    return np.repeat(end - np.cumsum(sizes), sizes) + np.arange(int(sizes.sum()))


def _not_too_many(states: int) -> None:
    if states >= 2**31:
        raise LudoportError(f"a tree of {states:,} states is too large; there may be {2**31 - 1:,}")
