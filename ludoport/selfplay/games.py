"""Games of a network against itself, many at once."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.nets.files import load_network
from ludoport.nets.guide import Guide
from ludoport.nets.network import PolicyValueNet
from ludoport.search.puct import Searches
from ludoport.selfplay.config import TrainConfig
from ludoport.selfplay.kernels import GAME_FACTS, STEP_NUMBERS, selfplay_source
from ludoport.selfplay.playing import Plays, Progress, never
from ludoport.selfplay.records import Live, Log, Manner, ReplayArrays, Scratch
from ludoport.selfplay.replay import Replay
from ludoport.selfplay.staggering import staggered_states
from ludoport.selfplay.tournament import NEWEST, Tournament
from ludoport.tensors.layout import TensorLayout

SUMS = slice(GAME_FACTS.index("FINISHED"), GAME_FACTS.index("OPENING"))
"""The facts of games that add up, in the order in which ``progress`` takes them."""

PLY, OPENING, SEAT, TURN, CURRENT, VERDICT = map(
    GAME_FACTS.index, ("PLY", "OPENING", "SEAT", "TURN", "CURRENT", "VERDICT")
)


def progress(sums: Sequence[int], positions: int, evaluations: int, seconds: float) -> Progress:
    """Results of a stretch, by the differences of the sums."""
    games, moves, *others = map(int, sums)
    return replace(Progress(games, moves, positions, evaluations, *others), play_seconds=seconds)


def step_numbers(config: TrainConfig, written: int, places: int) -> NDArray[np.float64]:
    """Settings of the next step as numbers, for kernels.

    Args:
        config: settings of the run.
        written: positions that will have been recorded after it.
        places: number of positions that the replay keeps.
    """
    return step_values(
        TEMPERATURE=config.temperature, SAMPLED=config.sampled, LIMIT=config.ply_limit, OLDEST=written - places,
        TARGET=config.completed, REUSE=config.reuse, PRUNE=config.pruned and config.forced > 0,
        CURVED=config.drawing == "polygames", OPENING_SHARE=config.openings, OPENING_PLIES=config.opening_plies,
        RESIGN=config.resign, RESIGN_PLIES=config.resign_plies, RESIGN_SHARE=config.resign_share,
        RANDOM_SEATS=config.random_seats, TOURNAMENT=config.tournament,
        OWNERSHIP=config.ownership_weight > 0,
    )  # fmt: skip


def step_values(**values: float) -> NDArray[np.float64]:
    """The numbers of a step by their names; those that are left out are 0."""
    unknown = values.keys() - set(STEP_NUMBERS)
    assert not unknown, f"no number of a step is called {unknown}"
    return np.array([float(values.get(name, 0.0)) for name in STEP_NUMBERS])


@dataclass
class _Part:
    """Games that one thread searches.

    Attributes:
        searches: theirs.
        games: numbers of the games.
        judged: positions of theirs that the network has judged in this step.
    """

    searches: Searches
    games: slice
    judged: int = 0


class SelfPlay(Plays):
    """Plays games side by side; all of them take a step together.

    Args:
        game: a game of two players.
        layout: layout of the tensors.
        config: settings of the run.
        replay: receives the positions.
        net: the network; ``update`` takes over new weights.
        tournament: opponents of the newest network; default: only itself.
    """

    STATE = ("roots", "histories", "rngs", "nodes", "sums", "moves", "facts", "noise")

    def __init__(
        self,
        game: Game,
        layout: TensorLayout,
        config: TrainConfig,
        replay: Replay,
        net: PolicyValueNet,
        tournament: Tournament | None = None,
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
        ends = [config.games * k // config.threads for k in range(config.threads + 1)]
        self._parts = [_Part(self.searches.part(a, b), slice(a, b)) for a, b in itertools.pairwise(ends)]
        if config.threads == 1:
            self._parts = [_Part(self.searches, slice(0, config.games))]
        self._threads = ThreadPoolExecutor(config.threads)
        self.guide = Guide(net, layout, device="cpu")
        self.tournament = tournament
        self.opponent = Guide(net, layout, device="cpu") if tournament is not None else None
        self.rng = np.random.default_rng(config.seed)
        self.counts: NDArray[np.int64] = np.zeros((config.games, len(GAME_FACTS)), dtype=np.int64)
        self.places: NDArray[np.int64] = np.full((config.games, config.ply_limit + 1), -1, dtype=np.int64)
        self.evaluations = 0
        self._ended: NDArray[np.uint8] = np.zeros(replay.seen.shape[1], dtype=np.uint8)
        self._shares: NDArray[np.float32] = np.zeros(game.rules.max_moves + 1, dtype=np.float32)
        self._forward: NDArray[np.int32] = np.zeros(self.searches.nodes.shape[2], dtype=np.int32)
        self._compile()
        if config.staggered:
            states, self.counts[:, PLY] = staggered_states(game, config.games, config.seed, config.ply_limit)
        else:
            states = [game.start(seed=config.seed + g) for g in range(config.games)]
        self.searches.set_states(states)
        if tournament is not None:
            first_seats(self.counts, [state.seat for state in states])

    def _compile(self) -> None:
        """Compiles the kernels before time is measured."""
        searches = self.searches
        searches.fill(0, 0)
        slots = self.replay.policies.shape[1]
        leaves = searches.depths.shape
        searches.grow(np.zeros((*leaves, slots), np.float32), np.zeros(leaves, np.float32), 0, 0)
        searches.run_noise(0)
        self._call_step(np.zeros(len(STEP_NUMBERS)), np.zeros(0, dtype=np.int64))

    def play(self, positions: int, stop: Callable[[], bool] = never) -> Progress:
        """Play until this many positions have been recorded, or ``stop`` returns True."""
        begin, before = time.perf_counter(), self.counts.sum(axis=0)
        first, judged = self.replay.written, self.evaluations
        while self.replay.written - first < positions and not stop():
            self.step()
        sums = (self.counts.sum(axis=0) - before)[SUMS]
        seconds = time.perf_counter() - begin
        return progress(sums.tolist(), self.replay.written - first, self.evaluations - judged, seconds)

    def step(self) -> None:
        """Search all positions, record them, and play a move in each game."""
        config, searches = self.config, self.searches
        full = config.full_share >= 1 or self.rng.random() < config.full_share
        searches.settings = config.search(config.simulations if full else config.fast_simulations)
        searches.active[:] = True
        self._search()
        given = self._numbers(full)
        self.replay.written += int((given >= 0).sum())
        self._call_step(step_numbers(config, self.replay.written, self.replay.places), given)
        if self.tournament is not None:
            self._settle(self.tournament)

    def _numbers(self, full: bool) -> NDArray[np.int64]:
        """The numbers that the positions of this step get, -1 for those that are not recorded."""
        recorded = np.full(self.config.games, full)
        recorded &= self.counts[:, PLY] >= self.counts[:, OPENING]
        if self._against:
            recorded &= self.counts[:, TURN] == 0
        return np.where(recorded, self.replay.written + np.cumsum(recorded) - 1, -1)

    @property
    def _against(self) -> bool:
        """Whether the opponent is another network than the newest."""
        return self.tournament is not None and self.tournament.opponent != NEWEST

    def _search(self) -> None:
        """Search all positions; kernels and the network let go of the interpreter, so threads do this side by side."""
        if len(self._parts) == 1:
            self._search_part(self._parts[0])
        else:
            list(self._threads.map(self._search_part, self._parts))
        for part in self._parts:
            self.evaluations += part.judged
            part.judged = 0

    def _search_part(self, part: _Part) -> None:
        part.searches.settings = self.searches.settings
        part.searches.run(lambda searches: self._judge(searches, part))

    def _judge(self, searches: Searches, part: _Part) -> tuple[NDArray[Any], NDArray[Any]]:
        """Let the network of who is to move at the root judge the leaves."""
        part.judged += int((searches.depths >= 0).sum())
        if self.opponent is None or not self._against:
            return self.guide(searches)
        theirs = self.counts[part.games, TURN] == 1
        logits, values = self.guide(searches, only=~theirs)
        other_logits, other_values = self.opponent(searches, only=theirs)
        logits[theirs], values[theirs] = other_logits[theirs], other_values[theirs]
        return logits, values

    def _settle(self, tournament: Tournament) -> None:
        """Count the games of the tournament that ended in this step."""
        verdicts = self.counts[:, VERDICT]
        changed = tournament.settle([int(verdict) for verdict in verdicts[verdicts > 0]])
        self.counts[:, VERDICT] = 0
        if changed:
            self.counts[:, CURRENT] = 0
            self._call_opponent()

    def _call_opponent(self) -> None:
        """Let the opponent's network be the one that the tournament has drawn."""
        if self.tournament is not None and self.opponent is not None and self._against:
            self.opponent.evaluator.update(load_network(self.tournament.find(self.tournament.opponent)).net)

    def _call_step(self, numbers: NDArray[np.float64], given: NDArray[np.int64]) -> None:
        searches, replay = self.searches, self.replay
        searches.kernels.call(
            "enter_selfplay_step", Live(searches.roots, searches.histories, searches.rngs, searches.noise),
            Log(self.counts, self.places), searches.pools(), Manner(searches.settings.array(), numbers),
            ReplayArrays(
                replay.seen, replay.policies, replay.judged, replay.persons, replay.results, replay.replies,
                replay.finals,
            ),
            Scratch(self._shares, self._ended, self._forward, self.game.work), given,
        )  # fmt: skip

    def update(self, net: PolicyValueNet) -> None:
        """Take over new weights."""
        self.guide.evaluator.update(net)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The part of a checkpoint about unfinished games; trees only if they are reused."""
        names = self.STATE if self.config.reuse else ("roots", "histories", "rngs")
        kept = {f"play_{name}": getattr(self.searches, name) for name in names}
        facts = {
            "random": random_words(self.rng),
            "counts": self.counts,
            "places": self.places[used_places(self.counts, self.places)],
            "evaluations": np.array(self.evaluations),
        }
        kept |= {f"play_{name}": array for name, array in facts.items()}
        return kept if self.tournament is None else kept | self.tournament.arrays()

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take over what a checkpoint kept."""
        names = self.STATE if self.config.reuse else ("roots", "histories", "rngs")
        for name in names:
            getattr(self.searches, name)[:] = arrays[f"play_{name}"]
        self.counts[:] = arrays["play_counts"]
        restore_places(self.places, self.counts, arrays["play_places"])
        self.evaluations = int(arrays["play_evaluations"])
        restore_random(self.rng, arrays["play_random"])
        if self.tournament is not None:
            self.tournament.restore(arrays)
            self._call_opponent()


