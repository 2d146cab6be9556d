from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from ludoport.commands.report import report
from ludoport.errors import LudoportError
from ludoport.studies.engine.cells import Cell, TableOrder
from ludoport.studies.engine.scores import Score
from ludoport.studies.report.blocks import Heading, Items, Paragraph, rows_of, to_markdown
from ludoport.studies.report.html import to_html
from ludoport.studies.soemers.report import write as reports
from ludoport.studies.soemers.report.facts import StudyFacts
from ludoport.studies.soemers.report.scores import score_rows
from ludoport.studies.soemers.report.write import write_published_report, write_report
from tests.studies.report_cells import FACTS, hex_cells

EMPTY = {"meta", "img", "br"}


class Page(HTMLParser):
    """Checks that tags are closed in order, and collects what the page refers to."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.names: list[str] = []
        self.counts: dict[str, int] = {}

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag not in EMPTY:
            self.open.append(tag)
        for name, value in attributes:
            if name in ("src", "href"):
                self.links.append(value or "")
            if name == "id":
                self.names.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read_page(text: str) -> Page:
    page = Page()
    page.feed(text)
    page.close()
    assert page.open == []
    return page


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    assert write_report(hex_cells(), FACTS, folder) == folder / "report.html"
    return folder


@pytest.mark.slow
def test_everything_is_written(folder: Path) -> None:
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    tables = {
        f"tables/hex-{setting}.{kind}" for setting in ("zero-shot", "fine-tuned") for kind in ("md", "tex", "csv")
    }
    names = ("figure-2", "figure-3", "figure-8", "agreement", "heat-hex")
    pictures = {f"figures/{name}.{kind}" for name in names for kind in ("png", "svg")}
    assert files == {"report.html", "report.md", "results.json", "cells.csv", *tables, *pictures}


@pytest.mark.slow
def test_the_page_needs_nothing_else(folder: Path) -> None:
    text = (folder / "report.html").read_text(encoding="utf-8")
    page = read_page(text)
    inside = [link for link in page.links if link.startswith("#")]
    assert all(link.startswith("data:image/svg+xml;base64,") for link in page.links if link not in inside)
    assert {link[1:] for link in inside} <= set(page.names)
    assert page.counts["img"] == 5
    assert not re.search(r"url\(|@import|<script|<link", text)
    assert "<b>85.0</b> ++<small>76.7 to 90.7</small><small><i>published 38.3</i></small>" in text
    assert 'class="missing">not played<small><i>published 39.0</i></small>' in text


@pytest.mark.slow
def test_markdown_says_the_same(folder: Path) -> None:
    text = (folder / "report.md").read_text(encoding="utf-8")
    assert text.startswith("# Study variants/hex\n")
    assert "11 of 12 cells have been played" in text
    assert "Zero-shot: the transferred network scores above 50 % in 1 of 6 pairs; significantly above in 1" in text
    assert "Fine-tuning changes win percentages by +30.5 points on average over 5 pairs" in text
    assert "beyond chance in games (5 % each) 4 gained and 0 lost." in text
    assert "Different from 50 % at the level of 5 %: 9 of 11 cells" in text
    assert "about 0.39 would be. After Holm's correction for the number of cells: 8," in text
    assert "11 cells are in the paper too" in text
    for path in re.findall(r"!\[[^]]*\]\(([^)]+)\)", text):
        assert (folder / path).is_file()
    assert "0123456789ab" in text
    assert "    ludoport study variants/hex --preset tiny" in text


def read_results(folder: Path) -> Any:
    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    return json.loads((folder / "results.json").read_text(encoding="utf-8"), parse_constant=refuse)


def test_a_study_that_the_paper_has_not(tmp_path: Path) -> None:
    order = TableOrder("Hex", ("3×3", "4×4"), ("3×3", "4×4"), ("zero-shot",))
    cells = [Cell("Hex", "zero-shot", "3×3", "4×4", 6, 0, 4, 3, 2)]
    write_report(cells, StudyFacts("own", "tiny", (order,)), tmp_path, plots=False)
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "Agreement with the paper" not in text
    assert "published |" not in text
    assert "of the paper)" not in text
    assert not (tmp_path / "figures").exists()
    results = read_results(tmp_path)
    assert results["kinds"][0]["published"] is None
    assert results["agreement"] == []


def test_results_can_be_read_by_programs(folder: Path) -> None:
    results = read_results(folder)
    assert results["format"] == 1
    assert results["facts"]["tables"][0]["rows"] == ["7×7", "9×9", "11×11 Misere"]
    assert len(results["cells"]) == 11
    assert results["cells"][0]["percentage"] == 85
    assert results["agreement"][0]["cells"] == 11
    assert results["changes"][0]["worst"] == {"pair": ["Hex", "7×7", "9×9"], "difference": -5}
    assert results["significance"]["after_holm"] == 8


def test_a_report_without_games_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LudoportError, match="nothing of the study variants/hex was played yet"):
        write_report([], FACTS, tmp_path)


def test_text_with_special_characters() -> None:
    blocks = [Heading("a < b", 1), Paragraph("x & `y <z>`"), Items(("1 > 0",)), rows_of(["a|b"], [["<i>"]])]
    page = to_html(blocks, Path())
    read_page(page)
    assert "<p>x &amp; <code>y &lt;z&gt;</code></p>" in page
    assert "<h1" in page
    assert "&lt;i&gt;" in page
    assert "| a\\|b |" in to_markdown(blocks)


def score(player: str, wins: int, seed: int = 1, parameters: int = 0, group: str = "Hex 5×5") -> Score:
    return Score(group, player, "uct:800", wins, 0, 100 - wins, seed, parameters)


def test_repetitions_are_added_up() -> None:
    first, second = score_rows([score("a", 60), score("b", 50), score("a", 62, 2), score("b", 49, 2)])
    assert (first.player, first.record.wins, first.record.games, first.mark) == ("a", 122, 200, "++")
    assert [part.record.wins for part in first.parts] == [60, 62]
    assert second.mark == ""
    assert first.p_holm == pytest.approx(2 * first.p)


def test_reports_of_scores(tmp_path: Path) -> None:
    ablation = StudyFacts("ablation", "tiny", ())
    write_report([], ablation, tmp_path / "a", [score("no symmetries", 30), score("no symmetries", 35, 2)])
    text = (tmp_path / "a" / "report.md").read_text(encoding="utf-8")
    assert "| Hex 5×5 | no symmetries | uct:800 | 200 | +65 =0 -135 | 32.5 % | 26.4 to 39.3 % | −− |" in text
    assert "30.0, 35.0" in text
    assert (tmp_path / "a" / "scores.csv").read_text(encoding="utf-8").count("\n") == 3
    read_page((tmp_path / "a" / "report.html").read_text(encoding="utf-8"))


def test_figure_1(tmp_path: Path) -> None:
    scores = [score("ConvConv", 80, k, 1000 * k, group) for k in (1, 2) for group in ("Hex", "Connect6")]
    write_report([], StudyFacts("architectures", "tiny", ()), tmp_path, scores)
    assert (tmp_path / "figures" / "figure-1.png").is_file()
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "| ConvConv | 80.0 % (80.0 %, 1,000) | 80.0 % (80.0 %, 1,000) |" in text


def test_the_published_numbers_can_be_reported_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Drawing everything takes long; the figures have tests of their own.
    monkeypatch.setattr(reports, "draw_scatter", lambda *_, **__: [])
    monkeypatch.setattr(
        reports, "draw_heat", lambda tables, _: dict.fromkeys((t.order.table for t in tables), Paragraph(""))
    )
    write_published_report(tmp_path)
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "738 cells" in text
    assert "Agreement with the paper" not in text
    assert text.count("(Table ") == 39
    assert len(list((tmp_path / "tables").iterdir())) == 3 * 39
    command = typer.Typer()
    command.command()(report)
    answer = CliRunner().invoke(command, ["published", "--out", str(tmp_path / "b"), "--json"])
    assert answer.exit_code == 0
    assert Path(json.loads(answer.stdout)["results"]).is_file()
