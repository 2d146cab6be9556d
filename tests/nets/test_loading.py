"""Ctrl-C while PyTorch is imported."""

from __future__ import annotations

import subprocess
import sys

import pytest

PRESSED = """
import signal, sys
from ludoport.nets import load_torch

inside = False

def press(frame, event, what):
    global inside
    if event == "c_call" and what.__name__ == "_multiprocessing_init":
        inside = True
    elif event == "call" and inside:  # Python code that the C++ code has called
        sys.setprofile(None)
        signal.raise_signal(signal.SIGINT)

sys.setprofile(press)
try:
    load_torch()
except KeyboardInterrupt:
    print("torch" in sys.modules, hasattr(sys.modules["torch"], "compile"))
"""


@pytest.mark.slow
def test_ctrl_c_waits_until_torch_is_imported() -> None:
    done = subprocess.run([sys.executable, "-c", PRESSED], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "True True\n"
