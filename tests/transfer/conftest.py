"""Networks need torch; without it their tests are left out."""

from __future__ import annotations

import importlib.util

import pytest

collect_ignore = (
    [] if importlib.util.find_spec("torch") else ["test_networks.py", "test_command.py", "test_specialised.py"]
)


@pytest.fixture(autouse=True, scope="session")
def _one_thread() -> None:
    if importlib.util.find_spec("torch"):
        import torch

        torch.set_num_threads(1)
