"""The page about a library."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludoport.verify.coverage import coverage, main
from ludoport.verify.report import Disagreement, FileComparison

MISSING = "cannot load: a/b c.lud:3:4: the ludeme `sow` (moves) is not implemented yet"
GAMES = [
    result.record()
    for result in (
        FileComparison("board__war__leaping__lines__a", trials=3, agreeing_trials=3, checks=30, agreeing=30),
        FileComparison(
            "board__war__leaping__b", trials=3, checks=30, agreeing=10, first=Disagreement("trial 1", "mover", "1", "2")
        ),
        FileComparison("board__sow__c", failure=MISSING, checks=5, agreeing=5),
        FileComparison("board__sow__d", failure="cannot load: d.lud:7:1: too | long"),
    )
]


def test_page_has_counts_and_what_does_not_agree() -> None:
    page = coverage(GAMES).splitlines()
    assert "| agree at every ply | 1 |" in page
    assert "Of 60 plies replayed in the games that load, 40 agree." in page
    assert {"| board/war/leaping | 2 | 1 |", "| board/sow | 2 | 0 |"} <= set(page)
    assert page[-3:] == [
        "| board/war/leaping/b | 10 of 30 | trial 1: mover: reference 1, game 2 |",
        "| board/sow/c | | `sow` (moves) is not implemented |",
        "| board/sow/d | | too \\| long |",
    ]


def test_no_table_of_differences_where_all_agree() -> None:
    assert "do not agree" not in coverage(GAMES[:1])


def test_files_are_parts_of_one_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for part, games in enumerate((GAMES[:1], GAMES[1:])):
        (tmp_path / f"{part}.json").write_text(json.dumps({"variants": games}))
    assert main([str(tmp_path / "0.json"), str(tmp_path / "1.json")]) == 0
    assert capsys.readouterr().out == coverage(GAMES) + "\n"
    assert main([str(tmp_path / "2.json")]) == main([]) == 2
