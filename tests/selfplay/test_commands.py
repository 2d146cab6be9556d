"""``ludoport train``, ``lp.train`` and ``lp.transfer``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ludoport as lp
from ludoport.arena.match import match
from ludoport.cli import main
from ludoport.selfplay.api import default_folder, train
from ludoport.transfer.api import transfer
from tests.selfplay.conftest import HEX, SMALL, small

ARGUMENTS = ["train", "Hex", "-o", HEX[0], "--device", "cpu", *(f"--set={k}={json.dumps(v)}" for k, v in SMALL.items())]


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main([*ARGUMENTS, *arguments])
    return int(ended.value.code or 0)


@pytest.mark.slow
def test_train_and_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = ["--out", str(tmp_path / "run")]
    assert run(*out, "--epochs", "2") == 0
    first = capsys.readouterr().out
    assert "epoch    2" in first
    assert "evaluations/s" in first
    assert "network.safetensors: the network after 2 epochs" in first
    assert run(*out, "--epochs", "3", "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["epochs"] == 3
    assert [record["epoch"] for record in answer["metrics"]] == [1, 2, 3]
    assert run(*out, "--epochs", "3") == 0
    assert "resuming after epoch 3" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "a run needs a number of minutes or of epochs"),
        (["--epochs", "1", "--set", "simulations"], "`simulations` is not a setting; write NAME=VALUE"),
        (["--epochs", "1", "--set", "simulation=3"], "unknown setting `simulation`; did you mean `simulations`?"),
        (["--epochs", "1", "--preset", "huge"], "unknown preset `huge`"),
        (["--epochs", "1", "--init", "nowhere"], "nowhere: no such file or folder"),
        (["--epochs", "1", "--device", "tpu"], "unknown device `tpu`; choose cpu or cuda"),
    ],
)
def test_refused(arguments: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--out", str(tmp_path / "run"), *arguments) == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_python(tmp_path: Path, whole: Path, hex3: lp.Game) -> None:
    seen: list[int] = []
    net = train(
        hex3,
        epochs=1,
        out=tmp_path / "run",
        init=whole,
        device="cpu",
        progress=lambda r: seen.append(r["epoch"]),
        **SMALL,
    )
    assert seen == [1]
    assert match(net, "random", hex3, games=2, workers=1).record.games == 2
    carried = transfer(net, "Hex", tmp_path / "carried", options=["Board Size/4x4"])
    assert carried.file == str(tmp_path / "carried/network.safetensors")
    assert carried.settings == net.settings
    assert transfer(net.file, hex3).parent.parent == tmp_path / "run"


def test_folder_without_a_name(hex3: lp.Game) -> None:
    assert default_folder(small(seed=7), "Hex") == Path("runs/hex-3x3-7")
    assert default_folder(small(), hex3) == Path(f"runs/hex-{hex3.rules.fingerprint[:8]}-1")
