"""A learner on a device takes and turns positions as one on a CPU."""

from __future__ import annotations

import numpy as np
import torch

import ludoport as lp
from ludoport.nets.build import build_network
from ludoport.nets.registry import preset_for
from ludoport.selfplay.device_replay import DeviceReplay
from ludoport.selfplay.learner import Learner, Sample
from ludoport.selfplay.replay import Replay, replay_sizes
from ludoport.tensors.layout import tensor_layout
from ludoport.tensors.symmetry import symmetries
from tests.selfplay.conftest import small


def filled(game: lp.Game) -> tuple[Learner, DeviceReplay, Replay]:
    layout, config = tensor_layout(game, "compact"), small(ownership_weight=0.1)
    learner = Learner(
        build_network(preset_for("tiny", layout, ownership=3), seed=1), layout, config, symmetries(game, layout)
    )
    replays = DeviceReplay(*replay_sizes(config, layout), device="cpu"), Replay(*replay_sizes(config, layout))
    rng = np.random.default_rng(1)
    for name, low, high in (
        ("seen", 0, 2),
        ("policies", -1, 9),
        ("replies", -1, 9),
        ("persons", 1, 3),
        ("finals", -1, 3),
    ):
        array = getattr(replays[1], name)
        array[:] = rng.integers(low, high, array.shape)
        getattr(replays[0], name).copy_(torch.from_numpy(array))
    for replay in replays:
        replay.results[:200] = 1.0
        replay.written = 200
    assert replays[0].ready == replays[1].ready == 200
    return learner, *replays


def test_same_positions(hex3: lp.Game) -> None:
    _, there, here = filled(hex3)
    one, two = there.draw(np.random.default_rng(5), 16), here.draw(np.random.default_rng(5), 16)
    for mine, other in zip(one, two, strict=True):
        assert np.array_equal(mine.numpy(), other)


def test_same_turns(hex3: lp.Game) -> None:
    learner, there, _ = filled(hex3)
    assert learner.turns
    sample = Sample(*there.take(there.choose(np.random.default_rng(2), 3, 16)[1]))
    for number in range(len(learner.turns) + 1):

        class Drawn:
            def integers(self, *_: object, number: int = number) -> int:
                return number

        learner.rng = Drawn()  # type: ignore[assignment]
        pairs = zip(learner._turned_by(sample, torch.tensor([number])), learner._turned(sample), strict=True)
        assert all(torch.equal(mine.double(), other.double()) for mine, other in pairs), number
