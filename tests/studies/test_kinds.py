"""A whole study at work: every kind of job, through the command line."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ludoport.cli import main
from ludoport.errors import LudoportError
from ludoport.nets.files import read_header
from ludoport.studies.engine.commit import commit
from ludoport.studies.engine.jobs import Job
from ludoport.studies.engine.kinds import run_job
from ludoport.studies.engine.store import Store
from ludoport.studies.engine.task import Task
from ludoport.studies.soemers import presets
from ludoport.studies.soemers.presets import PRESETS

QUICK: dict[str, Any] = {
    "games": 16, "simulations": 4, "positions": 96, "warmup": 48, "batch": 32, "rating_share": 0.0, "replay": 1024,
}  # fmt: skip
OWN = """
name = "boards"
settings = ["zero-shot", "fine-tuned, heads re-initialised"]
sources = ["three"]
targets = ["two"]

[games.three]
game = "Hex"
options = ["Board Size/3x3"]

[games.two]
game = "Tic-Tac-Toe"
"""


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Studies that take seconds; so little is played that compiling would take longer."""
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    size = replace(PRESETS["tiny"], epochs=2, games=4, simulations=4, settings=QUICK)
    monkeypatch.setitem(presets.PRESETS, "tiny", size)


@pytest.mark.slow
def test_whole_study(
    tmp_path: Path, quick: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, out = tmp_path / "own.toml", tmp_path / "study"
    file.write_text(OWN)
    command = ["study", str(file), "--out", str(out), "--workers", "1"]
    first = _answer([*command, "--json"], capsys)
    assert (first["study"], first["complete"], first["failed"]) == ("boards", True, {})
    assert first["done"] == first["total"] == 2 + 2 + 3
    zero, tuned = first["cells"]
    assert (zero["table"], zero["setting"], zero["source"], zero["target"]) == ("boards", "zero-shot", "three", "two")
    assert tuned["setting"] == "fine-tuned, heads re-initialised"
    for cell in (zero, tuned):
        assert cell["wins"] + cell["draws"] + cell["losses"] == 4
        assert (cell["source_epochs"], cell["target_epochs"]) == (2, 2)
    _traceable(out, tuned["job"])
    # The same command finds everything done; nobody works.
    monkeypatch.setattr("ludoport.studies.engine.kinds.KINDS", {})
    assert _answer([*command, "--json"], capsys) == first
    with pytest.raises(SystemExit):
        main(command)
    lines = capsys.readouterr().out.splitlines()
    assert "boards, zero-shot: percentage of games won against the network that learned the target" in lines
    assert lines[-2].startswith("7 of 7 jobs")


def _answer(command: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    with pytest.raises(SystemExit) as end:
        main(command)
    captured = capsys.readouterr()
    assert end.value.code == 0, captured.err
    answer: dict[str, Any] = json.loads(captured.out)
    return answer


def _traceable(out: Path, job: str) -> None:
    """From a cell to the run, its seed, its configuration and the program that made it."""
    with Store(out, create=False) as store:
        play = store.entry(job)
        tune = store.entry(play.job.needs[0])
        carry = store.entry(tune.job.needs[0])
        learn = store.entry(carry.job.needs[0])
    for entry in (play, tune, carry, learn):
        assert entry.commit == commit()
        assert entry.seconds is not None
    assert tune.result is not None
    network = out / tune.result["network"]
    assert read_header(network).origin.game == "Tic-Tac-Toe"
    config = tomllib.loads((network.parent / "config.toml").read_text())
    assert (config["game"], config["seed"]) == ("Tic-Tac-Toe", tune.job.seed)
    assert not (network.parent / "state").exists(), "large, and only needed to go on"
    assert read_header(out / carry.job.id / "network.safetensors").training["transfer"]["reinit_heads"]
    assert play.result is not None
    assert (out / play.result["matches"]).is_file()


@pytest.mark.slow
def test_shapes_of_networks(tmp_path: Path, quick: None) -> None:
    """A network of a family that only fits one board learns, and plays UCT."""
    shape = {"family": "conv-fc", "blocks": 1, "layers": 1, "width_factor": 1.0}
    learning = {"training": "tiny", "settings": QUICK, "epochs": 2, "shape": shape}
    where = {"game": "Tic-Tac-Toe", "options": []}
    learn = Job("train/x", "train", {**where, **learning}, 3)
    learned = run_job(Task(learn, tmp_path))
    assert read_header(tmp_path / learned["network"]).config.family == "conv-fc"
    assert learned["parameters"] > 0
    playing = {**where, "training": "tiny", "games": 2, "simulations": 4, "against": "random"}
    play = Job("evaluate/x", "evaluate", playing, 4, ("train/x",))
    played = run_job(Task(play, tmp_path, {"train/x": learned}))
    assert played["wins"] + played["draws"] + played["losses"] == 2
    assert played["parameters"] == learned["parameters"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["variants/hexx"], "unknown study `variants/hexx`; did you mean `variants/hex`?"),
        (["variants/hex", "--preset", "large"], "unknown preset `large`; choose from tiny, small, paper"),
        (["variants/hex", "--device", "tpu"], "unknown device `tpu`; choose cpu or cuda"),
        (["variants/hex", "--workers", "0"], "workers is 0; it must be at least 1"),
        (["variants/hex", "--only", "6x6"], "no variant and no setting `6x6`"),
        (["variants/hex", "--ray-address", "nowhere"], "`nowhere` is not a Ray address"),
    ],
)
def test_bad_input(
    arguments: list[str],
    reason: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(["study", *arguments])
    assert end.value.code == 2
    told = capsys.readouterr().err.splitlines()[-1]
    assert told.startswith("ludoport: ")
    assert reason in told


def test_different_players(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = tmp_path / "own.toml", tmp_path / "study"
    file.write_text('[games.a]\ngame = "Yavalath"\noptions = ["Players/3 Players"]\n[games.b]\ngame = "Hex"\n')
    with pytest.raises(SystemExit):
        main(["study", str(file), "--out", str(out)])
    assert "a has 3 players and b has 2" in capsys.readouterr().err
    assert not out.exists(), "nothing was begun"


def test_two_studies_in_one_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Store(tmp_path) as store:
        store.claim_study({"name": "line", "preset": "tiny", "seed": 1, "config": {}}, ("name",))
    with pytest.raises(SystemExit):
        main(["study", "variants/hex", "--out", str(tmp_path)])
    assert "holds the study line, not variants/hex" in capsys.readouterr().err


@pytest.mark.slow
def test_network_for_one_board_is_carried_over(tmp_path: Path, quick: None) -> None:
    """A size-bound network goes to another game on a board of the same size; another size is refused."""
    shape = {"family": "conv-fc", "blocks": 1, "layers": 1, "width_factor": 1.0}
    where = {"game": "Hex", "options": ["Board Size/3x3"]}
    learning = {"training": "tiny", "settings": QUICK, "epochs": 1, "shape": shape}
    learned = run_job(Task(Job("train/x", "train", {**where, **learning}, 3), tmp_path))
    height, width = read_header(tmp_path / learned["network"]).config.board or (0, 0)
    needs = {"needs": ("train/x",)}
    same = Job("transfer/same", "transfer", {**where, "unmapped": "zero"}, 4, **needs)
    moved = run_job(Task(same, tmp_path, {"train/x": learned}))
    assert read_header(tmp_path / moved["network"]).config.board == (height, width)
    other = Job("transfer/other", "transfer", {"game": "Hex", "options": ["Board Size/4x4"]}, 4, **needs)
    with pytest.raises(LudoportError, match=f"for boards of one size, here {height}x{width}"):
        run_job(Task(other, tmp_path, {"train/x": learned}))
