"""Equal kernels of several modules are one object, so that numba compiles each of them once in a process.

Every search, encoder and batch of a game is a module of its own that repeats the game's kernels. A kernel is equal to
another one if its code is, and all that the code refers to: numbers, tables, and kernels in turn.
"""

from __future__ import annotations

import hashlib
from types import CodeType
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher

from ludoport.kernels.checked import checking
from ludoport.kernels.lean import InnerCompiler

_KNOWN: dict[str, Any] = {}


def share(namespace: dict[str, Any]) -> None:
    """Replace the kernels of a module by equal ones that are known already."""
    digests = _Digests(namespace)
    for name, value in list(namespace.items()):
        if _inner(value) and (digest := digests.of(name)) is not None:
            namespace[name] = _KNOWN.setdefault(digest, value)


def _inner(value: Any) -> bool:
    """Whether only kernels call it. Entry points stay with their modules, whose folders keep their machine code."""
    return isinstance(value, Dispatcher) and issubclass(_pipeline(value), InnerCompiler)


def _pipeline(kernel: Any) -> type:
    found: type = kernel._compiler.pipeline_class
    return found


class _Digests:
    """Texts of the objects of a module; equal objects have equal texts."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self.namespace = dict(namespace)
        self._found: dict[str, str | None] = {}

    def of(self, name: str) -> str | None:
        """The digest of a global; None where a kernel calls itself, which is never shared."""
        if name not in self._found:
            self._found[name] = None
            self._found[name] = self._digest(self.namespace[name])
        return self._found[name]

    def _digest(self, value: Any) -> str | None:
        if isinstance(value, np.ndarray):
            return hashlib.sha256(f"{value.dtype} {value.shape}".encode() + value.tobytes()).hexdigest()
        if isinstance(value, bool | int | float | str):
            return repr(value)
        if not isinstance(value, Dispatcher):
            return f"object {id(value)}"
        code: CodeType = value.py_func.__code__
        below = [self.of(name) for name in code.co_names if name in self.namespace]
        if None in below:
            return None
        own = (code.co_code, code.co_consts, code.co_names, code.co_varnames, code.co_argcount)
        kind = (_pipeline(value).__name__, checking(), value.py_func.__name__)
        return hashlib.sha256(repr((own, below, kind)).encode()).hexdigest()