def first_seats(counts: NDArray[np.int64], seats: Sequence[int]) -> None:
    """Seats of the opponent in the first games: every other one."""
    counts[:, SEAT] = 1 + np.arange(len(counts)) % 2
    counts[:, TURN] = counts[:, SEAT] == np.array(seats)


def used_places(counts: Any, places: Any) -> Any:
    """Mask of places that belong to games under way, shape (games, plies); counts and places are arrays or tensors."""
    plies = np.arange(places.shape[1])
    if not isinstance(places, np.ndarray):
        import torch

        return torch.from_numpy(plies).to(places.device) < counts[:, PLY, None]
    return plies < counts[:, PLY, None]


def restore_places(places: Any, counts: Any, kept: Any) -> None:
    """Take over the places that a checkpoint kept; older ones kept all, also those of no game."""
    if kept.ndim == 2:
        places[: len(kept)] = kept[: len(places)]
        return
    places[:] = -1
    used = used_places(counts, places)
    places[used] = kept[: int(used.sum())]


def random_words(rng: np.random.Generator) -> NDArray[np.uint8]:
    """The state of a generator, for a checkpoint."""
    return np.frombuffer(json.dumps(rng.bit_generator.state).encode(), dtype=np.uint8)


def restore_random(rng: np.random.Generator, words: NDArray[np.uint8]) -> None:
    """Restores the state of a random generator."""
    rng.bit_generator.state = json.loads(words.tobytes())
