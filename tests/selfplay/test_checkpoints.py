"""Checkpoints: written in pieces, in the background, and only once each."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import ludoport as lp
from ludoport.errors import LudoportError
from ludoport.selfplay import checkpoints, segments
from ludoport.selfplay.checkpoints import Checkpoints
from ludoport.selfplay.kernels import PENDING
from ludoport.selfplay.replay import Replay
from ludoport.selfplay.segments import ENDS, FIXED, pack, unpack
from ludoport.selfplay.train import Budget, Trainer
from tests.selfplay.conftest import small
from tests.selfplay.test_run import assert_same, state

PLACES, INPUTS, SLOTS = 100, 21, 70


def fill(replay: Replay, count: int, rng: np.random.Generator, legal: int) -> None:
    """Record positions with some legal moves each; the first input has values above 1."""
    for number in range(replay.written, replay.written + count):
        place = number % replay.places
        replay.seen[place] = rng.integers(0, 2, INPUTS)
        replay.seen[place, 0] = rng.integers(0, 9)
        replay.policies[place] = -1
        replay.policies[place, rng.permutation(SLOTS)[:legal]] = rng.integers(0, 32767, legal)
        replay.judged[place], replay.persons[place] = rng.normal(), rng.integers(1, 3)
        replay.results[place], replay.replies[place] = PENDING, -1
    replay.written += count


def positions(replay: Replay) -> list[NDArray[Any]]:
    return [getattr(replay, name) for name in FIXED]


@pytest.mark.parametrize("legal", [3, 60])
def test_packed_positions_come_back(legal: int) -> None:
    replay = Replay(PLACES, INPUTS, SLOTS)
    fill(replay, PLACES, np.random.default_rng(legal), legal)
    packed = pack(*positions(replay))
    assert ("slots" in packed) == (legal == 3)
    on_device = pack(*map(torch.from_numpy, positions(replay)))
    assert packed.keys() == on_device.keys()
    for name, array in packed.items():
        assert np.array_equal(array, on_device[name].numpy()), name
    for name, array in unpack(packed, SLOTS).items():
        assert array.dtype == getattr(replay, name).dtype
        assert np.array_equal(array, getattr(replay, name)), name


def test_each_position_is_written_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over several rounds of the replay, with ends that become known late."""
    monkeypatch.setattr(segments, "MOST_BYTES", 1)
    monkeypatch.setattr(checkpoints, "MOST_BYTES", 40 * (INPUTS + 2 * SLOTS + 16))
    replay, rng, kept = Replay(PLACES, INPUTS, SLOTS), np.random.default_rng(1), Checkpoints(tmp_path)
    seen: dict[str, int] = {}
    for count in (30, 25, 70, 0, 90, 33):
        fill(replay, count, rng, 5)
        if count == 70:
            replay.results[:90], replay.replies[:90] = rng.integers(-1, 2, 90), rng.integers(0, SLOTS, 90)
        kept.save({"": replay}, {"x": np.arange(count)}, {"count": count})
        kept.wait()
        files = {file.name: file.stat().st_mtime_ns for file in (tmp_path / "state").glob("*-*-*.npz")}
        assert all(seen.get(name, when) == when for name, when in files.items()), "a segment was written again"
        seen = files
        loaded = Checkpoints(tmp_path).load()
        assert loaded is not None
        arrays, facts = loaded
        assert facts == {"count": count}
        again = Replay(PLACES, INPUTS, SLOTS)
        again.restore(arrays)
        assert again.written == replay.written
        for name in (*FIXED, *ENDS):
            assert np.array_equal(getattr(again, name), getattr(replay, name)), name
    first = [int(name.split("-")[1]) for name in seen]
    assert min(first) >= replay.written - 2 * PLACES, "what the replay has forgotten is gone"


@pytest.mark.slow
def test_failure_in_the_background(tmp_path: Path, hex3: lp.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint that cannot be written stops the run at the next epoch, not at its end."""
    trainer = Trainer(small(checkpoint_epochs=1), tmp_path / "run", game=hex3)
    trainer.train(Budget(epochs=1))
    before = state(tmp_path / "run")

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(LudoportError, match=r"No space left on device\); the run keeps its last checkpoint"):
        trainer.train(Budget(epochs=9))
    assert trainer.epoch <= 3
    monkeypatch.undo()
    assert_same(before, state(tmp_path / "run"))


@pytest.mark.slow
def test_a_checkpoint_of_one_file(tmp_path: Path, whole: Path, hex3: lp.Game) -> None:
    """Runs of version 3 go on."""
    folder = tmp_path / "run"
    trainer = Trainer(small(), folder, game=hex3)
    trainer.train(Budget(epochs=4), lambda record: trainer.stop() if record["epoch"] == 2 else None)
    loaded = Checkpoints(folder).load()
    assert loaded is not None
    arrays, facts = loaded
    header = np.frombuffer(json.dumps({"version": 3, **facts}).encode(), dtype=np.uint8)
    Checkpoints(folder).forget()
    np.savez(folder / "state.npz", header=header, **arrays)  # type: ignore[arg-type]
    Trainer(small(), folder, game=hex3).train(Budget(epochs=4))
    assert not (folder / "state.npz").exists()
    assert_same(state(whole), state(folder))


RUN = """
import sys
import time
import numpy as np
import ludoport as lp
from ludoport.selfplay.train import Budget, Trainer
from tests.selfplay.conftest import HEX, small

original = np.savez

def slow(file, **arrays):
    original(file, **arrays)
    print("writing", flush=True)
    time.sleep(0.2)

np.savez = slow
trainer = Trainer(small(checkpoint_epochs=1), sys.argv[1], game=lp.load("Hex", options=list(HEX)))
trainer.train(Budget(epochs=50))
"""


@pytest.mark.slow
def test_killed_while_writing(tmp_path: Path, hex3: lp.Game) -> None:
    """kill -9 in the middle of a checkpoint: the run goes on from the one before as if nothing had happened."""
    folder, root = tmp_path / "run", Path(__file__).parents[2]
    process = subprocess.Popen([sys.executable, "-c", RUN, str(folder)], cwd=root, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    until = time.monotonic() + 200
    for _ in range(8):
        assert process.stdout.readline().startswith("writing")
        assert time.monotonic() < until
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    config = small(checkpoint_epochs=1)
    trainer = Trainer(config, folder, game=hex3)
    assert 1 <= trainer.epoch <= 4
    epochs = trainer.epoch + 2
    trainer.train(Budget(epochs=50), lambda record: trainer.stop() if record["epoch"] == epochs else None)
    other = Trainer(config, tmp_path / "whole", game=hex3)
    other.train(Budget(epochs=50), lambda record: other.stop() if record["epoch"] == epochs else None)
    names = ("policy_loss", "value_loss", "games", "moves")
    found = [[[record[name] for name in names] for record in run.records] for run in (trainer, other)]
    assert found[0] == found[1]
    assert_same(state(tmp_path / "whole"), state(folder))
