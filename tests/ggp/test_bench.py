from __future__ import annotations

import asyncio

import pytest

from ludoport.bench.ggp import CASES, many_at_once
from ludoport.ggp.manager import find_sheet
from ludoport.ggp.role_player import role_player


@pytest.mark.slow
def test_matches_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    row = asyncio.run(many_at_once("tic-tac-toe", ("random", "legal"), matches=2, playclock=10, startclock=20))
    assert (row.matches, row.mistakes, row.players) == (2, 0, "random - legal")
    assert 2 * 2 * 5 <= row.moves <= 2 * 2 * 9
    assert 0 < row.median <= row.longest
    assert row.record()["longest_of_clock"] == round(row.longest / 10, 3)


def test_everything_that_is_measured_exists() -> None:
    for game, texts in CASES:
        assert find_sheet(game).is_file()
        assert all(role_player(text) for text in texts)
