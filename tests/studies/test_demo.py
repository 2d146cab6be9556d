"""The demonstration: everything happens, and is told."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ludoport.commands.demo import news
from ludoport.errors import LudoportError
from ludoport.studies.demo.report import verdict
from ludoport.studies.demo.study import QUICK, Story, run_demo, with_changes
from ludoport.studies.engine.store import Store
from ludoport.studies.reports import write_reports


@pytest.mark.slow
def test_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOPORT_JIT", "0")  # so little is played that compiling would take longer
    steps: list[str] = []
    told: list[str] = []

    def watch(story: Story) -> None:
        steps.append(story.step())
        told.extend(news(story))

    folder = tmp_path / "demo"
    story = run_demo(replace(QUICK, games=2, uct_games=2), folder, watch)
    kinds = [step.split()[0] for step in dict.fromkeys(steps)]
    assert kinds[-1] == "done"
    assert "learning" in kinds
    assert [match.games for match in story.played()] == [match.record.games for match in story.played()] == [2, 2, 2]
    assert any("against learned on 4x4, 2 games: " in line for line in told)
    page = write_reports([str(folder)])
    assert page == folder / "report" / "report.html"
    report = page.with_name("report.md").read_text()
    assert verdict(story) in report
    assert "![learning](figures/learning.png)" in report
    assert (folder / "report" / "figures" / "learning.png").stat().st_size > 1000
    assert "| Piece Type 1 (Marker1) | Piece Type 1 (Marker1) | same name |" in report
    assert verdict(story) in page.read_text()
    assert json.loads(page.with_name("results.json").read_text())["played"][0]["against"] == "learned on 4x4"
    with Store(folder, create=False) as store:
        (cell,) = store.cells()
        assert (cell.source, cell.target, cell.games) == ("3x3", "4x4", 2)
        assert (cell.source_epochs, cell.target_epochs) == (3, 3)
        assert len(store.scores()) == 2
        assert store.facts()["name"] == "demo"


def test_two_boards() -> None:
    with pytest.raises(LudoportError, match="two boards of different size"):
        Story(replace(QUICK, large="3x3"), Path("nowhere"))


def test_other_numbers() -> None:
    assert with_changes(QUICK, seed=3, minutes=None, games=None) == replace(QUICK, seed=3)
    changed = with_changes(QUICK, seed=1, minutes=0.5, games=10)
    assert (changed.minutes, changed.games, changed.uct_games) == (0.5, 10, 5)


def test_folder_of_somebody_else(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("important")
    with pytest.raises(LudoportError, match="holds something else"):
        run_demo(QUICK, tmp_path, lambda story: None)
    assert (tmp_path / "thesis.tex").exists()


def test_folder_of_another_study(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.claim_study({"name": "variants/hex"}, ("name",))
    with pytest.raises(LudoportError, match="holds something else"):
        run_demo(QUICK, tmp_path, lambda story: None)
