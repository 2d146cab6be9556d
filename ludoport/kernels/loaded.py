"""Kernels of a game as functions that Python calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludoport.kernels.build import cpu_module, plain_functions
from ludoport.kernels.library import ENTRIES
from ludoport.kernels.room import watched


class Kernels:
    """The functions of one game on one target, loaded when first asked for."""

    def __init__(self, name: str, source: str, jit: bool) -> None:
        self.name, self.source, self.jit = name, source, jit
        self._functions: Any = None

    def __getattr__(self, name: str) -> Any:
        if self._functions is None:
            self._functions = self._load()
        return self._functions[f"enter_{name}"] if name in ENTRIES else self._functions[name]

    def _load(self) -> Mapping[str, Any]:
        functions = vars(cpu_module(self.name, self.source)) if self.jit else plain_functions(self.source)
        return watched(self.name, functions)

    def call(self, name: str, *arguments: Any) -> Any:
        """Call an entry point."""
        return getattr(self, name)(*arguments)
