"""Policy-value networks: their shapes, their files, and how they are evaluated fast.

This room and those that stand on it need PyTorch; only ``config`` can be used without.
"""

from __future__ import annotations

import importlib.util
import sys

from ludoport.errors import LudoportError
from ludoport.signals import deferred


def require_torch() -> None:
    """Says in one sentence what to install where PyTorch is missing."""
    for package in ("torch", "safetensors"):
        if importlib.util.find_spec(package) is None:
            raise LudoportError(f"networks need the package {package}: pip install 'ludoport[nets]'")


def load_torch() -> None:
    """Imports PyTorch. Ctrl-C waits meanwhile: parts of this import end the process if an exception passes them."""
    require_torch()
    if "torch" not in sys.modules:
        with deferred():
            importlib.import_module("torch")
