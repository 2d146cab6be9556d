"""Tensors of positions as a kernel on a CUDA device writes them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport.kernels.cuda_kernels import CudaKernels
from ludoport.kernels.cuda_plan import LaunchPlan, row_bits
from ludoport.tensors.encoder import TensorEncoder
from ludoport.tensors.kernels import kernel_text

TEXT = """
def run_tensors(states, histories, tables, scratch, out, counts, slots):
    game = cuda.grid(1)
    threads = cuda.gridsize(1)
{rows}
    clear_row(work, WORK_SIZE)
    while game < states.shape[0]:
        for i in range(STATE_SIZE):
            state[i] = states[game, i]
        planes(state, histories[game], out[game])
        n = legal(state, moves, work)
        counts[game] = n
        for k in range(n):
            slots[game, k] = slot(state, moves[k * MOVE_SIZE : (k + 1) * MOVE_SIZE])
        game += threads
"""


def device_tensors(encoder: TensorEncoder, rows: NDArray[Any], histories: NDArray[Any]) -> dict[str, list[list[int]]]:
    """Planes, and slots of the legal moves, of each position."""
    rules = encoder.game.rules
    device = CudaKernels(rules.source + kernel_text(encoder.layout), LaunchPlan(block=4, bits=row_bits(rules.dtype)))
    out = np.full((len(rows), int(np.prod(encoder.layout.shape))), 9, dtype=np.uint8)
    counts, slots = np.zeros(len(rows), dtype=np.int32), np.zeros((len(rows), rules.max_moves), dtype=np.int32)
    arguments = (rows, histories, ..., out, counts, slots)
    device.kernel("run_tensors", TEXT)[2, 4](*device.fill(arguments, 8))
    found = [row[:n].tolist() for row, n in zip(slots, counts, strict=True)]
    return {"planes": out.tolist(), "slots": found}
