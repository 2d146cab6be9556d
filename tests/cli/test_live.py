"""Live views in a pseudo-terminal: they change while the command works, and print no traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.terminal import CTRL_C, Terminal

pytestmark = pytest.mark.slow

PLAIN = {"LUDOPORT_JIT": "0"}
"""So little is played here that compiling would take longer."""

STUDY = """\
settings = ["zero-shot"]
[games.A]
game = "Hex"
options = ["Board Size/3x3"]
[games.B]
game = "Hex"
options = ["Board Size/4x4"]
"""
TRAINED = ("--set", "games=8", "--set", "simulations=4", "--set", "positions=64", "--set", "rating_share=0")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_study(tmp_path: Path, workers: str) -> None:
    (tmp_path / "mine.toml").write_text(STUDY)
    with Terminal("study", "mine.toml", "--workers", workers, folder=tmp_path, environment=PLAIN) as terminal:
        terminal.wait_for(r"0\.0 min  0 of \d+ jobs")
        terminal.wait_for(r"train/hex-[ab]")  # claimed after the first drawing: the table is alive
        terminal.press(CTRL_C)
        assert terminal.finish() == 130
    assert "Traceback" not in terminal.text
    assert "ludoport report" not in terminal.text


def test_study_of_value_features_interrupted(tmp_path: Path) -> None:
    arguments = ("study", "banerjee-stone", "--preset", "tiny", "--workers", "2", "--out", "study")
    with Terminal(*arguments, folder=tmp_path, environment=PLAIN) as terminal:
        terminal.wait_for(r"0 of \d+ jobs, [1-9]\d* s")  # the clock runs before a job has ended
        terminal.press(CTRL_C)
        assert terminal.finish() == 130
    assert "Traceback" not in terminal.text


def test_train(tmp_path: Path) -> None:
    arguments = ("train", "Tic-Tac-Toe", "--epochs", "2", "--out", "run", *TRAINED)
    with Terminal(*arguments, folder=tmp_path, environment=PLAIN) as terminal:
        assert terminal.finish() == 0
    assert terminal.text.count("evaluations/s") >= 3, "drawn when it begins and after each epoch"
    assert "Traceback" not in terminal.text


def test_train_interrupted(tmp_path: Path) -> None:
    arguments = ("train", "Tic-Tac-Toe", "--epochs", "1000", "--out", "run", *TRAINED)
    with Terminal(*arguments, folder=tmp_path, environment=PLAIN) as terminal:
        terminal.wait_for(r"│ +2 │")
        terminal.press(CTRL_C)
        assert terminal.finish() == 130
    assert "Traceback" not in terminal.text


def test_play(tmp_path: Path) -> None:
    with Terminal("play", "Tic-Tac-Toe", "minimax:9", "--seat", "2", folder=tmp_path, environment=PLAIN) as terminal:
        terminal.wait_for("you are player 2")
        terminal.wait_for("White plays [ABC][123]")
        terminal.press("undo\n")
        terminal.wait_for("nothing to undo")
        terminal.press("b2\n" if "plays B2" not in terminal.text else "a1\n")
        terminal.wait_for(r"White plays [ABC][123](?s:.*)White plays [ABC][123]")
        terminal.press("undo\n")
        terminal.wait_for("back to the position after")
        terminal.press("quit\n")
        assert terminal.finish() == 0
    assert "The game is not finished." in terminal.text
    assert "Traceback" not in terminal.text


def test_match(tmp_path: Path) -> None:
    arguments = ("match", "random", "random", "--game", "Tic-Tac-Toe", "--games", "20", "--workers", "1")
    with Terminal(*arguments, folder=tmp_path, environment=PLAIN) as terminal:
        assert terminal.finish() == 0
    assert "0/20" in terminal.text
    assert "Traceback" not in terminal.text


def test_match_interrupted(tmp_path: Path) -> None:
    arguments = ("match", "uct:200", "uct:200", "--game", "Tic-Tac-Toe", "--games", "2000", "--workers", "1")
    with Terminal(*arguments, folder=tmp_path, environment=PLAIN) as terminal:
        terminal.wait_for(r"1/2000")
        terminal.press(CTRL_C)
        assert terminal.finish() == 130
    assert "without --out" in terminal.text
    assert "Traceback" not in terminal.text


def test_tree_build(tmp_path: Path) -> None:
    arguments = ("tree", "build", "Tic-Tac-Toe", "--out", "tree.npz", "--workers", "2")
    with Terminal(*arguments, folder=tmp_path, environment=PLAIN) as terminal:
        assert terminal.finish() == 0
    assert "states" in terminal.text
    assert "Traceback" not in terminal.text


def test_demo(tmp_path: Path) -> None:
    with Terminal("demo", "--quick", "--games", "2", folder=tmp_path, environment=PLAIN) as terminal:
        terminal.wait_for("learning")
        terminal.wait_for("playing Hex 4x4")
        assert terminal.finish() == 0
    assert "Traceback" not in terminal.text
