"""``ludoport compare``: runs side by side."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ludoport as lp
from ludoport.cli import main
from ludoport.selfplay.comparison import compare, curves, summary
from ludoport.selfplay.train import Budget, Trainer
from tests.selfplay.conftest import small


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two runs of Hex 3x3: one of three epochs that was rated, one of two that was not."""
    folder, game = tmp_path_factory.mktemp("runs"), lp.load("Hex", options=["Board Size/3x3"])
    rated = {"rating_share": 1.0, "rating_games": 2, "rating_simulations": 4, "opponents": ["random"]}
    for name, epochs, changes in (("one", 3, rated), ("two", 2, {"seed": 2})):
        config = small(options=("Board Size/3x3",), checkpoint_epochs=1, **changes)
        Trainer(config, folder / name, game=game).train(Budget(epochs=epochs))
    return [folder / "one", folder / "two"]


def run(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    with pytest.raises(SystemExit) as ended:
        main(["compare", *arguments])
    printed = capsys.readouterr()
    return int(ended.value.code or 0), printed.out + printed.err


@pytest.mark.slow
def test_summary_and_curves(runs: list[Path]) -> None:
    found = compare(runs)
    head, one, two = summary(found)
    assert head[-1] == "Elo vs random"
    assert one[:3] == ("one", "Hex 3x3", "3")
    assert two[:3] == ("two", "Hex 3x3", "2")
    assert one[-1] != ""
    assert two[-1] == ""
    tables = dict(curves(found, points=4))
    assert list(tables) == ["policy loss", "value loss", "Elo (95 % interval)"]
    for rows in tables.values():
        assert rows[0] == ("minutes", "one", "two")
        assert len(rows) == 6, "a head, four points, and the end of the shorter run"
    longest = max(found, key=lambda compared: compared.minutes)
    last = dict(zip(tables["policy loss"][0], tables["policy loss"][-1], strict=True))
    assert last[longest.label] == f"{longest.metrics[-1]['policy_loss']:.3f}"
    assert longest.at("policy_loss", longest.minutes + 1) is None


@pytest.mark.slow
def test_table_and_figures(runs: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [str(folder) for folder in runs]
    code, text = run(*names, "--out", str(tmp_path / "curves.svg"), capsys=capsys)
    assert code == 0, text
    assert text.split()[:4] == ["run", "game", "epochs", "minutes"]
    assert "policy loss" in text
    assert (tmp_path / "curves.svg").read_text().lstrip().startswith("<?xml")
    code, text = run(*names, "--out", str(tmp_path / "curves.png"), "--json", capsys=capsys)
    answer = json.loads(text)
    assert [one["epochs"] for one in answer["runs"]] == [3, 2]
    assert [len(one["metrics"]) for one in answer["runs"]] == [3, 2]
    assert answer["runs"][1]["opponent"] is None
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_refused(runs: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = str(runs[0])
    for arguments, sentence in (
        ([one, str(tmp_path / "x")], "x: no run here (missing config.toml); create one with: ludoport train GAME"),
        ([one, one], "this run is given twice"),
        ([one, "--out", "curves.txt"], "curves.txt: a figure ends in .png, .svg, .pdf"),
        ([one, "--out", str(tmp_path / "x" / "a.png")], "no such folder"),
    ):
        code, text = run(*arguments, capsys=capsys)
        assert code == 2
        assert sentence in text


@pytest.mark.slow
def test_equal_names_are_told_apart(runs: list[Path], tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to(runs[1])
    assert [compared.label for compared in compare([runs[0], tmp_path / "one"])] == ["one", "two"]
