"""The tensor bench."""

from __future__ import annotations

import pytest

from ludoport.bench import tensors


@pytest.mark.slow
def test_one_variant_is_measured() -> None:
    (row,) = tensors.rows(["tic_tac_toe"], seconds=0.02, batch=64, types=["uint8"])
    assert row.failure is None
    assert row.shape == (9, 3, 3)
    assert row.move_shape == (3, 3, 3)
    assert 3 < row.mean_moves < 7
    assert row.states_per_second == pytest.approx(1e9 / (row.planes_ns + row.slots_ns))
    assert row.record()["dtype"] == "uint8"


def test_table() -> None:
    row = tensors.TensorRow("hex_7x7", "compact", "uint8", 4096, (10, 7, 7), (3, 7, 7), 5.5e6, 70.2, 111.8, 26.0)
    failed = tensors.TensorRow("chess", "compact", "uint8", 4096, failure="cannot be measured")
    columns = tensors.HEAD.splitlines()[0].count("|")
    assert tensors.line(row).count("|") == tensors.line(failed).count("|") == columns
    assert "| 10x7x7 | 3x7x7 | uint8 | 5,500,000 |" in tensors.line(row)
