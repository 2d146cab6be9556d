"""Running what pages show, in an empty folder, as plain Python: nothing is compiled, so small things are quick."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tests.cli.conftest import ludoport  # noqa: F401  (the fixture that runs a command)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    torch.set_num_threads(1)
    return tmp_path
