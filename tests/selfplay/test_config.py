"""Settings: what is allowed, and how they are written down."""

from __future__ import annotations

from typing import Any

import pytest

from ludoport.errors import LudoportError
from ludoport.selfplay.config import PRESETS, TrainConfig, from_record, preset


@pytest.mark.parametrize("name", PRESETS)
def test_written_and_read(name: str) -> None:
    config = preset(name, game='A "game"', options=("Board Size/5x5", "End Rules/Standard"))
    assert TrainConfig.from_toml(config.to_toml(), "config.toml") == config
    assert config.search().simulations == config.simulations


@pytest.mark.parametrize(
    ("record", "sentence"),
    [
        ({"simulation": 8}, "unknown setting `simulation`; did you mean `simulations`?"),
        ({"simulations": "many"}, "simulations must be a whole number, not 'many'"),
        ({"simulations": 0}, "simulations must be at least 1, not 0"),
        ({"games": True}, "games must be a whole number, not True"),
        ({"rate": "fast"}, "rate must be a number, not 'fast'"),
        ({"gumbel": 1}, "gumbel must be true or false, not 1"),
        ({"options": "5x5"}, "options must be a list of texts, not '5x5'"),
        ({"schedule": "linear"}, "schedule must be constant, cosine or trapezoid, not linear"),
        ({"ema": 1.0}, "ema must be at least 0 and below 1, not 1.0"),
        ({"openings": 2.0}, "openings must be between 0 and 1, not 2.0"),
        ({"resign": 1.5}, "resign must be between 0 and 1, not 1.5"),
        ({"resign_plies": 0}, "resign_plies must be at least 1, not 0"),
        ({"random_seats": -0.5}, "random_seats must be between 0 and 1, not -0.5"),
        ({"tournament": 1}, "tournament must be true or false, not 1"),
        ({"full_share": 0.0}, "full_share must be above 0 and at most 1, not 0.0"),
        (
            {"full_share": 0.5, "simulations": 4, "fast_simulations": 5},
            "fast_simulations must be at most the 4 simulations of a full search, not 5",
        ),
    ],
)
def test_refused(record: dict[str, Any], sentence: str) -> None:
    with pytest.raises(LudoportError) as refused:
        from_record(record)
    assert str(refused.value) == sentence


def test_unknown_preset() -> None:
    with pytest.raises(LudoportError, match="unknown preset `huge`; choose from tiny, small, modern, paper"):
        preset("huge")


def test_paper() -> None:
    """The numbers of appendix E."""
    config = preset("paper")
    assert (config.simulations, config.replay, config.warmup, config.batch) == (400, 100_000, 9_000, 128)
    assert config.batches_of_epoch() == 256
    assert config.batches_of_epoch() * config.batch / config.positions == pytest.approx(1.25, abs=1e-3)
    assert (config.rate, config.epsilon, config.clip, config.value_weight, config.decay) == (
        1e-3,
        1.5e-4,
        0.25,
        1.5,
        0.0,
    )
    assert (config.weight, config.forced, config.terminal, config.sampled) == (1.1, 2.0, 2.0, 30)
    assert not config.gumbel
    assert config.pruned
    assert config.tournament
    assert (config.resign, config.resign_plies, config.random_seats) == (0.95, 7, 0.25)
    assert config.resign_share == pytest.approx(2 / 3)
    assert (config.openings, config.opening_plies) == (1 / 250, 0)
