"""A search tree that UCT grows step by step."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.game import seeded
from ludoport.search.chance import has_chance
from ludoport.search.hidden import is_hidden
from ludoport.search.pool import COLUMNS, DRAWN, FACTS, LOST, PATH, WON, Pool, new_pool
from ludoport.search.uct_kernels import NUMBERS, RAVE_CODES, uct_source

if TYPE_CHECKING:
    from ludoport.game import Game, Kernels, Move, State

VISITS, LINK, EXACT, STAMP = range(len(COLUMNS))
USED, ROOT, FULL, CLOCK, STUNTED, REST = range(len(FACTS))


KNOWN = 4096
"""Numbers of visits for which searches keep what they compute from them."""


@dataclass(frozen=True)
class UctSettings:
    """Settings of UCT.

    Attributes:
        exploration: exploration constant, lambda of eq. 1; the square root of 2 gives UCB1.
        draw: value of a draw, from 0 (loss) to 1 (win).
        rollouts: random games from each new position.
        average: count the rollouts of a position as one visit with their mean, not as a visit each.
        rave: equivalence parameter of RAVE, in visits; 0: no RAVE.
        solve: MCTS-Solver: prove wins and losses, and stop searching proved positions; for two players.
        transpose: share nodes between lines that reach equal positions.
    """

    exploration: float = math.sqrt(2)
    draw: float = 0.5
    rollouts: int = 1
    average: bool = True
    rave: float = 0.0
    solve: bool = False
    transpose: bool = False

    def __post_init__(self) -> None:
        if not self.exploration >= 0:
            raise LudoportError(f"the exploration must not be negative, not {self.exploration}")
        if not 0 <= self.draw <= 1:
            raise LudoportError(f"the worth of a draw must be between 0 and 1, not {self.draw}")
        if self.rollouts < 1:
            raise LudoportError(f"the number of rollouts must be at least 1, not {self.rollouts}")
        if not self.rave >= 0:
            raise LudoportError(f"the weight of RAVE must not be negative, not {self.rave}")


@dataclass(frozen=True)
class SearchFindings:
    """Result of a search: statistics of the moves of a position.

    Attributes:
        moves: the legal moves, in the order in which they were first tried.
        visits: number of rollouts that began with each move; shape (moves,).
        values: mean result of each for the person to move, from 0 to 1, NaN where untried; shape (moves,).
        exact: 1 for moves that are proved to win, 0.5 to draw, 0 to lose, NaN where nothing is proved; shape (moves,).
        nodes: number of nodes in the tree.
        stopped: why the search ended before its budget; empty if it did not.
    """

    moves: list[Move]
    visits: NDArray[np.int64]
    values: NDArray[np.float64]
    exact: NDArray[np.float64]
    nodes: int
    stopped: str = ""

    @property
    def best(self) -> Move:
        """A move that is proved to win, otherwise the one visited most among those not proved to lose."""
        return self.moves[self.best_index]

    @property
    def best_index(self) -> int:
        """The number of the best move."""
        if (self.exact == 1).any():
            return int(np.argmax(self.exact == 1))
        losing = (self.exact == 0) & ~(self.exact == 0).all()
        return int(np.argmax(np.where(losing, -1, self.visits)))


class PoolMark(NamedTuple):
    """Contents of a pool at some time.

    Attributes:
        visits: of the entries that were used then.
        sums: their results.
    """

    visits: NDArray[np.int32]
    sums: NDArray[np.floating[Any]]


NOTHING = PoolMark(np.zeros(0, dtype=np.int32), np.zeros(0))


@dataclass
class Tree:
    """A tree below one position, and all that growing it needs.

    Args:
        state: the root; the game must not be over.
        entries: room in the pool, counted in moves and positions.
        settings: settings of the search.
        seed: random seed.
        together: whether several threads will grow it at once.
    """

    state: State
    entries: int
    settings: UctSettings = field(default_factory=UctSettings)
    seed: int = 0
    together: bool = False

    def __post_init__(self) -> None:
        if self.state.over:
            raise LudoportError("the game is over; there is no move to search for")
        game = self.state.game
        if self.settings.solve and game.n_players != 2:
            raise LudoportError(f"only games of two players can be solved; {game.name} has {game.n_players}")
        children = len(self.state.moves())
        if self.entries < children + 2:
            raise LudoportError(
                f"a pool of {self.entries} nodes is too small: this position has {children} moves, "
                f"which need at least {children + 2}"
            )
        rave = self.settings.rave > 0
        self.kernels: Kernels = game.kernels_with(
            uct_source(game, together=self.together, rave=rave, transpose=self.settings.transpose)
        )
        self.pool: Pool = new_pool(game, self.entries, rave=rave)
        self.rng = seeded(self.seed)
        self.hands = new_hands(game, rave)
        shared = self.settings.transpose or has_chance(game) or is_hidden(game)
        size = 1 << max(4, (self.entries // 2).bit_length()) if shared else 1
        self.table: NDArray[np.int64] = np.zeros((2, size), dtype=np.int64)
        self.remembered = NOTHING
        self.clear()

    def clear(self) -> None:
        """Forget everything but the root's moves."""
        self.table[:] = 0
        self.remembered = NOTHING
        pool = self.pool
        self.kernels.call(
            "enter_make_root", self.state.row, self.rng, pool.nodes, pool.sums, pool.moves, pool.facts,
            self.hands.moves, self.hands.work,
        )  # fmt: skip

    def run(self, simulations: int, hands: Hands | None = None, rng: NDArray[np.int64] | None = None) -> int:
        """Grow the tree; returns how many simulations were done before it was full or everything was known."""
        settings, pool = self.settings, self.pool
        using = hands or self.hands
        using.numbers[: len(NUMBERS) - 1] = settings.exploration, settings.draw, settings.rave
        weight = 1 if settings.average else settings.rollouts
        # What one outcome leads to proves nothing about a move.
        game = self.state.game
        solve = settings.solve and not has_chance(game) and not is_hidden(game)
        orders = np.array([simulations, settings.rollouts, weight, solve], dtype=np.int64)
        return int(
            self.kernels.call(
                "enter_uct", self.state.row, using, self.rng if rng is None else rng, pool, self.table, orders
            )
        )  # fmt: skip

    def remember(self) -> None:
        """Remember what is known now, so that what is learned from now on can be told apart."""
        used = self.pool.used
        self.remembered = PoolMark(self.pool.nodes[VISITS, :used].copy(), self.pool.sums[0, :used].copy())

    @property
    def full(self) -> bool:
        """Whether there was no room for a position."""
        return bool(self.pool.facts[FULL])

    def edges(self, head: int | None = None) -> slice:
        """Places of the moves of a position in the pool."""
        first = (self.pool.root if head is None else head) + 1
        return slice(first, first + int(self.pool.nodes[LINK, first - 1]))

    def nodes(self) -> int:
        """Number of visited positions, including the root."""
        return 1 + int(self.edge_mask().sum())

    def edge_mask(self) -> NDArray[np.bool_]:
        """Mask of the entries that are visited edges; shape (entries used,)."""
        mask: NDArray[np.bool_] = self.pool.nodes[VISITS, : self.pool.used] > 0
        mask[0] = False
        mask[self.heads()[0]] = False
        return mask

    def heads(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The heads in the pool and how many moves each has."""
        heads: NDArray[np.int32] = np.zeros(self.pool.used, dtype=np.int32)
        n = self.kernels.call("enter_list_heads", self.pool.nodes, self.pool.used, heads)
        return heads[:n], self.pool.nodes[LINK, heads[:n]]

    def keep(self, root: int, visits: int = 0, stamp: int = 0) -> None:
        """Keep the entries below a head that were used often and recently enough."""
        pool = self.pool
        forward = np.zeros(pool.used, dtype=np.int32)
        heads, sizes = self.heads()
        self.kernels.call(
            "enter_keep_heads", pool.nodes, pool.sums, pool.moves, pool.facts, forward, root, visits, stamp
        )
        if len(self.remembered.visits):
            self._move_remembered(heads, sizes + 1, forward)
        if self.settings.transpose:
            self._rehash(forward)

    def _move_remembered(self, heads: NDArray[np.int32], sizes: NDArray[np.int32], forward: NDArray[np.int32]) -> None:
        """Move stored statistics to the new places of entries."""
        kept = (forward[heads] > 0) & (heads < len(self.remembered.visits))
        old = np.repeat(heads[kept], sizes[kept])
        offset = np.arange(len(old)) - np.repeat(np.cumsum(sizes[kept]) - sizes[kept], sizes[kept])
        there = np.repeat(forward[heads[kept]], sizes[kept]) + offset
        used = int(there.max(initial=-1)) + 1
        moved = PoolMark(np.zeros(used, dtype=np.int32), np.zeros(used))
        moved.visits[there] = self.remembered.visits[old + offset]
        moved.sums[there] = self.remembered.sums[old + offset]
        self.remembered = moved

    def _rehash(self, forward: NDArray[np.int32]) -> None:
        """Update the table of keys to the new places of positions."""
        names, heads = self.table[:, self.table[1] != 0]
        moved = forward[heads]
        self.table[:] = 0
        mask = self.table.shape[1] - 1
        for name, head in zip(names[moved > 0].tolist(), moved[moved > 0].tolist(), strict=True):
            place = (name ^ (name >> 29)) & mask
            while self.table[1, place] != 0:
                place = (place + 1) & mask
            self.table[:, place] = name, head

    def advance(self, move: Move) -> None:
        """Make the position after a move the root and keep what is known below it."""
        after = self.state.play(move)
        if after.over:
            raise LudoportError("the game is over; there is no move to search for")
        edges = self.edges()
        rows = self.state.game.rules.tidy(self.pool.moves[edges])
        number = int(np.flatnonzero((rows == move.row).all(axis=1))[0])
        link = int(self.pool.nodes[LINK, edges.start + number])
        self.state = after
        self.hands = new_hands(after.game, self.settings.rave > 0)
        if link > 0:
            self.keep(link)
        else:
            self.clear()

    def found(self, stopped: str = "") -> SearchFindings:
        """Statistics of the moves of the root."""
        edges, pool = self.edges(), self.pool
        visits = pool.nodes[VISITS, edges].astype(np.int64)
        with np.errstate(invalid="ignore"):
            values = np.where(visits > 0, pool.sums[0, edges] / visits, np.nan)
        exact = np.full(len(visits), np.nan)
        for kind, value in ((WON, 1.0), (DRAWN, 0.5), (LOST, 0.0)):
            exact[pool.nodes[EXACT, edges] == kind] = value
        moves = in_order(self.state.moves(), self.state.game.rules.tidy(pool.moves[edges]))
        return SearchFindings(moves, visits, values, exact, self.nodes(), stopped)


class Hands(NamedTuple):
    """Buffers of one thread that grows a tree.

    Attributes:
        state: the position of the simulation.
        scratch: a row for rollouts.
        moves: space for legal moves.
        work: scratch space.
        path: heads and edges of the line so far, one after the other.
        numbers: real numbers, see ``NUMBERS``; then the results of the simulation for every seat.
        bounds: upper bounds of the moves of a position, shape (moves,).
        logs: logarithms of small numbers of visits, 0 where not yet known.
        shares: the weight of one visit by the number of visits, and its square root; shape (2, numbers of visits).
        seen: time at which a seat last played a move, by the move's code; for RAVE.
    """

    state: NDArray[Any]
    scratch: NDArray[Any]
    moves: NDArray[Any]
    work: NDArray[Any]
    path: NDArray[np.int32]
    numbers: NDArray[np.float64]
    bounds: NDArray[np.float64]
    logs: NDArray[np.float64]
    shares: NDArray[np.float64]
    seen: NDArray[np.int64]


def new_hands(game: Game, rave: bool) -> Hands:
    """Memory of a thread, empty."""
    codes = (game.n_players + 1) * RAVE_CODES if rave else 1
    shares = 1.0 / np.maximum(1.0, np.arange(KNOWN))
    return Hands(
        state=game.new_row(),
        scratch=game.new_row(),
        moves=np.zeros_like(game.move_list),
        work=np.zeros_like(game.work),
        path=np.zeros(PATH, dtype=np.int32),
        numbers=np.zeros(len(NUMBERS) + game.n_players + 1, dtype=np.float64),
        bounds=np.zeros(game.rules.max_moves, dtype=np.float64),
        logs=np.zeros(KNOWN, dtype=np.float64),
        shares=np.stack([shares, np.sqrt(shares)]),
        seen=np.zeros(codes, dtype=np.int64),
    )


def combine(parts: Sequence[SearchFindings]) -> SearchFindings:
    """The findings of several searches of one position together: their visits and results added up."""
    first = parts[0]
    visits, sums = np.zeros_like(first.visits), np.zeros_like(first.values)
    exact = np.full_like(first.exact, np.nan)
    places = {move.row.tobytes(): place for place, move in enumerate(first.moves)}
    for part in parts:
        order = [places[move.row.tobytes()] for move in part.moves]
        visits[order] += part.visits
        sums[order] += np.where(part.visits > 0, part.values, 0.0) * part.visits
        exact[order] = np.where(np.isnan(exact[order]), part.exact, exact[order])
    with np.errstate(invalid="ignore"):
        values = np.where(visits > 0, sums / visits, np.nan)
    stopped = next((part.stopped for part in parts if part.stopped), "")
    return SearchFindings(first.moves, visits, values, exact, sum(part.nodes for part in parts), stopped)


def in_order(legal: list[Move], rows: NDArray[Any]) -> list[Move]:
    """The legal moves in the order of the rows."""
    known: dict[bytes, list[Move]] = {}
    for move in legal:
        known.setdefault(move.row.tobytes(), []).append(move)
    return [known[row.tobytes()].pop() for row in rows]
