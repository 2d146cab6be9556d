"""Shared by all tests: where the recorded reference data is."""

from __future__ import annotations

from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of recorded reference data."""
    return DATA
