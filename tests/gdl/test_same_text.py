"""The same rules become the same kernels in every process, so that caches and records of one machine fit another."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

GAMES = ("tic-tac-toe.kif", "capture-go-3x3.kif", "three-in-a-row-for-three.kif", "rock-paper-scissors.kif")
SCRIPT = """
import hashlib, json, sys
import ludoport as lp
print(json.dumps([hashlib.sha256(lp.load(name, jit=False).rules.source.encode()).hexdigest() for name in sys.argv[1:]]))
"""


def digests(folder: Path, seed: int) -> list[str]:
    """The digests of the generated texts, made anew where texts are hashed with this seed."""
    environment = {**os.environ, "PYTHONHASHSEED": str(seed), "LUDOPORT_CACHE": str(folder / str(seed))}
    command = [sys.executable, "-c", SCRIPT, *GAMES]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True, timeout=300)
    found: list[str] = json.loads(done.stdout)
    return found


@pytest.mark.slow
def test_kernels_do_not_depend_on_how_texts_are_hashed(tmp_path: Path) -> None:
    first = digests(tmp_path, 1)
    assert len(set(first)) == len(GAMES)
    assert digests(tmp_path, 2) == first
