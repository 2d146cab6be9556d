"""``lp.transfer`` and ``ludoport transfer``: one verb for networks, search trees and value features."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ludoport as lp
from ludoport.arena.kinds.net import NetworkPlayer
from ludoport.arena.kinds.tree import TreePlayer
from ludoport.cli import main
from ludoport.nets.files import read_header
from ludoport.search.graph_files import read_graph, write_graph
from ludoport.td.learner import ValueLearner
from ludoport.td.opponents import Opponent
from ludoport.transfer.features import FeatureTable, learned_features
from ludoport.transfer.features_file import load_features, save_features
from ludoport.transfer.sides import find_side

from .test_command import saved
from .tree_games import row_game, whole_tree

ROW = """
(game "Row" (players 2)
    (equipment {(board (rectangle 1 <Size:width>)) (piece "Disc" Each)})
    (rules (play (move Add (to (sites Empty)))) (end (if (is Full) (result Mover Win)))))
(option "Size" <Size> args:{<width>} {(item "3" <3> "")* (item "4" <4> "")})
"""


def run(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    with pytest.raises(SystemExit) as ended:
        main(["transfer", *arguments])
    printed = capsys.readouterr()
    return int(ended.value.code or 0), printed.out + printed.err


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOPORT_JIT", "0")


@pytest.fixture
def row(tmp_path: Path) -> Path:
    path = tmp_path / "row.lud"
    path.write_text(ROW)
    return path


@pytest.fixture
def tree(tmp_path: Path, row: Path) -> Path:
    game = lp.load(row)
    graph = whole_tree(game)
    object.__setattr__(graph.about, "source", str(row))
    write_graph(graph, tmp_path / "row.tree")
    return tmp_path / "row.tree"


@pytest.fixture(scope="module")
def table() -> FeatureTable:
    learner = ValueLearner(lp.load("Tic-Tac-Toe", jit=False), seed=1, keep=True)
    learner.train(Opponent("random"), 20)
    return learned_features(learner, "random", seed=1)


@pytest.mark.slow
def test_network(tmp_path: Path) -> None:
    file = saved(tmp_path, find_side("Gomoku"))
    moved = lp.transfer(file, "Squava", tmp_path / "moved")
    assert moved == tmp_path / "moved" / "network.safetensors"
    assert read_header(moved).training["transfer"]["unmapped"] == "zero"
    settings = lp.TransferOptions(unmapped="fresh")
    player = lp.transfer(NetworkPlayer(str(file), sampled=3), "Squava", tmp_path / "other", settings=settings)
    assert (player.file, player.sampled) == (str(tmp_path / "other" / "network.safetensors"), 3)
    assert read_header(player.file).training["transfer"]["unmapped"] == "fresh"
    beside = lp.transfer(str(file), lp.load("Squava"))
    assert beside.parent.parent == tmp_path
    assert read_header(lp.transfer(moved, "Hex", options=["Board Size/7x7"])).origin.options == ("Board Size/7x7",)


def test_python_and_command_line_write_the_same_network(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, ours, theirs = saved(tmp_path, find_side("Gomoku")), tmp_path / "a.safetensors", tmp_path / "b.safetensors"
    lp.transfer(file, "Squava", ours)
    assert run(str(file), "Squava", "--out", str(theirs), capsys=capsys)[0] == 0
    assert ours.read_bytes() == theirs.read_bytes()


def test_search_tree(tmp_path: Path, tree: Path, row: Path) -> None:
    moved = lp.transfer(tree, row, tmp_path / "moved.tree", options=["Size/4"])
    assert moved == tmp_path / "moved.tree"
    graph = read_graph(tree)
    assert read_graph(moved).visits.sum() == graph.visits.sum()
    assert read_graph(moved).about.options == ("Size/4",)
    large = lp.load(row, options=["Size/4"])
    assert lp.transfer(graph, large, source=lp.load(row)).about.fingerprint == large.rules.fingerprint
    light = lp.transfer(graph, large, tmp_path / "light.tree", discount=0.5)
    assert 0 < light.visits.sum() < graph.visits.sum()
    assert read_graph(tmp_path / "light.tree").visits.sum() == light.visits.sum()
    player = lp.transfer(TreePlayer(str(tree)), large, tmp_path / "player.tree")
    assert lp.match(player, "random", large, games=2, workers=1).record.games == 2


def test_value_features(tmp_path: Path, table: FeatureTable) -> None:
    target = row_game("Four", 4)
    learner = lp.transfer(table, target, tmp_path / "copy.json")
    assert isinstance(learner, ValueLearner)
    assert learner.game is target
    assert (learner.start, learner.settings.at_sight) == ("features", True)
    assert len(learner.train(Opponent("random"), 3)) == 3
    assert load_features(tmp_path / "copy.json") == table
    moved = lp.transfer(tmp_path / "copy.json", "Tic-Tac-Toe", tmp_path / "moved.json", opponent="random")
    assert load_features(moved) == table
    with pytest.raises(lp.LudoportError, match="no values were learned against `weak`"):
        lp.transfer(table, target, opponent="weak")


@pytest.mark.slow
def test_command_line_takes_all_three(
    tmp_path: Path, tree: Path, row: Path, table: FeatureTable, capsys: pytest.CaptureFixture[str]
) -> None:
    save_features(table, tmp_path / "features.json")
    network = saved(tmp_path, find_side("Gomoku"))
    cases: list[tuple[Path, list[str], str]] = [
        (network, ["Squava", "--out", str(tmp_path / "net")], "network"),
        (tree, [str(row), "-o", "Size/4", "--out", str(tmp_path / "b.tree")], "search tree"),
        (tmp_path / "features.json", ["Tic-Tac-Toe", "--out", str(tmp_path / "b.json")], "value features"),
    ]
    for thing, arguments, kind in cases:
        code, text = run(str(thing), *arguments, "--json", capsys=capsys)
        assert code == 0, text
        answer: dict[str, Any] = json.loads(text)
        assert answer["knowledge"] == kind
        assert Path(answer["file"]).exists()
        code, text = run(str(thing), *arguments, capsys=capsys)
        assert code == 0, text
    assert "value features from Tic-Tac-Toe for Tic-Tac-Toe" in text


def test_settings_of_another_kind_are_refused(
    tmp_path: Path, tree: Path, row: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = saved(tmp_path, find_side("Gomoku"))
    with pytest.raises(lp.LudoportError, match="`discount` is a setting for search trees, not for networks"):
        lp.transfer(file, "Squava", tmp_path / "x", discount=0.5)
    code, text = run(str(tree), str(row), "--out", str(tmp_path / "x"), "--reinit-heads", capsys=capsys)
    assert code == 2
    assert "`settings` is a setting for networks, not for search trees" in text
    code, text = run(str(tree), str(row), "--explain", capsys=capsys)
    assert "--explain is for networks, not for " in text
    with pytest.raises(lp.LudoportError, match="options belong to a game given by name"):
        lp.transfer(file, lp.load("Squava"), options=["Board Size/5x5"])


def test_what_holds_no_knowledge_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("hello, world")
    with pytest.raises(lp.LudoportError, match=r"x\.txt: not a network, a saved tree or value features"):
        lp.transfer(tmp_path / "x.txt", "Hex")
    with pytest.raises(lp.LudoportError, match="no such file or folder"):
        lp.transfer("nowhere", "Hex")
    with pytest.raises(lp.LudoportError, match="nothing to transfer in 7"):
        lp.transfer(7, "Hex")  # type: ignore[call-overload]
