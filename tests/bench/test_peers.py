from __future__ import annotations

import pytest

from ludoport.bench.peers import HEAD, PeerLine, lines, table_line
from ludoport.errors import LudoportError


def test_speeds_are_measured_beside_open_spiel(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspiel")
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    monkeypatch.setattr("ludoport.bench.search.SIMULATIONS", 5)
    monkeypatch.setattr("ludoport.bench.peers.BATCH", {"cpu": 4})
    found = list(lines(["Tic-Tac-Toe"], 0.01))
    assert [line.what for line in found] == ["playouts", "steps", "UCT"]
    for line in found:
        assert line.ours > 0
        if line.what != "steps":
            assert line.open_spiel
            assert line.record()["times_open_spiel"] == line.ours / line.open_spiel
        assert table_line(line).count("|") == HEAD.splitlines()[0].count("|")


def test_what_is_not_installed_is_left_out() -> None:
    assert table_line(PeerLine("Go", "UCT", 1.0)) == "| Go | UCT | 1 | - | - | - | - |"


def test_games_that_are_not_compared() -> None:
    with pytest.raises(LudoportError, match="choose from Tic-Tac-Toe, Connect Four"):
        next(lines(["Chess"], 1.0))
