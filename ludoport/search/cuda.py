"""The searches of many games on a CUDA device, one thread a game; the kernels are those of the CPU."""

from __future__ import annotations

import time
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ludoport.errors import LudoportError
from ludoport.kernels.cuda_find import need_device
from ludoport.kernels.cuda_kernels import CudaKernels
from ludoport.kernels.cuda_plan import LaunchPlan, row_bits
from ludoport.search.puct_kernels import puct_source
from ludoport.search.tree import REST

if TYPE_CHECKING:
    from ludoport.search.puct import Searches

BLOCK = 128
"""Threads of a block."""

RUN = '''
def run_puct(
    roots, rngs, nodes, sums, tree_moves, paths, facts, settings, noise, schedule, tables, scratch, done
):
    """One thread searches one position to the end of its budget."""
    game = cuda.grid(1)
{rows}
    root = local_row({size}, {bits})
    after = local_row({size}, {bits})
    if game < roots.shape[0]:
        for i in range(STATE_SIZE):
            root[i] = roots[game, i]
        rng[0] = rngs[game, 0]
        rng[1] = rngs[game, 1]
        line = Line(state, paths[game])
        pool = Pool(nodes[game], sums[game], tree_moves[game], facts[game])
        bench = Bench(after, rng, moves, work)
        puct_root(root, line, pool, settings, bench)
        if settings[PUCT_GUMBEL] > 0 and facts[game, POOL_ROOT] > 0:
            add_gumbel(nodes[game], facts[game], rng, noise[game], settings[PUCT_GUMBEL_NOISE])
        done[game] = puct_run(root, line, pool, Tuning(settings, noise[game], schedule, rng), bench)
'''
"""Positions lie in the memory of threads, where neighbours copy theirs together; trees lie in that of the device."""


@cache
def _kernels(source: str, bits: int) -> CudaKernels:
    return CudaKernels(source, LaunchPlan(bits=bits))


class DeviceSearches:
    """A batch of searches on the device.

    Args:
        searches: the batch as the CPU has it, with roots set; evaluator ``uniform`` or ``rollouts``.
    """

    def __init__(self, searches: Searches) -> None:
        need_device()
        if searches.evaluator == "batch":
            raise LudoportError("on the device, this search needs an evaluator that is a kernel: uniform or rollouts")
        self.host = searches
        game = searches.game
        self.kernels = _kernels(game.rules.source + puct_source(game, searches.evaluator), row_bits(game.rules.dtype))
        text = RUN.replace("{size}", str(game.rules.state_size)).replace("{bits}", str(self.kernels.bits))
        self._function = self.kernels.kernel("run_puct", text)
        to, rules = self.kernels.cuda.to_device, game.rules
        dtype = game.dtype if self.kernels.simulated else rules.dtype
        self._arrays: dict[str, Any] = {
            "roots": to(searches.roots.astype(dtype)),
            "rngs": to(searches.rngs),
            "nodes": to(searches.nodes),
            "sums": to(searches.sums),
            "tree_moves": to(searches.moves.astype(dtype)),
            "paths": to(np.ascontiguousarray(searches.paths[:, 0])),
            "facts": to(searches.facts),
            "settings": to(searches.settings.array()),
            "noise": to(searches.noise),
            "schedule": to(searches.schedule),
            "": ...,
            "done": to(np.zeros(searches.games, dtype=np.int64)),
        }

    def run(self) -> tuple[int, float]:
        """Search all positions from the beginning; returns the simulations done and the seconds that took."""
        host = self.host
        facts = host.facts.copy()
        facts[:, REST] = np.where(host.active, host.settings.simulations, 0)
        self._arrays["facts"].copy_to_device(facts)
        block = min(BLOCK, host.games) if not self.kernels.simulated else min(4, host.games)
        cuda = self.kernels.cuda
        cuda.synchronize()
        begin = time.perf_counter()
        blocks = -(-host.games // block)
        self._function[blocks, block](*self.kernels.fill(tuple(self._arrays.values()), blocks * block))
        cuda.synchronize()
        seconds = time.perf_counter() - begin
        return int(self._arrays["done"].copy_to_host().sum()), seconds

    def fetch(self) -> Searches:
        """Bring the trees back to the batch of the CPU."""
        host = self.host
        for name, array in (("nodes", host.nodes), ("sums", host.sums), ("facts", host.facts)):
            array[:] = self._arrays[name].copy_to_host()
        host.moves[:] = self._arrays["tree_moves"].copy_to_host()
        return host
