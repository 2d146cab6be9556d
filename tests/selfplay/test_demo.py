"""The demonstration, in miniature."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ludoport.commands.demo import news
from ludoport.errors import LudoportError
from ludoport.selfplay.demo import QUICK, Story, run_demo
from ludoport.selfplay.demo_report import players, verdict, write_report


def test_demo(tmp_path: Path, hex3: object) -> None:
    """Everything happens, on boards whose kernels the other tests have compiled."""
    plan = replace(QUICK, large="3x3", games=2, uct_games=2)
    steps: list[str] = []
    told: list[str] = []

    def watch(story: Story) -> None:
        steps.append(story.step)
        told.extend(news(story))

    folder = tmp_path / "demo"
    # Both runs would lie in the same folder if they were of the same board.
    with pytest.raises(LudoportError, match="two boards of different size"):
        run_demo(plan, folder, watch)
    plan = replace(plan, large="4x4")
    story = run_demo(plan, folder, watch)
    assert [step.split(":")[0].split()[0] for step in dict.fromkeys(steps)] == [
        "learning",
        "carrying",
        "Hex",
        "Hex",
        "Hex",
    ]
    assert len(story.results) == len(players(story)) == 3
    assert all(result.complete for result in story.results)
    report = write_report(story).read_text()
    assert verdict(story) in report
    assert "![losses and ratings over time](learning.png)" in report
    assert (folder / "learning.png").stat().st_size > 1000
    assert "| Piece Type 1 (Marker1) | Piece Type 1 (Marker1) | same name |" in report
    assert any("in 2 of 2 games" in line for line in told)


def test_folder_of_somebody_else(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("important")
    with pytest.raises(LudoportError, match="holds something else"):
        run_demo(QUICK, tmp_path, lambda story: None)
    assert (tmp_path / "thesis.tex").exists()
