"""Self-play on a CUDA device: states, trees, tensors and replay stay there; the CPU only starts the steps.

The kernels are those of the CPU, one thread a game. One simulation of all games (find a leaf, judge it, grow the tree)
is captured as a CUDA graph, with the network in the middle.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ludoport.errors import LudoportError
from ludoport.game import Game, seeded
from ludoport.kernels.cuda_find import need_device
from ludoport.kernels.cuda_kernels import CudaKernels
from ludoport.kernels.cuda_plan import Plan
from ludoport.nets.guide import network_mask
from ludoport.nets.infer import Evaluator
from ludoport.nets.network import PolicyValueNet
from ludoport.search.pool import COLUMNS, FACTS, PATH
from ludoport.search.puct import halving_schedule, usual_moves
from ludoport.search.tree import REST, USED
from ludoport.selfplay.config import TrainConfig
from ludoport.selfplay.games import Progress, never, step_numbers
from ludoport.selfplay.kernels import GAME_FACTS, PENDING, SHARES, STEP_NUMBERS, selfplay_source
from ludoport.selfplay.replay import Replay
from ludoport.tensors.kernels import HISTORY_SIZE
from ludoport.tensors.layout import TensorLayout

BLOCK = 64
"""Threads of a block; games are long, so few of them share a block."""

KERNELS = {
    "fill": '''
def run_fill(
    roots, histories, states, trails, inputs, nodes, sums, tree_moves, paths, depths, facts, settings, noise, schedule,
    work,
):
    """Find the next position of every game that must be judged."""
    g = cuda.grid(1)
    if g < roots.shape[0]:
        puct_fill(
            roots[g], histories[g], states[g], trails[g], inputs[g], nodes[g], sums[g], tree_moves[g], paths[g],
            depths[g], facts[g], settings, noise[g], schedule, work[g],
        )
''',
    "grow": '''
def run_grow(states, nodes, sums, tree_moves, paths, depths, facts, logits, values, settings, moves, work):
    """Put the judged positions into their trees."""
    g = cuda.grid(1)
    if g < states.shape[0]:
        if depths[g, 0] >= 0:
            puct_expand(
                states[g, 0], nodes[g], sums[g], tree_moves[g], paths[g, 0], facts[g], wide(depths[g, 0]), logits[g],
                values[g], settings, moves[g], work[g],
            )
''',
    "noise": '''
def run_noise(nodes, sums, tree_moves, facts, rngs, noise, settings, alpha, share):
    """Give the roots their noise."""
    g = cuda.grid(1)
    if g < nodes.shape[0]:
        if settings[PUCT_GUMBEL] > 0:
            add_gumbel(nodes[g], facts[g], rngs[g], noise[g], settings[PUCT_GUMBEL])
        elif share > 0:
            add_dirichlet(nodes[g], sums[g], tree_moves[g], facts[g], rngs[g], noise[g], alpha, share)
''',
    "step": '''
def run_step(
    roots, histories, rngs, nodes, sums, tree_moves, facts, settings, noise, numbers, shares, counts, places, seen,
    policies, judged, persons, results, replies, forward, work,
):
    """Record the searched positions and play a move in every game."""
    g = cuda.grid(1)
    if g < roots.shape[0]:
        number = wide(numbers[STEP_BASE]) + g
        place = number % results.shape[0]
        step_game(
            roots[g], histories[g], rngs[g], nodes[g], sums[g], tree_moves[g], facts[g], settings, noise[g], numbers,
            shares[g], counts[g], places[g], seen[place], policies[place], judged, persons, results, replies, number,
            forward[g], work[g],
        )
''',
}


@cache
def _compiled(source: str, large: bool) -> CudaKernels:
    return CudaKernels(source, Plan(large=large, words=False))


class DeviceReplay:
    """A ring of positions on the device; see ``Replay``."""

    def __init__(self, places: int, inputs: int, slots: int) -> None:
        def make(*shape: int, dtype: torch.dtype) -> Tensor:
            return torch.zeros(shape, dtype=dtype, device="cuda")

        self.seen = make(places, inputs, dtype=torch.uint8)
        self.policies = make(places, slots, dtype=torch.int16)
        self.judged = make(places, dtype=torch.float32)
        self.persons = make(places, dtype=torch.int8)
        self.results = make(places, dtype=torch.float32).fill_(PENDING)
        self.replies = make(places, dtype=torch.int32).fill_(-1)
        self.written = 0
        self._known: Tensor | None = None

    @property
    def places(self) -> int:
        """Room for so many positions."""
        return len(self.results)

    @property
    def ready(self) -> int:
        """Positions whose result is known; asked once an epoch."""
        self._known = torch.nonzero(self.results != PENDING)[:, 0]
        return len(self._known)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What a checkpoint keeps."""
        used = min(self.written, self.places)
        kept = {f"replay_{name}": getattr(self, name)[:used].cpu().numpy() for name in Replay.ARRAYS}
        return kept | {"replay_written": np.array(self.written)}

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take over what a checkpoint kept."""
        self.written = int(arrays["replay_written"])
        for name in Replay.ARRAYS:
            kept = arrays[f"replay_{name}"]
            getattr(self, name)[: len(kept)] = torch.from_numpy(kept).cuda()

    def draw(self, rng: np.random.Generator, count: int) -> tuple[Tensor, ...]:
        """Positions at random; see ``Replay.draw``."""
        if self._known is None or len(self._known) == 0:
            raise LudoportError("no game has ended yet; there is nothing to learn from")
        numbers = torch.from_numpy(rng.integers(0, len(self._known), count)).cuda(non_blocking=True)
        chosen = self._known[numbers]
        policies = self.policies[chosen].float()
        shares = torch.where(policies >= 0, policies / SHARES, policies)
        return self.seen[chosen], shares, self.judged[chosen], self.results[chosen], self.replies[chosen]


class DeviceSelfPlay:
    """Plays games side by side on the device; see ``SelfPlay``.

    Args:
        game: a game of two players.
        layout: how positions become tensors.
        config: how to play.
        replay: where positions go.
        net: the network; ``update`` takes over new weights.
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
        engine: Any = "compile",
        capture: bool = True,
    ) -> None:
        need_device()
        if config.reuse:
            raise LudoportError("subtrees are not used again on a device; set reuse to false")
        self.game, self.layout, self.config, self.replay = game, layout, config, replay
        self.kernels = _compiled(game.rules.source + selfplay_source(game, layout), game.rules.dtype is np.int32)
        self._functions = {name: self.kernels._kernel(f"run_{name}", text) for name, text in KERNELS.items()}
        self.evaluator = Evaluator(net, device="cuda", batch=config.games, engine=engine)
        self.mask = network_mask(layout, "cuda")
        self.evaluations = 0
        self._make_arrays()
        self._graph: torch.cuda.CUDAGraph | None = None
        if capture:
            self._capture()

    def _make_arrays(self) -> None:
        config, rules, games = self.config, self.game.rules, self.config.games
        kind = torch.int32 if rules.dtype is np.int32 else torch.int16
        most = max(config.simulations, config.fast_simulations)
        room = 2 + rules.max_moves + most * (usual_moves(self.game) + 1)

        def make(*shape: int, dtype: torch.dtype = kind) -> Tensor:
            return torch.zeros(shape, dtype=dtype, device="cuda")

        start = torch.from_numpy(np.asarray(self.game.start().row, dtype=rules.dtype)).cuda()
        self.t: dict[str, Tensor] = {
            "roots": start.repeat(games, 1),
            "histories": make(games, HISTORY_SIZE).fill_(-1),
            "states": make(games, 1, rules.state_size),
            "trails": make(games, 1, HISTORY_SIZE),
            "inputs": make(games, 1, int(np.prod(self.layout.shape)), dtype=torch.uint8),
            "nodes": make(games, len(COLUMNS), room, dtype=torch.int32),
            "sums": make(games, 2, room, dtype=torch.float32),
            "tree_moves": make(games, room, rules.move_size),
            "paths": make(games, 1, PATH, dtype=torch.int32),
            "depths": make(games, 1, dtype=torch.int32),
            "facts": make(games, len(FACTS), dtype=torch.int64),
            "rngs": torch.from_numpy(np.stack([seeded(config.seed * 1_000_003 + g) for g in range(games)])).cuda(),
            "noise": make(games, rules.max_moves + 1, dtype=torch.float32),
            "moves": make(games, (rules.max_moves + 1) * rules.move_size),
            "work": make(games, max(1, rules.work_size)),
            "shares": make(games, rules.max_moves + 1, dtype=torch.float32),
            "counts": make(games, len(GAME_FACTS), dtype=torch.int64),
            "places": make(games, config.ply_limit + 1, dtype=torch.int64).fill_(-1),
            "forward": make(games, 1, dtype=torch.int32),
            "settings": torch.from_numpy(config.search().array()).cuda(),
            "numbers": make(len(STEP_NUMBERS), dtype=torch.float64),
            "logits": make(games, int(np.prod(self.layout.move_shape)), dtype=torch.float32),
            "values": make(games, dtype=torch.float32),
        }
        table = halving_schedule(config.considered, config.simulations) if config.gumbel else np.zeros((1, 1), np.int32)
        self.t["schedule"] = torch.from_numpy(table.copy()).cuda()
        for name in Replay.ARRAYS:
            self.t[name] = getattr(self.replay, name)
        as_array = self.kernels.cuda.as_cuda_array
        self._arrays = {name: as_array(tensor) for name, tensor in self.t.items()}
        self.t["facts"][:, USED] = 1

    def _launch(self, name: str, *arguments: str | float) -> None:
        filled = [self._arrays[a] if isinstance(a, str) else a for a in arguments]
        stream = self.kernels.cuda.external_stream(torch.cuda.current_stream().cuda_stream)
        self._functions[name][-(-self.config.games // BLOCK), BLOCK, stream](*filled)

    @torch.no_grad()
    def _simulate(self) -> None:
        """One simulation of every game."""
        self._launch(
            "fill", "roots", "histories", "states", "trails", "inputs", "nodes", "sums", "tree_moves", "paths",
            "depths", "facts", "settings", "noise", "schedule", "work",
        )  # fmt: skip
        planes = self.t["inputs"].reshape(self.config.games, *self.layout.shape)
        policy, value = self.evaluator.evaluate(planes, self.mask)
        self.t["logits"].copy_(policy.reshape(self.config.games, -1))
        self.t["values"].copy_(value)
        self._launch(
            "grow", "states", "nodes", "sums", "tree_moves", "paths", "depths", "facts", "logits", "values",
            "settings", "moves", "work",
        )  # fmt: skip

    def _capture(self) -> None:
        """Capture one simulation; what the rehearsals did to the trees is undone."""
        side = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self._simulate()
        torch.cuda.current_stream().wait_stream(side)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self._simulate()
        self._graph = graph
        self._forget_trees()

    def _forget_trees(self) -> None:
        self.t["facts"].zero_()
        self.t["facts"][:, USED] = 1

    def simulate(self) -> None:
        """One simulation of every game that has budget."""
        if self._graph is not None:
            self._graph.replay()
        else:
            self._simulate()

    def step(self) -> None:
        """Search all positions, record them, and play a move in each game."""
        config, t = self.config, self.t
        t["facts"][:, REST] = 1
        self.simulate()
        alpha = 10.0 / max(1, len(self.game.start().moves())) if config.noise else 1.0
        self._launch(
            "noise",
            "nodes",
            "sums",
            "tree_moves",
            "facts",
            "rngs",
            "noise",
            "settings",
            float(alpha),
            float(config.noise),
        )
        t["facts"][:, REST] = config.simulations
        for _ in range(config.simulations):
            self.simulate()
        self.evaluations += config.games * (config.simulations + 1)
        t["numbers"].copy_(torch.from_numpy(step_numbers(config, self.replay.written, self.replay.places, True)))
        self._launch(
            "step", "roots", "histories", "rngs", "nodes", "sums", "tree_moves", "facts", "settings", "noise",
            "numbers", "shares", "counts", "places", "seen", "policies", "judged", "persons", "results", "replies",
            "forward", "work",
        )  # fmt: skip
        self.replay.written += config.games

    def play(self, positions: int, stop: Callable[[], bool] = never) -> Progress:
        """Play until so many positions have been recorded, or somebody wants to stop."""
        before, first, judged = self.t["counts"].sum(dim=0), self.replay.written, self.evaluations
        while self.replay.written - first < positions and not stop():
            self.step()
        torch.cuda.synchronize()
        games, moves, wins, draws = (self.t["counts"].sum(dim=0) - before)[1:5].tolist()
        return Progress(games, moves, self.replay.written - first, self.evaluations - judged, wins, draws)

    def update(self, net: PolicyValueNet) -> None:
        """Take over new weights."""
        self.evaluator.update(net)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What a checkpoint keeps of the games that go on."""
        kept = {f"play_{name}": self.t[name].cpu().numpy() for name in self.STATE}
        return kept | {"play_evaluations": np.array(self.evaluations)}

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take over what a checkpoint kept."""
        for name in self.STATE:
            self.t[name].copy_(torch.from_numpy(arrays[f"play_{name}"]))
        self.evaluations = int(arrays["play_evaluations"])
