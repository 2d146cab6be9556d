"""Searches of many games on a CUDA device: states, trees and tensors stay there; the CPU only starts the steps.

A simulation of all games is: find a leaf, let the network judge it, grow the tree. Simulations are captured as CUDA
graphs, so that the device never waits for the CPU. Trees use few of the device's threads and wait for memory, networks
use all; so a large number of games is two parts, and while one's leaves are judged the other's trees grow.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ludoport.game import Game, seeded
from ludoport.kernels.cuda_find import need_device
from ludoport.kernels.cuda_plan import row_bits
from ludoport.nets.guide import network_mask
from ludoport.nets.infer import Evaluator
from ludoport.nets.network import PolicyValueNet
from ludoport.search.pool import COLUMNS, FACTS, PATH
from ludoport.search.puct import PuctSettings, halving_schedule, usual_moves
from ludoport.search.tree import REST, USED
from ludoport.selfplay.device_kernels import KERNELS, PARAMETERS, device_kernels, lanes_of
from ludoport.selfplay.lanes import follow, on_stream
from ludoport.tensors.kernels import HISTORY_SIZE
from ludoport.tensors.layout import TensorLayout

BLOCK = 64
"""Threads of a block; games are long, so few of them share a block."""

LEAST = 16_384
"""Fewer games than this are one part: half of them would leave the network too little to do at once."""

TOGETHER = 8
"""Simulations of a graph at most, of all parts together; the device prepares larger graphs for seconds, and gains
nothing by them."""

SHARED = {
    "settings", "schedule", "numbers", "seen", "policies", "judged", "persons", "results", "replies", "finals",
}  # fmt: skip
"""Tensors that have nothing to do with single games; all others have one row a game."""


class DeviceTrees:
    """Trees of many games side by side, and the network that judges their leaves.

    Args:
        game: a game of two players.
        layout: layout of the tensors.
        settings: settings of the search.
        games: number of games.
        net: the network; ``update`` takes over new weights.
        seed: random seed.
        engine: engine of the network, see ``Evaluator``.
        two: whether a second network judges the leaves of some games; see ``theirs``.
        share: other trees, whose memory these use too, because only one of both is at work.
        parts: number of equal groups of games whose simulations run in parallel; default: as many as are fast.
        stream: stream of captures and work if other trees are at work at the same time; default: the current one.

    Attributes:
        t: the tensors by their names.
        parts: groups of games whose simulations run in parallel.
        evaluators: the network, once for each part; ``update_part`` gives a part another one.
        opponents: the second network, likewise; empty without one.
    """

    OWN = ("inputs", "logits", "values", "theirs")
    """Tensors that trees do not share, because their layouts may differ."""

    def __init__(
        self,
        game: Game,
        layout: TensorLayout,
        settings: PuctSettings,
        games: int,
        net: PolicyValueNet,
        *,
        seed: int = 0,
        engine: Any = "cudnn",
        two: bool = False,
        share: DeviceTrees | None = None,
        parts: int | None = None,
        stream: Any = None,
    ) -> None:
        need_device()
        self.stream = stream
        self.game, self.layout, self.settings, self.games, self.seed = game, layout, settings, games, seed
        self._kernels = device_kernels(game, layout)
        self.kernels = self._kernels["fill"]
        # The simulator's kernels work on memory of the CPU, and on wide integers.
        self.device = "cpu" if self.kernels.simulated else "cuda"
        engine = "eager" if self.kernels.simulated else engine
        if parts is None:
            parts = 2 if games % 2 == 0 and (games >= LEAST or self.kernels.simulated) else 1
        self.parts = [slice(games * k // parts, games * (k + 1) // parts) for k in range(parts)]

        def evaluators() -> list[Evaluator]:
            return [Evaluator(net, device=self.device, batch=games // parts, engine=engine) for _ in self.parts]

        self.evaluators, self.opponents = evaluators(), evaluators() if two else []
        self.mask = network_mask(layout, self.device)
        self.t: dict[str, Tensor] = {}
        self._arrays: dict[str, Any] = {}
        self._part_arrays: list[dict[str, Any]] = [{} for _ in self.parts]
        self._ready: dict[PuctSettings, tuple[Tensor, Tensor]] = {}
        if share is not None:
            self.add(**{name: tensor for name, tensor in share.t.items() if name not in self.OWN})
        else:
            self._make_trees()
        self._make_own()
        self._sides: list[Any] = []
        if not self.kernels.simulated:
            self._sides = [torch.cuda.Stream() for _ in self.parts[1:]]  # type: ignore[no-untyped-call]

    @property
    def kind(self) -> torch.dtype:
        """The integers of a row."""
        bits = 64 if self.kernels.simulated else row_bits(self.game.rules.dtype)
        return {16: torch.int16, 32: torch.int32, 64: torch.int64}[bits]

    def make(self, *shape: int, dtype: torch.dtype | None = None) -> Tensor:
        """Zeros on the device; default type: the integers of rows."""
        return torch.zeros(shape, dtype=dtype or self.kind, device=self.device)

    def there(self, array: NDArray[Any]) -> Tensor:
        """An array on the device."""
        return torch.from_numpy(array.copy()).to(self.device)

    def add(self, **tensors: Tensor) -> None:
        """Let kernels use tensors by their names."""
        self.t |= tensors
        for name, tensor in tensors.items():
            # What is empty has no place on the device; kernels know that they must not look at it.
            there = tensor if tensor.numel() else tensor.new_zeros([1] * tensor.dim())
            self._arrays[name] = self._seen_by_kernels(there)
            for part, arrays in zip(self.parts, self._part_arrays, strict=True):
                arrays[name] = self._seen_by_kernels(there if name in SHARED else there[part])

    def _seen_by_kernels(self, tensor: Tensor) -> Any:
        return tensor.numpy() if self.kernels.simulated else self.kernels.cuda.as_cuda_array(tensor)

    def _make_trees(self) -> None:
        rules, games, make, settings = self.game.rules, self.games, self.make, self.settings
        room = 2 + rules.max_moves + settings.simulations * (usual_moves(self.game) + 1)
        start = self.there(np.asarray(self.game.start().row)).to(self.kind)
        words = np.stack([seeded(self.seed * 1_000_003 + g) for g in range(games)])
        self.add(
            roots=start.repeat(games, 1),
            histories=make(games, HISTORY_SIZE).fill_(-1),
            states=make(games, 1, rules.state_size),
            trails=make(games, 1, HISTORY_SIZE),
            nodes=make(games, len(COLUMNS), room, dtype=torch.int32),
            sums=make(games, 2, room, dtype=torch.float32),
            tree_moves=make(games, room, rules.move_size),
            paths=make(games, 1, PATH, dtype=torch.int32),
            depths=make(games, 1, dtype=torch.int32),
            facts=make(games, len(FACTS), dtype=torch.int64),
            rngs=self.there(words),
            noise=make(games, rules.max_moves + 1, dtype=torch.float32),
            moves=make(games, (rules.max_moves + 1) * rules.move_size),
            work=make(games, max(1, rules.work_size)),
            scales=make(games, dtype=torch.float64).fill_(settings.gumbel_noise),
            shares=make(games, rules.max_moves + 1, dtype=torch.float32),
            settings=self.there(settings.array()),
            schedule=self.there(_schedule(settings, settings.simulations)),
        )
        self.forget()

    def use(self, settings: PuctSettings) -> None:
        """Search like this from now on; no longer than at first, because there is no room for more."""
        self.settings = settings
        if settings not in self._ready:
            table = _schedule(settings, self.t["schedule"].shape[1])
            self._ready[settings] = self.there(settings.array()), self.there(table)
        numbers, schedule = self._ready[settings]
        self.t["settings"].copy_(numbers)
        self.t["schedule"].copy_(schedule)

    def _make_own(self) -> None:
        games, make = self.games, self.make
        self.add(
            inputs=make(games, 1, int(np.prod(self.layout.shape)), dtype=torch.uint8),
            logits=make(games, int(np.prod(self.layout.move_shape)), dtype=torch.float32),
            values=make(games, dtype=torch.float32),
        )
        # Which games are searched, and which of them the second network judges.
        self.active = make(games, dtype=torch.bool).fill_(True)
        self.theirs = make(games, dtype=torch.bool)
        self._first_moves = len(self.game.start().moves())

    def launch(self, name: str, part: int | None = None, **numbers: float) -> None:
        """Start a kernel on the tensors that its parameters name, and on numbers; for all games or a part of them."""
        arrays = self._arrays if part is None else self._part_arrays[part]
        games = self.games if part is None else self.parts[part].stop - self.parts[part].start
        filled = [numbers[p] if p in numbers else arrays[p] for p in PARAMETERS[name]]
        function = self._kernels[name].kernel(f"run_{name}", KERNELS[name])
        if self.kernels.simulated:
            function[1, games](*filled)
            return
        stream = self.kernels.cuda.external_stream(torch.cuda.current_stream().cuda_stream)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".*Grid size")  # a small batch leaves most of the device idle, as it must
            function[-(-games * lanes_of(name) // BLOCK), BLOCK, stream](*filled)

    def _simulate(self, part: int, both: bool) -> None:
        """One simulation of each game of a part that has budget left."""
        self.launch("fill", part)
        games = self.parts[part]
        planes = self.t["inputs"][games].reshape(-1, *self.layout.shape)
        policy, value = self.evaluators[part].evaluate(planes, self.mask)
        policy = policy.reshape(len(planes), -1)
        if both:
            others, worth = self.opponents[part].evaluate(planes, self.mask)
            theirs = self.theirs[games]
            policy = torch.where(theirs[:, None], others.reshape(len(planes), -1), policy)
            value = torch.where(theirs, worth, value)
        self.t["logits"][games].copy_(policy)
        self.t["values"][games].copy_(value)
        self.launch("grow", part)

    @torch.no_grad()
    def _simulations(self, count: int, both: bool) -> None:
        """Some simulations of all games; parts do not wait for each other."""
        streams: list[AbstractContextManager[Any]] = [nullcontext() for _ in self.parts]
        if not self.kernels.simulated:
            main = torch.cuda.current_stream()
            for side in self._sides:
                side.wait_stream(main)
            streams[1:] = [torch.cuda.stream(side) for side in self._sides]
        for part, stream in enumerate(streams):
            with stream:
                for _ in range(count):
                    self._simulate(part, both)
        if not self.kernels.simulated:
            for side in self._sides:
                main.wait_stream(side)

    def rehearse(self) -> None:
        """Let libraries choose their ways before a capture; what that did to the trees is undone."""
        if self.kernels.simulated:
            return
        side = torch.cuda.Stream() if self.stream is None else self.stream  # type: ignore[no-untyped-call]
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            self._simulations(3, bool(self.opponents))
        torch.cuda.current_stream().wait_stream(side)
        self.forget()
        torch.cuda.synchronize()

    def captured(self, work: Callable[[], None]) -> Callable[[], None]:
        """Work on the device as a CUDA graph, ready to be done again; in the simulator, as it is."""
        if self.kernels.simulated:
            return work
        graph = torch.cuda.CUDAGraph()
        # Libraries have a workspace for each stream: graphs of one stream must not run at the same time.
        with torch.cuda.graph(graph, stream=self.stream):
            work()
        return graph.replay

    def queue(self) -> AbstractContextManager[Any]:
        """Context in which kernels run on the stream of these trees."""
        return on_stream(self.stream)

    def follow(self) -> None:
        """Let the stream of these trees wait for all that was started on the current one."""
        follow(self.stream)

    def reset(self, seed: int) -> None:
        """All games at their beginning, with the random numbers of a seed."""
        self.t["roots"].copy_(self.there(np.asarray(self.game.start().row)).to(self.kind).expand_as(self.t["roots"]))
        self.t["histories"].fill_(-1)
        words = np.stack([seeded(seed * 1_000_003 + g) for g in range(self.games)])
        self.t["rngs"].copy_(self.there(words))
        self.forget()

    def forget(self) -> None:
        """Forget all trees."""
        self.t["facts"].zero_()
        self.t["facts"][:, USED] = 1

    def search(self, both: bool = False) -> Callable[[], None]:
        """A function that searches the positions of all active games, with the current settings.

        Args:
            both: whether the second network judges too, see ``theirs``.
        """
        count = self.settings.simulations
        most = max(1, 2 * TOGETHER // max(2, len(self.parts)))
        size = max(k for k in range(1, most + 1) if count % k == 0)
        begin = self.captured(lambda: self._begin_search(both))
        some = self.captured(lambda: self._simulations(size, both))

        def run() -> None:
            begin()
            for _ in range(count // size):
                some()

        return run

    @torch.no_grad()
    def _begin_search(self, both: bool) -> None:
        """Expand the roots and give them their noise."""
        rest, settings = self.t["facts"][:, REST], self.settings
        rest.copy_(self.active)
        self._simulations(1, both)
        alpha = settings.alpha or (10.0 / max(1, self._first_moves) if settings.noise else 1.0)
        self.launch("noise", alpha=float(alpha), share=float(settings.noise))
        rest.copy_(self.active * settings.simulations)

    def mark(self) -> Callable[[], None]:
        """A function that waits until all that was started by now has ended."""
        if self.kernels.simulated:
            return lambda: None
        event = torch.cuda.Event()  # type: ignore[no-untyped-call]
        event.record()
        return event.synchronize

    def update(self, net: PolicyValueNet) -> None:
        """Take over new weights."""
        for evaluator in self.evaluators:
            evaluator.update(net)

    def update_part(self, part: int, net: PolicyValueNet) -> None:
        """Take over the weights of a network for one part of the games."""
        self.evaluators[part].update(net)

    def update_opponent(self, net: PolicyValueNet) -> None:
        """Take over the weights of the second network."""
        for evaluator in self.opponents:
            evaluator.update(net)


def _schedule(settings: PuctSettings, width: int) -> NDArray[np.int32]:
    """The table of Gumbel search for simulations up to a number; the last turn is repeated where there are fewer."""
    if not settings.gumbel:
        return np.zeros((1, 1), dtype=np.int32)
    table = halving_schedule(settings.considered, settings.simulations)
    return np.pad(table, ((0, 0), (0, width - table.shape[1])), mode="edge")
