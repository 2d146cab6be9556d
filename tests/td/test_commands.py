"""The commands of this room."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from ludoport.commands.ggp_learn import ggp_learn
from ludoport.commands.study_banerjee_stone import study_banerjee_stone
from ludoport.errors import LudoportError
from ludoport.transfer.features_file import load_features
from tests.td.games import NOUGHTS

app = typer.Typer()
app.command("learn")(ggp_learn)
app.command("study")(study_banerjee_stone)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    path = tmp_path / "noughts.lud"
    path.write_text(NOUGHTS)
    return str(path)


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.slow
def test_features_are_learned_saved_and_used(game: str, tmp_path: Path) -> None:
    saved = tmp_path / "features.json"
    text = run("learn", game, "--matches", "300", "--runs", "2", "--opponent", "random", "--out", str(saved))
    assert "cumulative average reward" in text
    assert f"features saved in {saved}" in text
    table = load_features(saved)
    assert len(table.sources) == 2
    assert table.opponents == ["random"]
    answer = json.loads(
        run("learn", game, "--matches", "50", "--opponent", "random", "--features", str(saved), "--at-sight", "--json")
    )
    assert answer["matches"] == 50
    assert len(answer["curve"]) == 10
    assert answer["curve"][-1][0] == 50


def test_a_search_may_be_the_opponent(game: str) -> None:
    answer = json.loads(run("learn", game, "--matches", "2", "--opponent", "uct:5", "--start", "minimax", "--json"))
    assert 0 <= answer["curve"][-1][1] <= 100


@pytest.mark.slow
def test_wrong_wishes_are_refused(game: str, tmp_path: Path) -> None:
    saved = tmp_path / "features.json"
    run("learn", game, "--matches", "30", "--opponent", "random", "--out", str(saved))
    for arguments, message in (
        (["--opponent", "nobody"], "eps-greedy"),
        (["--features", str(saved), "--opponent", "weak"], "known opponents: random"),
        (["--features", str(saved), "--against", "random", "--start", "minimax"], "leave out one"),
        (["--features", str(saved), "--against", "random", "--depth", "3"], "use depth 2"),
        (["--start", "features"], "no features"),
        (["--start", "x"], "cannot begin"),
        (["--matches", "0"], "at least 1"),
    ):
        with pytest.raises(LudoportError, match=message):
            run("learn", game, *arguments)
    with pytest.raises(LudoportError, match="tiny, small, paper"):
        run("study", "--preset", "huge")
