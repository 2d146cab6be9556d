"""Several threads that search one game together, as on a device: 32 Python threads stand in for them."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import ludoport as lp
from ludoport.kernels.build import plain_functions
from ludoport.kernels.lanes import LANES, alone, for_lanes
from ludoport.search.pool import COLUMNS, FACTS, PATH, Pool
from ludoport.search.puct import PuctSettings, halving_schedule
from ludoport.search.puct_kernels import puct_source
from ludoport.search.records import Line, NetworkView, Tuning
from ludoport.tensors.kernels import HISTORY_SIZE
from ludoport.tensors.layout import tensor_layout


class Warp:
    """Stands for ``cuda`` in device code, with threads of Python; lanes that take different ways never meet again."""

    def __init__(self, lanes: int) -> None:
        self.own = threading.local()
        self.barrier = threading.Barrier(lanes, timeout=60)
        self.slots: list[Any] = [None] * lanes

    @property
    def laneid(self) -> int:
        return int(self.own.lane)

    def syncwarp(self) -> None:
        self.barrier.wait()

    def shfl_sync(self, mask: int, number: Any, lane: int) -> Any:
        assert mask == 0xFFFFFFFF
        self.slots[self.laneid] = number
        self.barrier.wait()
        found = self.slots[lane]
        self.barrier.wait()
        return found

    def shfl_xor_sync(self, mask: int, number: Any, step: int) -> Any:
        return self.shfl_sync(mask, number, self.laneid ^ step)

    def run(self, function: Any) -> list[Any]:
        """Results of a function in each lane."""
        found: list[Any] = [None] * len(self.slots)

        def lane(number: int) -> None:
            self.own.lane = number
            try:
                found[number] = function()
            except BaseException as error:
                found[number] = error
                self.barrier.abort()

        threads = [threading.Thread(target=lane, args=(number,)) for number in range(len(self.slots))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for one in found:
            if isinstance(one, BaseException) and not isinstance(one, threading.BrokenBarrierError):
                raise one
        return found


@pytest.fixture
def often() -> Iterator[None]:
    """Threads that take turns as often as possible."""
    kept = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(kept)


def search(game: lp.Game, settings: PuctSettings, lanes: int) -> dict[str, Any]:
    """The tree and the planes after some simulations with an evaluator that draws numbers."""
    layout = tensor_layout(game, "compact")
    source = game.rules.source + puct_source(game, "batch", layout, lanes=lanes > 1)
    # Fewer lanes than on a device, for the sake of time.
    kernels = plain_functions(source.replace("range(5)", "range(2)").replace("16 >> step", "2 >> step"))
    warp = Warp(lanes)
    if lanes > 1:
        kernels["puct_find"].__globals__.update(cuda=warp, LANES=lanes)
    rules, room = game.rules, 400
    root = np.asarray(game.start(seed=1).row)
    line = Line(np.zeros_like(root), np.zeros(PATH, dtype=np.int32))
    inputs = np.zeros(int(np.prod(layout.shape)), dtype=np.uint8)
    sight = NetworkView(np.full(HISTORY_SIZE, -1), np.full(HISTORY_SIZE, -1), inputs)
    facts = np.zeros(len(FACTS), dtype=np.int64)
    facts[FACTS.index("USED")], facts[FACTS.index("REST")] = 1, settings.simulations
    moves = np.zeros((room, rules.move_size), dtype=np.int64)
    pool = Pool(np.zeros((len(COLUMNS), room), dtype=np.int32), np.zeros((2, room)), moves, facts)
    rng = np.random.default_rng(3)
    noise = rng.gumbel(size=rules.max_moves + 1).astype(np.float32)
    table = (
        halving_schedule(settings.considered, settings.simulations) if settings.gumbel else np.zeros((1, 1), np.int32)
    )
    tuning = Tuning(settings.array(), noise, table, np.array([5, 7]))
    listed, work = (
        np.zeros((rules.max_moves + 1) * rules.move_size, dtype=np.int64),
        np.zeros(max(1, rules.work_size), np.int64),
    )
    seen = []

    def simulate() -> int:
        if not kernels["puct_wants"](pool.nodes, facts, tuning.settings):
            return -9
        depth = int(kernels["puct_find"](root, line, sight, pool, tuning, work))
        if lanes > 1:
            warp.syncwarp()
        if depth >= 0:
            kernels["puct_expand"](line, pool, depth, logits, value, tuning.settings, listed, work)
        return depth

    for _ in range(settings.simulations + 1):
        logits, value = rng.normal(size=int(np.prod(layout.move_shape))), float(rng.uniform(-1, 1))
        depths = warp.run(simulate) if lanes > 1 else [simulate()]
        assert len(set(depths)) == 1, depths
        seen.append((depths[0], inputs.copy()))
    return {"nodes": pool.nodes, "sums": pool.sums, "moves": moves, "facts": facts, "seen": seen}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Tic-Tac-Toe", "gardner", "connect-three-5x5", "tests/ludemes/games/dice.lud"])
@pytest.mark.parametrize("gumbel", [False, True])
def test_lanes_search_like_one_thread(often: None, name: str, gumbel: bool) -> None:
    """A missing wait lets lanes see different numbers, take different ways, and never meet again."""
    game = lp.load(name, jit=False)
    settings = PuctSettings(simulations=10, gumbel=gumbel, considered=4, solve=True)
    one, many = search(game, settings, 1), search(game, settings, 4)
    for array in ("nodes", "moves", "facts"):
        assert (one[array] == many[array]).all(), array
    assert np.allclose(one["sums"], many["sums"], rtol=1e-9, atol=1e-12)
    for (depth, planes), (other, theirs) in zip(one["seen"], many["seen"], strict=True):
        assert depth == other
        assert (planes == theirs).all()


def test_words() -> None:
    text = "for i in range(0 + LANE, n, LANES):\n    pass\nx = lanes_sum(x)\nlanes_wait()\n"
    text += "while x:\n    if FIRST_LANE:\n        y = 1\n        if y:\n            z = 1\n    x = 0\n"
    assert alone(text) == (
        "for i in range(0, n):\n    pass\nwhile x:\n    y = 1\n    if y:\n        z = 1\n    x = 0\n"
    )
    assert "cuda.laneid" in for_lanes(text)
    assert LANES == 32
