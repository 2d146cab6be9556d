"""Policy-value networks: their shapes, their files, and how they are evaluated fast.

This room and those that stand on it need PyTorch; only ``config`` can be used without.
"""

from __future__ import annotations

import importlib.util

from ludoport.errors import LudoportError


def require_torch() -> None:
    """Says in one sentence what to install where PyTorch is missing."""
    for package in ("torch", "safetensors"):
        if importlib.util.find_spec(package) is None:
            raise LudoportError(f"networks need the package {package}: pip install 'ludoport[nets]'")
