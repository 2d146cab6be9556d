"""The player ``minimax``: alpha-beta search to a depth, for some time, or until the game is solved."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ludoport.arena.alphabeta import TABLE, AlphaBeta, Assessment, SearchBudget
from ludoport.arena.player import REPORTED, Player
from ludoport.arena.players import register
from ludoport.arena.specification import Specification, write
from ludoport.errors import LudoportError
from ludoport.search.result import SearchResult

if TYPE_CHECKING:
    from ludoport.game import Game, Move, State


LIMITS = "a depth, `exact`, `time=SECONDS` or `nodes=N` is missing, as in `minimax:4`"

CLOCKED_PLAYOUTS, CLOCKED_TABLE = 4, 1 << 18
"""Defaults of a search that only a clock limits: it seldom sees the end of the game, and many may run at once."""


@dataclass(repr=False)
class Minimax(Player):
    """Plays the best move that alpha-beta finds.

    Args:
        budget: limits of the search; without any, it searches to the end of the game, which suits small games.
        playouts: random games that value a position at the depth limit; 0 values them as draws.
        table: number of positions to remember.
        clocked: whether only the caller's clock limits the search.
    """

    budget: SearchBudget
    playouts: int = 0
    table: int = TABLE
    clocked: bool = False
    _search: AlphaBeta | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.playouts < 0:
            raise LudoportError(f"the number of playouts must not be negative, not {self.playouts}")
        if self.table < 0:
            raise LudoportError(f"the size of the table must not be negative, not {self.table}")

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_search": None}

    @property
    def spec(self) -> str:
        """The text of this player, as ``player`` reads it."""
        budget = self.budget
        unlimited = budget == SearchBudget()
        return write(
            "minimax",
            "exact" if unlimited and not self.clocked else budget.depth,
            {
                "nodes": budget.nodes,
                "time": budget.seconds,
                "playouts": self.playouts or None,
                "table": self.table if self.table != TABLE else None,
            },
        )

    def begin(self, game: Game, seat: int, seed: int) -> None:
        """Forget the last game, so that no game depends on another one."""
        self._search = AlphaBeta(game, self.playouts, self.table)

    def choose(self, state: State, seed: int) -> Move:
        """The best move that was found."""
        return self._of(state).search(state, self.budget, seed).move

    def think(self, state: State, seed: int) -> Iterator[Move | str]:
        """The best move so far, deeper and deeper."""
        yield from (found.move for found in self._of(state).deepen(state, self.budget, seed))

    def warm(self, game: Game) -> None:
        """Compile the search."""
        state = game.start()
        if game.n_players <= 2 and not state.over:
            AlphaBeta(game, self.playouts, 16).search(state, SearchBudget(depth=1))

    @property
    def missing_limit(self) -> str:
        """Message about the missing limit; empty if there is one."""
        return LIMITS if self.clocked else ""

    def search(self, state: State, seed: int = 0) -> SearchResult:
        """The best move with its value and the expected line of play; alpha-beta says nothing about other moves."""
        found = self._of(state).search(state, self.budget, seed)
        return self._result(state, found, tuple(self._of(state).line(state, found, seed)))

    def searching(self, state: State, seed: int = 0) -> Iterator[SearchResult]:
        """The best move so far, about ten times a second; the expected line of play comes last."""
        last, found = time.monotonic(), None
        for found in self._of(state).deepen(state, self.budget, seed):
            if time.monotonic() - last >= REPORTED:
                yield self._result(state, found, (found.move,))
                last = time.monotonic()
        assert found is not None
        yield self._result(state, found, tuple(self._of(state).line(state, found, seed)))

    def _result(self, state: State, found: Assessment, line: tuple[Move, ...]) -> SearchResult:
        moves = (found.move, *(move for move in state.moves() if move != found.move))
        values, proved = np.full(len(moves), np.nan), np.zeros(len(moves), dtype=np.bool_)
        values[0], proved[0] = found.value, found.exact
        return SearchResult(state, self.spec, moves, None, values, None, proved, (line,), found.nodes)

    def _of(self, state: State) -> AlphaBeta:
        if self._search is None or self._search.game is not state.game:
            self._search = AlphaBeta(state.game, self.playouts, self.table)
        return self._search


def minimax(
    depth: int | None = None,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    playouts: int = 0,
    table: int = TABLE,
) -> Player:
    """A player that searches with alpha-beta; without depth, nodes and seconds until it has solved the position.

    Example:
        >>> minimax(4).spec, minimax().spec, minimax(seconds=0.5).spec
        ('minimax:4', 'minimax:exact', 'minimax:time=0.5')
    """
    return Minimax(SearchBudget(depth, nodes, seconds), playouts, table)


@register("minimax", "minimax:DEPTH or minimax:exact[,nodes=N][,time=SECONDS][,playouts=N][,table=N]")
def make(specification: Specification) -> Player:
    """The player of a text."""
    settings = specification.named("depth", ("nodes", "time", "playouts", "table"))
    if not any(name in settings for name in ("depth", "nodes", "time")):
        playouts, table = settings.integer("playouts", least=0), settings.integer("table", least=0)
        sizes = CLOCKED_PLAYOUTS if playouts is None else playouts, CLOCKED_TABLE if table is None else table
        return Minimax(SearchBudget(), *sizes, clocked=True)
    depth_text = settings.values.get("depth", "1").lower()
    exact = depth_text == "exact"
    if not exact and not depth_text.lstrip("-").isdigit():
        raise specification.refuse(f"the depth must be a whole number or `exact`, not `{depth_text}`")
    if exact and ("nodes" in settings or "time" in settings):
        raise specification.refuse("`exact` searches to the end; leave out `nodes` and `time`")
    depth = None if exact else settings.integer("depth", least=1)
    budget = SearchBudget(depth, settings.integer("nodes", least=1), settings.number("time", above=0))
    table = settings.integer("table", least=0)
    return Minimax(budget, settings.integer("playouts", least=0) or 0, TABLE if table is None else table)
