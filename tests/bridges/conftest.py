"""Bridges are tried in plain Python: a few moves of many games, for which compiling would take longer."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOPORT_JIT", "0")
