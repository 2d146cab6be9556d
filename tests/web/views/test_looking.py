"""Runs, studies, trees and transfers as pages show them."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

import ludoport as lp
from ludoport.cli import main
from ludoport.errors import LudoportError
from ludoport.nets.files import load_network
from ludoport.search.graph_files import read_graph
from ludoport.web.views import games, runs, transfer
from ludoport.web.views import study as studies
from ludoport.web.views import tree as trees
from tests.web.made import epoch, make_run

TARGET = ("Hex", ["Board Size/4x4"])


def test_a_run_tells_only_what_is_new(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    watched = runs.WatchedRun(tmp_path / "run")
    assert watched.about()["title"] == "Hex 3x3"
    first = watched.news()
    assert [one["epoch"] for one in first["epochs"]] == [1, 2, 3]
    assert first["epochs"][1]["policy_loss"] == 1.5
    assert first["epochs"][0]["spent"]["play"] == 6.0
    assert [one["epoch"] for one in first["elo"]] == [1, 2]
    assert first["elo"][1]["value"] > first["elo"][0]["value"]
    assert watched.news(3)["epochs"] == []
    run.keep_metrics([epoch(number) for number in range(1, 6)])
    assert [one["epoch"] for one in watched.news(3)["epochs"]] == [4, 5]
    run.keep_metrics([epoch(1)])
    again = watched.news(5)
    assert again["again"]
    assert [one["epoch"] for one in again["epochs"]] == [1]
    json.dumps(again, allow_nan=False)


def test_a_run_says_whether_a_process_works_on_it(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    run = make_run(tmp_path / "run")
    watched = runs.WatchedRun(tmp_path / "run")
    assert watched.news()["under_way"] is False
    with run.working():
        assert watched.news()["under_way"] is True
    assert watched.news()["under_way"] is False


def test_a_run_before_its_first_epoch(tmp_path: Path) -> None:
    make_run(tmp_path / "run", epochs=0)
    assert runs.WatchedRun(tmp_path / "run").news()["epochs"] == []


def test_a_game_of_self_play(tmp_path: Path) -> None:
    make_run(tmp_path / "run")
    played = runs.selfplay_game(tmp_path / "run", seed=2, simulations=4)
    shown = games.replayed(lp.load("Hex", options=["Board Size/3x3"]), played["moves"], int(played["seed"]))
    assert len(shown["positions"]) == played["plies"] + 1
    assert shown["positions"][-1]["position"]["over"]


def test_a_study_is_tables_of_cells(study: Path) -> None:
    about = studies.about_study(study)
    (table,) = about["tables"]
    assert (table["rows"], table["columns"], table["setting"]) == (["3x3"], ["4x4"], "zero-shot")
    cell = table["cells"][0][0]
    assert cell["games"] == 4
    assert cell["low"] <= cell["percent"] <= cell["high"]
    assert [score["against"] for score in about["scores"]] == ["uct:10", "uct:10"]
    assert about["jobs"] == {"done": 6}
    assert about["command"] == "ludoport demo --quick"


def test_behind_a_cell(study: Path) -> None:
    job = studies.about_study(study)["tables"][0]["cells"][0][0]["job"]
    found = studies.behind(study, job)
    assert [step["kind"] for step in found["steps"]] == ["train", "transfer", "train", "evaluate"]
    assert [len(step["run"]["news"]["epochs"]) for step in found["steps"] if step["run"]] == [3, 3]
    assert len(found["games"]) == 4
    shown = games.replayed(lp.load(found["game"], options=found["options"]), found["games"][0]["moves"])
    assert shown["positions"][-1]["position"]["over"]
    with pytest.raises(LudoportError, match="no job"):
        studies.behind(study, "../../etc")


def test_its_commands_are_commands(study: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    job = studies.about_study(study)["tables"][0]["cells"][0][0]["job"]
    steps = {step["kind"]: step["command"] for step in studies.behind(study, job)["steps"]}
    monkeypatch.chdir(study)
    carry, play = (shlex.split(steps[kind])[1:] for kind in ("transfer", "evaluate"))
    assert [lp.player(spec).spec for spec in play[1:3]]
    # Searching with networks takes long to compile; all other words of the command are as they are.
    for words in ([*carry[:-1], str(tmp_path / "carried")], ["match", "random", "random", *play[3:], "--workers", "1"]):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 0


def test_a_transfer_with_its_reasons(study: Path) -> None:
    network = study / "train" / "hex-3x3"
    found = transfer.explain(network, *TARGET)
    assert {row["reason"] for row in found["state"]} >= {"same name", "same meaning"}
    assert len(found["choices"]["moves"]) == len(found["moves"])
    edited = transfer.explain(network, *TARGET, edits={"state": {"0": 1}})
    assert (edited["state"][0]["index"], edited["state"][0]["reason"]) == (1, "given")
    assert edited["state"][1:] == found["state"][1:]


def test_three_networks_side_by_side(study: Path, tmp_path: Path) -> None:
    network = study / "train" / "hex-3x3"
    shown = transfer.compare(network, *TARGET)
    assert len(shown["source"]["board"]["sites"]) == 9
    assert len(shown["target"]["board"]["sites"]) == 16
    for who in ("own", "carried", "untrained"):
        shares = [move["share"] for move in shown[who]["moves"]]
        assert sum(shares) == pytest.approx(1, abs=1e-4)
        assert shares == sorted(shares, reverse=True)
    assert shown["carried"]["moves"] != shown["untrained"]["moves"]
    assert transfer.compare(network, *TARGET, edits={"state": {"0": 1}})["carried"] != shown["carried"]
    start = transfer.compare(network, *TARGET, moves=[], own_moves=[])
    assert start["target"]["line"] == []
    assert len(start["carried"]["moves"]) == 16


def test_the_carried_network_is_what_was_shown(study: Path, tmp_path: Path) -> None:
    network, edits = study / "train" / "hex-3x3", {"state": {"0": 1}}
    file = transfer.carry(network, TARGET[0], tmp_path / "carried", TARGET[1], edits)
    shown = transfer.compare(network, *TARGET, edits=edits, moves=["5"])
    game = lp.load(*TARGET, jit=False)
    line = [game.start(), game.start().play("5")]
    saved = load_network(file)
    assert transfer.judged(saved.net, line, saved.header.origin.layout) == shown["carried"]


def test_walking_a_tree(tree: Path) -> None:
    about = trees.about_tree(tree)
    assert about["game"] == "Tic-Tac-Toe"
    assert about["carried_from"] is None
    here = trees.walk(tree)
    assert sum(child["visits"] for child in here["children"]) == here["visits"]
    graph = read_graph(tree)
    _, visits, _ = graph.moves_at(lp.load("Tic-Tac-Toe").start())
    assert [child["visits"] for child in here["children"]] == sorted(visits.tolist(), reverse=True)
    best = here["children"][0]
    below = trees.walk(tree, [best["text"]])
    assert below["line"] == [best["label"]]
    assert len(below["children"]) == best["below"]
    assert below["position"]["pieces"][0]["site"] == best["to"]
    assert best["expected"][0] == best["label"]


@pytest.mark.slow
def test_what_another_game_keeps_of_a_tree(tree: Path, tmp_path: Path) -> None:
    text = tmp_path / "Ban.lud"
    text.write_text(
        '(game "Ban" (players 2) (equipment {(board (square 3)) (piece "Disc" P1) (piece "Cross" P2)})'
        " (rules (play (move Add (to (difference (sites Empty) (sites Corners)))))"
        " (end (if (is Line 3) (result Mover Win)))))"
    )
    here = trees.walk(tree, target=str(text))
    kept = {child["label"]: child["kept"] for child in here["children"]}
    assert [label for label, there in kept.items() if not there]
    assert set(kept.values()) == {True, False}
    assert {label for label, there in kept.items() if not there} <= {"A1", "A3", "C1", "C3"}
    numbers = trees.carried(tree, str(text))
    assert numbers["case"] == "super-domain"
    assert numbers["edges"] < numbers["source_edges"]
    out = trees.carry(tree, str(text), tmp_path / "ban.tree")
    assert trees.about_tree(out)["carried_from"] == {"game": "Tic-Tac-Toe", "discount": 1.0}
