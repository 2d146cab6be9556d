"""The study runs, goes on where it stopped, and reports what it found."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.studies.banerjee_stone import jobs
from ludoport.studies.banerjee_stone.claims import claims, verdict
from ludoport.studies.banerjee_stone.jobs import LEARNERS, OPPONENTS, TARGETS, curve_path, load_curve
from ludoport.studies.banerjee_stone.plan import PRESETS, READINGS, Preset, make_plan, run_plan
from ludoport.studies.banerjee_stone.published import published
from ludoport.studies.banerjee_stone.report import write_report
from ludoport.studies.report.draw import save
from ludoport.td.curve import CurveDifference
from ludoport.td.lookahead import read_template
from tests.td.games import NOUGHTS, TINY, small_game

SMALL = Preset(40, 2, 10, 2, 20, (10, 20), ("text", "habits, at sight"))


@pytest.fixture(autouse=True)
def _small_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two small games stand for the four of the paper."""

    def game(name: str) -> Game:
        return small_game(NOUGHTS if name == jobs.SOURCE else TINY, jit=True)

    monkeypatch.setattr(jobs, "study_game", game)


@pytest.mark.slow
def test_the_study_can_be_interrupted_and_reports(tmp_path: Path) -> None:
    plan = make_plan(SMALL)
    # The baseline and the control against the random opponent are the same in both readings.
    assert len(plan.curves) == len(TARGETS) * (2 * len(OPPONENTS) * len(LEARNERS) - 2)
    narrow = make_plan(replace(SMALL, wide=("text",)))
    assert len(narrow.curves) == len(TARGETS) * (len(OPPONENTS) * (len(LEARNERS) + 4) - 2)
    total = len(plan.features) + len(plan.curves)
    assert run_plan(plan, tmp_path, workers=1) == total
    assert run_plan(plan, tmp_path, workers=1) == 0
    job = plan.curves[7]
    before = load_curve(tmp_path, job).rewards.tolist()
    curve_path(tmp_path, job).unlink()
    with pytest.raises(LudoportError, match="run the study again"):
        load_curve(tmp_path, job)
    assert run_plan(plan, tmp_path, workers=1) == 1
    assert load_curve(tmp_path, job).rewards.tolist() == before
    note = curve_path(tmp_path, plan.curves[3]).with_suffix(".json")
    content = json.loads(note.read_text())
    content["job"]["fingerprint"] = "other rules"
    note.write_text(json.dumps(content))
    assert run_plan(plan, tmp_path, workers=1) == 1
    page = write_report(plan, tmp_path, tmp_path / "report", plots=False)
    report = page.with_name("report.md").read_text()
    for expected in ("| f | `{L}` |", "## Figure 7", "| published | 72.70 |", "### Reading: habits, at sight", "95"):
        assert expected in report
    assert len(claims(plan, tmp_path)) == 10
    results = json.loads(page.with_name("results.json").read_text())
    assert len(results["curves"]) == 2 * len(TARGETS) * len(OPPONENTS) * len(LEARNERS)


def test_pictures_are_written(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from ludoport.studies.banerjee_stone.pictures import draw_features, place

    template = read_template("{L,N{W,n},N{n}}")
    nodes = place(template)
    assert len(nodes) == 7
    assert [depth for _, _, depth, _ in nodes].count(2) == 3
    assert all(nodes[parent][2] == depth - 1 for _, _, depth, parent in nodes if parent >= 0)
    save(draw_features({"g": template, "nested": read_template("{N{[{L}],r7}}")}), tmp_path, "both", "two")
    for name in ("both.png", "both.svg"):
        assert (tmp_path / "figures" / name).stat().st_size > 1000


def test_what_was_published() -> None:
    printed = published()
    assert "".join(printed.templates) == "abcdefghijkl"
    assert len({template.code for template in printed.templates.values()}) == 12
    assert printed.values["weak"]["l"] == 57.45
    assert [figure.number for figure in printed.figures] == [3, 4, 5, 6, 7]
    figure = printed.figure("Othello", "random")
    assert figure is not None
    assert figure.curves["minimax"][-1].tolist() == [2880, 84.334]
    assert printed.figure("Connect-3", "weak") is None
    assert printed.known("random").codes.size == 12


def test_presets_and_verdicts() -> None:
    assert PRESETS["paper"].matches == 3000
    assert PRESETS["paper"].runs == 10
    assert set(PRESETS["paper"].readings) == set(READINGS)
    assert verdict(CurveDifference(1.0, 0.5)).startswith("yes")
    assert verdict(CurveDifference(-1.0, 0.5)).startswith("no")
    assert verdict(CurveDifference(0.2, 0.5)).startswith("open")
    with pytest.raises(LudoportError, match="workers"):
        run_plan(make_plan(SMALL), Path(), workers=0)


@pytest.mark.slow
def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    plan = make_plan(SMALL)
    other, file, begun = tmp_path / "other", tmp_path / "file", tmp_path / "begun"
    (other / "features").mkdir(parents=True)
    (other / "study.sqlite").touch()
    file.touch()
    for folder, sentence in ((tmp_path, "something other"), (other, "something other"), (file, "is not a folder")):
        with pytest.raises(LudoportError, match=f"{sentence}.*choose another"):
            run_plan(plan, folder, workers=1)
    assert {path.name for path in tmp_path.iterdir()} == {"other", "file"}
    (begun / "features").mkdir(parents=True)
    few = replace(plan, features=plan.features[:1], curves=())
    assert run_plan(few, begun, workers=1) == 1
