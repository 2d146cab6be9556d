"""A game may be given by name wherever a Game is taken."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludoport as lp
from ludoport.search.build import build_tree
from ludoport.search.graph import about_game
from ludoport.search.shares import BuildPlan
from ludoport.td.curve import learning_curve
from ludoport.td.learner import ValueLearner
from ludoport.td.opponents import Opponent
from ludoport.tensors.layout import tensor_layout
from ludoport.transfer.behaviour import map_by_behaviour
from ludoport.transfer.search_trees import transfer_tree

NAME = "Tic-Tac-Toe"


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOPORT_JIT", "0")


def test_matches_and_checks() -> None:
    assert lp.match("random", "random", NAME, games=2, workers=1).game == NAME
    lp.check_game(NAME, playouts=1)


def test_trees(tmp_path: Path) -> None:
    built = build_tree(NAME, BuildPlan(about_game(NAME), 20, seed=1), 1, tmp_path / "a.tree")
    assert transfer_tree(built.graph(), NAME, NAME).case == "same domain"


def test_tensors_and_mappings() -> None:
    assert tensor_layout(NAME).shape[1:] == (3, 3)
    assert map_by_behaviour(NAME, NAME, games=1).source == NAME


def test_learning() -> None:
    assert ValueLearner(NAME).game.name == NAME
    assert learning_curve(NAME, Opponent("random"), matches=2, runs=2).runs == 2


def test_other_things_are_refused() -> None:
    with pytest.raises(lp.LudoportError, match="a game is given as a Game, a name or a path, not as int"):
        lp.match("random", "random", 7)  # type: ignore[arg-type]
