"""What ludemes mean: one family of ludemes a file, found without being listed."""

from __future__ import annotations

import importlib
import pkgutil


def register_all() -> None:
    """Import all files of this folder, in the order of their names, so that their ludemes are registered."""
    for name in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        importlib.import_module(f"{__name__}.{name}")
