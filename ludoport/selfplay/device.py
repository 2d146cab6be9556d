"""Self-play on a CUDA device: all that happens in a step stays there, as does the replay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.nets.files import load_network
from ludoport.nets.network import PolicyValueNet
from ludoport.selfplay.config import TrainConfig
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
    Progress,
    first_seats,
    never,
    progress,
    random_words,
    restore_random,
    step_numbers,
)
from ludoport.selfplay.kernels import GAME_FACTS, STEP_NUMBERS
from ludoport.selfplay.replay import Replay
from ludoport.selfplay.staggering import staggered_states
from ludoport.selfplay.tournament import NEWEST, Tournament
from ludoport.tensors.layout import TensorLayout

__all__ = ["DeviceReplay", "DeviceSelfPlay"]


class DeviceSelfPlay:
    """Plays games side by side on the device; see ``SelfPlay``.

    With too little memory there are fewer games than the configuration says, and a warning.

    Args:
        game: a game of two players.
        layout: how positions become tensors.
        config: how to play.
        replay: where positions go.
        net: the network; ``update`` takes over new weights.
        tournament: who plays against the newest network; only itself if not given.
        engine: how the network runs, see ``Evaluator``.
        capture: whether to capture a simulation as a CUDA graph.
    """

    STATE = ("roots", "histories", "rngs", "counts", "places")

    def __init__(
        self,
        game: Game,
        layout: TensorLayout,
        config: TrainConfig,
        replay: DeviceReplay,
        net: PolicyValueNet,
        tournament: Tournament | None = None,
        engine: Any = "cudnn",
        capture: bool = True,
    ) -> None:
        if config.reuse:
            raise LudoportError("subtrees are not used again on a device; set reuse to false")
        self.game, self.layout, self.config, self.replay, self.tournament = game, layout, config, replay, tournament
        self.evaluations = 0
        self.rng = np.random.default_rng(config.seed)

        def make(games: int) -> DeviceTrees:
            two = tournament is not None
            trees = DeviceTrees(game, layout, config.search(), games, net, seed=config.seed, engine=engine, two=two)
            if capture:
                trees.capture()
            return trees

        self.trees = with_fewer(make, config.games, "self-play")
        self.games = self.trees.games
        self._add_arrays()
        self.trees.prepare("noise", "step")

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
        counts: NDArray[np.int64] = np.zeros((games, len(GAME_FACTS)), dtype=np.int64)
        agents = [self.game.start().agent] * games
        if self.config.staggered:
            states, counts[:, PLY] = staggered_states(self.game, games, self.config.seed, self.config.ply_limit)
            self.t["roots"].copy_(torch.from_numpy(np.stack([state.row for state in states])))
            agents = [state.agent for state in states]
        if self.tournament is not None:
            first_seats(counts, agents)
        self.t["counts"].copy_(torch.from_numpy(counts))

    @property
    def evaluator(self) -> Any:
        """The network, ready to judge."""
        return self.trees.evaluator

    @property
    def _against(self) -> bool:
        """Whether the opponent is another network than the newest."""
        return self.tournament is not None and self.tournament.opponent != NEWEST

    def step(self) -> None:
        """Search all positions, record them, and play a move in each game."""
        config, t = self.config, self.t
        full = config.full_share >= 1 or self.rng.random() < config.full_share
        if config.full_share < 1:
            self.trees.use(config.search(config.simulations if full else config.fast_simulations))
        if self._against:
            self.trees.theirs.copy_(t["counts"][:, TURN] == 1)
        self.trees.search(both=self._against)
        self.evaluations += self.games * (self.trees.settings.simulations + 1)
        self.replay.written += self._give_numbers(full)
        t["numbers"].copy_(torch.from_numpy(step_numbers(config, self.replay.written, self.replay.places)))
        self.trees.launch(
            "step", "roots", "histories", "rngs", "nodes", "sums", "tree_moves", "facts", "settings", "noise",
            "numbers", "shares", "counts", "places", "seen", "policies", "judged", "persons", "results", "replies",
            "finals", "ended", "given", "forward", "work",
        )  # fmt: skip
        if self.tournament is not None:
            self._settle(self.tournament)

    def _give_numbers(self, full: bool) -> int:
        """The numbers that the positions of this step get, -1 for those that are not recorded; returns how many do."""
        counts, given, written = self.t["counts"], self.t["given"], self.replay.written
        if not full:
            given.fill_(-1)
            return 0
        if not self.config.openings and not self._against:
            torch.arange(written, written + self.games, out=given)
            return self.games
        recorded = counts[:, PLY] >= counts[:, OPENING]
        if self._against:
            recorded &= counts[:, TURN] == 0
        order = torch.cumsum(recorded, 0)
        given.copy_(torch.where(recorded, written + order - 1, -1))
        return int(order[-1])

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
        if self.tournament is not None and self.trees.opponent is not None and self._against:
            self.trees.opponent.update(load_network(self.tournament.find(self.tournament.opponent)).net)

    def play(self, positions: int, stop: Callable[[], bool] = never) -> Progress:
        """Play until so many positions have been recorded, or somebody wants to stop."""
        before, first, judged = self.t["counts"].sum(dim=0), self.replay.written, self.evaluations
        while self.replay.written - first < positions and not stop():
            self.step()
        self.trees.wait()
        sums = (self.t["counts"].sum(dim=0) - before)[SUMS].tolist()
        return progress(sums, self.replay.written - first, self.evaluations - judged)

    def update(self, net: PolicyValueNet) -> None:
        """Take over new weights."""
        self.trees.update(net)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What a checkpoint keeps of the games that go on."""
        kept = {f"play_{name}": self.t[name].cpu().numpy() for name in self.STATE}
        kept |= {"play_evaluations": np.array(self.evaluations), "play_random": random_words(self.rng)}
        return kept if self.tournament is None else kept | self.tournament.arrays()

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take over what a checkpoint kept; with another number of games than then, as many as there are."""
        for name in self.STATE:
            kept = torch.from_numpy(arrays[f"play_{name}"][: self.games])
            self.t[name][: len(kept)].copy_(kept)
        self.evaluations = int(arrays["play_evaluations"])
        restore_random(self.rng, arrays["play_random"])
        if self.tournament is not None:
            self.tournament.restore(arrays)
            self._call_opponent()
