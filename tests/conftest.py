"""Shared by all tests: where the recorded reference data is, and how examples are drawn."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

DATA = Path(__file__).parent / "data"

# Shells let programs that they start in the background ignore Ctrl-C, which some tests press.
signal.signal(signal.SIGINT, signal.default_int_handler)

# How long drawing an example takes depends on what else the machine does; that must not decide a test.
settings.register_profile("ludoport", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ludoport")


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of recorded reference data."""
    return DATA
