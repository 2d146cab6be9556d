"""Ratings of checkpoints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ludoport as lp
from ludoport.arena.kinds.python import text_of
from ludoport.arena.statistics import Elo
from ludoport.errors import LudoportError
from ludoport.selfplay.config import TrainConfig
from ludoport.selfplay.rating import FILE, STORE, ratings
from ludoport.selfplay.rating_ladder import HIGHER, earlier, rung_of, rungs
from ludoport.selfplay.run import Run
from ludoport.selfplay.train import Budget, Trainer
from tests.selfplay.conftest import small


def first(state: lp.State) -> lp.Move:
    return state.moves()[0]


def test_functions_as_opponents_need_a_file(tmp_path: Path) -> None:
    with pytest.raises(LudoportError, match="this player runs in another process"):
        lp.train("Tic-Tac-Toe", epochs=1, out=tmp_path, opponents=[lambda state: state.moves()[0]])


@pytest.mark.slow
def test_run_rates_its_checkpoints(tmp_path: Path, hex3: lp.Game) -> None:
    own = text_of(first)
    config = small(rating_share=1.0, rating_games=2, rating_simulations=4, checkpoint_epochs=1, opponents=[own])
    trainer = Trainer(config, tmp_path / "run", game=hex3)
    trainer.train(Budget(epochs=3))
    lines = trainer.run.lines(FILE)
    assert lines
    assert all(line["wins"] + line["draws"] + line["losses"] == 2 for line in lines)
    assert {line["against"] for line in lines} >= {own}
    found = ratings(trainer.run)
    assert [rating.epoch for rating in found] == sorted({line["epoch"] for line in lines})
    assert trainer.elo == found[-1].elo == ratings(trainer.run, newest=True)[0].elo
    assert str(Elo.from_json(trainer.records[-1])) == str(trainer.elo)
    assert trainer.ratings.spent > 0
    assert (trainer.run.folder / STORE).exists()
    assert (trainer.run.folder / "learning.png").stat().st_size > 1000
    resumed = Trainer(config, tmp_path / "run", game=hex3)
    assert resumed.elo == trainer.elo


def line(epoch: int, against: str, wins: int, losses: int) -> dict[str, Any]:
    return {"epoch": epoch, "against": against, "wins": wins, "draws": 0, "losses": losses}


def test_ladder_is_climbed_and_left() -> None:
    usual = TrainConfig().opponents
    ladder = rungs(usual, usual)
    assert ladder == (*usual, *HIGHER)
    assert rungs(("random",), usual) == ("random",)
    lines = [line(1, ladder[0], 5, 5), line(2, ladder[0], 9, 1), line(3, ladder[1], 10, 0), line(3, "epoch 1", 9, 1)]
    assert [rung_of(lines[:count], ladder) for count in range(5)] == [0, 0, 1, 2, 2]
    assert rung_of([*lines, line(4, ladder[2], 0, 4)], ladder) == 1
    assert rung_of([line(1, ladder[-1], 9, 0)], ladder) == len(ladder) - 1
    assert earlier(lines, 1) is None
    assert earlier(lines, 5) in (2, 3)


@pytest.mark.slow
def test_rating_does_not_stop_the_run(tmp_path: Path, hex3: lp.Game) -> None:
    """A process that dies leaves the run as it is."""
    config = small(rating_share=1.0, checkpoint_epochs=1, opponents=["random"])
    trainer = Trainer(config, tmp_path / "run", game=hex3)

    def watch(record: dict[str, Any]) -> None:
        assert trainer.ratings._process is not None
        trainer.ratings._process.end()

    trainer.train(Budget(epochs=3), watch)
    assert trainer.epoch == 3
    assert trainer.elo is None


def test_settings_that_may_change(tmp_path: Path, whole: Path) -> None:
    Run(whole, small(rating_share=0.5, checkpoint_epochs=3, opponents=["random"]))
    with pytest.raises(LudoportError, match="differs in tournament, checkpoint_epochs"):
        Run(whole, small(checkpoint_epochs=3, tournament=True))
