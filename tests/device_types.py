"""Kernels get types as a device's compiler sees them; that much needs no device."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest
from numba.core import types
from numba.core.errors import NumbaError

from ludoport.kernels import cuda_kernels
from ludoport.kernels.cuda_plan import LaunchPlan, row_bits


def array_types(kinds: Mapping[Any, str]) -> dict[str, Any]:
    """Types of arrays, which are given by the kind of their numbers, each name with its number of axes behind it."""
    return {name[:-1]: types.Array(kind, int(name[-1]), "C") for kind, names in kinds.items() for name in names.split()}


def check_types(
    monkeypatch: pytest.MonkeyPatch, source: str, dtype: Any, kernels: Mapping[str, tuple[str, tuple[Any, ...]]]
) -> None:
    """Fail where a kernel, given by its text and the types of its arguments, gets no types."""
    from numba.cuda import compiler, dispatcher

    monkeypatch.setattr(cuda_kernels, "simulated", lambda: False)
    monkeypatch.setattr(cuda_kernels, "shared_memory", lambda: 227 * 1024)
    monkeypatch.setattr(dispatcher, "get_current_device", lambda: SimpleNamespace(compute_capability=(9, 0), id=0))
    compiled = cuda_kernels.CudaKernels(source, LaunchPlan(bits=row_bits(dtype), words=False))
    for name, (text, arguments) in kernels.items():
        function = compiled.kernel(name, text).py_func
        try:
            compiler.compile(function, arguments, cc=(9, 0), device=False, abi="numba")
        except NumbaError as error:
            pytest.fail(f"{name}: {error}")
        except Exception as error:  # types are known by now; the libraries that make code of them may be missing
            if not any(library in str(error).lower() for library in ("nvrtc", "nvvm")):
                raise
