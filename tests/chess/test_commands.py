"""The command line."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
import typer
from typer.testing import CliRunner

from ludoport.bench import chess as bench
from ludoport.commands import bench_chess, verify_chess
from ludoport.commands.chess_perft import chess_perft
from ludoport.errors import LudoportError


@pytest.mark.slow
def test_perft_prints_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert chess_perft("gardner", None, 3, divide=True, json=False)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[:3]] == [["1", "7"], ["2", "53"], ["3", "506"]]
    assert sum(int(line.split(": ")[1]) for line in lines[3:]) == 506
    assert lines[3].startswith("a2a3: ")


@pytest.mark.slow
def test_perft_answers_in_json_from_any_position(capsys: pytest.CaptureFixture[str]) -> None:
    fen = "k3r/3P1/5/5/K4 w - - 0 1"
    assert chess_perft("gardner", fen, 3, divide=True, json=True)
    answer = json.loads(capsys.readouterr().out)
    assert answer["perft"] == [11, 61, 497]
    assert answer["fen"] == fen
    assert sum(answer["divide"].values()) == 497


def test_perft_leaves_other_games_alone() -> None:
    assert not chess_perft("Hex", None, 2, divide=False, json=False)
    assert not chess_perft("Chess", None, 2, divide=False, json=False)
    with pytest.raises(LudoportError, match="only games of the chess family start from a FEN, and `Hex`"):
        chess_perft("Hex", "4k/5/5/5/K4 w - - 0 1", 2, divide=False, json=False)


def _app(command: object) -> typer.Typer:
    app = typer.Typer()
    app.command()(command)  # type: ignore[type-var]
    return app


@pytest.mark.slow
def test_verify(tmp_path: Path) -> None:
    entry = {"name": "start", "fen": "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1", "perft": [7, 53, 506]}
    rules = {"chessplus": False, "double_step": False, "castling": False}
    path = tmp_path / "record.json"
    path.write_text(json.dumps({"format": 1, "gardner": {"rules": rules, "positions": [entry]}}))
    result = CliRunner().invoke(_app(verify_chess.chess), [str(path), "--max-nodes", "100", "--json"])
    assert result.exit_code == 0
    summary = json.loads(result.stdout)["summary"]
    assert (summary["checks"], summary["agreeing"], summary["skipped"], summary["nodes"]) == (3, 3, 1, 60)
    entry["perft"] = [8]
    path.write_text(json.dumps({"format": 1, "gardner": {"rules": rules, "positions": [entry]}}))
    result = CliRunner().invoke(_app(verify_chess.chess), [str(path)])
    assert result.exit_code == 1
    assert "perft(1): reference 8, game 7" in result.stdout


@pytest.mark.slow
def test_bench(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "PLAYOUTS", ("gardner",))
    monkeypatch.setattr(bench, "LEAST_SECONDS", 0.0)
    command = ["--depth", "3", "--seconds", "0.01", "--no-others", "--json"]
    result = CliRunner().invoke(_app(bench_chess.chess), command)
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert (answer["perft"][0]["program"], answer["perft"][0]["nodes"]) == ("Ludoport", 8902)
    assert answer["playouts"][0]["game"] == "gardner"
    assert answer["playouts"][0]["playouts_per_second"] > 0


@pytest.mark.slow
def test_bench_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = SimpleNamespace(util=SimpleNamespace(find_spec=lambda name: None), which=lambda name: None)
    monkeypatch.setattr(bench, "importlib", nothing)
    monkeypatch.setattr(bench, "shutil", nothing)
    notes = [row for row in bench.perft_rows(2) if isinstance(row, str)]
    assert [note.split()[0] for note in notes] == ["python-chess", "Stockfish"]
