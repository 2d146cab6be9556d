"""The player ``uct``: Monte-Carlo tree search; its settings are those of ``UctSettings``."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from ludoport.arena.joint import best_unseen
from ludoport.arena.player import REPORTED, Player
from ludoport.arena.players import register
from ludoport.arena.specification import Specification, near, write
from ludoport.errors import LudoportError
from ludoport.search.result import SearchResult, line_in, result_of
from ludoport.search.tree import STUNTED, VISITS, Tree, UctSettings
from ludoport.search.uct import MOST_NODES, empty_tree, grown

if TYPE_CHECKING:
    from ludoport.game import Game, Move, State

_DEFAULTS: dict[str, Any] = {"nodes": MOST_NODES, **asdict(UctSettings())}
"""The settings beside the number of simulations, with their defaults."""


CLOCKED_NODES = 2_000_000
"""Capacity of a tree that only a clock limits; memory is taken as the tree grows."""

SLICE = 0.01
"""Seconds between two looks at the clock."""


@dataclass(repr=False)
class Uct(Player):
    """Plays the move that UCT likes best.

    With a number of simulations every move has a tree of its own, so that games can be repeated. Without one, the tree
    is kept from move to move.

    Args:
        simulations: simulations of each search; None for as many as the time allows.
        settings: settings of its searches.
        nodes: capacity of the tree.
        seconds: time limit of each search; None for none.
    """

    simulations: int | None
    settings: UctSettings = field(default_factory=UctSettings)
    nodes: int = MOST_NODES
    seconds: float | None = None
    seat: int = field(default=0, init=False, compare=False)
    _tree: Tree | None = field(default=None, init=False, compare=False)
    _thinking: Tree | None = field(default=None, init=False, compare=False)
    _batch: int = field(default=16, init=False, compare=False)
    foresees: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.simulations is not None and self.simulations < 1:
            raise LudoportError(f"the number of simulations must be at least 1, not {self.simulations}")
        if self.nodes < 1:
            raise LudoportError(f"the number of nodes must be at least 1, not {self.nodes}")
        if self.seconds is not None and not self.seconds > 0:
            raise LudoportError(f"the time must be positive, not {self.seconds:g}")

    def __getstate__(self) -> dict[str, Any]:
        """Trees do not travel."""
        return {**vars(self), "_tree": None, "_thinking": None}

    @property
    def spec(self) -> str:
        """The text of this player, as ``player`` reads it."""
        values = {"nodes": self.nodes, **asdict(self.settings)}
        changed = {k: v for k, v in values.items() if v != _DEFAULTS[k]}
        return write("uct", self.simulations, {"time": self.seconds, **changed})

    @property
    def missing_limit(self) -> str:
        """Message about the missing limit; empty if there is one."""
        if self.simulations is None and self.seconds is None:
            return "the number of simulations is missing; it is written like `uct:800`, a time like `uct:time=0.5`"
        return ""

    def begin(self, game: Game, seat: int, seed: int) -> None:
        """Start with an empty tree."""
        del game, seed
        self.seat, self._tree, self._thinking = seat, None, None

    def choose(self, state: State, seed: int) -> Move:
        """The best move of the search."""
        return self._searched(state, seed).found().best

    def think(self, state: State, seed: int) -> Iterator[Move | str]:
        """The best move after each slice of the search."""
        tree = self._thinking = self._new(state, seed)
        # Engines play for both seats; only where seats choose in one step does a seat think while another is to choose.
        unseen = state.seat != self.seat and "CHOICE" in state.game.rules.fields
        for _ in self._slices(tree):
            best = best_unseen(tree, self.seat) if unseen else tree.found().best
            if best is not None:
                yield best

    def _searched(self, state: State, seed: int) -> Tree:
        """The tree after a whole search."""
        if self.seconds is None and self.simulations is not None:
            return grown(state, simulations=self.simulations, seed=seed, nodes=self.nodes, **asdict(self.settings))
        if self.seconds is None:
            raise LudoportError(f"player `{self.spec}`: {self.missing_limit}")
        tree, until = self._new(state, seed), time.monotonic() + self.seconds
        for _ in self._slices(tree):
            if time.monotonic() >= until:
                break
        return tree

    def _slices(self, tree: Tree) -> Iterator[None]:
        """Grow a tree; comes back every few milliseconds."""
        left = self.simulations
        while left is None or left > 0:
            begin, batch = time.monotonic(), self._batch if left is None else min(self._batch, left)
            done = tree.run(batch)
            yield
            if done < batch:
                return  # everything is known
            left = None if left is None else left - done
            spent = time.monotonic() - begin
            self._batch = max(1, self._batch // 2) if spent > SLICE else min(2 * self._batch, 1 << 16)

    def _new(self, state: State, seed: int) -> Tree:
        return self._kept(state, seed) if self.simulations is None else new_tree(state, seed, self.nodes, self.settings)

    def _kept(self, state: State, seed: int) -> Tree:
        known = self._tree
        if known is None or known.state.game is not state.game or (known.state.row != state.row).any():
            known = self._tree = new_tree(state, seed, min(self.nodes, CLOCKED_NODES), self.settings)
        return known

    def played(self, state: State, move: Move) -> None:
        """Keep what is known below the move that was played."""
        tree = self._tree
        if tree is None:
            return
        if tree.state.game is not state.game or (tree.state.row != state.row).any() or state.play(move).over:
            self._tree = None
        else:
            tree.advance(move)

    def warm(self, game: Game) -> None:
        """Compile the search."""
        state = game.start()
        if not state.over:
            tree = new_tree(state, 0, 10 * len(state.moves()) + 1000, self.settings)
            tree.run(10)
            tree.keep(tree.pool.root)

    def search(self, state: State, seed: int = 0) -> SearchResult:
        """Visits and values of all moves, and the expected line of play."""
        return self._result(state, self._searched(state, seed))

    def searching(self, state: State, seed: int = 0) -> Iterator[SearchResult]:
        """The result so far, about ten times a second."""
        if self.simulations is None:
            tree = self._new(state, seed)
        else:
            tree = empty_tree(state, self.simulations, seed, self.nodes, self.settings)
        begin = last = time.monotonic()
        for _ in self._slices(tree):
            now = time.monotonic()
            if self.seconds is not None and now - begin >= self.seconds:
                break
            if now - last >= REPORTED:
                yield self._result(state, tree)
                last = time.monotonic()
        yield self._result(state, tree)

    def so_far(self) -> SearchResult | None:
        """Visits and values of all moves in the tree that is growing."""
        tree = self._thinking
        return None if tree is None else self._result(tree.state, tree)

    @property
    def simulations_so_far(self) -> int:
        """Simulations in the tree that is growing."""
        tree = self._thinking
        return 0 if tree is None else int(tree.pool.nodes[VISITS, tree.edges(tree.pool.root)].sum())

    def _result(self, state: State, tree: Tree) -> SearchResult:
        found = tree.found()
        return result_of(state, self.spec, found, partial(line_in, tree, state), int(found.visits.sum()))


def new_tree(state: State, seed: int, nodes: int, settings: UctSettings) -> Tree:
    """A tree that keeps growing within its capacity once that is used up."""
    tree = Tree(state, max(nodes, len(state.moves()) + 2), settings, seed)
    tree.pool.facts[STUNTED] = 1
    return tree


def uct(simulations: int | None = 1000, **settings: Any) -> Player:
    """A player that searches with UCT.

    Args:
        simulations: simulations of each search; None for as many as the time allows.
        settings: see ``UctSettings``; ``nodes`` is the capacity of the tree, ``seconds`` the time limit of a search.

    Example:
        >>> uct(800, exploration=1.4).spec
        'uct:800,exploration=1.4'
    """
    seconds = settings.pop("seconds", None)
    for name in settings:
        if name not in _DEFAULTS:
            raise LudoportError(f"uct has no setting `{name}`{near(name, list(_DEFAULTS), 'settings are')}")
    nodes = settings.pop("nodes", MOST_NODES)
    return Uct(simulations, UctSettings(**settings), nodes, seconds)


@register("uct", "uct:SIMULATIONS or uct:time=SECONDS[,exploration=C][,rollouts=N][,rave=K] and other settings of UCT")
def make(specification: Specification) -> Player:
    """The player of a text."""
    settings = specification.named("simulations", [*_DEFAULTS, "time"])
    given = {k: settings.like(k, v) for k, v in _DEFAULTS.items() if k in settings}
    try:
        return uct(settings.integer("simulations", least=1), seconds=settings.number("time", above=0), **given)
    except LudoportError as error:
        raise error if str(error).startswith("player ") else specification.refuse(str(error)) from None
