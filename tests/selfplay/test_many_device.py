"""Runs of many games on a CUDA device, which numba's simulator stands in for, and what their lanes do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ludoport.selfplay.lanes import AHEAD, dealt, side_by_side
from ludoport.selfplay.playing import Progress, never
from tests.simulated import run_simulated

RUN = """
import json
import os
import sys
os.environ["LUDOPORT_JIT"] = "0"
import torch
import ludoport.selfplay.many_games as many_games
from ludoport.selfplay.device import DeviceSelfPlay
from ludoport.selfplay.device_replay import DeviceReplay
from ludoport.selfplay.replay import replay_sizes
from ludoport.selfplay.train import Budget, Trainer
from ludoport.selfplay.warm import keep_play, kept_play, warm_key
from ludoport.nets.universal.specialise import specialise
from tests.selfplay.test_many_games import many, GAMES

made = []


def assembled(game, layout, config, net, *_, warm, **__):
    key = warm_key(game, layout, config, net.config)
    play = kept_play(key) if warm else None
    if play is None:
        made.append(config.title)
        replay = DeviceReplay(*replay_sizes(config, layout), device="cpu")
        play = DeviceSelfPlay(game, layout, config, replay, net)
        keep_play(key, play)
    else:
        play.reset(config, net)
    return play.replay, play


many_games.assembled = assembled
changes = dict(
    positions=32, simulations=2, warmup=4, batch=8, batches=2, replay=400, schedule="constant", staggered=True
)


def trainer(folder, games=GAMES, warm=False, **more):
    config = many(games, **{**changes, **more})
    return Trainer(config, os.path.join(sys.argv[1], folder), warm=warm)


def losses(run):
    return [(record["epoch"], record["policy_loss"], record["value_loss"]) for record in run.records]


whole = trainer("whole")
assert all(type(part.play) is DeviceSelfPlay for part in whole.subject.parts.values())
whole.train(Budget(epochs=3))
trainer("resumed").train(Budget(epochs=1))
resumed = trainer("resumed")
assert resumed.epoch == 1
resumed.train(Budget(epochs=3))
# Each game plays with what the learner's network says about it.
planes = {key: torch.rand(3, *part.layout.shape).round() for key, part in resumed.subject.parts.items()}
differ = 0.0
for key, part in resumed.subject.parts.items():
    learned = specialise(resumed.learner.averaged, many_games.describe(part.game, part.layout))
    for mine, new in zip(part.play.evaluator.evaluate(planes[key]), (lambda o: (o.policy_logits, o.value()))(
        learned(planes[key])
    )):
        differ = max(differ, float((mine - new).abs().max()))
before = len(made)
again = trainer("warm", warm=True, seed=2, token_sums=False)
again.train(Budget(epochs=2))
fewer = trainer("fewer", games=GAMES[:1], warm=True)
fewer.train(Budget(epochs=2))
print(json.dumps({
    "whole": losses(whole), "resumed": losses(resumed), "differ": differ, "made": len(made) - before,
    "again": losses(again)[-1][1], "fewer": losses(fewer)[-1][1],
}))
"""


@pytest.mark.slow
def test_many_games_on_a_device(tmp_path: Path) -> None:
    """A run resumes as if it had not stopped; the next run of a process takes over what plays."""
    answer = run_simulated(RUN, str(tmp_path))
    assert answer["resumed"] == answer["whole"]
    assert answer["whole"][-1][1] is not None
    assert answer["differ"] < 1e-5
    assert answer["made"] == 0
    assert answer["again"] is not None
    assert answer["fewer"] is not None


class Noted:
    """Plays that only note what happens."""

    def __init__(self, name: str, stream: object, notes: list[str], each: int = 4) -> None:
        self.name, self.stream, self.notes, self.each = name, stream, notes, each
        self.recorded = 0

    def begin(self) -> None:
        self.recorded = 0

    def step_marked(self) -> Callable[[], None]:
        self.notes.append(self.name)
        self.recorded += self.each
        return lambda: self.notes.append(f"{self.name} waited")

    def ended(self) -> Progress:
        return Progress(0, 0, self.recorded, 0, 0, 0)


def test_lanes_take_turns_and_their_games_follow_each_other() -> None:
    notes: list[str] = []
    one, two = object(), object()
    a, b, c = (Noted(name, stream, notes) for name, stream in (("a", one), ("b", one), ("c", two)))
    found = side_by_side([(a, 5), (b, 4), (c, 4)], never)
    assert [progress.positions for progress in found] == [8, 4, 4]
    assert [note for note in notes if "waited" not in note] == ["a", "c", "a", "b"]
    assert notes[-2:] == ["b waited", "c waited"]


def test_lanes_are_not_far_ahead_and_stop() -> None:
    notes: list[str] = []
    play = Noted("a", None, notes, each=1)
    side_by_side([(play, 10), (Noted("b", None, notes), 4)], lambda: play.recorded == 5)
    started = [note for note in notes if "waited" not in note]
    assert started == ["a"] * 5
    assert notes[AHEAD + 1] == "a waited"


def test_large_games_are_dealt_first() -> None:
    lanes = dealt({"a": 1.0, "b": 6.0, "c": 3.0, "d": 2.5}, 2)
    assert lanes == {"b": 0, "c": 1, "d": 1, "a": 1}
