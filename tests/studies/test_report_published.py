from __future__ import annotations

import json
from pathlib import Path

import pytest

import ludoport as lp
from ludoport.studies.soemers.published import published
from ludoport.studies.soemers.report.entries import published_entries, published_orders
from ludoport.studies.soemers.report.pairs import board_of, kind_of_pair
from ludoport.studies.soemers.report.summary import by_kind, changes, most_negative, strongest

REFERENCE = Path(__file__).parents[3] / "shared" / "spec" / "soemers-tables.json"


def test_numbers_that_the_text_of_the_paper_mentions() -> None:
    value = published().value
    assert value("Pentalath", "zero-shot", "HexHexBoard", "HalfHexHexBoard") == 26.67
    assert value("Pentalath", "zero-shot", "HalfHexHexBoard", "HexHexBoard") == 18.0
    assert value("Diagonal Hex", "fine-tuned", "19×19", "11×11") == 0.0
    assert value("Hex", "fine-tuned", "19×19", "11×11 Misere") == 3.33
    assert value("shogi", "zero-shot", "Minishogi", "Shogi") == 97.0
    assert value("Hex", "zero-shot", "7×7", "7×7") is None
    assert value("Hex", "fine-tuned, widths adjusted", "7×7", "9×9") is None


def test_all_tables_are_there() -> None:
    tables = published().tables
    assert [table.number for table in tables] == list(range(14, 53))
    assert all(order.rows and order.columns for order in published_orders())
    for order in published_orders():
        for setting in order.settings:
            table = published().table(order.table, setting)
            assert table is not None
            assert (table.rows, table.columns) == (order.rows, order.columns)
            assert set(table.values) == set(order.pairs)


def test_percentages_are_points_in_300_games() -> None:
    for entry in published_entries():
        printed = published().value(entry.table, entry.setting, entry.source, entry.target)
        assert printed is not None
        assert round(entry.percentage, 2) == pytest.approx(printed, abs=0.0101)


@pytest.mark.skipif(not REFERENCE.is_file(), reason="the reference folder is not here")
def test_the_tables_are_those_of_the_reference_file() -> None:
    for entry in json.loads(REFERENCE.read_text(encoding="utf-8")):
        table = published().table(entry["family"], entry["kind"])
        assert table is not None
        assert table.number == entry["table"]
        listed = {(s, t): v for s, row in entry["values"].items() for t, v in row.items() if v is not None}
        assert listed == table.values


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "name", "options"),
    [
        ("Breakthrough", "Hexagon4", ["Board Size/4x4", "Board/Hexagon"]),
        ("Pentalath", "HalfHexHexBoard", ["Board/HalfHexHexBoard"]),
        ("Yavalath", "3×3", ["Board Size/3x3"]),
        ("Konane", "6×6", ["Board Size/6x6"]),
    ],
)
def test_boards_have_as_many_sites_as_the_games(family: str, name: str, options: list[str]) -> None:
    game = lp.load(family, options=options)
    board = board_of(family, name)
    assert board is not None
    assert game.rules.compiled.program.n_board == board.sites  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("family", "source", "target", "kind"),
    [
        ("Hex", "19×19", "7×7", "smaller board"),
        ("Hex", "5×5", "7×7", "larger board"),
        ("Hex", "5x5", "7×7", "larger board"),
        ("Hex", "5×5", "5×5 Misere", "other win condition"),
        ("Breakthrough", "Square5", "Square6", "larger board"),
        ("Breakthrough", "Square5", "Hexagon4", "other board shape"),
        ("Broken Line", "LineSize3Hex", "LineSize4Hex", "other win condition"),
        ("Broken Line", "LineSize3Hex", "LineSize5Square", "other win condition"),
        ("Pentalath", "HexHexBoard", "HalfHexHexBoard", "other board shape"),
        ("line completion", "Gomoku", "Squava", "other game"),
        ("diagonal hex -> hex", "7×7", "7×7", "other game"),
        ("Hex", "7×7", "round", "unknown"),
    ],
)
def test_kinds_of_pairs(family: str, source: str, target: str, kind: str) -> None:
    assert kind_of_pair(family, source, target) == kind


def test_what_the_paper_says_about_its_tables_follows_from_them() -> None:
    entries = published_entries()
    rows = {(row.setting, row.kind): row for row in by_kind(entries)}
    assert rows["zero-shot", "smaller board"].above == 0
    assert rows["zero-shot", "larger board"].sure_above == 21
    tuned = most_negative(entries, "fine-tuned")
    assert tuned[0].pair == ("Diagonal Hex", "19×19", "11×11")
    assert most_negative(entries, "zero-shot") == []
    assert all(entry.percentage == 100 for entry in strongest(entries, "zero-shot"))
    tuning, heads, widths = changes(entries)
    # Section 4.2: tuning seldom makes a carried-over network worse.
    assert (tuning.pairs, tuning.worse) == (246, 2)
    assert abs(heads.mean) < 1.1
    assert abs(widths.mean) < 1.1
