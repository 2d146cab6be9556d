"""Preparing games ahead of time for runs on a CUDA device that need not be here.

A run on a device waits for kernels that have to be compiled, and for a few questions about each game that are answered
by playing it. Both lie in the cache afterwards, whose folders ``cuda`` and ``found`` may be copied to another machine.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludoport.search.puct import usual_moves
from ludoport.selfplay.config import TrainConfig
from ludoport.selfplay.device_kernels import compile_ahead
from ludoport.selfplay.lists import Entry
from ludoport.selfplay.suited import check_trainable
from ludoport.tensors.layout import tensor_layout
from ludoport.tensors.symmetry import symmetries

if TYPE_CHECKING:
    from ludoport.kernels.cuda_find import Capability


@dataclass(frozen=True)
class Prepared:
    """Preparations for a game.

    Attributes:
        game: its name, with options.
        files: the files of its kernels.
        bytes: their size.
        seconds: duration.
    """

    game: str
    files: tuple[str, ...]
    bytes: int
    seconds: float


def prepare_game(entry: Entry, layout: str, capability: Capability) -> Prepared:
    """Compile the kernels of self-play and duels of a game, and find out what runs ask about it.

    Args:
        entry: the game.
        layout: tensor layout.
        capability: compute capability of the device.
    """
    begin, game = time.perf_counter(), entry.load(jit=False)
    tensors = tensor_layout(game, layout)  # type: ignore[arg-type]
    check_trainable(game, TrainConfig.ply_limit)
    files = list(compile_ahead(game, tensors, capability))
    symmetries(game, tensors)
    usual_moves(game)
    size = sum(file.stat().st_size for file in files)
    return Prepared(game.title, tuple(map(str, files)), size, time.perf_counter() - begin)


def prepare_games(entries: Sequence[Entry], layout: str, capability: Capability, workers: int) -> Iterator[Prepared]:
    """The same for several games, in their order.

    Args:
        entries: the games.
        layout: tensor layout.
        capability: compute capability of the device.
        workers: number of processes.
    """
    if workers == 1:
        yield from (prepare_game(entry, layout, capability) for entry in entries)
        return
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        futures = [pool.submit(prepare_game, entry, layout, capability) for entry in entries]
        try:
            yield from (future.result() for future in futures)
        finally:
            pool.shutdown(cancel_futures=True)
