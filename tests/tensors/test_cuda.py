"""The same planes and slots on a CUDA device, which numba's simulator stands in for."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import ludoport as lp
from ludoport.tensors.encoder import TensorEncoder
from tests.simulated import run_simulated

GAMES = {"Hex": ["Board Size/3x3"], "Breakthrough": ["Board Size/4x4", "Board/Hexagon"], "Connect Four": []}
COUNT = 6

SCRIPT = """
import json, sys
import ludoport as lp
from ludoport.tensors.encoder import TensorEncoder
from tests.tensors.on_device import device_tensors

answer = {}
for name, options in json.loads(sys.argv[1]).items():
    encoder = TensorEncoder(lp.load(name, options=options, jit=False))
    batch = encoder.wander(int(sys.argv[2]), seed=4)
    answer[name] = device_tensors(encoder, batch.rows, batch.histories)
print(json.dumps(answer))
"""


@pytest.fixture(scope="module")
def simulated() -> dict[str, Any]:
    """Tensors of the simulator."""
    return run_simulated(SCRIPT, json.dumps(GAMES), str(COUNT))


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_simulator_agrees(simulated: dict[str, Any], name: str) -> None:
    encoder = TensorEncoder(lp.load(name, options=GAMES[name], jit=False))
    batch = encoder.wander(COUNT, seed=4)
    found = encoder.slots(batch.rows)
    assert simulated[name]["planes"] == encoder.planes(*batch).reshape(COUNT, -1).tolist()
    parts = [part.tolist() for part in np.split(found.slots, found.first[1:-1])]
    assert simulated[name]["slots"] == parts
