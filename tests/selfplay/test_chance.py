"""Learning a game with dice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ludoport as lp
from ludoport.errors import LudoportError
from ludoport.selfplay.config import TrainConfig
from ludoport.selfplay.train import Budget, Trainer
from tests.selfplay.conftest import small
from tests.simulated import run_simulated

RACE = Path(__file__).parent.parent / "search/games/race.lud"


@pytest.fixture(scope="module")
def race() -> lp.Game:
    return lp.load(RACE, jit=False)


def of_race(**changes: Any) -> TrainConfig:
    return small(**{"game": str(RACE), "options": (), "simulations": 8, **changes})


@pytest.mark.slow
def test_training_beats_random_play(tmp_path: Path, race: lp.Game) -> None:
    Trainer(of_race(), tmp_path / "run", game=race).train(Budget(epochs=6))
    record = lp.match(f"net:{tmp_path / 'run'},simulations=4", "random", race, 80, workers=1).record
    assert record.interval()[0] > 0.55, record


@pytest.mark.slow
def test_a_run_that_was_stopped_ends_the_same(tmp_path: Path, race: lp.Game) -> None:
    config = of_race(games=8, simulations=4, positions=32, warmup=16, batch=16)
    Trainer(config, tmp_path / "whole", game=race).train(Budget(epochs=3))
    for epochs in (1, 3):
        Trainer(config, tmp_path / "parts", game=race).train(Budget(epochs=epochs))
    whole, parts = (tmp_path / name / "network.safetensors" for name in ("whole", "parts"))
    assert whole.read_bytes() == parts.read_bytes()


def test_a_layout_without_dice_is_refused(tmp_path: Path, race: lp.Game) -> None:
    with pytest.raises(LudoportError, match="the layout `paper` does not show dice; use `compact`"):
        Trainer(of_race(layout="paper"), tmp_path / "run", game=race)


DEVICE = """
import json
import sys
import numpy as np
import ludoport as lp
from ludoport.arena.playing import pairing
from ludoport.search.puct import PuctSettings
from ludoport.selfplay.device import DeviceReplay, DeviceSelfPlay
from ludoport.selfplay.duel_board import CpuBoard, DuelRules
from ludoport.selfplay.duel_device import DeviceBoard
from ludoport.selfplay.games import SelfPlay
from ludoport.selfplay.replay import Replay, replay_sizes
from tests.selfplay.conftest import small
from tests.selfplay.test_duel import fresh

game = lp.load(sys.argv[1], jit=False)
side = fresh(game, 1)
config = small(game=sys.argv[1], options=(), games=4, simulations=4, replay=400)
sizes = replay_sizes(config, side.layout)
found = []
for kind, replay in ((SelfPlay, Replay(*sizes)), (DeviceSelfPlay, DeviceReplay(*sizes, device="cpu"))):
    play = kind(game, side.layout, config, replay, side.net)
    progress = play.play(60)
    found.append((progress.games, {name: np.asarray(getattr(play.replay, name)) for name in Replay.ARRAYS}))
(games, ours), (same, theirs) = found
assert games == same
for name in ours:
    assert np.allclose(ours[name], theirs[name], atol=1e-5), name
ended = []
sides = side, fresh(game, 2)
for kind, who in ((CpuBoard, sides), (DeviceBoard, [sides])):
    board = kind(game, who, DuelRules(PuctSettings(simulations=3), 2, "visits", 1.0, 60), 4)
    board.begin([[pairing(1, k) for k in range(4)]])
    while board.move(0) + board.move(1):
        pass
    rows, played = board.ended()
    ended.append([rows.tolist(), [[move.tolist() for move in of_game] for of_game in played]])
assert ended[0] == ended[1]
print(json.dumps({"games": games}))
"""


@pytest.mark.slow
def test_a_device_draws_the_same() -> None:
    assert run_simulated(DEVICE, str(RACE))["games"] > 0
