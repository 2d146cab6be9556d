"""The command line, as a person meets it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Command

TEXT = """
(game "G"
    (players 2)
    (equipment { (board (square 3)) (piece "Disc" Each) })
    (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win))))
)
"""


def test_help_names_the_verbs(ludoport: Command) -> None:
    answer = ludoport("--help")
    assert answer.code == 0
    for verb in (
        "games",
        "show",
        "check",
        "perft",
        "playouts",
        "verify",
        "bench",
        "doctor",
        "demo",
        "play",
        "match",
        "train",
        "compare",
        "transfer",
        "tree",
        "ggp",
        "study",
    ):
        assert verb in answer.out


@pytest.mark.slow
def test_games(ludoport: Command) -> None:
    lines = [line.split() for line in ludoport("games").out.splitlines()]
    assert ["Hex", "ludemic", "2", "121", "hexagonal", "cells"] in [line[:6] for line in lines]
    shogi = next(game for game in ludoport("games", "--json").json if game["name"] == "Shogi")
    assert shogi["board"] == "9x9 squares"


def test_games_fit_a_narrow_terminal() -> None:
    from ludoport.commands.games import _lines

    rows = [("game", "board", "options"), ("Hex", "121 cells", "Board Size, Swap Rules"), ("Chess", "8x8", "-")]
    assert list(_lines(rows, 20)) == [
        "game   board",
        "Hex    121 cells",
        "  options: Board Size, Swap Rules",
        "Chess  8x8",
    ]
    assert list(_lines(rows, None))[1] == "Hex    121 cells  Board Size, Swap Rules"


@pytest.mark.slow
def test_perft(ludoport: Command) -> None:
    answer = ludoport("perft", "Hex", "-o", "Board Size/7x7", "--depth", "3", "--json")
    assert answer.code == 0
    assert answer.json["perft"] == [49, 2401, 112896]
    assert answer.out.startswith('{"perft": [49, 2401, 112896], ')


@pytest.mark.slow
def test_perft_divide(ludoport: Command) -> None:
    answer = ludoport("perft", "Tic-Tac-Toe", "--depth", "3", "--divide", "--json").json
    assert answer["divide"] == {str(site): 56 for site in range(9)}
    assert "0: 56" in ludoport("perft", "Tic-Tac-Toe", "--depth", "3", "--divide").out


@pytest.mark.slow
def test_playouts(ludoport: Command) -> None:
    answer = ludoport("playouts", "Tic-Tac-Toe", "--seconds", "0.1", "--json").json
    assert answer["playouts_per_second"] > 0
    assert answer["moves_per_second"] > answer["playouts_per_second"]
    assert 5 <= answer["mean_moves"] <= 11
    assert ludoport("playouts", "Tic-Tac-Toe", "--games", "100", "--json").json["playouts"] == 100


@pytest.mark.slow
def test_show(ludoport: Command, tmp_path: Path) -> None:
    drawing = tmp_path / "board.svg"
    answer = ludoport("show", "Hex", "-o", "Board Size/7x7", "--svg", str(drawing))
    assert answer.code == 0
    assert "[7x7]" in answer.out
    assert "(move Add (to (sites Empty)))" in answer.out
    assert drawing.read_text().startswith("<svg")
    assert "def legal(" in ludoport("show", "Hex", "--kernel").out
    record = ludoport("show", "Tic-Tac-Toe", "--json").json
    assert record["players"] == 2
    assert len(record["moves"]) == 9


SHEET = """\
(role a)
(<= (legal a x) (true p))
(init p)
(<= terminal (not (true p)))
(<= (goal a 0) (true p))
(<= unused (true q))
"""


@pytest.mark.slow
def test_check_warns_of_rulesheets(ludoport: Command, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.kif"
    sheet.write_text(SHEET)
    answer = ludoport("check", str(sheet))
    assert answer.code == 0
    assert "sheet.kif:6:1: `unused` is defined but never used" in answer.out


@pytest.mark.slow
def test_check(ludoport: Command, tmp_path: Path) -> None:
    good = tmp_path / "good.lud"
    good.write_text(TEXT)
    assert ludoport("check", str(good)).code == 0
    answer = ludoport("check", str(tmp_path), "--json")
    assert answer.code == 0
    assert answer.json["summary"]["playable"] == 1
    bad = tmp_path / "bad.lud"
    bad.write_text(TEXT.replace("is Line", "is Lime"))
    answer = ludoport("check", str(bad))
    assert answer.code == 1
    assert "bad.lud:5:" in answer.err


@pytest.mark.slow
def test_verify(ludoport: Command, data: Path, tmp_path: Path) -> None:
    answer = ludoport("verify", "trace", str(data / "traces" / "tic_tac_toe.jsonl.gz"), "--json")
    assert answer.code == 0
    assert answer.json["summary"]["agreeing_checks"] == 45
    counts = json.loads((data / "perft" / "tic_tac_toe.json").read_text())
    counts["perft"][1] += 1
    wrong = tmp_path / "tic_tac_toe.json"
    wrong.write_text(json.dumps(counts))
    answer = ludoport("verify", "perft", str(wrong))
    assert answer.code == 1
    assert "depth 2: perft: reference 73, game 72" in answer.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("perft", "Hex", "--depth", "-1"), "depth"),
        (("perft", "Hexx", "--depth", "1"), "Hex"),
        (("perft", "Hex", "-o", "Board Size/7x8", "--depth", "1"), "7x7"),
        (("perft", "Hex", "-o", "Bord Size/7x7", "--depth", "1"), "Board Size"),
        (("perft", "Hex", "--ruleset", "none such", "--depth", "1"), "none such"),
        (("playouts", "Hex", "--seconds", "-1"), "seconds"),
        (("playouts", "Hex", "--seconds", "nan"), "seconds"),
        (("playouts", "Hex", "--games", "0"), "games"),
        (("show", "no/such/file.lud"), "no/such/file.lud"),
        (("check", "no/such/file.lud"), "no/such/file.lud"),
        (("verify", "trace", "no/such/file.jsonl"), "no/such/file.jsonl"),
        (("bench", "engine", "--only", "hexx_7x7"), "hex_7x7"),
        (("perft", "Hex"), "--depth"),
        (("nonsense",), "nonsense"),
    ],
)
def test_bad_input_is_one_sentence(ludoport: Command, arguments: tuple[str, ...], words: str) -> None:
    answer = ludoport(*arguments)
    assert answer.code == 2
    assert answer.out == ""
    assert words in answer.err
    assert "Traceback" not in answer.err


def test_help_imports_nothing_heavy() -> None:
    code = "import sys, ludoport.cli; sys.exit(' '.join(m for m in ('numba', 'torch') if m in sys.modules) or 0)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_show_after_moves(ludoport: Command, tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    answer = ludoport("show", "Tic-Tac-Toe", "--moves", "b2 A1", "--svg", str(file), "--json").json
    assert "B2" not in answer["moves"]
    assert len(answer["recorded"]) == 7
    assert 'class="marked"' in file.read_text()
    shown = ludoport("show", "tic-tac-toe.kif", "--moves", "claim 1 1, claim 2 2").out
    assert "7 moves: claim 1 2, " in shown


@pytest.mark.slow
def test_show_draws_chess(ludoport: Command, tmp_path: Path) -> None:
    file = tmp_path / "chess.svg"
    assert ludoport("show", "chess-8x8", "--svg", str(file)).code == 0
    assert "#piece-king" in file.read_text()
