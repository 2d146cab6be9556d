"""Network-guided search of many games at once: select for all games, evaluate once, expand and count for all games."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.game import Game, State, seeded
from ludoport.kernels.found import found
from ludoport.search.pool import COLUMNS, DRAWN, FACTS, LOST, PATH, WON, Pool
from ludoport.search.puct_kernels import SETTINGS, puct_source
from ludoport.search.records import Bench, Line, NetworkView, Tuning, Verdicts
from ludoport.search.tree import EXACT, FULL, LINK, REST, ROOT, USED, VISITS, SearchFindings, in_order
from ludoport.tensors.kernels import HISTORY_SIZE

if TYPE_CHECKING:
    from ludoport.tensors.layout import TensorLayout

Evaluate = Callable[["Searches"], tuple[NDArray[Any], NDArray[Any]]]
"""Gives logits, shape (games, leaves, slots), and values for the movers, shape (games, leaves), of ``inputs``."""


@dataclass(frozen=True)
class PuctSettings:
    """Settings of a network-guided search.

    Attributes:
        simulations: number of simulations of each search.
        weight: exploration constant c of PUCT.
        fpu: first-play urgency reduction: the value of an unvisited move is the mean of its position minus this times
            the square root of the total prior of visited moves.
        fpu_kind: ``parent`` as above, or ``siblings``: the mean of the first evaluations of its visited siblings.
        terminal: absolute value of a finished game; 2 in Polygames.
        leaves: leaves of one tree evaluated in a batch.
        virtual: virtual loss of a leaf whose evaluation is pending.
        solve: prove wins and losses and search no further where the result is known.
        forced: forced playouts: a root move gets at least sqrt(forced * prior * simulations) visits; 2 in Polygames.
        gumbel: Gumbel search: sequential halving at the root, the improved policy below.
        gumbel_noise: scale of the Gumbel noise; 1 for self-play, 0 for the strongest move.
        considered: number of root moves at the start of sequential halving.
        sigma_visits: visits added to the scale of Q values (c_visit in Gumbel MuZero).
        sigma_scale: scale of Q values relative to policy logits (c_scale in Gumbel MuZero).
        noise: share of Dirichlet noise in the root's priors.
        alpha: concentration of the Dirichlet noise; 0: 10 divided by the number of legal moves.
        rollouts: random games per evaluation, for the evaluator ``rollouts``.
    """

    simulations: int = 100
    weight: float = 1.25
    fpu: float = 0.2
    fpu_kind: Literal["parent", "siblings"] = "parent"
    terminal: float = 1.0
    leaves: int = 1
    virtual: float = 1.0
    solve: bool = True
    forced: float = 0.0
    gumbel: bool = False
    gumbel_noise: float = 0.0
    considered: int = 16
    sigma_visits: float = 50.0
    sigma_scale: float = 0.25
    noise: float = 0.0
    alpha: float = 0.0
    rollouts: int = 1

    def __post_init__(self) -> None:
        for name, least in (("simulations", 1), ("leaves", 1), ("considered", 1), ("rollouts", 1), ("weight", 0)):
            if getattr(self, name) < least:
                raise LudoportError(f"{name} must be at least {least}, not {getattr(self, name)}")
        if not 0 <= self.noise <= 1:
            raise LudoportError(f"the share of noise must be between 0 and 1, not {self.noise}")

    def array(self) -> NDArray[np.float64]:
        """The settings as kernels read them."""
        virtual = self.virtual if self.leaves > 1 else 0.0
        values = (
            self.weight, self.fpu, self.fpu_kind == "siblings", self.terminal, virtual, self.solve, self.forced,
            self.simulations, self.gumbel, self.sigma_visits, self.sigma_scale, self.considered, self.rollouts,
            self.gumbel_noise,
        )  # fmt: skip
        assert len(values) == len(SETTINGS)
        return np.array(values, dtype=np.float64)


@cache
def halving_schedule(considered: int, simulations: int) -> NDArray[np.int32]:
    """The schedule of sequential halving: for every simulation, the number of visits of the moves whose turn it is.

    Returns:
        Shape (considered + 1, simulations); row m is for m moves to begin with.
    """
    table: NDArray[np.int32] = np.zeros((considered + 1, simulations), dtype=np.int32)
    for moves in range(1, considered + 1):
        rounds = max(1, int(np.ceil(np.log2(moves))))
        turns: list[int] = []
        left, visits = moves, 0
        while len(turns) < simulations:
            if moves == 1:
                turns += range(simulations)
                break
            for _ in range(max(1, simulations // (rounds * left))):
                turns += [visits] * left
                visits += 1
            left = max(2, left // 2)
        table[moves] = turns[:simulations]
    return table


def usual_moves(game: Game) -> int:
    """More legal moves than most positions of a game have; the bound that the rules give is often far too high."""
    return min(game.rules.max_moves, int(found(game.rules.source, "usual_moves", lambda: _usual_moves(game))))


def _usual_moves(game: Game) -> int:
    most = len(game.start().moves())
    row, rng, limit = game.new_row(), seeded(1), 400
    move: NDArray[Any] = np.zeros(game.rules.move_size, dtype=game.dtype)
    game.kernels.call("start", row, rng)
    for _ in range(limit):
        if row[game.rules.fields["OVER"]]:
            break
        most = max(most, int(game.kernels.call("legal", row, game.move_list, game.work)))
        game.kernels.call("sample", row, rng, move, game.move_list, game.work)
        game.kernels.call("play", row, move, game.work)
    return most + most // 4


class Searches:
    """Searches of many positions of one game, side by side.

    Args:
        game: a game of two players.
        games: number of positions that are searched at once.
        settings: settings of the search.
        evaluator: ``uniform`` or ``rollouts``, which run inside the kernels, or ``batch`` for a function outside.
        layout: layout of the tensors for the outside evaluator.
        entries: capacity of each tree; default: enough for one search. A full tree continues without new positions.
        seed: random seed.
        source: kernels that contain those of the search, if there are more of them.

    Attributes:
        scales: the scale of Gumbel noise in each game where it is not that of the settings; shape (games,), negative
            for that of the settings.
    """

    def __init__(
        self,
        game: Game,
        games: int,
        settings: PuctSettings | None = None,
        *,
        evaluator: Literal["uniform", "rollouts", "batch"] = "uniform",
        layout: TensorLayout | None = None,
        entries: int = 0,
        seed: int = 0,
        source: str | None = None,
    ) -> None:
        if game.n_players != 2:
            raise LudoportError(f"network-guided search is for two players; {game.name} has {game.n_players}")
        if games < 1:
            raise LudoportError(f"the number of games must be at least 1, not {games}")
        self.game, self.games, self.evaluator = game, games, evaluator
        self.settings = settings or PuctSettings()
        self.layout = layout
        self.kernels = game.kernels_with(source or puct_source(game, evaluator, layout))
        rules, leaves = game.rules, self.settings.leaves
        room = entries or 2 + rules.max_moves + self.settings.simulations * (usual_moves(game) + 1)
        if room < rules.max_moves + 2:
            raise LudoportError(f"a pool of {room} nodes is too small: a position may have {rules.max_moves} moves")
        try:
            self.nodes: NDArray[np.int32] = np.zeros((games, len(COLUMNS), room), dtype=np.int32)
            self.sums: NDArray[np.float32] = np.zeros((games, 2, room), dtype=np.float32)
            self.moves: NDArray[Any] = np.zeros((games, room, rules.move_size), dtype=game.dtype)
        except MemoryError:
            raise LudoportError(f"there is not enough memory for {games} trees of {room:,} nodes") from None
        self.facts: NDArray[np.int64] = np.zeros((games, len(FACTS)), dtype=np.int64)
        self.rngs: NDArray[np.int64] = np.zeros((games, 2), dtype=np.int64)
        self.seed(seed)
        self.roots: NDArray[Any] = np.zeros((games, rules.state_size), dtype=game.dtype)
        self.histories: NDArray[Any] = np.full((games, HISTORY_SIZE), -1, dtype=game.dtype)
        self.states: NDArray[Any] = np.zeros((games, leaves, rules.state_size), dtype=game.dtype)
        self.trails: NDArray[Any] = np.full((games, leaves, HISTORY_SIZE), -1, dtype=game.dtype)
        self.paths: NDArray[np.int32] = np.zeros((games, leaves, PATH), dtype=np.int32)
        self.depths: NDArray[np.int32] = np.full((games, leaves), -1, dtype=np.int32)
        self.scales: NDArray[np.float64] = np.full(games, -1.0)
        self.noise: NDArray[np.float32] = np.zeros((games, rules.max_moves + 1), dtype=np.float32)
        size = int(np.prod(layout.shape)) if layout is not None else 1
        self.inputs: NDArray[np.uint8] = np.zeros((games, leaves, size), dtype=np.uint8)
        self.active: NDArray[np.bool_] = np.zeros(games, dtype=np.bool_)

    PER_GAME = (
        "nodes", "sums", "moves", "facts", "rngs", "roots", "histories", "states", "trails", "paths", "depths",
        "scales", "noise", "inputs", "active",
    )  # fmt: skip

    def part(self, first: int, last: int) -> Searches:
        """The searches of some games, which another thread may run; they share their memory with these."""
        part = copy.copy(self)
        # Scratch space belongs to a game.
        part.game, part.games = Game(self.game.rules, self.game.jit), last - first
        for name in self.PER_GAME:
            setattr(part, name, getattr(self, name)[first:last])
        return part

    def set_roots(self, rows: NDArray[Any], histories: NDArray[Any] | None = None) -> None:
        """Begin new searches of these positions; shape (games, state size). Games that are over are left out."""
        self.roots[:] = rows
        self.histories[:] = -1 if histories is None else histories
        self.active[:] = self.roots[:, self.game.rules.fields["OVER"]] == 0
        self.facts[:] = 0
        self.facts[:, USED] = 1

    def seed(self, seed: int) -> None:
        """Resets the random generator."""
        self.rngs[:] = [seeded(seed * 1_000_003 + g) for g in range(self.games)]

    def remember(self, history: NDArray[Any], row: NDArray[Any], move: NDArray[Any]) -> None:
        """Note the last two moves of a game, which a network sees; to be called before the move is played."""
        self.kernels.call("enter_remember", history, row, move)

    def set_states(self, states: Sequence[State]) -> None:
        """Begin new searches of these positions."""
        self.set_roots(np.stack([state.row for state in states]))

    def run(self, evaluate: Evaluate | None = None, simulations: int | None = None) -> int:
        """Search all positions for the budget; returns the simulations done."""
        budget = self.settings.simulations if simulations is None else simulations
        for _ in self.steps(evaluate, budget):
            pass
        return int(budget * self.active.sum() - self.facts[:, REST].sum())

    def steps(self, evaluate: Evaluate | None = None, simulations: int | None = None) -> Iterator[None]:
        """Do what `run` does; comes back after every batch of evaluations."""
        budget = self.settings.simulations if simulations is None else simulations
        if budget < 1:
            raise LudoportError(f"the number of simulations must be at least 1, not {budget}")
        self._grow_roots(evaluate)
        self.facts[:, REST] = np.where(self.active, budget, 0)
        if self.evaluator != "batch":
            self._run_here()
            return
        while self.fill():
            self.grow(*self._judged(evaluate))
            yield

    def _grow_roots(self, evaluate: Evaluate | None) -> None:
        """Evaluate the roots that are new, and give them their noise."""
        new = self.active & (self.facts[:, ROOT] == 0)
        self.facts[:, REST] = new
        if self.evaluator != "batch":
            self._run_here(only_roots=True)
        elif new.any():
            self.fill()
            self.grow(*self._judged(evaluate))
        if self.settings.noise > 0 or self.settings.gumbel:
            self.run_noise(self.games, 10.0 / max(1.0, float(np.mean(self._edge_counts(new)))))

    def _judged(self, evaluate: Evaluate | None) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits and values of the leaves from the outside evaluator, as arrays of the shapes that kernels expect."""
        if evaluate is None or self.layout is None:
            raise LudoportError('evaluator="batch" needs a layout, and a function that run or steps is given')
        logits, values = (np.ascontiguousarray(part, dtype=np.float32) for part in evaluate(self))
        shape = (*self.depths.shape, int(np.prod(self.layout.move_shape)))
        if logits.size != np.prod(shape) or values.size != self.depths.size:
            raise LudoportError(
                f"the evaluator returned logits of shape {logits.shape} and values of shape {values.shape}; "
                f"wanted are {shape} and {shape[:2]}"
            )
        return logits.reshape(shape), values.reshape(shape[:2])

    def run_noise(self, games: int, alpha: float = 1.0) -> None:
        """Give the roots of the first games their noise; ``alpha`` is that of Dirichlet noise where none is set."""
        settings = self.settings
        self.kernels.call(
            "enter_root_noise", self.pools(), self.rngs, self.noise, float(settings.alpha or alpha),
            float(settings.noise), float(settings.gumbel),
            np.where(self.scales < 0, settings.gumbel_noise, self.scales), games,
        )  # fmt: skip

    def _edge_counts(self, games: NDArray[np.bool_]) -> NDArray[np.int32]:
        chosen = np.flatnonzero(games)
        return self.nodes[chosen, LINK, self.facts[chosen, ROOT]] if len(chosen) else np.ones(1, dtype=np.int32)

    @property
    def schedule(self) -> NDArray[np.int32]:
        """Visits of the moves whose turn it is, for every simulation; see ``halving_schedule``."""
        if not self.settings.gumbel:
            return np.zeros((1, 1), dtype=np.int32)
        return halving_schedule(self.settings.considered, self.settings.simulations)

    def pools(self) -> Pool:
        """The trees of all games, with the games as first axis."""
        return Pool(self.nodes, self.sums, self.moves, self.facts)

    def tuning(self) -> Tuning:
        """The numbers that guide the searches."""
        return Tuning(self.settings.array(), self.noise, self.schedule, self.rngs)

    def _run_here(self, only_roots: bool = False) -> int:
        name = "enter_puct_roots" if only_roots else "enter_puct_run"
        lines = Line(self.states[:, 0], self.paths[:, 0])
        bench = Bench(self.game.new_row(), self.rngs, self.game.move_list, self.game.work)
        return int(self.kernels.call(name, self.roots, lines, self.pools(), self.tuning(), bench, 0, self.games))

    def fill(self, first: int = 0, last: int | None = None) -> int:
        """Find positions that need an evaluation, for a range of games; returns how many."""
        return int(
            self.kernels.call(
                "enter_puct_fill", self.roots, Line(self.states, self.paths),
                NetworkView(self.histories, self.trails, self.inputs), self.depths, self.pools(), self.tuning(),
                self.game.work, first, self.games if last is None else last,
            )
        )  # fmt: skip

    def grow(self, logits: NDArray[Any], values: NDArray[Any], first: int = 0, last: int | None = None) -> None:
        """Put evaluated positions into their trees and count their values."""
        self.kernels.call(
            "enter_puct_grow", Line(self.states, self.paths), self.depths, self.pools(), Verdicts(logits, values),
            self.settings.array(), self.game.move_list, self.game.work, first, self.games if last is None else last,
        )  # fmt: skip

    def edges(self, g: int) -> slice:
        """Places of the moves of a root in its pool."""
        first = int(self.facts[g, ROOT]) + 1
        return slice(first, first + int(self.nodes[g, LINK, first - 1]))

    def visits(self, g: int) -> NDArray[np.int32]:
        """Visits of the root's moves."""
        return self.nodes[g, VISITS, self.edges(g)]

    def policies(self) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """For every root: the improved policy over its edges, shape (games, most moves), and Gumbel search's choice.

        The choice is the number of the edge among the root's edges.
        """
        out: NDArray[np.float32] = np.zeros((self.games, self.game.rules.max_moves + 1), dtype=np.float32)
        best: NDArray[np.int64] = np.zeros(self.games, dtype=np.int64)
        self.kernels.call(
            "enter_root_policy", self.nodes, self.sums, self.facts, self.settings.array(), self.noise, out, best
        )
        return out, best - self.facts[:, ROOT] - 1

    def advance(self, g: int, edge: int, row: NDArray[Any], history: NDArray[Any] | None = None) -> None:
        """Make the position after a move the root of a game's search and keep what is known below it.

        Args:
            g: the game.
            edge: the number of the move among the root's edges.
            row: the position after it.
            history: the last two moves after it.
        """
        link = int(self.nodes[g, LINK, self.edges(g).start + edge])
        self.roots[g] = row
        if history is not None:
            self.histories[g] = history
        self.active[g] = row[self.game.rules.fields["OVER"]] == 0
        if link > 0 and self.active[g]:
            forward = np.zeros(int(self.facts[g, USED]), dtype=np.int32)
            self.kernels.call(
                "enter_keep_heads", self.nodes[g], self.sums[g], self.moves[g], self.facts[g], forward, link, 0, 0
            )
        else:
            self.facts[g] = 0
            self.facts[g, USED] = 1

    def found(self, g: int = 0) -> SearchFindings:
        """Statistics of the moves of one root; values from 0 to 1."""
        edges = self.edges(g)
        visits = self.visits(g).astype(np.int64)
        with np.errstate(invalid="ignore"):
            values = np.where(visits > 0, 0.5 + 0.5 * self.sums[g, 0, edges] / visits, np.nan)
        exact = np.full(len(visits), np.nan)
        for kind, value in ((WON, 1.0), (DRAWN, 0.5), (LOST, 0.0)):
            exact[self.nodes[g, EXACT, edges] == kind] = value
        state = State(self.game, self.roots[g].copy())
        moves = in_order(state.moves(), self.game.rules.tidy(self.moves[g, edges]))
        stopped = "the pool is full" if self.facts[g, FULL] else ""
        return SearchFindings(moves, visits, values, exact, self._visited(g), stopped)

    def _visited(self, g: int) -> int:
        """Number of visited positions of a tree, including the root."""
        used = int(self.facts[g, USED])
        heads: NDArray[np.int32] = np.zeros(used, dtype=np.int32)
        n = self.kernels.call("enter_list_heads", self.nodes[g], used, heads)
        visited = self.nodes[g, VISITS, 1:used] > 0
        return 1 + int(visited.sum()) - int(visited[heads[:n] - 1].sum())
