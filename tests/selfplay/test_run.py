"""Runs: the same again, interrupted and gone on, and what can go wrong."""

from __future__ import annotations

import errno
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

import ludoport as lp
from ludoport.errors import LudoportError
from ludoport.nets.files import load_network
from ludoport.selfplay.config import TrainConfig
from ludoport.selfplay.games import SelfPlay
from ludoport.selfplay.learner import DivergedError
from ludoport.selfplay.run import Run
from ludoport.selfplay.suited import check_trainable
from ludoport.selfplay.train import Budget, Trainer
from tests.selfplay.conftest import small


def state(folder: Path) -> dict[str, Any]:
    """All that a run would go on from."""
    kept = Run(folder, TrainConfig.from_toml((folder / "config.toml").read_text(), "")).checkpoints.load()
    assert kept is not None
    arrays, facts = kept
    changing = ("seconds", "rating_seconds")
    return {**arrays, **{name: value for name, value in facts.items() if name not in changing}}


def assert_same(one: dict[str, Any], two: dict[str, Any]) -> None:
    assert one.keys() == two.keys()
    for name, value in one.items():
        if isinstance(value, np.ndarray):
            assert value.tobytes() == two[name].tobytes(), name
        else:
            assert value == two[name], name


@pytest.mark.slow
def test_same_seed_same_run(tmp_path: Path, whole: Path, hex3: lp.Game) -> None:
    Trainer(small(), tmp_path / "again", game=hex3).train(Budget(epochs=4))
    assert_same(state(whole), state(tmp_path / "again"))
    one, two = (load_network(folder / "network.safetensors").net.state_dict() for folder in (whole, tmp_path / "again"))
    assert all(torch.equal(one[name], two[name]) for name in one)
    Trainer(small(seed=2), tmp_path / "other", game=hex3).train(Budget(epochs=1))
    other = load_network(tmp_path / "other/network.safetensors").net.state_dict()
    assert not all(torch.equal(one[name], other[name]) for name in one)


@pytest.mark.slow
def test_interrupted_and_gone_on(tmp_path: Path, whole: Path, hex3: lp.Game) -> None:
    """Stopped in the middle of an epoch's games, and between two epochs."""
    folder = tmp_path / "run"
    steps = 0
    trainer = Trainer(small(), folder, game=hex3)
    assert isinstance(trainer.play, SelfPlay)
    original = trainer.play.step

    def step() -> None:
        nonlocal steps
        original()
        steps += 1
        if steps == 11:
            trainer.stop()

    trainer.play.step = step  # type: ignore[method-assign]
    trainer.train(Budget(epochs=4))
    assert trainer.interrupted
    assert trainer.epoch == 1
    following = Trainer(small(), folder, game=hex3)
    following.train(Budget(epochs=4), lambda record: following.stop() if record["epoch"] == 3 else None)
    assert following.interrupted
    assert following.epoch == 3
    Trainer(small(), folder, game=hex3).train(Budget(epochs=4))
    assert_same(state(whole), state(folder))
    assert [record["epoch"] for record in Run(folder, small()).metrics()] == [1, 2, 3, 4]


@pytest.mark.slow
def test_killed_and_gone_on(tmp_path: Path, whole: Path, hex3: lp.Game) -> None:
    """A process that dies loses what came after its last checkpoint, and nothing else."""

    def die(record: dict[str, Any]) -> None:
        if record["epoch"] == 3:
            raise SystemExit

    folder, config = tmp_path / "run", small(checkpoint_epochs=2)
    with pytest.raises(SystemExit):
        Trainer(config, folder, game=hex3).train(Budget(epochs=4), die)
    (folder / "state/.rest-9.npz.half").write_bytes(b"half of a checkpoint")
    (folder / "state/positions-9-99.npz").write_bytes(b"named by no manifest")
    trainer = Trainer(config, folder, game=hex3)
    assert trainer.epoch == 2
    trainer.train(Budget(epochs=4))
    assert not (folder / "state/.rest-9.npz.half").exists()
    assert not (folder / "state/positions-9-99.npz").exists()
    assert_same(state(whole), state(folder))


@pytest.mark.slow
def test_reused_trees_go_on(tmp_path: Path, hex3: lp.Game) -> None:
    settings = {"reuse": True, "full_share": 0.5, "fast_simulations": 3, "schedule": "constant"}
    for name, stops in (("one", (3,)), ("two", (1, 2, 3))):
        for stop in stops:
            Trainer(small(**settings), tmp_path / name, game=hex3).train(Budget(epochs=stop))
    assert_same(state(tmp_path / "one"), state(tmp_path / "two"))


