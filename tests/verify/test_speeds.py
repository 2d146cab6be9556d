"""Tables of speeds and times to load."""

from __future__ import annotations

from typing import Any

from ludoport.verify.speeds import speeds

GAMES: list[dict[str, Any]] = [
    {"id": "board__war__a", "pps": 500.0, "load_seconds": 2.0},
    {"id": "board__war__b", "pps": 5.0, "load_seconds": 20.0},
    {"id": "board__sow__c", "pps": 20_000.0, "load_seconds": 4.0},
    {"id": "board__sow__d"},
]


def test_worst_come_first() -> None:
    page = speeds(GAMES, {"board__war__a": 10.0, "board__war__b": 10.0, "board__sow__c": 10.0, "board__sow__d": 1.0})
    lines = page.splitlines()
    assert lines[0] == "3 games measured: median 50 times as many playouts per second; 1 slower than the reference."
    assert lines[4:6] == ["| board/war | 2 | 25 | 0.5 |", "| board/sow | 1 | 2,000 | 2,000 |"]
    assert lines[9] == "| board/war/b | 5.0 | 0.5 |"
    assert "median 4.0 s; 2 of 3 in 5 s, 2 of 3 in 15 s, 3 of 3 in 30 s" in page
    assert lines[-3] == "| board/war/b | 20.0 |"


def test_nothing_measured() -> None:
    assert "No game was measured." in speeds(GAMES[3:], {})
