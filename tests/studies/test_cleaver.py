"""The experiment on trees of chess and Chessplus, very small and as plain Python."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from typer.testing import CliRunner

import ludoport as lp
from ludoport.arena.playing import PlayedGame, pairing
from ludoport.arena.statistics import WinLoss
from ludoport.chess import chess_rules
from ludoport.game import Game
from ludoport.search.build import Cluster
from ludoport.studies.cleaver.games import analyse, exclusive, lengths, plies_of, rows_of, sample_game
from ludoport.studies.cleaver.results import PUBLISHED, common_gap, gap
from ludoport.studies.cleaver.run import run_study
from ludoport.studies.cleaver.size import PRESETS, CleaverSize
from ludoport.studies.cleaver.study import MATCHES, Study
from ludoport.studies.reports import write_reports

from ..transfer.tree_games import gardner, random_tree

SIZE = CleaverSize(12, 10, 2, 400, 3000, 4, 3, (1.0, 0.5), 2)
"""Two workers, few simulations, four games a match."""


class Short(Study):
    """Games of few moves, so that random games are short."""

    def _load(self, number: int) -> Game:
        return Game(chess_rules("gardner", chessplus=bool(number), ply_cap=8), jit=False)


def study(out: Path, tell: Callable[[str], None] = lambda _: None, **more: Any) -> Study:
    return Short(out, SIZE, on=Cluster(threads=1), workers=1, tell=tell, **more)


def comparable(results: dict[str, Any]) -> Any:
    """Without what depends on the clock."""
    return json.loads(json.dumps({name: value for name, value in results.items() if name not in ("times", "machine")}))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    out = tmp_path_factory.mktemp("study") / "a"
    return out, run_study(study(out))


@pytest.mark.slow
def test_the_whole_study(finished: tuple[Path, dict[str, Any]]) -> None:
    out, results = finished
    trees = results["trees"]
    assert trees["source"]["simulations"] == trees["target"]["simulations"] == 24
    assert trees["transfer"]["simulations"] == trees["control"]["simulations"] == 24 + 20, "as many for the control"
    assert trees["transferred"] == trees["source"], "chess is a part of Chessplus"
    assert results["transfer"]["case"] == "sub-domain"
    for a, b in MATCHES:
        one = results["matches"][f"{a}-{b}"]
        assert sum(one["record"].values()) == SIZE.games
        plies = sum(count for player in "ab" for count in one["offline"][player].values())
        assert plies == one["lengths"]["mean"] * SIZE.games
        assert len(one["few"]) == SIZE.games
        assert all(one["offline"][player]["offline"] > 0 for player in "ab"), "the first move is always known"
    assert [row["discount"] for row in results["discounts"]] == [1.0, 0.5]
    assert results["discounts"][1]["visits"] < results["discounts"][0]["visits"]
    kept = json.loads((out / "report" / "results.json").read_text())
    assert kept["matches"]["transfer-target"]["record"] == results["matches"]["transfer-target"]["record"]
    assert kept["trees"] == results["trees"]
    report = (out / "report" / "report.md").read_text()
    for name in ("scores", "exclusive", "offline", "discounts", "game"):
        assert f"(figures/{name}." in report
        ElementTree.parse(out / "report" / "figures" / f"{name}.svg")
    page = (out / "report" / "report.html").read_text()
    assert page.count("<figure>") == 5
    assert write_reports([str(out)], out / "again", plots=False).is_file()
    assert (out / "again" / "results.json").read_text() == (out / "report" / "results.json").read_text()
    for heading in ("Figure 14", "Figure 15", "equation 4", "Length of games", "worth", "A game", "195,884"):
        assert heading in report


@pytest.mark.slow
def test_the_sample_game_can_be_played_again(finished: tuple[Path, dict[str, Any]]) -> None:
    sample = finished[1]["sample"]
    game = study(finished[0]).target
    state = game.start()
    for move, fen in zip(sample["moves"], sample["positions"], strict=False):
        assert game.rules.fen_of(state.row) == fen  # type: ignore[attr-defined]
        state = state.play(move)
    assert game.rules.fen_of(state.row) == sample["positions"][-1]  # type: ignore[attr-defined]
    assert len(sample["positions"]) == len(sample["moves"]) + 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "moment", ["target: workers finished: 1 of 2", "control: workers finished: 1 of 2", "control against target"]
)
def test_an_interrupted_study_goes_on(finished: tuple[Path, dict[str, Any]], tmp_path: Path, moment: str) -> None:
    def stop(text: str) -> None:
        if text.startswith(moment):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_study(study(tmp_path / "b", stop))
    there = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "b").glob("*.tree")}
    assert "source.tree" in there
    assert comparable(run_study(study(tmp_path / "b"))) == comparable(finished[1])
    for name, moment_of in there.items():
        assert (tmp_path / "b" / name).stat().st_mtime_ns == moment_of, f"{name} was not built again"


@pytest.mark.slow
def test_a_finished_study_plays_nothing_again(finished: tuple[Path, dict[str, Any]]) -> None:
    told: list[str] = []
    assert comparable(run_study(study(finished[0], told.append))) == comparable(finished[1])
    assert told == []


@pytest.mark.slow
def test_folders_of_something_else_are_not_touched(finished: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    with pytest.raises(lp.LudoportError, match="holds this study with other settings"):
        replace(study(finished[0]), seed=2).prepare()
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(lp.LudoportError, match="holds something else"):
        study(tmp_path).prepare()
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_what_makes_no_sense_is_refused(tmp_path: Path) -> None:
    from ludoport.commands.study_chessplus import chessplus

    with pytest.raises(lp.LudoportError, match="unknown board `9x9` in this study; choose from gardner, 8x8"):
        Study(tmp_path, SIZE, board="9x9")
    with pytest.raises(lp.LudoportError, match="workers must be at least 1, not 0"):
        replace(SIZE, workers=0)
    with pytest.raises(lp.LudoportError, match="the seed must be between"):
        Study(tmp_path, SIZE, seed=-1)
    import typer

    app = typer.Typer()
    app.command()(chessplus)
    answer = CliRunner().invoke(app, ["--preset", "huge", "--out", str(tmp_path / "x")])
    assert "unknown preset `huge`; choose from tiny, thesis, full" in str(answer.exception)
    assert not (tmp_path / "x").exists()


def test_the_sizes_of_the_presets() -> None:
    thesis, full = PRESETS["thesis"], PRESETS["full"]
    assert (thesis.simulations, thesis.tuning, thesis.workers, thesis.games, thesis.online) == (
        10_000,
        10_000,
        30,
        1000,
        200,
    )
    assert (full.simulations, full.tuning) == (100 * thesis.simulations, 100 * thesis.tuning)


def test_only_chessplus_has_the_moves_that_are_counted() -> None:
    chess, chessplus = gardner(False), gardner(True)
    rng = np.random.default_rng(7)
    seen = 0
    for _ in range(4):
        one, two = chess.start(), chessplus.start()
        while not one.over and not two.over:
            legal = {move.row.tobytes(): move for move in one.moves()}
            for move in two.moves():
                assert exclusive(move.text) == (move.row.tobytes() not in legal), move.text
                seen += exclusive(move.text)
            chosen = list(legal.values())[int(rng.integers(len(legal)))]
            two = two.play(next(move for move in two.moves() if move.row.tobytes() == chosen.row.tobytes()))
            one = one.play(chosen)
    assert seen > 50


def played(game: lp.Game, number: int, seed: int, outcome: Any) -> PlayedGame:
    rng, state, moves = np.random.default_rng(seed), game.start(), []
    while not state.over:
        legal = state.moves()
        moves.append(legal[int(rng.integers(len(legal)))].text)
        state = state.play(moves[-1])
    return PlayedGame(pairing(1, number), outcome, (0.0, 0.0), True, tuple(moves), 0.0)


def test_moves_are_counted_for_whom_they_belong() -> None:
    game = gardner(True)
    graphs = {"a": random_tree(game, 60, 3, seed=1), "b": random_tree(game, 5, 2, seed=2)}
    games = [played(game, number, number, outcome) for number, outcome in enumerate(("win", "loss", "draw"))]
    counted = analyse(game, games, graphs)
    expected = {player: {"offline": 0, "online": 0} for player in "ab"}
    only = {player: {"won": [0, 0], "lost": [0, 0]} for player in "ab"}
    for one in games:
        state = game.start()
        for number, text in enumerate(one.moves):
            player = "ab"[(number + (one.pairing.first == "b")) % 2]
            known = len(graphs[player].moves_at(state)[0]) > 0
            expected[player]["offline" if known else "online"] += 1
            word = {"win": "won", "loss": "lost"}.get(one.outcome)
            if word:
                word = word if player == "a" else {"won": "lost", "lost": "won"}[word]
                only[player][word][0] += 1
                only[player][word][1] += any(sign in text for sign in "&(/")
            state = state.play(text)
    assert counted["offline"] == expected
    for player in "ab":
        assert {w: [c["moves"], c["exclusive"]] for w, c in counted["exclusive"][player].items()} == only[player]
    assert [ply.move for ply in plies_of(game, games[0], graphs)] == list(games[0].moves)
    assert sample_game(games) is games[0]
    with pytest.raises(lp.LudoportError, match="not a legal move"):
        list(rows_of(game, ["Qxz9"]))


def test_numbers() -> None:
    assert lengths([4, 10, 30, 152]) == {"mean": 49.0, "median": 20.0, "shortest": 4, "longest": 152}
    thesis = WinLoss(**PUBLISHED["record"])  # type: ignore[arg-type]
    assert gap(thesis)["value"] == -0.117
    assert gap(thesis)["interval"][0] < -0.117 < gap(thesis)["interval"][1] < 0, "positive transfer (eq. 5)"
    same = common_gap(thesis, thesis)
    assert same["value"] == 0
    assert same["interval"][1] == -same["interval"][0] > 0
    assert common_gap(WinLoss(60, 0, 40), WinLoss(40, 0, 60))["value"] == -0.2