@pytest.mark.slow
def test_loss_that_is_no_number(tmp_path: Path, hex3: lp.Game) -> None:
    folder = tmp_path / "run"
    trainer = Trainer(small(), folder, game=hex3)
    trainer.train(Budget(epochs=2))
    before = state(folder)
    with torch.no_grad():
        next(trainer.learner.net.parameters()).fill_(float("nan"))
    with pytest.raises(DivergedError, match="became NaN; the last checkpoint is good"):
        trainer.train(Budget(epochs=4))
    assert_same(before, state(folder))
    weights = load_network(folder / "network.safetensors").net.state_dict().values()
    assert all(bool(torch.isfinite(tensor).all()) for tensor in weights)


@pytest.mark.slow
def test_full_disk(tmp_path: Path, hex3: lp.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "run"
    trainer = Trainer(small(), folder, game=hex3)
    trainer.train(Budget(epochs=2))
    before = state(folder)

    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(np, "savez", full)
        with pytest.raises(
            LudoportError,
            match=r"positions-.*.npz: cannot be written \(No space left on device\); .*keeps its last checkpoint",
        ):
            trainer.train(Budget(epochs=3))
    assert_same(before, state(folder))
    assert not list((folder / "state").glob(".*"))
    assert Trainer(small(), folder, game=hex3).epoch == 2


def test_folder_of_another_run(tmp_path: Path, whole: Path, hex3: lp.Game) -> None:
    with pytest.raises(LudoportError, match="holds another run, which differs in seed, simulations"):
        Run(whole, small(seed=2, simulations=9))
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(LudoportError, match="already exists and is not a run"):
        Run(tmp_path, small())
    other = lp.load("Tic-Tac-Toe", jit=False)
    with pytest.raises(LudoportError, match="holds a run with rules other than those of Tic-Tac-Toe"):
        Trainer(small(), whole, game=other)


def test_killed_while_its_folder_is_made(tmp_path: Path) -> None:
    """Also what a watcher sees of a run that starts at the same time."""
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / ".config.toml.1234").write_text("seed")
    run = Run(tmp_path, small())
    with run.working():
        assert (tmp_path / "config.toml").exists()


def test_two_processes(tmp_path: Path) -> None:
    one, two = Run(tmp_path / "run", small()), Run(tmp_path / "run", small())
    with one.working(), pytest.raises(LudoportError, match="in use by another process"), two.working():
        pass
    with two.working():
        pass


@pytest.mark.slow
def test_damaged_state(tmp_path: Path, whole: Path, hex3: lp.Game) -> None:
    folder = tmp_path / "run"
    Trainer(small(), folder, game=hex3).train(Budget(epochs=1))
    for name in ("rest", "positions"):
        (file,) = (folder / "state").glob(f"{name}-*.npz")
        data = file.read_bytes()
        file.write_bytes(data[: len(data) // 2])
        with pytest.raises(LudoportError, match=r"manifest.json: damaged"):
            Trainer(small(), folder, game=hex3)
        file.write_bytes(data)
    assert Trainer(small(), folder, game=hex3).epoch == 1


def test_games_that_cannot_be_learned() -> None:
    three: Any = SimpleNamespace(n_players=3, name="Trio")
    with pytest.raises(LudoportError, match="games of two players; Trio has 3"):
        check_trainable(three, 10)
    ended = SimpleNamespace(over=True, utilities=[1.0, 1.0])
    rules = SimpleNamespace(source="generous")
    generous: Any = SimpleNamespace(n_players=2, name="Gift", rules=rules, start=lambda seed: ended)
    with pytest.raises(LudoportError, match="a game of Gift ended with 1 and 1"):
        check_trainable(generous, 10)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({}, "a run needs a number of minutes or of epochs"),
        ({"minutes": 0.0}, "the number of minutes must be positive, not 0.0"),
        ({"epochs": -1}, "the number of epochs must be positive, not -1"),
    ],
)
def test_budget(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(LudoportError, match=sentence):
        Budget(**given)


def test_budget_counts_what_was_done() -> None:
    budget = Budget(minutes=2, epochs=10)
    assert budget.progress(60, 2) == 0.5
    assert budget.progress(12, 9) == 0.9
    assert budget.left(60, 2, 5.0) == 40.0
    assert budget.left(110, 2, 5.0) == 10.0
