"""Commands that need PyTorch say so in one sentence where it is not installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import importlib.util, sys
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name in ("torch", "safetensors") else found(name, *more)
for name in ("torch", "safetensors", "safetensors.torch"):
    sys.modules[name] = None
from ludoport.cli import main
main(sys.argv[1:])
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [["train", "Hex", "--out", "new"], ["transfer", "run", "Yavalath", "--out", "new"],
     ["transfer", "run/network.safetensors", "Yavalath", "--out", "new.safetensors"]],
    ids=["train", "transfer a run", "transfer a network"],
)  # fmt: skip
def test_the_sentence(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "network.safetensors").write_bytes(b"")
    (tmp_path / "run" / "config.toml").write_text('game = "Hex"\n')
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert "need the package torch: pip install 'ludoport[nets]'" in done.stderr
    assert done.returncode == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run"]
