"""The same planes and slots on a CUDA device, which numba's simulator stands in for."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import ludoport as lp
from ludoport.tensors.encoder import TensorEncoder

GAMES = {"Hex": ["Board Size/3x3"], "Breakthrough": ["Board Size/4x4", "Board/Hexagon"], "Connect Four": []}
COUNT = 6

SCRIPT = '''
import json, sys
import numpy as np
import ludoport as lp
from ludoport.kernels.cuda_kernels import CudaKernels
from ludoport.kernels.cuda_plan import Plan
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

answer = {}
for name, options in json.loads(sys.argv[1]).items():
    encoder = TensorEncoder(lp.load(name, options=options, jit=False))
    batch = encoder.wander(int(sys.argv[2]), seed=4)
    device = CudaKernels(encoder.game.rules.source + kernel_text(encoder.layout), Plan(block=4))
    out = np.full((len(batch.rows), int(np.prod(encoder.layout.shape))), 9, dtype=np.uint8)
    counts = np.zeros(len(out), dtype=np.int32)
    slots = np.zeros((len(out), encoder.game.rules.max_moves), dtype=np.int32)
    arguments = (batch.rows, batch.histories, ..., out, counts, slots)
    device.kernel("run_tensors", TEXT)[2, 4](*device.fill(arguments, 8))
    answer[name] = {"planes": out.tolist(), "slots": [row[:n].tolist() for row, n in zip(slots, counts)]}
print(json.dumps(answer))
'''


@pytest.fixture(scope="module")
def simulated() -> dict[str, Any]:
    """What the simulator wrote; it must be chosen before numba is imported, hence a process of its own."""
    if importlib.util.find_spec("numba_cuda") is None:
        pytest.skip("numba-cuda is not installed")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(GAMES), str(COUNT)],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.mark.parametrize("name", GAMES)
def test_the_simulator_agrees(simulated: dict[str, Any], name: str) -> None:
    encoder = TensorEncoder(lp.load(name, options=GAMES[name], jit=False))
    batch = encoder.wander(COUNT, seed=4)
    found = encoder.slots(batch.rows)
    assert simulated[name]["planes"] == encoder.planes(*batch).reshape(COUNT, -1).tolist()
    parts = [part.tolist() for part in np.split(found.slots, found.first[1:-1])]
    assert simulated[name]["slots"] == parts
