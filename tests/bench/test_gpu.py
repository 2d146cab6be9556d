"""The parts of the GPU bench that need no device."""

from __future__ import annotations

import pytest

from ludoport.bench import gpu
from ludoport.errors import LudoportError


def test_cases_are_chosen_by_their_beginning() -> None:
    assert [case.id for case in gpu.chosen(["hex"])] == ["hex_11x11_no_swap", "hex_11x11"]
    assert gpu.chosen([]) == list(gpu.CASES)
    with pytest.raises(LudoportError, match="unknown case nothing"):
        gpu.chosen(["nothing"])


def test_lines_have_the_columns_of_the_head() -> None:
    columns = gpu.HEAD.splitlines()[0].count("|")
    row = gpu.GpuRow("hex_11x11", 1024, 0.5, 2e9, 2e7, 107.5, 3.0, True)
    assert gpu.line(row).count("|") == columns
    assert "| 2,000,000,000 |" in gpu.line(row)
    assert gpu.line(gpu.GpuRow("hex_11x11", failure="no device")).count("|") == columns
    assert row.record()["identical"] is True
