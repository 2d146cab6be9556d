"""Self-play on a CUDA device: all that happens in a step stays there, as does the replay."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.nets.files import load_network
from ludoport.nets.network import PolicyValueNet
from ludoport.search.chance import has_chance
from ludoport.selfplay.config import TrainConfig
from ludoport.selfplay.device_kernels import prepare_kernels
from ludoport.selfplay.device_replay import DeviceReplay
from ludoport.selfplay.device_trees import DeviceTrees
from ludoport.selfplay.fitting import with_fewer
from ludoport.selfplay.games import (
    CURRENT,
    OPENING,
    PLY,
    SUMS,
    TURN,
    VERDICT,
    first_seats,
    progress,
    random_words,
    restore_places,
    restore_random,
    step_numbers,
    used_places,
)
from ludoport.selfplay.kernels import GAME_FACTS, STEP_NUMBERS
from ludoport.selfplay.lanes import side_by_side
from ludoport.selfplay.playing import Plays, Progress, never
from ludoport.selfplay.replay import Replay
from ludoport.selfplay.staggering import staggered_states
from ludoport.selfplay.tournament import NEWEST, Tournament
from ludoport.tensors.layout import TensorLayout

__all__ = ["DeviceReplay", "DeviceSelfPlay"]

OLDEST = STEP_NUMBERS.index("OLDEST")


class DeviceSelfPlay(Plays):
    """Plays games side by side on the device; see ``SelfPlay``.

    With too little memory there are fewer games than the configuration says, and a warning.

    Args:
        game: a game of two players.
        layout: layout of the tensors.
        config: settings of the run.
        replay: receives the positions.
        net: the network; ``update`` takes over new weights.
        tournament: opponents of the newest network; default: only itself.
        engine: engine of the network, see ``Evaluator``.
        stream: see ``DeviceTrees``.
    """

    STATE = ("roots", "histories", "rngs", "counts")

    def __init__(
        self,
        game: Game,
        layout: TensorLayout,
        config: TrainConfig,
        replay: DeviceReplay,
        net: PolicyValueNet,
        tournament: Tournament | None = None,
        engine: Any = "cudnn",
        stream: Any = None,
    ) -> None:
        if config.reuse:
            raise LudoportError("subtrees are not used again on a device; set reuse to false")
        self.game, self.layout, self.config, self.replay, self.tournament = game, layout, config, replay, tournament
        self.evaluations, self.stream = 0, stream
        self.rng = np.random.default_rng(config.seed)
        with_fewer(lambda games: self._make(games, net, engine), config.games, "self-play")

    def _make(self, games: int, net: PolicyValueNet, engine: Any) -> None:
        """Make trees for a number of games, and one graph for each kind of move."""
        config, two = self.config, self.tournament is not None
        self._moves: dict[tuple[bool, bool], Callable[[], None]] = {}
        self.trees = DeviceTrees(
            self.game, self.layout, config.search(), games, net, seed=config.seed, engine=engine, two=two,
            parts=None if self.stream is None else 1, stream=self.stream,
        )  # fmt: skip
        self.games = games
        try:
            self._add_arrays()
            prepare_kernels(self.game, self.layout)
            self.trees.rehearse()
            for full in (False, True) if config.full_share < 1 else (True,):
                self._use(full)
                for both in (False, True) if two else (False,):
                    self._moves[full, both] = self._move(full, both)
        except torch.OutOfMemoryError:
            del self._moves, self.trees  # the next attempt needs their memory
            raise

    @property
    def t(self) -> dict[str, Tensor]:
        """The tensors by their names."""
        return self.trees.t

    def _add_arrays(self) -> None:
        make, games = self.trees.make, self.games
        self.trees.add(
            counts=make(games, len(GAME_FACTS), dtype=torch.int64),
            places=make(games, self.config.ply_limit + 1, dtype=torch.int64).fill_(-1),
            given=make(games, dtype=torch.int64),
            forward=make(games, 1, dtype=torch.int32),
            ended=make(games, self.replay.seen.shape[1], dtype=torch.uint8),
            numbers=make(len(STEP_NUMBERS), dtype=torch.float64),
            **{name: getattr(self.replay, name) for name in Replay.ARRAYS},
        )
        self._next = make(1, dtype=torch.int64)
        self.t["numbers"].copy_(torch.from_numpy(step_numbers(self.config, 0, self.replay.places)))
        self._begin_games()

    def _begin_games(self) -> None:
        """All games at their beginning, or staggered."""
        games = self.games
        counts: NDArray[np.int64] = np.zeros((games, len(GAME_FACTS)), dtype=np.int64)
        seats, seed = [self.game.start().seat] * games, self.config.seed
        if self.config.staggered or has_chance(self.game):
            if self.config.staggered:
                states, counts[:, PLY] = staggered_states(self.game, games, seed, self.config.ply_limit)
            else:
                states = [self.game.start(seed=seed + g) for g in range(games)]
            self.t["roots"].copy_(torch.from_numpy(np.stack([state.row for state in states])))
            seats = [state.seat for state in states]
        if self.tournament is not None:
            first_seats(counts, seats)
        self.t["counts"].copy_(torch.from_numpy(counts))

    def reset(self, config: TrainConfig, net: PolicyValueNet) -> None:
        """Restarts with another random seed and other weights; the rest of the configuration stays."""
        self.config, self.evaluations, self.rng = config, 0, np.random.default_rng(config.seed)
        self.replay.reset()
        self.trees.reset(config.seed)
        self.t["places"].fill_(-1)
        self._begin_games()
        self.update(net)

    @property
    def evaluator(self) -> Any:
        """The network, ready to judge the leaves of a part of the games."""
        return self.trees.evaluators[0]

    @property
    def _against(self) -> bool:
        """Whether the opponent is another network than the newest."""
        return self.tournament is not None and self.tournament.opponent != NEWEST

    def step(self) -> None:
        """Search all positions, record them, and play a move in each game."""
        config, t = self.config, self.t
        full = config.full_share >= 1 or self.rng.random() < config.full_share
        if config.full_share < 1:
            self._use(full)
        if self._against:
            self.trees.theirs.copy_(t["counts"][:, TURN] == 1)
        self._next.fill_(self.replay.written)
        self._moves[full, self._against]()
        self.evaluations += self.games * (self.trees.settings.simulations + 1)
        self.replay.written += self._recorded(full)
        if self.tournament is not None:
            self._settle(self.tournament)

    def _use(self, full: bool) -> None:
        """Search fully, or fast."""
        self.trees.use(self.config.search(self.config.simulations if full else self.config.fast_simulations))

    def _move(self, full: bool, both: bool) -> Callable[[], None]:
        """A function that plays a move in each game, on the device alone."""
        search, end = self.trees.search(both), self.trees.captured(partial(self._end_search, full, both))

        def run() -> None:
            search()
            end()

        return run

    @torch.no_grad()
    def _end_search(self, full: bool, both: bool) -> None:
        """Choose, record and play; the first position that is recorded is number ``_next``."""
        counts, given, numbers = self.t["counts"], self.t["given"], self.t["numbers"]
        if full:
            recorded = counts[:, PLY] >= counts[:, OPENING]
            if both:
                recorded &= counts[:, TURN] == 0
            order = torch.cumsum(recorded, 0)
            given.copy_(torch.where(recorded, self._next + order - 1, -1))
            self._next += order[-1]
        else:
            given.fill_(-1)
        numbers[OLDEST] = (self._next - self.replay.places)[0]
        self.trees.launch("step")

    def _recorded(self, full: bool) -> int:
        """Number of positions that the last move recorded; asks the device only if it is unknown."""
        if not full:
            return 0
        if not self.config.openings and not self._against:
            return self.games
        return int(self._next) - self.replay.written

    def _settle(self, tournament: Tournament) -> None:
        """Count the games of the tournament that ended in this step."""
        counts = self.t["counts"]
        verdicts = [verdict for verdict in counts[:, VERDICT].tolist() if verdict > 0]
        counts[:, VERDICT] = 0
        if tournament.settle(verdicts):
            counts[:, CURRENT] = 0
            self._call_opponent()

    def _call_opponent(self) -> None:
        """Let the opponent's network be the one that the tournament has drawn."""
        if self.tournament is not None and self._against:
            self.trees.update_opponent(load_network(self.tournament.find(self.tournament.opponent)).net)

    def begin(self) -> None:
        """Begin a stretch of playing; see ``ended``."""
        self.trees.follow()
        with self.trees.queue():
            before = self.t["counts"].sum(dim=0)
        self._stretch = time.perf_counter(), before, self.replay.written, self.evaluations

    @property
    def recorded(self) -> int:
        """Positions recorded in this stretch."""
        return self.replay.written - self._stretch[2]

    def step_marked(self) -> Callable[[], None]:
        """Take a step on the stream of the trees; returns what waits for its end."""
        with self.trees.queue():
            self.step()
            return self.trees.mark()

    def ended(self) -> Progress:
        """Results of the stretch; everything started must have ended."""
        clock, before, _, judged = self._stretch
        sums = (self.t["counts"].sum(dim=0) - before)[SUMS].tolist()
        return progress(sums, self.recorded, self.evaluations - judged, time.perf_counter() - clock)

    def play(self, positions: int, stop: Callable[[], bool] = never) -> Progress:
        """Play until this many positions have been recorded, or ``stop`` returns True."""
        return side_by_side([(self, positions)], stop)[0]

    def update(self, net: PolicyValueNet) -> None:
        """Take over new weights."""
        self.trees.update(net)

    def arrays(self) -> dict[str, Any]:
        """State of the games in progress, for a checkpoint."""
        kept: dict[str, Any] = {f"play_{name}": self.t[name] for name in self.STATE}
        kept["play_places"] = self.t["places"][used_places(self.t["counts"], self.t["places"])]
        kept |= {"play_evaluations": np.array(self.evaluations), "play_random": random_words(self.rng)}
        return kept if self.tournament is None else kept | self.tournament.arrays()

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take over what a checkpoint kept; with another number of games than then, as many as there are."""
        for name in self.STATE:
            kept = torch.from_numpy(arrays[f"play_{name}"][: self.games])
            self.t[name][: len(kept)].copy_(kept)
        restore_places(
            self.t["places"], self.t["counts"], torch.from_numpy(arrays["play_places"]).to(self.trees.device)
        )
        self.evaluations = int(arrays["play_evaluations"])
        restore_random(self.rng, arrays["play_random"])
        if self.tournament is not None:
            self.tournament.restore(arrays)
            self._call_opponent()
