"""The engine bench: which variants, whose figures, what the table says."""

from __future__ import annotations

import pytest

from ludoport.bench import table
from ludoport.bench.engine import CurvePoint, EngineRow, chosen, rows
from ludoport.bench.figures import ludii, rivals
from ludoport.errors import LudoportError


def test_every_variant_has_a_figure_of_ludii() -> None:
    names = {variant.id for variant in chosen([])}
    assert len(names) == 61
    assert set(ludii()) == names
    assert set(rivals()) <= names
    assert rivals()["hex_11x11"].option == "Swap Rules/Off"


def test_names_and_beginnings_choose_variants() -> None:
    assert [variant.id for variant in chosen(["chess"])] == ["chess"]
    assert [variant.id for variant in chosen(["go_"])] == ["go_9x9", "go_19x19"]
    with pytest.raises(LudoportError, match="go_9x9"):
        chosen(["go_9x8"])


def test_table() -> None:
    row = EngineRow("hex_7x7", 200_000.0, 8e6, 42.3, ludii=20_000.0, ratio=10.0, peak_mb=150.0)
    failed = EngineRow("chess", ludii=65.0, failure="cannot be measured")
    columns = table.HEAD.splitlines()[0].count("|")
    assert table.line(row).count("|") == table.line(failed).count("|") == columns
    assert "| 200,000 |" in table.line(row)
    assert "1 of 2 variants measured: at least 10.0 times Ludii" in table.totals([row, failed])
    assert table.curve_lines([CurvePoint(5, 25, 1e6, 40.0, 40.0)])[-1].startswith("| 5x5 | 25 |")


@pytest.mark.slow
def test_one_variant_is_measured() -> None:
    (row,) = rows(chosen(["tic_tac_toe"]), seconds=0.2, loads=False)
    assert row.failure is None
    assert row.playouts_per_second > 0
    assert 7 < row.mean_moves < 9
