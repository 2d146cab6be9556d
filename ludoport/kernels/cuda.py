"""The kernels on a CUDA device: the same generated source, one thread a game.

It needs the extra ``cuda`` (numba-cuda). Without a device, the simulator of numba-cuda (``NUMBA_ENABLE_CUDASIM=1``)
runs the same text slowly. The rest is in the files beside this one: ``cuda_plan`` decides how a batch lies on the
device, ``cuda_kernels`` compiles, ``cuda_rows`` and ``cuda_fields`` say what a row is there.
"""

from __future__ import annotations

import time
import warnings
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.kernels.cuda_batch import Playable, PlayoutBatch
from ludoport.kernels.cuda_find import devices, need_device, simulated
from ludoport.kernels.cuda_kernels import CudaKernels
from ludoport.kernels.cuda_plan import LaunchPlan, best_plan, row_bits
from ludoport.kernels.room import no_room

__all__ = ["LaunchPlan", "best_plan", "devices", "kernels", "legal_counts", "need_device", "play_moves", "playouts"]


@cache
def _cached(source: str, plan: LaunchPlan) -> CudaKernels:
    return CudaKernels(source, plan)


def kernels(game: Playable, plan: LaunchPlan | None = None) -> CudaKernels:
    """The kernels of a game on the device."""
    need_device()
    chosen = plan or best_plan(game)
    return _cached(game.rules.source, replace(chosen, block=min(chosen.block, 4)) if simulated() else chosen)


def playouts(
    game: Playable,
    count: int,
    seed: int = 1,
    limit: int = 1_000_000,
    *,
    rows: bool = False,
    plan: LaunchPlan | None = None,
) -> PlayoutBatch:
    """Play a batch of uniformly random games on the device.

    Args:
        game: the game.
        count: how many games.
        seed: the seed of the first game; the next one has the next seed.
        limit: most moves of one game.
        rows: also bring back the last position of each game.
        plan: the layout; default: the best one known.
    """
    if count < 1:
        raise LudoportError(f"the number of playouts must be at least 1, not {count}")
    on_device = kernels(game, plan)
    cuda, sizes = on_device.cuda, game.rules
    function = on_device.playouts()
    lengths = cuda.device_array(count, dtype=np.int32)
    utilities = cuda.device_array((count, game.n_players), dtype=np.float32)
    last = cuda.device_array((count, sizes.state_size) if rows else (1, 1), dtype=on_device.dtype)
    if not on_device.warm:
        _launch(on_device, function, 1, np.int64(seed), np.int64(1), np.int64(1), ..., lengths, utilities, last)
        on_device.warm = True
    begin = time.perf_counter()
    _launch(on_device, function, count, np.int64(seed), np.int64(count), np.int64(limit), ..., lengths, utilities, last)
    seconds = time.perf_counter() - begin
    kept = last.copy_to_host() if rows else None
    played = lengths.copy_to_host()
    if np.any(played < 0):
        raise no_room(game.name, sizes.max_moves)
    return PlayoutBatch(played, utilities.copy_to_host(), kept, seconds)


def legal_counts(game: Playable, states: NDArray[Any]) -> NDArray[np.int32]:
    """Number of legal moves of each position of a batch.

    Args:
        game: the game.
        states: one row a position, shape (positions, state size).
    """
    on_device = kernels(game, LaunchPlan(bits=row_bits(game.rules.dtype)))
    counts = on_device.cuda.device_array(len(states), dtype=np.int32)
    _launch(on_device, on_device.counts(), len(states), on_device.cuda.to_device(states), ..., counts)
    return _complete(game, np.asarray(counts.copy_to_host()))


def play_moves(
    game: Playable, states: NDArray[Any], chosen: NDArray[np.int32]
) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """Play one move in each of a batch of positions.

    Args:
        game: the game.
        states: one row a position, shape (positions, state size).
        chosen: the number of the move among the legal ones, shape (positions,); a number beyond them plays nothing.

    Returns:
        The positions afterwards, and how many legal moves each had before.
    """
    on_device = kernels(game, LaunchPlan(bits=row_bits(game.rules.dtype)))
    counts = on_device.cuda.device_array(len(states), dtype=np.int32)
    there, numbers = on_device.cuda.to_device(states), on_device.cuda.to_device(chosen)
    _launch(on_device, on_device.steps(), len(states), there, numbers, ..., counts)
    return np.asarray(there.copy_to_host()), _complete(game, np.asarray(counts.copy_to_host()))


def _complete(game: Playable, counts: NDArray[np.int32]) -> NDArray[np.int32]:
    """Numbers of moves, after making sure that no list was too short for them."""
    if "\nFULL = " in game.rules.source and np.any(counts >= game.rules.max_moves):
        raise no_room(game.name, game.rules.max_moves)
    return counts


def _launch(on_device: CudaKernels, function: Any, count: int, *arguments: Any) -> None:
    """Run a kernel to its end; tables and scratch space take the place of the ellipsis."""
    cuda, block = on_device.cuda, on_device.plan.block
    blocks = min(-(-count // block), on_device.most_blocks(function, arguments))
    filled = on_device.fill(arguments, blocks * block)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*Grid size")  # a small batch leaves most of the device idle, as it must
        function[blocks, block, 0, on_device.shared_bytes](*filled)
    cuda.synchronize()
