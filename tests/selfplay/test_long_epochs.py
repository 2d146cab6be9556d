"""Epochs that take longer than a run's time, or than a checkpoint may wait."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import ludoport as lp
from ludoport.selfplay.cluster import ClusterProgress
from ludoport.selfplay.games import SelfPlay
from ludoport.selfplay.playing import together
from ludoport.selfplay.run import Run
from ludoport.selfplay.train import Budget, Trainer
from tests.selfplay.conftest import small
from tests.selfplay.test_run import assert_same, state

SOON = 1e-6
"""Minutes between checkpoints that are over after every step."""


@pytest.mark.slow
def test_time_ends_an_epoch(tmp_path: Path, hex3: lp.Game) -> None:
    config = small(positions=16 * 60)
    trainer = Trainer(config, tmp_path / "run", game=hex3)
    assert isinstance(trainer.play, SelfPlay)
    original = trainer.play.step

    def slow() -> None:
        time.sleep(0.05)
        original()

    trainer.play.step = slow  # type: ignore[method-assign]
    trainer.train(Budget(minutes=0.01))
    assert (trainer.epoch, trainer.interrupted) == (0, False)
    assert 0.6 <= trainer.seconds < 3
    written = trainer.replay.written
    assert 0 < written < config.positions
    again = Trainer(config, tmp_path / "run", game=hex3)
    again.train(Budget(minutes=0.01))
    assert again.replay.written == written
    again.train(Budget(epochs=1))
    Trainer(config, tmp_path / "whole", game=hex3).train(Budget(epochs=1))
    assert_same(state(tmp_path / "whole"), state(tmp_path / "run"))


@pytest.mark.slow
def test_checkpoints_within_epochs_change_nothing(tmp_path: Path, whole: Path, hex3: lp.Game) -> None:
    trainer = Trainer(small(checkpoint_minutes=SOON), tmp_path / "run", game=hex3)
    saves: list[int] = []
    original = trainer.save

    def save() -> None:
        saves.append(trainer.replay.written)
        original()

    trainer.save = save  # type: ignore[method-assign]
    trainer.train(Budget(epochs=4))
    assert saves[:-1] == list(range(16, 4 * 128 + 1, 16))
    assert_same(state(whole), state(tmp_path / "run"))
    names = ("games", "moves", "positions", "evaluations", "draws", "policy_loss")
    one, two = trainer.records, Run(whole, small()).metrics()
    assert [[record[name] for name in names] for record in one] == [[record[name] for name in names] for record in two]


@pytest.mark.slow
def test_killed_within_an_epoch(tmp_path: Path, whole: Path, hex3: lp.Game) -> None:
    config = small(checkpoint_minutes=SOON)
    trainer = Trainer(config, tmp_path / "run", game=hex3)
    assert isinstance(trainer.play, SelfPlay)
    original, steps = trainer.play.step, 0

    def dies() -> None:
        nonlocal steps
        steps += 1
        if steps == 12:
            raise SystemExit
        original()

    trainer.play.step = dies  # type: ignore[method-assign]
    with pytest.raises(SystemExit):
        trainer.train(Budget(epochs=4))
    again = Trainer(config, tmp_path / "run", game=hex3)
    assert (again.epoch, again.replay.written) == (1, 11 * 16)
    again.train(Budget(epochs=4))
    assert_same(state(whole), state(tmp_path / "run"))


@pytest.mark.slow
def test_checkpoints_after_every_epoch(tmp_path: Path, hex3: lp.Game) -> None:
    """Without minutes between checkpoints there is none after every move."""
    trainer = Trainer(small(checkpoint_minutes=0.0), tmp_path / "run", game=hex3)
    saves: list[int] = []
    original = trainer.save
    trainer.save = lambda: (saves.append(trainer.epoch), original())[1]  # type: ignore[method-assign]
    trainer.train(Budget(epochs=2))
    assert saves == [1, 2, 2]


def test_stretches_add_up() -> None:
    one = ClusterProgress(2, 10, 9, 80, 1, 0, play_seconds=1.5, actors=3, actors_lost=1)
    two = ClusterProgress(1, 5, 4, 40, 1, 0, play_seconds=0.5, actors=2, actors_lost=0)
    assert together([one, two]) == ClusterProgress(3, 15, 13, 120, 2, 0, play_seconds=2.0, actors=2, actors_lost=1)
