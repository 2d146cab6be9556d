"""Failures of a run and their messages, and settings that a run refuses."""

from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import ludoport as lp
from ludoport.errors import LudoportError
from ludoport.selfplay.checkpoints import write_kept
from ludoport.selfplay.config import from_record
from ludoport.selfplay.learner import DivergedError
from ludoport.selfplay.train import Budget, Trainer
from tests.selfplay.conftest import small


def full(*_: Any, **__: Any) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def failures(folder: Path) -> list[str]:
    """Failures in the log."""
    records = map(json.loads, (folder / "log.txt").read_text().splitlines())
    return [record["failure"] for record in records if "failure" in record]


@pytest.mark.slow
def test_no_number_before_and_after_a_checkpoint(tmp_path: Path, hex3: lp.Game) -> None:
    for name, epochs in (("early", 0), ("late", 1)):
        trainer = Trainer(small(), tmp_path / name, game=hex3)
        if epochs:
            trainer.train(Budget(epochs=epochs))
        with torch.no_grad():
            next(trainer.learner.net.parameters()).fill_(float("nan"))
        said = "the last checkpoint is good" if epochs else "the run has no checkpoint yet"
        with pytest.raises(DivergedError, match=f"the loss became NaN; {said}") as refused:
            trainer.train(Budget(epochs=2))
        assert failures(tmp_path / name) == [f"DivergedError: {refused.value}"]


def test_full_disk_before_a_checkpoint(tmp_path: Path, hex3: lp.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(LudoportError, match=r"cannot be written \(No space left on device\); .* has no checkpoint yet"):
        Trainer(small(), tmp_path / "run", game=hex3).train(Budget(epochs=1))
    assert "No space left" in failures(tmp_path / "run")[0]


@pytest.mark.slow
def test_learning_waits_for_the_first_game(tmp_path: Path, hex3: lp.Game) -> None:
    trainer = Trainer(small(warmup=0, positions=16), tmp_path / "run", game=hex3)
    trainer.train(Budget(epochs=1))
    assert trainer.records[0]["ready"] == 0
    assert trainer.records[0]["policy_loss"] is None


@pytest.mark.slow
def test_equal_runs_have_equal_files(tmp_path: Path, whole: Path, hex3: lp.Game) -> None:
    trainer = Trainer(small(), tmp_path / "run", game=hex3)
    trainer.seconds = 1000.0
    trainer.train(Budget(epochs=4))
    assert (tmp_path / "run/network.safetensors").read_bytes() == (whole / "network.safetensors").read_bytes()


def test_files_in_folders_of_a_run(tmp_path: Path) -> None:
    """The checkpoint is looked for in the folder of the run."""
    (tmp_path / "tensorboard").mkdir()
    for said in ("no checkpoint yet", "its last checkpoint"):
        with pytest.raises(LudoportError, match=said):
            write_kept(tmp_path / "tensorboard/epochs.txt", full)
        (tmp_path / "state").mkdir(exist_ok=True)
        (tmp_path / "state/manifest.json").touch()


@pytest.mark.parametrize(
    ("record", "sentence"),
    [
        ({"seed": -5}, "seed must be at least 0, not -5"),
        ({"seed": 2**64}, f"seed must be at most {2**62}, not {2**64}"),
        ({"rate": -1.0}, "rate must be above 0, not -1.0"),
        ({"rate": float("nan")}, "rate must be a finite number, not nan"),
        ({"batches": -3}, "batches must be at least 0, not -3"),
        ({"sigma_scale": float("nan")}, "sigma_scale must be a finite number, not nan"),
        ({"fpu": float("inf")}, "fpu must be a finite number, not inf"),
        ({"warmup": -1}, "warmup must be at least 0, not -1"),
        ({"games": 64, "replay": 255}, "replay must be at least 256, four positions for each of 64 games, not 255"),
    ],
)
def test_refused_settings(record: dict[str, Any], sentence: str) -> None:
    with pytest.raises(LudoportError) as refused:
        from_record(record)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(("minutes", "what"), [(float("inf"), "finite"), (float("nan"), "positive")])
def test_refused_minutes(minutes: float, what: str) -> None:
    with pytest.raises(LudoportError, match=f"the number of minutes must be {what}, not {minutes}"):
        Budget(minutes)
