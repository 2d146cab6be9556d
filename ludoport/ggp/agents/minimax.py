"""The agent ``minimax``: alpha-beta search, deeper and deeper until the time is up."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ludoport.arena.alphabeta import AlphaBeta, Budget
from ludoport.arena.specification import Specification
from ludoport.ggp.agent import Agent, register

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.ggp.positions import Position

TABLE = 1 << 18
"""Positions that are remembered in each match."""

DEEPEST = 200
"""No search is deeper."""


class MinimaxAgent(Agent):
    """Searches games of one or two roles in which nobody has to choose after somebody else within a step.

    In other games it plays like ``legal``.

    Args:
        playouts: positions at the depth limit are worth the mean of so many random games.
    """

    def __init__(self, playouts: int = 4) -> None:
        self.playouts = playouts
        self.seed = 0
        self._search: AlphaBeta | None = None

    def begin(self, role: int, seed: int) -> None:
        """Forget the last match."""
        self.seed, self._search = seed, None

    def warm(self, game: Game) -> None:
        """Compile the search."""
        state = game.start()
        if game.n_players <= 2 and not state.over:
            AlphaBeta(game, self.playouts, 16).search(state, Budget(depth=1))

    def think(self, position: Position, role: int, until: float) -> Iterator[str]:
        """The best move of each depth."""
        legal, state = position.legal[role], position.state
        yield legal[0]
        if len(legal) == 1 or state is None or state.mover != role + 1 or state.game.n_players > 2:
            return
        if self._search is None or self._search.game is not state.game:
            self._search = AlphaBeta(state.game, self.playouts, TABLE)
        for depth in range(1, DEEPEST + 1):
            left = until - time.monotonic()
            if left <= 0:
                return
            found = self._search.search(state, Budget(depth=depth, seconds=left), self.seed)
            yield found.move.text
            if found.exact:
                return


@register("minimax", "minimax[:playouts=N]")
def make(specification: Specification) -> Agent:
    """The agent of a text."""
    playouts = specification.named(None, ("playouts",)).integer("playouts", least=0)
    return MinimaxAgent(4 if playouts is None else playouts)
