from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from ludoport.errors import LudoportError
from ludoport.studies.engine.cells import Cell, TableOrder
from ludoport.studies.report.statistics import holm
from ludoport.studies.soemers.report.agreement import agreements, compared, largest_disagreements
from ludoport.studies.soemers.report.entries import ShownCell, entries_of
from ludoport.studies.soemers.report.facts import check_cells, table_orders
from ludoport.studies.soemers.report.summary import by_kind, change, significance
from ludoport.studies.soemers.report.table_files import COLUMNS, csv_text, latex, latex_transfer
from ludoport.studies.soemers.report.tables import TransferTable, transfer_tables
from tests.studies.report_cells import HEX, cell, hex_cells


def entries() -> list[ShownCell]:
    return entries_of(hex_cells(), (HEX,))


def found(setting: str, source: str, target: str) -> ShownCell:
    return next(e for e in entries() if (e.setting, e.source, e.target) == (setting, source, target))


def zero_shot() -> TransferTable:
    return transfer_tables(entries(), (HEX,))[0]


def test_entries_come_in_the_order_of_the_tables() -> None:
    places = [(e.setting, e.source, e.target) for e in entries()]
    wanted = [(setting, *pair) for setting in HEX.settings for pair in HEX.pairs]
    assert places == [place for place in wanted if place in places]
    assert len(places) == 11


def test_an_entry_has_percentage_interval_and_published_number() -> None:
    entry = found("fine-tuned", "9×9", "7×7")
    assert entry.percentage == 50.5  # 50 wins and a draw in 100 games
    assert entry.interval[0] < 50 < entry.interval[1]
    assert entry.published == 47.67
    assert entry.epoch_ratio == 0.5
    assert entry.site_ratio == 49 / 81
    assert found("zero-shot", "11×11 Misere", "9×9").kind == "other win condition"


def test_marks_say_which_side_and_whether_holm_agrees() -> None:
    marks = {e.pair[1:]: e.mark for e in entries() if e.setting == "fine-tuned"}
    assert marks == {
        ("7×7", "9×9"): "++",
        ("7×7", "11×11 Misere"): "--",
        ("9×9", "7×7"): "",
        ("9×9", "11×11 Misere"): "+",  # p = 0.035, and after Holm 0.106
        ("11×11 Misere", "7×7"): "",
    }
    assert [e.p_holm for e in entries()] == holm([e.p for e in entries()])


def test_counts_of_significant_cells() -> None:
    counted = significance(entries())
    assert (counted.cells, counted.significant, counted.after_holm) == (11, 9, 8)
    assert counted.by_chance == pytest.approx(11 * 0.0352, abs=0.001)


def test_a_markdown_table_has_every_pair() -> None:
    lines = list(zero_shot().markdown())
    assert lines[0] == "| source \\ target | 7×7 | 9×9 | 11×11 Misere |"
    assert len(lines) == 5
    assert all(line.count("|") == 5 for line in lines)
    assert "**85.0** ++<br>76.7 to 90.7<br>*38.3*" in lines[2]
    assert lines[2].startswith("| 7×7 | – |")
    tuned = list(transfer_tables(entries(), (HEX,))[1].markdown())
    assert "not played<br>*39.0*" in tuned[4]


def test_a_latex_table_is_well_formed() -> None:
    text = latex_transfer(zero_shot())
    assert text.count("{") == text.count("}")
    assert text.count("$") % 2 == 0
    rows = text[text.index(r"\midrule") : text.index(r"\bottomrule")].splitlines()[1:]
    assert len(rows) == 9  # percentages, intervals and published numbers of three sources
    assert all(row.count("&") == 3 and row.endswith(r"\\") for row in rows)
    assert r"85.0$^{++}$" in text
    assert r"\textit{38.3}" in text
    assert r"Table 18" in text


def test_every_special_character_is_plain_in_latex() -> None:
    plain = r"\textbackslash{}a \textasciicircum{} \textasciitilde{} \{\}\$\&\#\_\%"
    assert latex(r"\a ^ ~ {}$&#_%") == plain


def test_csv_can_be_read_again() -> None:
    rows = list(csv.DictReader(io.StringIO(csv_text(entries()))))
    assert tuple(rows[0]) == COLUMNS
    assert [float(row["percentage"]) for row in rows] == [entry.percentage for entry in entries()]
    assert [int(row["wins"]) + int(row["draws"]) + int(row["losses"]) for row in rows] == [100] * 11
    assert rows[0]["job"] == "evaluate/7×7-9×9"


