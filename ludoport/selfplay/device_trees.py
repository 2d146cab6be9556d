"""Searches of many games on a CUDA device: states, trees and tensors stay there; the CPU only starts the steps.

One simulation of all games (find a leaf, judge it, grow the tree) is captured as a CUDA graph, with the network in the
middle.
"""

from __future__ import annotations

import inspect
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
from ludoport.selfplay.device_kernels import KERNELS, device_kernels
from ludoport.tensors.kernels import HISTORY_SIZE
from ludoport.tensors.layout import TensorLayout

BLOCK = 64
"""Threads of a block; games are long, so few of them share a block."""


class DeviceTrees:
    """Trees of many games side by side, and the network that judges their leaves.

    Args:
        game: a game of two players.
        layout: how positions become tensors.
        settings: how to search.
        games: how many.
        net: the network; ``update`` takes over new weights.
        seed: where the randomness begins.
        engine: how the network runs, see ``Evaluator``.
        two: whether a second network judges the leaves of some games; see ``theirs``.
        share: other trees, whose memory these use too, because only one of both is at work.

    Attributes:
        t: the tensors by their names.
        opponent: the second network.
    """

    OWN = ("inputs", "logits", "values", "theirs")
    """What trees do not share, because their layouts may differ."""

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
    ) -> None:
        need_device()
        self.game, self.layout, self.settings, self.games, self.seed = game, layout, settings, games, seed
        self.kernels = device_kernels(game, layout)
        # The simulator's kernels work on memory of the CPU, and on wide integers.
        self.device = "cpu" if self.kernels.simulated else "cuda"
        self._functions = {name: self.kernels.kernel(f"run_{name}", text) for name, text in KERNELS.items()}
        engine = "eager" if self.kernels.simulated else engine
        self.evaluator = Evaluator(net, device=self.device, batch=games, engine=engine)
        self.opponent = Evaluator(net, device=self.device, batch=games, engine=engine) if two else None
        self.mask = network_mask(layout, self.device)
        self.t: dict[str, Tensor] = {}
        self._arrays: dict[str, Any] = {}
        self._graphs: list[torch.cuda.CUDAGraph] = []
        self._ready: dict[PuctSettings, tuple[Tensor, Tensor]] = {}
        if share is not None:
            self.add(**{name: tensor for name, tensor in share.t.items() if name not in self.OWN})
        else:
            self._make_trees()
        self._make_own()

    @property
    def kind(self) -> torch.dtype:
        """The integers of a row."""
        bits = 64 if self.kernels.simulated else row_bits(self.game.rules.dtype)
        return {16: torch.int16, 32: torch.int32, 64: torch.int64}[bits]

    def make(self, *shape: int, dtype: torch.dtype | None = None) -> Tensor:
        """Zeros on the device; integers of rows unless told."""
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
            self._arrays[name] = there.numpy() if self.kernels.simulated else self.kernels.cuda.as_cuda_array(there)

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
        # Which games the second network judges.
        self.theirs = make(games, dtype=torch.bool)

    def prepare(self, *names: str) -> None:
        """Compile kernels before they are needed, so that this does not count as work."""
        if self.kernels.simulated:
            return
        for name in names:
            function = self._functions[name]
            parameters = inspect.signature(function.py_func).parameters
            # What is no tensor is a real number.
            given = [self._arrays.get(parameter, 0.0) for parameter in parameters]
            function.compile(tuple(function.typeof_pyval(argument) for argument in given))

    def launch(self, name: str, *arguments: str | float) -> None:
        """Start a kernel; texts are names of tensors."""
        filled = [self._arrays[a] if isinstance(a, str) else a for a in arguments]
        if self.kernels.simulated:
            self._functions[name][1, self.games](*filled)
            return
        stream = self.kernels.cuda.external_stream(torch.cuda.current_stream().cuda_stream)
        self._functions[name][-(-self.games // BLOCK), BLOCK, stream](*filled)

    @torch.no_grad()
    def _simulate(self, both: bool) -> None:
        self.launch(
            "fill", "roots", "histories", "states", "trails", "inputs", "nodes", "sums", "tree_moves", "paths",
            "depths", "facts", "settings", "noise", "schedule", "work",
        )  # fmt: skip
        planes = self.t["inputs"].reshape(self.games, *self.layout.shape)
        policy, value = self.evaluator.evaluate(planes, self.mask)
        policy = policy.reshape(self.games, -1)
        if both and self.opponent is not None:
            others, worth = self.opponent.evaluate(planes, self.mask)
            policy = torch.where(self.theirs[:, None], others.reshape(self.games, -1), policy)
            value = torch.where(self.theirs, worth, value)
        self.t["logits"].copy_(policy)
        self.t["values"].copy_(value)
        self.launch(
            "grow", "states", "nodes", "sums", "tree_moves", "paths", "depths", "facts", "logits", "values",
            "settings", "moves", "work",
        )  # fmt: skip

    def capture(self) -> None:
        """Capture one simulation by one network, and one by two; what rehearsals did to the trees is undone."""
        if self.kernels.simulated:
            return
        for both in (False, True) if self.opponent is not None else (False,):
            side = torch.cuda.Stream()  # type: ignore[no-untyped-call]
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                for _ in range(3):
                    self._simulate(both)
            torch.cuda.current_stream().wait_stream(side)
            torch.cuda.synchronize()
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                self._simulate(both)
            self._graphs.append(graph)
        self.forget()

    def forget(self) -> None:
        """Forget all trees."""
        self.t["facts"].zero_()
        self.t["facts"][:, USED] = 1

    def simulate(self, both: bool = False) -> None:
        """One simulation of every game that has budget; by two networks if wanted, see ``theirs``."""
        if self._graphs:
            self._graphs[int(both)].replay()
        else:
            self._simulate(both)

    def search(self, active: Tensor | None = None, both: bool = False) -> None:
        """Search the positions of all games, or of those that are active."""
        rest, settings = self.t["facts"][:, REST], self.settings
        rest.copy_(torch.ones_like(rest) if active is None else active)
        self.simulate(both)
        alpha = settings.alpha or (10.0 / max(1, len(self.game.start().moves())) if settings.noise else 1.0)
        self.launch(
            "noise", "nodes", "sums", "tree_moves", "facts", "rngs", "noise", "settings", float(alpha),
            float(settings.noise), "scales",
        )  # fmt: skip
        rest.fill_(settings.simulations)
        if active is not None:
            rest.mul_(active)
        for _ in range(settings.simulations):
            self.simulate(both)

    def wait(self) -> None:
        """Wait until all that was started has ended."""
        if not self.kernels.simulated:
            torch.cuda.synchronize()

    def update(self, net: PolicyValueNet) -> None:
        """Take over new weights."""
        self.evaluator.update(net)


def _schedule(settings: PuctSettings, width: int) -> NDArray[np.int32]:
    """The table of Gumbel search for simulations up to a number; the last turn is repeated where there are fewer."""
    if not settings.gumbel:
        return np.zeros((1, 1), dtype=np.int32)
    table = halving_schedule(settings.considered, settings.simulations)
    return np.pad(table, ((0, 0), (0, width - table.shape[1])), mode="edge")
