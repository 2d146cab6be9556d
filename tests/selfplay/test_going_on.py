"""Runs that go on: what others see of them meanwhile, and what they begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ludoport as lp
from ludoport.errors import LudoportError
from ludoport.selfplay import train
from ludoport.selfplay.run import Run
from ludoport.selfplay.suited import check_trainable
from ludoport.selfplay.train import Budget, Trainer
from tests.selfplay.conftest import small


def points(folder: Path) -> list[int]:
    """The epochs of a curve, as TensorBoard reads it."""
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    events = [accumulator.EventAccumulator(str(file)) for file in (folder / "tensorboard").glob("events*")]
    return sorted(event.step for one in events for event in one.Reload().Scalars("seconds"))


@pytest.mark.slow
def test_points_are_written_once(tmp_path: Path, hex3: lp.Game) -> None:
    for epochs in (1, 3, 3):
        Trainer(small(), tmp_path / "run", game=hex3).train(Budget(epochs=epochs))
        assert points(tmp_path / "run") == list(range(1, epochs + 1))


@pytest.mark.slow
def test_checkpoints_are_shown(tmp_path: Path, hex3: lp.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(train, "SHOWN_SECONDS", 0.0)

    def dies(record: dict[str, Any]) -> None:
        raise SystemExit

    with pytest.raises(SystemExit):
        Trainer(small(checkpoint_epochs=1), tmp_path / "run", game=hex3).train(Budget(epochs=4), dies)
    assert (tmp_path / "run/metrics.parquet").exists()
    assert (tmp_path / "run/learning.png").exists()
    assert points(tmp_path / "run") == [1]


@pytest.mark.slow
def test_another_start_is_not_used(tmp_path: Path, whole: Path, hex3: lp.Game) -> None:
    Trainer(small(), tmp_path / "run", game=hex3).train(Budget(epochs=1))
    with pytest.warns(UserWarning, match=r"run resumes from its last checkpoint; .*network.safetensors is not used"):
        Trainer(small(), tmp_path / "run", game=hex3, start=whole / "network.safetensors")


@pytest.mark.slow
@pytest.mark.parametrize(("setting", "what"), [("reply_weight", "replies"), ("ownership_weight", "owners")])
def test_start_without_a_head(setting: str, what: str, tmp_path: Path, whole: Path, hex3: lp.Game) -> None:
    with pytest.raises(LudoportError, match=f"the network has no head for {what}; set {setting} to 0"):
        Trainer(small(**{setting: 0.5}), tmp_path / "run", game=hex3, start=whole / "network.safetensors")


@pytest.mark.slow
def test_case_of_a_name(whole: Path) -> None:
    assert Run(whole, small(game="hEX")).metrics()
    with pytest.raises(LudoportError, match="holds another run, which differs in game;"):
        Run(whole, small(game="Havannah"))


def test_choices_at_the_same_time() -> None:
    game = lp.load(str(Path(lp.__file__).parent / "games/gdl/rock-paper-scissors.kif"), jit=False)
    with pytest.raises(LudoportError, match=r"in turn; in .* they choose at the same time"):
        check_trainable(game, 100)
    check_trainable(lp.load(str(Path(lp.__file__).parent / "games/gdl/tic-tac-toe.kif"), jit=False), 100)
