"""The bench of self-play; what it measures is another matter."""

from __future__ import annotations

from functools import partial

import pytest

import ludoport as lp
from ludoport.arena.match import match
from ludoport.bench import selfplay as bench
from ludoport.bench.selfplay import Check, CheckOutcome
from ludoport.selfplay.train import Trainer
from tests.selfplay.conftest import HEX, small


@pytest.mark.slow
def test_speed_is_measured(hex3: lp.Game) -> None:
    line = bench.speed(small(), "cpu", seconds=0.05, repeats=1)
    assert line.value > 0
    assert line.beside > 0
    assert line.unit == "evaluations/s"
    assert line.record()["ratio"] == line.value / line.beside


@pytest.mark.slow
def test_networks_are_shared(hex3: lp.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    trained: list[str] = []
    trainer = Trainer

    def make(config: object, folder: object, **more: object) -> Trainer:
        trained.append(str(folder))
        return trainer(small(), folder, game=hex3)  # type: ignore[arg-type]

    monkeypatch.setattr(bench, "Trainer", make)
    monkeypatch.setattr(lp, "match", partial(match, workers=1), raising=False)
    checks = tuple(Check("Hex", HEX, 0.001, 4, opponent, games=2) for opponent in ("random", "minimax:1"))
    outcomes = list(bench.strength(checks))
    assert len(trained) == 1
    assert [outcome.check.opponent for outcome in outcomes] == ["random", "minimax:1"]
    assert all(outcome.wins + outcome.draws + outcome.losses == 2 for outcome in outcomes)


def test_goals() -> None:
    check = Check("Hex", HEX, 1.0, 40, "uct:100", goal=0.85)
    assert CheckOutcome(check, 1, 85, 0, 15, 0.85, (0.76, 0.91)).reached
    assert not CheckOutcome(check, 1, 84, 0, 16, 0.84, (0.75, 0.9)).reached
    assert not CheckOutcome(Check("Hex", HEX, 1.0, 40, "uct:1", lossless=True), 1, 99, 0, 1, 0.99, (0.9, 1.0)).reached
