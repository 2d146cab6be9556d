"""Resuming on a CUDA device, which numba's simulator stands in for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.simulated import run_simulated

RESUME = """
import json
import os
import sys
import numpy as np
import ludoport as lp
import ludoport.selfplay.one_game as one_game
from ludoport.selfplay.device import DeviceSelfPlay
from ludoport.selfplay.device_replay import DeviceReplay
from ludoport.selfplay.replay import replay_sizes
from ludoport.selfplay.train import Budget, Trainer
from tests.selfplay.conftest import small


def assembled(game, layout, config, net, *_, **__):
    replay = DeviceReplay(*replay_sizes(config, layout), device="cpu")
    return replay, DeviceSelfPlay(game, layout, config, replay, net)


one_game.assembled = assembled
config = small(
    game="Tic-Tac-Toe", options=(), games=2, simulations=2, positions=12, warmup=4, batch=4, batches=2, replay=400,
    checkpoint_epochs=1, schedule="constant",
)
game = lp.load("Tic-Tac-Toe", jit=False)


def trainer(folder):
    made = Trainer(config, os.path.join(sys.argv[1], folder), game=game)
    assert type(made.play) is DeviceSelfPlay
    return made


def losses(made):
    return [(record["epoch"], record["policy_loss"], record["value_loss"]) for record in made.records]


whole = trainer("whole")
whole.train(Budget(epochs=3))
killed = os.fork()
if killed == 0:
    # A file of the second or third checkpoint is half written when the process dies.
    original, count = np.savez, 0

    def dies(file, **arrays):
        global count
        count += 1
        if count == 5:
            file.write(b"half of a file")
            file.flush()
            os._exit(9)
        original(file, **arrays)

    np.savez = dies
    trainer("killed").train(Budget(epochs=3))
    os._exit(0)
_, status = os.waitpid(killed, 0)
assert os.waitstatus_to_exitcode(status) == 9
following = trainer("killed")
first = following.epoch
following.train(Budget(epochs=3))
print(json.dumps({"whole": losses(whole), "resumed": losses(following), "first": first}))
"""


@pytest.mark.slow
def test_killed_while_writing_on_a_device(tmp_path: Path) -> None:
    """A process that dies in the middle of a background write: the run resumes with the same record of losses."""
    answer = run_simulated(RESUME, str(tmp_path))
    assert 1 <= answer["first"] < 3
    assert answer["resumed"] == answer["whole"]
    assert answer["whole"][-1][1] is not None
