"""Small games and small runs that the tests of this room share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ludoport as lp
from ludoport.selfplay.config import TrainConfig, preset
from ludoport.selfplay.train import Budget, Trainer

HEX = ("Board Size/3x3",)
SMALL: dict[str, Any] = {
    "games": 16, "simulations": 8, "positions": 128, "warmup": 64, "batch": 32, "rating_share": 0.0, "replay": 4096,
}  # fmt: skip


def small(**changes: Any) -> TrainConfig:
    """A configuration whose epochs take a moment."""
    return preset("tiny", **{"game": "Hex", "options": HEX, **SMALL, **changes})


@pytest.fixture(scope="session")
def hex3() -> lp.Game:
    return lp.load("Hex", options=list(HEX))


@pytest.fixture(scope="session")
def noughts() -> lp.Game:
    return lp.load("Tic-Tac-Toe")


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory, hex3: lp.Game) -> Path:
    """A run of four epochs without interruption."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    Trainer(small(), folder, game=hex3).train(Budget(epochs=4))
    return folder
