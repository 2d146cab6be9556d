"""The bench of runs of many games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludoport.bench.many import main


@pytest.mark.slow
def test_parts_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    small = ("games=4", "positions=16", "simulations=2", "batch=8", "batches=2", "replay=400")
    settings = [word for setting in small for word in ("--set", setting)]
    main(["Tic-Tac-Toe, Hex; Board Size/3x3", "--preset", "tiny", "--json", str(tmp_path / "rows.json"), *settings])
    rows = json.loads((tmp_path / "rows.json").read_text())
    assert len(rows) == 11
    assert all(row["seconds"] >= 0 for row in rows)
    assert [row["what"] for row in rows if row["evaluations"]] == [
        "play, first time",
        "play",
        "play, one game at a time",
        "play, with what was learned",
    ]
    printed = capsys.readouterr().out
    assert "| learn from 2 batches |" in printed
    assert float(printed.split()[-1]) < 1e-3
