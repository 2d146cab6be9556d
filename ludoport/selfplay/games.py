"""Games of a network against itself, many at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.nets.guide import Guide
from ludoport.nets.network import PolicyValueNet
from ludoport.search.puct import Searches
from ludoport.selfplay.config import TrainConfig
from ludoport.selfplay.kernels import GAME_FACTS, STEP_NUMBERS, selfplay_source
from ludoport.selfplay.replay import Replay
from ludoport.tensors.layout import TensorLayout


@dataclass(frozen=True)
class Progress:
    """What a stretch of self-play did."""

    games: int
    moves: int
    positions: int
    evaluations: int
    first_wins: int
    draws: int


def never() -> bool:
    """Nobody wants to stop."""
    return False


def step_numbers(config: TrainConfig, written: int, places: int, record: bool) -> NDArray[np.float64]:
    """How the next step is taken, as kernels read it.

    Args:
        config: how to play.
        written: positions that were recorded so far.
        places: how many of them the replay keeps.
        record: whether this step is recorded.
    """
    values: dict[str, float] = {
        "TEMPERATURE": config.temperature, "SAMPLED": config.sampled, "LIMIT": config.ply_limit, "RECORD": record,
        "BASE": written, "OLDEST": written + config.games - places, "TARGET": config.completed, "REUSE": config.reuse,
        "PRUNE": config.pruned and config.forced > 0, "CURVED": config.drawing == "polygames",
        "OPENING_SHARE": config.openings, "OPENING_PLIES": config.opening_plies,
    }  # fmt: skip
    return np.array([float(values[name]) for name in STEP_NUMBERS])


class SelfPlay:
    """Plays games side by side; all of them take a step together.

    Args:
        game: a game of two players.
        layout: how positions become tensors.
        config: how to play.
        replay: where positions go.
        net: the network; ``update`` takes over new weights.
    """

    STATE = ("roots", "histories", "rngs", "nodes", "sums", "moves", "facts", "noise")

    def __init__(
        self, game: Game, layout: TensorLayout, config: TrainConfig, replay: Replay, net: PolicyValueNet
    ) -> None:
        if game.n_players != 2:
            raise LudoportError(f"training is for games of two players; {game.name} has {game.n_players}")
        if replay.places < 4 * config.games:
            raise LudoportError(f"the replay of {replay.places} places is too small for {config.games} games at once")
        self.game, self.config, self.replay = game, config, replay
        self.searches = Searches(
            game, config.games, config.search(), evaluator="batch", layout=layout, seed=config.seed,
            source=selfplay_source(game, layout),
        )  # fmt: skip
        self.guide = Guide(net, layout, device="cpu")
        self.rng = np.random.default_rng(config.seed)
        self.counts: NDArray[np.int64] = np.zeros((config.games, len(GAME_FACTS)), dtype=np.int64)
        self.places: NDArray[np.int64] = np.full((config.games, config.ply_limit + 1), -1, dtype=np.int64)
        self.evaluations = 0
        self._shares: NDArray[np.float32] = np.zeros(game.rules.max_moves + 1, dtype=np.float32)
        self._forward: NDArray[np.int32] = np.zeros(self.searches.nodes.shape[2], dtype=np.int32)
        self._compile()
        self.searches.set_states([game.start(seed=config.seed + g) for g in range(config.games)])

    def _compile(self) -> None:
        """Make the kernels before somebody looks at the clock."""
        searches = self.searches
        searches.fill(0, 0)
        slots = self.replay.policies.shape[1]
        leaves = searches.depths.shape
        searches.grow(np.zeros((*leaves, slots), np.float32), np.zeros(leaves, np.float32), 0, 0)
        searches.run_noise(0)
        self._call_step(np.zeros(len(STEP_NUMBERS)), 0)

    def play(self, positions: int, stop: Callable[[], bool] = never) -> Progress:
        """Play until so many positions have been recorded, or somebody wants to stop."""
        before, first, judged = self.counts.sum(axis=0), self.replay.written, self.evaluations
        while self.replay.written - first < positions and not stop():
            self.step()
        games, moves, wins, draws = (self.counts.sum(axis=0) - before)[1:5]
        return Progress(
            int(games), int(moves), self.replay.written - first, self.evaluations - judged, int(wins), int(draws)
        )

    def step(self) -> None:
        """Search all positions, record them, and play a move in each game."""
        config, searches = self.config, self.searches
        full = config.full_share >= 1 or self.rng.random() < config.full_share
        searches.settings = config.search(config.simulations if full else config.fast_simulations)
        searches.active[:] = True

        def counted(these: Searches) -> tuple[NDArray[Any], NDArray[Any]]:
            self.evaluations += int((these.depths >= 0).sum())
            return self.guide(these)

        searches.run(counted)
        self._call_step(step_numbers(config, self.replay.written, self.replay.places, full), config.games)
        if full:
            self.replay.written += config.games

    def _call_step(self, numbers: NDArray[np.float64], games: int) -> None:
        searches, replay = self.searches, self.replay
        searches.kernels.call(
            "enter_selfplay_step", searches.roots[:games], searches.histories, searches.rngs, searches.nodes,
            searches.sums, searches.moves, searches.facts, searches.settings.array(), searches.noise, numbers,
            self._shares, self.counts, self.places, replay.seen, replay.policies, replay.judged, replay.persons,
            replay.results, replay.replies, self._forward, self.game.work,
        )  # fmt: skip

    def update(self, net: PolicyValueNet) -> None:
        """Take over new weights."""
        self.guide.evaluator.update(net)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What a checkpoint keeps of the games that go on; trees only if they are used again."""
        names = self.STATE if self.config.reuse else ("roots", "histories", "rngs")
        kept = {f"play_{name}": getattr(self.searches, name) for name in names}
        words = json.dumps(self.rng.bit_generator.state).encode()
        facts = {
            "random": np.frombuffer(words, dtype=np.uint8),
            "counts": self.counts,
            "places": self.places,
            "evaluations": np.array(self.evaluations),
        }
        return kept | {f"play_{name}": array for name, array in facts.items()}

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take over what a checkpoint kept."""
        names = self.STATE if self.config.reuse else ("roots", "histories", "rngs")
        for name in names:
            getattr(self.searches, name)[:] = arrays[f"play_{name}"]
        self.counts[:], self.places[:] = arrays["play_counts"], arrays["play_places"]
        self.evaluations = int(arrays["play_evaluations"])
        self.rng.bit_generator.state = json.loads(arrays["play_random"].tobytes())
