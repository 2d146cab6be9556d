"""Ratings of checkpoints."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ludoport as lp
from ludoport.arena.statistics import elo_of_score
from ludoport.selfplay.rating import FILE, STORE, fit_elo, ratings
from ludoport.selfplay.train import Budget, Trainer
from tests.selfplay.conftest import small


def test_two_players_get_the_elo_of_their_score() -> None:
    elo, error = fit_elo(2, [(1, 0, 7500.0, 2500.0)])
    assert elo[0] == error[0] == 0.0
    assert elo[1] == pytest.approx(elo_of_score(0.75), abs=1.0)
    assert error[1] == pytest.approx(400 / np.log(10) / np.sqrt(10_000 * 0.75 * 0.25), rel=0.01)


def test_ratings_add_up_over_a_chain() -> None:
    elo, _ = fit_elo(3, [(1, 0, 6000.0, 4000.0), (2, 1, 6000.0, 4000.0)])
    assert elo[2] == pytest.approx(2 * elo_of_score(0.6), abs=2.0)


def test_winner_of_all_games_stays_finite() -> None:
    elo, error = fit_elo(3, [(1, 0, 10.0, 0.0), (2, 0, 0.0, 10.0)])
    assert 100 < elo[1] < 1500
    assert -1500 < elo[2] < -100
    assert error[1] > 100


def test_run_rates_its_checkpoints(tmp_path: Path, hex3: lp.Game) -> None:
    config = small(rating_share=1.0, rating_games=2, rating_simulations=4, checkpoint_epochs=1, opponents=["random"])
    trainer = Trainer(config, tmp_path / "run", game=hex3)
    trainer.train(Budget(epochs=3))
    lines = trainer.run.lines(FILE)
    assert lines
    assert all(line["wins"] + line["draws"] + line["losses"] == 2 for line in lines)
    assert {line["against"] for line in lines} >= {"random"}
    found = ratings(trainer.run)
    assert [rating.epoch for rating in found] == sorted({line["epoch"] for line in lines})
    assert trainer.elo == found[-1].elo
    assert trainer.ratings.spent > 0
    assert (trainer.run.folder / STORE).exists()
    assert (trainer.run.folder / "learning.png").stat().st_size > 1000
    assert Trainer(config, tmp_path / "run", game=hex3).ratings.spent > 0
