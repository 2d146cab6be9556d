"""More search plays better."""

from __future__ import annotations

import pytest

import ludoport as lp


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), [("Breakthrough", ["Board Size/6x6"]), ("Hex", ["Board Size/7x7"])])
def test_ten_times_the_simulations_win(name: str, options: list[str]) -> None:
    game = lp.load(name, options=options)
    result = lp.match("uct:1000", "uct:100", game, games=40, seed=5, workers=1)
    assert result.record.wins > result.record.losses
    assert result.record.p_better < 0.01


@pytest.mark.slow
def test_rave_helps_a_short_search() -> None:
    game = lp.load("Hex", options=["Board Size/7x7"])
    result = lp.match("uct:200,rave=300,exploration=0.2", "uct:200", game, games=60, seed=5, workers=1)
    assert result.record.p_better < 0.05
