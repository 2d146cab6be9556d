"""The player ``tree``: moves of a saved search tree, and UCT where that knows nothing (chapter 6 of the thesis)."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludoport.arena.player import Player
from ludoport.arena.players import register
from ludoport.arena.specification import Specification, near, write
from ludoport.errors import LudoportError
from ludoport.search.graph_files import read_graph, read_header
from ludoport.search.graph_lines import line_from
from ludoport.search.result import SearchResult, line_in, result_of
from ludoport.search.tree import SearchFindings, Tree, UctSettings
from ludoport.search.uct import MOST_NODES, grown

if TYPE_CHECKING:
    from ludoport.game import Game, Move, State
    from ludoport.search.graph import SearchGraph

SIMULATIONS = 200
"""Simulations of a search where the tree knows nothing, as in the thesis."""

OLD_NAME = "iterations"
"""Name of simulations in earlier versions; texts of players and stored matches may have it."""

_DEFAULTS: dict[str, Any] = {"simulations": SIMULATIONS, "least": 1, "nodes": MOST_NODES, **asdict(UctSettings())}


@dataclass(repr=False)
class TreePlayer(Player):
    """Draws a move of a saved tree by its visits; searches by itself in positions that the tree does not know.

    Args:
        file: the saved tree.
        simulations: of that search.
        settings: settings of its searches; default: the tree's value of a draw.
        least: positions whose moves were visited less often count as unknown.
        nodes: room for the search.
    """

    file: str
    simulations: int = SIMULATIONS
    settings: UctSettings | None = None
    least: int = 1
    nodes: int = MOST_NODES
    _loaded: dict[str, SearchGraph] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, value in (("simulations", self.simulations), ("least", self.least), ("nodes", self.nodes)):
            if value < 1:
                raise LudoportError(f"{name} must be at least 1, not {value}")

    def __getstate__(self) -> dict[str, Any]:
        """Trees do not travel; every process reads its own."""
        return {**{name: value for name, value in vars(self).items() if name != "chosen"}, "_loaded": {}}

    @property
    def spec(self) -> str:
        """The text of this player, as ``player`` reads it."""
        return write("tree", self.file, self._changed())

    @cached_property
    def identity(self) -> str:
        """The same for two players exactly if they play alike; the content of the file counts, not its name."""
        try:
            digest = hashlib.sha256(Path(self.file).read_bytes()).hexdigest()[:32]
        except OSError:
            read_header(Path(self.file))  # says what is wrong
            raise
        changed = {OLD_NAME if name == "simulations" else name: value for name, value in self._changed().items()}
        return write("tree", digest, changed)

    def _changed(self) -> dict[str, object]:
        values = {"simulations": self.simulations, "least": self.least, "nodes": self.nodes}
        if self.settings is not None:
            values |= asdict(self.settings)
        changed: dict[str, object] = {k: v for k, v in values.items() if v != _DEFAULTS[k]}
        if self.settings is not None:
            changed["draw"] = self.settings.draw
        return changed

    def begin(self, game: Game, seat: int, seed: int) -> None:
        """Read the tree, unless that was done for an earlier game."""
        del seat, seed
        if self.file not in self._loaded:
            self._loaded[self.file] = read_graph(Path(self.file))
        self.graph.about.belongs_to(game)

    @property
    def graph(self) -> SearchGraph:
        """The tree."""
        return self._loaded[self.file]

    @cached_property
    def chosen(self) -> UctSettings:
        """Settings of its searches."""
        return self.settings or UctSettings(draw=self.graph.about.draw)

    def choose(self, state: State, seed: int) -> Move:
        """A move of the tree, otherwise the one that the search likes best."""
        if knows(self.graph, state.key, self.least):
            moves, visits, _ = self.graph.moves_at(state)
            if moves:
                return moves[int(np.random.default_rng(seed).choice(len(moves), p=visits / visits.sum()))]
        return self._grown(state, seed).found().best

    def search(self, state: State, seed: int = 0) -> SearchResult:
        """Statistics of the tree for a position; those of a search if the tree does not know it."""
        if not knows(self.graph, state.key, self.least):
            tree = self._grown(state, seed)
            found = tree.found()
            return result_of(state, self.spec, found, partial(line_in, tree, state), int(found.visits.sum()))
        found = known_moves(self.graph, state)

        def follow(number: int) -> tuple[Move, ...]:
            return tuple(line_from(self.graph, state, found.moves[number]))

        return result_of(state, self.spec, found, follow, int(found.visits.sum()))

    def _grown(self, state: State, seed: int) -> Tree:
        return grown(state, simulations=self.simulations, seed=seed, nodes=self.nodes, **asdict(self.chosen))


def knows(graph: SearchGraph, key: int, least: int = 1) -> bool:
    """Whether a tree has moves for a position, visited so often together."""
    edges = graph.edges_from(key)
    return edges.stop > edges.start and int(graph.visits[edges].sum()) >= least


def known_moves(graph: SearchGraph, state: State) -> SearchFindings:
    """Statistics of a tree for all legal moves of a position."""
    tried, visits, values = graph.moves_at(state)
    known = {move: (int(n), float(v)) for move, n, v in zip(tried, visits, values, strict=True)}
    moves = state.moves()
    numbers = np.array([known.get(move, (0, np.nan)) for move in moves])
    return SearchFindings(
        moves, numbers[:, 0].astype(np.int64), numbers[:, 1], np.full(len(moves), np.nan), graph.states
    )


def tree_player(file: str | Path, **settings: Any) -> Player:
    """A player with a saved tree.

    Args:
        file: the tree.
        settings: ``simulations`` where the tree knows nothing, ``least`` visits of a position that it is to know, the
            ``nodes`` of the search, and those of ``UctSettings``.
    """
    for name in settings:
        if name not in _DEFAULTS:
            raise LudoportError(f"tree has no setting `{name}`{near(name, list(_DEFAULTS), 'settings are')}")
    own = {name: settings.pop(name, _DEFAULTS[name]) for name in ("simulations", "least", "nodes")}
    if settings and "draw" not in settings:
        settings["draw"] = read_header(Path(file))["draw"]
    return TreePlayer(str(file), settings=UctSettings(**settings) if settings else None, **own)


@register("tree", "tree:FILE[,simulations=N][,least=VISITS][,draw=D] and other settings of UCT")
def make(specification: Specification) -> Player:
    """The player of a text."""
    names = {"simulations" if name == OLD_NAME else name: value for name, value in specification.settings.items()}
    settings = replace(specification, settings=names).named("file", list(_DEFAULTS))
    file = settings.text("file", "the file of the tree")
    try:
        return tree_player(file, **{k: settings.like(k, v) for k, v in _DEFAULTS.items() if k in settings})
    except LudoportError as error:
        raise error if str(error).startswith("player ") else specification.refuse(str(error)) from None
