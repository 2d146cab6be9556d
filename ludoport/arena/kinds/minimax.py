"""The player ``minimax``: alpha-beta search to a depth, for some time, or until the game is solved."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ludoport.arena.alphabeta import TABLE, AlphaBeta, Budget
from ludoport.arena.players import Player, register
from ludoport.arena.specification import Specification, write
from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from ludoport.game import Game, Move, State


@dataclass
class Minimax(Player):
    """Plays the best move that alpha-beta finds.

    Args:
        budget: how long to search; without any limit to the end of the game, which suits small games.
        playouts: positions at the depth limit are worth the mean of so many random games; 0 values them as draws.
        table: how many positions to remember.
    """

    budget: Budget
    playouts: int = 0
    table: int = TABLE
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
        """The text that makes this player again."""
        budget = self.budget
        unlimited = budget == Budget()
        return write(
            "minimax",
            "exact" if unlimited else budget.depth,
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
        if self._search is None or self._search.game is not state.game:
            self._search = AlphaBeta(state.game, self.playouts, self.table)
        return self._search.search(state, self.budget, seed).move


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
    return Minimax(Budget(depth, nodes, seconds), playouts, table)


@register("minimax", "minimax:DEPTH or minimax:exact[,nodes=N][,time=SECONDS][,playouts=N][,table=N]")
def make(specification: Specification) -> Player:
    """The player of a text."""
    settings = specification.named("depth", ("nodes", "time", "playouts", "table"))
    if not any(name in settings for name in ("depth", "nodes", "time")):
        raise specification.refuse("a depth, `exact`, `time=SECONDS` or `nodes=N` is missing, as in `minimax:4`")
    depth_text = settings.values.get("depth", "1").lower()
    exact = depth_text == "exact"
    if not exact and not depth_text.lstrip("-").isdigit():
        raise specification.refuse(f"the depth must be a whole number or `exact`, not `{depth_text}`")
    if exact and ("nodes" in settings or "time" in settings):
        raise specification.refuse("`exact` searches to the end, so it goes with neither `nodes` nor `time`")
    depth = None if exact else settings.integer("depth", least=1)
    budget = Budget(depth, settings.integer("nodes", least=1), settings.number("time", above=0))
    table = settings.integer("table", least=0)
    return Minimax(budget, settings.integer("playouts", least=0) or 0, TABLE if table is None else table)
