"""The step between two searches on a CUDA device, which numba's simulator stands in for."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys

import pytest

SCRIPT = """
import json
import numpy as np
import ludoport as lp
from ludoport.kernels.cuda_kernels import CudaKernels
from ludoport.kernels.cuda_plan import Plan
from ludoport.selfplay.device import KERNELS
from ludoport.selfplay.games import step_numbers
from ludoport.selfplay.kernels import selfplay_source
from tests.selfplay.test_targets import make

play = make(lp.load("Tic-Tac-Toe", jit=False), openings=0.5, opening_plies=2, gumbel=False, completed=False, forced=2.0)
layout = play.searches.layout
kernel = CudaKernels(play.game.rules.source + selfplay_source(play.game, layout), Plan(words=False))
there = kernel._kernel("run_step", KERNELS["step"])
names = ("roots", "histories", "rngs", "nodes", "sums", "moves", "facts")
kept = ("seen", "policies", "judged", "persons", "results", "replies")
same = 0
for _ in range(12):
    play.searches.active[:] = True
    play.searches.run(play.guide)
    searches, replay, config = play.searches, play.replay, play.config
    numbers = step_numbers(config, replay.written, replay.places, True)
    copies = {name: getattr(searches, name).copy() for name in names}
    copies |= {name: getattr(replay, name).copy() for name in kept}
    counts, places = play.counts.copy(), play.places.copy()
    scratch = [np.zeros((config.games, size), kind) for size, kind in (
        (play.game.rules.max_moves + 1, np.float32), (1, np.int32), (max(1, play.game.rules.work_size), np.int64))]
    there[1, 64](
        *(copies[name] for name in names), searches.settings.array(), searches.noise.copy(), numbers, scratch[0],
        counts, places, *(copies[name] for name in kept), scratch[1], scratch[2],
    )
    play._call_step(numbers, config.games)
    replay.written += config.games
    for name in ("roots", "histories", "rngs", "facts"):
        assert (copies[name] == getattr(searches, name)).all(), name
    for name in kept:
        assert (copies[name] == getattr(replay, name)).all(), name
    assert (counts == play.counts).all() and (places == play.places).all()
    same += 1
print(json.dumps({"same": same, "games": int(play.counts[:, 1].sum())}))
"""


@pytest.mark.skipif(importlib.util.find_spec("numba_cuda") is None, reason="needs numba-cuda")
def test_same_step() -> None:
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, env=environment, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    answer = json.loads(done.stdout)
    assert answer["same"] == 12
    assert answer["games"] >= 2
