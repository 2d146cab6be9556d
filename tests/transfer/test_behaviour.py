"""Pieces matched by what they do in random play."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ludoport as lp
from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.transfer.behaviour import map_by_behaviour, observe
from ludoport.transfer.mapping import map_channels
from ludoport.transfer.sides import side_of

TEXT = """
(game "{name}" (players 2)
    (equipment {{(board (square 5)) (piece "{first}" Each {one}) (piece "{second}" Each {two})}})
    (rules
        (start {{
            (place "{first}1" {{0 2 4}}) (place "{second}1" {{1 3}})
            (place "{first}2" {{20 22 24}}) (place "{second}2" {{21 23}})
        }})
        (play (forEach Piece))
        (end (if (no Moves Next) (result Mover Win)))
    )
)
"""
STEP = "(move Step Orthogonal (to if:(not (is Friend (who at:(to)))) (apply (remove (to)))))"
SLIDE = "(move Slide Orthogonal (to if:(is Enemy (who at:(to))) (apply (remove (to)))))"
SHORT = "(move Slide Orthogonal (between (max 1)) (to if:(is Enemy (who at:(to))) (apply (remove (to)))))"
"""Written as a slide, and no more than a step."""


def game(folder: Path, name: str, first: str, one: str, second: str, two: str) -> Game:
    file = folder / f"{name}.lud"
    file.write_text(TEXT.format(name=name, first=first, one=one, second=second, two=two))
    return lp.load(file, jit=False)


@pytest.fixture
def source(tmp_path: Path) -> Game:
    return game(tmp_path, "Source", "Walker", STEP, "Rider", SLIDE)


def test_what_is_measured(source: Game) -> None:
    seen = observe(source, games=3)
    walker, rider = seen["Walker1"], seen["Rider1"]
    assert set(seen) == {"Walker1", "Walker2", "Rider1", "Rider2"}
    assert 0 < walker.occupancy <= 3
    assert 0 < rider.occupancy <= 2
    assert rider.mobility > walker.mobility > 0
    assert np.isclose(walker.steps.sum(), 1)
    assert np.isclose(rider.steps.sum(), 1)
    assert np.isclose(walker.steps[[2, 3, 3, 4], [3, 2, 4, 3]].sum(), 1), "one cell along a row or a column"
    assert rider.steps[0, 3] + rider.steps[3, 0] > 0, "far along a row or a column"
    assert all(-1 <= behaviour.result <= 1 for behaviour in seen.values())
    assert walker.unlike(walker) == 0 < walker.unlike(rider)


def test_the_same_seed_sees_the_same(source: Game) -> None:
    one, again, other = (observe(source, games=2, seed=seed)["Rider1"] for seed in (1, 1, 2))
    assert one.unlike(again) == 0 < one.unlike(other)


@pytest.mark.slow
def test_play_decides_where_names_do_not(source: Game, tmp_path: Path) -> None:
    target = game(tmp_path, "Target", "Horse", SLIDE, "Foot", SHORT)
    by_rules = map_channels(side_of(source), side_of(target))
    by_play = map_by_behaviour(source, target, games=6)
    assert [row.source for row in by_rules.state[:4]] == [f"Piece Type {n} (Rider{o})" for n, o in ((3, 1), (4, 2))] * 2
    assert [row.source for row in by_play.state[:4]] == [
        "Piece Type 3 (Rider1)",
        "Piece Type 4 (Rider2)",
        "Piece Type 1 (Walker1)",
        "Piece Type 2 (Walker2)",
    ]
    assert {row.reason for row in by_play.state[:4]} == {"behaviour"}
    assert by_play.state[4:] == by_rules.state[4:]
    assert by_play.moves == by_rules.moves


def test_names_come_first(source: Game, tmp_path: Path) -> None:
    target = game(tmp_path, "Target", "Rider", STEP, "Walker", SLIDE)
    mapping = map_by_behaviour(source, target, games=1)
    assert mapping.state_sources[:4] == (2, 3, 0, 1)
    assert {row.reason for row in mapping.state[:4]} == {"same name"}


def test_stacks_are_refused() -> None:
    with pytest.raises(LudoportError, match="Connect Four has stacks"):
        observe(lp.load("Connect Four", jit=False), games=1)
