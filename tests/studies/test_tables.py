"""Short tables and progress of a study, as users see them."""

from __future__ import annotations

import time
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from ludoport.bench.study import NAP, fake_plan
from ludoport.commands import study_watch
from ludoport.studies.engine.cells import Cell
from ludoport.studies.engine.crew import run_crew
from ludoport.studies.engine.run import prepare
from ludoport.studies.engine.scores import Score, added
from ludoport.studies.engine.store import Store
from ludoport.studies.engine.work import Place
from ludoport.studies.soemers.terminal import score_lines, table_lines

ORDER = {"table": "Hex", "rows": ["5×5", "7×7"], "columns": ["5×5", "7×7"], "settings": ["zero-shot", "fine-tuned"]}


def test_tables() -> None:
    cells = [
        Cell("Hex", "zero-shot", "5×5", "7×7", 30, 1, 29, 4, 3),
        Cell("Hex", "zero-shot", "7×7", "5×5", 6, 0, 54, 3, 4),
    ]
    assert list(table_lines(cells, [ORDER])) == [
        "Hex, zero-shot: percentage of games won against the network that learned the target",
        "source   5×5   7×7",
        "5×5        -  50.8",
        "7×7     10.0     -",
        "",
    ]
    assert list(table_lines([], [ORDER])) == []


def test_scores_are_added_up() -> None:
    scores = [
        Score("Hex", "no symmetries", "tiny", 10, 0, 30, seed=1),
        Score("Hex", "another seed", "tiny", 20, 0, 20, seed=1),
        Score("Hex", "no symmetries", "tiny", 14, 2, 24, seed=2),
    ]
    first, second = added(scores)
    assert (first.player, first.wins, first.draws, first.losses) == ("no symmetries", 24, 2, 54)
    assert second.record.score == 0.5
    lines = list(score_lines(scores))
    assert lines[1].split() == ["Hex", "no", "symmetries", "tiny", "80", "31.2", "%", "22.2", "to", "42.1", "%"]
    assert list(score_lines([])) == []


@pytest.mark.slow
def test_watching(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    prepare(fake_plan(2, 0.0), tmp_path)
    with study_watch.watching(tmp_path, "waiting"):
        run_crew(Place(tmp_path, runner=NAP))
    assert "12 of 12 jobs" in capsys.readouterr().err.splitlines()[-1]


def test_view(tmp_path: Path) -> None:
    prepare(fake_plan(2, 0.0), tmp_path)
    screen = Console(file=StringIO(), width=100)
    with Store(tmp_path) as store:
        store.claim("elsewhere:1:x")
        store.beat("elsewhere:1:x", "epoch 4")
        screen.print(study_watch._view(store, "study waiting", time.monotonic()))
    shown = screen.file.getvalue()  # type: ignore[attr-defined]
    assert "0 of 12 jobs" in shown
    assert "epoch 4" in shown
