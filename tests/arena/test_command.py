"""``ludoport match`` as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import ludoport as lp
from ludoport.commands.match import match


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> typer.Typer:
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    app = typer.Typer()
    app.command()(match)
    return app


def test_a_match_and_more_of_it(app: typer.Typer, tmp_path: Path) -> None:
    path = str(tmp_path / "m.sqlite")
    call = ["uct:10", "random", "--game", "Tic-Tac-Toe", "--workers", "1", "--out", path]
    short = CliRunner().invoke(app, [*call, "--games", "4"])
    assert short.exit_code == 0
    assert "uct:10 against random, 4 of 4 games of Tic-Tac-Toe (seed 1)" in short.output
    answer = json.loads(CliRunner().invoke(app, [*call, "--games", "6", "--json"]).stdout)
    assert (answer["games"], answer["store"]) == (6, path)
    assert answer["first"]["wins"] + answer["second"]["wins"] == answer["wins"]


@pytest.mark.slow
def test_options_and_tests(app: typer.Typer) -> None:
    call = ["minimax:1", "random", "-g", "Hex", "-o", "Board Size/3x3", "-n", "40", "--workers", "1"]
    answer = json.loads(CliRunner().invoke(app, [*call, "--sprt", "0,200", "--json"]).stdout)
    assert answer["game"] == "Hex [Board Size/3x3]"
    assert answer["sprt"]["elo1"] == 200


def test_players_are_listed(app: typer.Typer) -> None:
    listed = CliRunner().invoke(app, ["--players"])
    assert [line.split()[0] for line in listed.output.splitlines()][:2] == ["human", "minimax"]


def test_a_person_plays_and_leaves(app: typer.Typer) -> None:
    call = ["human", "random", "-g", "Tic-Tac-Toe", "-n", "1"]
    left = CliRunner().invoke(app, call, input="4\nquit\n")
    assert left.exit_code != 0
    assert "you are player 1" in left.output
    assert "interrupted; without --out nothing is kept" in left.output


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ([], "needs two players"),
        (["random", "random"], "needs a game"),
        (["rnadom", "random", "-g", "Hex"], "did you mean `random`"),
        (["random", "uct:0", "-g", "Hex"], "at least 1"),
        (["random", "random", "-g", "Hexx"], "did you mean Hex"),
        (["random", "random", "-g", "Hex", "-n", "0"], "number of games"),
        (["random", "random", "-g", "Hex", "--sprt", "5"], "ELO0,ELO1"),
        (["random", "random", "-g", "Hex", "--sprt", "5,1"], "smaller"),
        (["random", "random", "-g", "Hex", "--sprt", "0,5,0,1"], "alpha"),
    ],
)
def test_wrong_calls(app: typer.Typer, call: list[str], sentence: str) -> None:
    result = CliRunner().invoke(app, call)
    assert isinstance(result.exception, lp.LudoportError)
    assert sentence in str(result.exception)
