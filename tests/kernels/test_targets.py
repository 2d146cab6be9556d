"""Plain Python and machine code play the same playout."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ludoport as lp
from ludoport.game import seeded


def playout(game: lp.Game, seed: int) -> tuple[int, list[int], list[int]]:
    rng: Any = seeded(seed)
    row = game.start().row.copy()
    played = game.kernels.call("playout", row, rng, game.move_list, game.work, 1000)
    return int(played), row.tolist(), rng.tolist()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("Tic-Tac-Toe", []),
        ("Hex", ["Board Size/5x5"]),
        ("Breakthrough", ["Board Size/6x6"]),
        ("Reversi", []),
    ],
)
def test_same_playout(name: str, options: list[str]) -> None:
    fast, plain = (lp.load(name, options=options, jit=jit) for jit in (True, False))
    for seed in range(3):
        assert playout(fast, seed) == playout(plain, seed)


def test_environment_chooses_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    game = lp.load("Tic-Tac-Toe")
    assert not game.jit
    assert game.start().row.dtype == np.int64
    monkeypatch.setenv("LUDOPORT_JIT", "1")
    assert lp.load("Tic-Tac-Toe").jit
