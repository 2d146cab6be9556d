from __future__ import annotations

import inspect
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludoport.commands.ggp import app
from ludoport.commands.ggp_match import manager, match
from ludoport.errors import LudoportError
from ludoport.ggp.record import read_record
from ludoport.ggp.terms import Terms
from tests.ggp.helping import COINS, RACE

runner = CliRunner()


@pytest.fixture
def sheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    path = tmp_path / "race.kif"
    path.write_text(RACE)
    return path


@pytest.mark.slow
def test_a_match_in_one_command(sheet: Path, tmp_path: Path) -> None:
    out = tmp_path / "records"
    arguments = ["match", str(sheet), "--player", "uct", "--player", "random", "-n", "2", "-p", "2", "--playclock", "1"]
    result = runner.invoke(app, [*arguments, "--startclock", "15", "--out", str(out), "--json"])
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert [match["ended"] for match in answer["matches"]] == ["terminal", "terminal"]
    assert [match["mistakes"] for match in answer["matches"]] == [0, 0]
    assert {row["player"].split(" at ")[0] for row in answer["players"]} == {"Ludoport_uct", "Ludoport_random"}
    records = [read_record(path) for path in out.iterdir()]
    assert sorted(record.match for record in records) == [match["match"] for match in answer["matches"]]
    assert all(record.game == "race" and record.playclock == 1 for record in records)


@pytest.mark.slow
def test_the_answer_for_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    (tmp_path / "coins.kif").write_text(COINS)
    arguments = ["match", str(tmp_path / "coins.kif"), "--player", "legal", "--player", "legal", "--interpreter"]
    result = runner.invoke(app, [*arguments, "--playclock", "2"])
    assert result.exit_code == 0, result.output
    # Who always shows heads always shows the same side.
    assert "left (Ludoport_legal) 100, right (Ludoport_legal) 0 in 3 steps" in result.stdout
    assert "mean goal 100.0 in 1 match, 0 mistakes" in result.stdout


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_the_manager_alone(sheet: Path, tmp_path: Path, host: str) -> None:
    out = tmp_path / "records"
    result = runner.invoke(app, ["manager", str(sheet), f"{host}:1", f"{host}:1", "--out", str(out)])
    assert isinstance(result.exception, LudoportError)
    assert f"{host}:1: connection refused; start a player there with: ludoport ggp player" in str(result.exception)
    assert not out.exists(), "no match was played"


def test_one_playclock() -> None:
    """Both commands take their clocks from the terms of matches."""
    defaults = [inspect.signature(command).parameters["playclock"].default for command in (manager, match)]
    assert defaults == [Terms().playclock] * 2


@pytest.mark.slow
def test_two_learners_remember_their_matches(sheet: Path, tmp_path: Path) -> None:
    learner = f"learner:memory={tmp_path / 'memory'},start=minimax"
    arguments = ["match", str(sheet), "--player", learner, "--player", learner, "-n", "3", "--no-rotate"]
    result = runner.invoke(app, [*arguments, "--startclock", "15", "--json"])
    assert result.exit_code == 0, result.output
    assert [match["mistakes"] for match in json.loads(result.stdout)["matches"]] == [0, 0, 0]
    for role in (1, 2):
        (journal,) = (tmp_path / "memory").glob(f"*-{role}.matches.jsonl")
        assert len(journal.read_text().splitlines()) == 3
        assert journal.with_name(journal.name.replace("matches.jsonl", "npz")).is_file()


def test_players_are_listed() -> None:
    shown = runner.invoke(app, ["players"]).stdout
    assert all(name in shown for name in ("learner", "legal", "minimax", "random", "uct"))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["match", "SHEET", "--player", "nobody"], "unknown player `nobody`"),
        (["match", "SHEET", *["--player", "legal"] * 3], "2 role"),
        (["match", "nowhere.kif"], "no such file"),
        (["match", "SHEET", "--playclock", "0"], "playclock"),
        (["match", "SHEET", "-n", "0"], "matches"),
        (["match", "SHEET", "--out", "SHEET"], "not a folder"),
        (["manager", "SHEET", "here"], "address"),
        (["manager", "SHEET", "127.0.0.1:1"], "needs 2 player"),
        (["player", "--port", "70000"], "port"),
        (["player", "--player", "nobody"], "unknown player"),
        (["player", "--player", "uct", "--memory", "here"], "is for the player `learner`"),
        (["player", "--player", "learner:memory=a", "--memory", "b"], "leave out one"),
        (["player", "--player", "learner", "--memory", "a,b"], "comma"),
        (["player", "--player", "learner", "--features", "SHEET"], "not JSON"),
    ],
)
def test_mistakes_of_people_are_one_sentence(sheet: Path, arguments: list[str], sentence: str) -> None:
    result = runner.invoke(app, [str(sheet) if argument == "SHEET" else argument for argument in arguments])
    assert isinstance(result.exception, LudoportError)
    assert sentence in str(result.exception)