def test_titles_and_files_of_tables() -> None:
    order = TableOrder("broken line -> line completion", ("LineSize3Hex",), ("Squava",), ("zero-shot",))
    table = TransferTable(order, "zero-shot", {})
    assert table.title == "Broken line -> line completion, zero-shot (Table 43 of the paper)"
    assert table.stem == "broken-line-to-line-completion-zero-shot"


def test_between_families_equal_names_are_pairs() -> None:
    assert ("7×7", "7×7") in TableOrder("diagonal hex -> hex", ("7×7",), ("7×7", "9×9")).pairs
    assert ("7×7", "7×7") not in HEX.pairs


def test_orders_of_cells_without_a_plan() -> None:
    (order,) = table_orders(hex_cells())
    assert (order.table, order.settings) == ("Hex", ("zero-shot", "fine-tuned"))
    assert order.rows == order.columns
    assert set(order.rows) == set(HEX.rows)


def test_cells_that_do_not_fit_are_refused() -> None:
    cells = hex_cells()
    check_cells(cells, (HEX,))
    for wrong, sentence in (
        (replace(cells[0], table="Go"), "unknown table `Go` in this report; choose from Hex"),
        (replace(cells[0], source="8×8"), "no place for the cell Hex, fine-tuned, 8×8 -> 9×9"),
        (replace(cells[0], setting="fine-tuned, widths adjusted"), "no place for the cell"),
        (replace(cells[0], wins=0, losses=0), "at least one game"),
        (replace(cells[0], wins=-1), "no negative counts"),
        (cells[1], "two cells for Hex, fine-tuned, 9×9 -> 7×7"),
    ):
        with pytest.raises(LudoportError, match=sentence):
            check_cells([wrong, *cells[1:]], (HEX,))


def test_agreement_with_the_paper() -> None:
    everything, *settings = agreements(entries())
    assert [one.name for one in settings] == ["zero-shot", "fine-tuned"]
    common = compared(entries())
    assert everything.cells == len(common) == 11
    assert everything.difference == pytest.approx(sum(one.difference for one in common) / 11)
    assert sum(one.apart for one in settings) == everything.apart
    largest = largest_disagreements(entries(), 2)
    assert largest[0].entry.pair == ("Hex", "7×7", "9×9")
    assert largest[0].difference == pytest.approx(85 - 38.33)
    assert abs(largest[0].difference) >= abs(largest[1].difference)


def test_numbers_equal_to_the_published_ones_agree_completely() -> None:
    cells = [
        Cell("Hex", "zero-shot", "7×7", target, round(3 * value), 0, 300 - round(3 * value), 1, 1)
        for target, value in (("9×9", 38.33), ("11×11 Misere", 0.0))
    ]
    (everything, _) = agreements(entries_of(cells, (HEX,)))
    assert everything.correlation == pytest.approx(1)
    assert everything.distance < 0.01
    assert (everything.same_side, everything.apart) == (2, 0)
    assert largest_disagreements(entries_of(cells, (HEX,))) == []


def test_without_common_cells_there_is_no_agreement() -> None:
    order = TableOrder("Hex", ("3×3", "4×4"), ("3×3", "4×4"), ("zero-shot",))
    cells = [Cell("Hex", "zero-shot", "3×3", "4×4", 6, 0, 4, 1, 1)]
    assert agreements(entries_of(cells, (order,))) == []


def test_kinds_and_changes() -> None:
    rows = {(row.setting, row.kind): row for row in by_kind(entries())}
    assert rows["zero-shot", "other win condition"].pairs == 4
    assert rows["fine-tuned", "larger board"].mean == 80
    assert rows["fine-tuned", "larger board"].published == 69.33
    tuning = change(entries(), "zero-shot", "fine-tuned")
    assert tuning.pairs == 5
    assert (tuning.better, tuning.worse) == (4, 0)
    assert tuning.worst is not None
    assert tuning.worst[1] == pytest.approx(-5)
    assert change(entries(), "fine-tuned", "fine-tuned, widths adjusted").pairs == 0


def test_one_more_cell_makes_holm_stricter() -> None:
    fewer = entries_of([cell("fine-tuned", "9×9", "11×11 Misere", 61)], (HEX,))
    assert fewer[0].mark == "++"
