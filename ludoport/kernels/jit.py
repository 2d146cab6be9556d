"""Decorators that turn generated functions into machine code for the CPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from ludoport.kernels.checked import checking
from ludoport.kernels.lean import EntryCompiler, InlineCompiler, InnerCompiler
from ludoport.kernels.stored import StoredCode

wide = np.int64
"""What generated code calls on numbers read from rows."""

_COMMON: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
    "boundscheck": checking(),
}


# Kernels allocate nothing and their callers hold the arrays, so references need not be counted.
_INNER: dict[str, Any] = {**_COMMON, "no_cpython_wrapper": True, "_nrt": False}


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that only kernels call."""
    return numba.njit(pipeline_class=InnerCompiler, **_INNER)(function)


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a function that only kernels call, most of them from one place: a call would cost more than it does."""
    return numba.njit(pipeline_class=InlineCompiler, **_INNER)(function)


def entry(function: Callable[..., Any]) -> Any:
    """Compile a function for callers outside of kernels; it is cached on disk together with all that it calls."""
    dispatcher = numba.njit(pipeline_class=EntryCompiler, **_COMMON)(function)
    dispatcher._cache = StoredCode(function)
    return dispatcher
