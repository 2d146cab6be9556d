"""Programs that run where numba simulates a CUDA device."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent


def run_simulated(program: str, *arguments: str) -> dict[str, Any]:
    """JSON output of a program; the simulator must be chosen before numba is imported, hence its own process."""
    if importlib.util.find_spec("numba_cuda") is None:
        pytest.skip("numba-cuda is not installed")
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=ROOT,  # programs import from tests
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer
