"""Compiling several kernels of a game side by side, each in a process of its own.

The compiler for devices works on one kernel at a time in a process, and the kernels of self-play take it half a minute
or more. What a process compiles lies on the disk afterwards (``cuda_stored.py``), where the one that asked for it finds
it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludoport.kernels.cuda_kernels import CudaKernels

ArgumentType = tuple[str, int]
"""A type of numbers and the number of dimensions; 0 for a single number."""


def numba_types(arguments: Sequence[ArgumentType]) -> tuple[Any, ...]:
    """Types of numba; arrays are contiguous."""
    import numpy as np
    from numba.cuda import types
    from numba.cuda.np.numpy_support import from_dtype

    kinds = [(from_dtype(np.dtype(name)), dimensions) for name, dimensions in arguments]
    return tuple(types.Array(kind, dimensions, "C") if dimensions else kind for kind, dimensions in kinds)


Wanted = Mapping[str, tuple[str, Sequence[ArgumentType]]]
"""The text and the types of arguments of each kernel, by its name."""

_UNDER_WAY: dict[Path, threading.Thread] = {}
"""Threads that wait for a process that compiles, by the file it writes."""

_ROOM = threading.BoundedSemaphore(os.cpu_count() or 1)
"""Processes that compile at the same time; a run of many games has hundreds of kernels."""


def begin_compiling(kernels: CudaKernels, wanted: Wanted) -> None:
    """Start processes for the kernels that are not on the disk; this one may do something else meanwhile."""
    recipe = {"source": kernels.source, "plan": asdict(kernels.plan)}
    for name, (text, arguments) in wanted.items():
        path = kernels.kernel(name, text)._cache.path(numba_types(arguments))
        if path not in _UNDER_WAY and not path.exists():
            job = recipe | {"name": name, "text": text, "types": arguments}
            _UNDER_WAY[path] = threading.Thread(target=_compile_apart, args=(job,), daemon=True)
            _UNDER_WAY[path].start()


def compile_all(kernels: CudaKernels, wanted: Wanted) -> None:
    """Have kernels compiled; processes that do so already are waited for."""
    functions = {name: kernels.kernel(name, text) for name, (text, _) in wanted.items()}
    types = {name: numba_types(arguments) for name, (_, arguments) in wanted.items()}
    for name, function in functions.items():
        apart = _UNDER_WAY.get(function._cache.path(types[name]))
        if apart is not None:
            apart.join()
        function.compile(types[name])


def _compile_apart(job: dict[str, Any]) -> None:
    # Whatever goes wrong there happens here again, where it is told.
    with _ROOM:
        subprocess.run(
            [sys.executable, "-m", "ludoport.kernels.cuda_apart"], input=json.dumps(job).encode(), check=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip


def main() -> None:
    """Compile the kernel that the standard input describes."""
    from ludoport.kernels.cuda_kernels import CudaKernels
    from ludoport.kernels.cuda_plan import LaunchPlan

    job = json.load(sys.stdin)
    kernels = CudaKernels(job["source"], LaunchPlan(**job["plan"]))
    kernels.kernel(job["name"], job["text"]).compile(numba_types(job["types"]))


if __name__ == "__main__":
    main()
