"""Shortcuts through numba."""

from __future__ import annotations

import subprocess
import sys

import pytest

ALGEBRA = """
import sys
import numba
import numpy as np
import ludoport as lp

lp.load("Tic-Tac-Toe").start().moves()
before = "scipy.linalg" in sys.modules
product = numba.njit(lambda a: np.dot(a, a))(np.full((2, 2), 3.0))
print(before, "scipy.linalg" in sys.modules, product.tolist())
"""


@pytest.mark.slow
def test_linear_algebra_is_imported_where_it_is_needed() -> None:
    pytest.importorskip("scipy")
    ran = subprocess.run([sys.executable, "-c", ALGEBRA], capture_output=True, text=True, check=True, timeout=300)
    assert ran.stdout.split() == ["False", "True", "[[18.0,", "18.0],", "[18.0,", "18.0]]"]
