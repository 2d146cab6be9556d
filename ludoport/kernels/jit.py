"""Decorators that turn generated functions into machine code for the CPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

ENTRIES = ("start", "legal", "sample", "play", "over", "mover", "utility", "key", "playout", "playouts", "perft")
"""The functions that Python calls; only these get wrappers and are kept in the disk cache."""

_COMMON: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a generated function; entry points are cached on disk together with all that they call."""
    if function.__name__ in ENTRIES:
        return numba.njit(cache=True, **_COMMON)(function)
    return numba.njit(no_cpython_wrapper=True, **_COMMON)(function)
