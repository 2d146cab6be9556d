"""Equal kernels of several modules are compiled once."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from ludoport.kernels.build import cpu_module

SOURCE = """import numpy as np

FACTOR = {factor}
TABLE = np.array([{table}], dtype=np.int16)

@kernel
def scaled(x):
    return x * FACTOR

@kernel
def looked_up(x):
    return scaled(x) + TABLE[x]

@kernel
def halved(x):
    return halved(x // 2) + 1 if x > 1 else 0

@entry
def answer(x):
    return looked_up(x)
"""
FURTHER = """
@entry
def further(x):
    return looked_up(x) + 1
"""


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LUDOPORT_CACHE", str(tmp_path))

    def make(factor: int = 3, table: str = "1, 2, 3", more: str = "") -> ModuleType:
        return cpu_module("shared", SOURCE.format(factor=factor, table=table) + more)

    return make


def test_a_module_with_more_kernels_shares_the_first_ones(made) -> None:
    first, second = made(factor=31), made(factor=31, more=FURTHER)
    assert second is not first
    assert second.scaled is first.scaled
    assert second.looked_up is first.looked_up
    assert second.answer is not first.answer, "machine code is kept beside its own module"
    assert (first.answer(2), second.further(2)) == (65, 66)
    assert len(first.looked_up.overloads) == 1


def test_what_a_kernel_refers_to_counts(made) -> None:
    first, other, longer = made(factor=32), made(factor=33), made(factor=32, table="1, 2, 4")
    assert other.scaled is not first.scaled
    assert other.looked_up is not first.looked_up, "it calls another kernel"
    assert longer.scaled is first.scaled
    assert longer.looked_up is not first.looked_up
    assert (first.answer(2), other.answer(2), longer.answer(2)) == (67, 69, 68)


def test_kernels_that_call_themselves_stay_apart(made) -> None:
    assert made(factor=34).halved is not made(factor=34, more=FURTHER).halved
