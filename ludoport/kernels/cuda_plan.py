"""Layout of a batch of games on a CUDA device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ludoport.kernels.cuda_batch import Playable
from ludoport.kernels.cuda_fields import split
from ludoport.kernels.cuda_find import shared_memory
from ludoport.kernels.cuda_inline import LONG

TABLES_LIMIT = 4096
"""Tables take at most this many bytes of shared memory."""

SHARED_LEAST = 256
"""Rows that let fewer threads than this share a multiprocessor do not go to shared memory."""

WORK_LIMIT = 1024
"""Games with more scratch space than this copy positions, and their threads go very different ways."""


@dataclass(frozen=True)
class LaunchPlan:
    """Layout of a batch on the device.

    Attributes:
        block: threads of a block.
        blocks: blocks of a multiprocessor at most; 0 for as many as it holds at once.
        split: take state rows apart, where the game allows it.
        shared_state: keep state rows in shared memory.
        shared_work: keep scratch space in shared memory.
        shared_tables: copy tables into shared memory as long as they take no more than this many bytes together.
        contiguous: keep the rows of a thread in one piece of global memory, for games that go very different ways.
        stream: begin the next game of a thread at once, not when its neighbours are ready too.
        registers: most registers of a thread; 0 for no limit.
        bits: the width of the integers of rows: 16, 32 or 64.
        inline: let every function be a part of its callers.
        calls: keep every long function that is called from several places apart, not only those of playouts; compiles
            faster and runs slower, for kernels that are launched rarely.
        long: functions of more statements than this that are called from several places stay apart.
        small: leave loops as they are, instead of writing their bodies several times.
        words: begin games two integers at a time, which needs rows of the device's own kind.
    """

    block: int = 128
    blocks: int = 0
    split: bool = False
    shared_state: bool = False
    shared_work: bool = False
    shared_tables: int = 0
    contiguous: bool = False
    stream: bool = False
    registers: int = 0
    bits: int = 16
    inline: bool = False
    calls: bool = False
    long: int = LONG
    small: bool = False
    words: bool = True


def row_bits(dtype: type[np.signedinteger[Any]]) -> int:
    """The width of the integers of a game's rows."""
    return 8 * np.dtype(dtype).itemsize


def best_plan(game: Playable) -> LaunchPlan:
    """A layout that suits the rows of a game; the figures behind it are in ``docs/benchmarks.md``.

    Games wait for memory more than they compute. So as many of them as possible share a multiprocessor, as long as
    their rows fit into its shared memory; longer rows lie in the memory of threads, of which then few run at once.
    Games that fill the board are of about one length and begin together.
    """
    work, bits = game.rules.work_size, row_bits(game.rules.dtype)
    parts = split(game.rules.source) if bits == 16 else None
    if parts is None:
        return (
            LaunchPlan(blocks=4, contiguous=True, stream=True, bits=bits)
            if work > WORK_LIMIT
            else LaunchPlan(bits=bits)
        )
    stream = not any(field.name == "EMPTY" for field in parts.fields)
    row = 4 * parts.words + 4 * ((max(work, 1) + 1) // 2)
    block = min(1024, (shared_memory() - TABLES_LIMIT) // row // 32 * 32)
    if block < SHARED_LEAST:
        return LaunchPlan(blocks=4, split=True, stream=stream)
    registers = min(255, 65536 // block // 8 * 8)
    return LaunchPlan(block, 0, True, True, True, TABLES_LIMIT, stream=stream, registers=registers)
