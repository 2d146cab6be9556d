"""Finding numba-cuda and the devices that it knows."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from ludoport.errors import LudoportError

Capability = tuple[int, ...]
"""What a kind of device can do, as two numbers; the H200 has (9, 0)."""

_ASSUMED: list[Capability] = []

USUAL_SHARED = 227 * 1024
"""What is assumed of devices that are not here."""


@cache
def numba_cuda() -> Any:
    """The module ``numba.cuda``; all imports of it go through here."""
    if find_spec("numba_cuda") is None:
        raise LudoportError("CUDA needs numba-cuda: pip install 'ludoport[cuda]'")
    # numba-cuda 0.30 still looks up a name that numpy 2.5 no longer has.
    vars(np).setdefault("row_stack", np.vstack)
    from numba import cuda

    return cuda


def simulated() -> bool:
    """Whether the simulator replaces a device."""
    numba_cuda()
    from numba.cuda.core import config

    return bool(config.ENABLE_CUDASIM)


def devices() -> list[str]:
    """The names of the CUDA devices here."""
    cuda = numba_cuda()
    if not cuda.is_available() or simulated():
        return []
    return [device.name.decode() if isinstance(device.name, bytes) else str(device.name) for device in cuda.gpus]


def need_device() -> None:
    """Requires a device or the simulator."""
    if not numba_cuda().is_available():
        raise LudoportError("there is no CUDA device here; NUMBA_ENABLE_CUDASIM=1 simulates one, slowly")


def assume_capability(capability: Capability) -> None:
    """Compile for devices of this capability from now on, whether there is one here or not."""
    _ASSUMED[:] = [capability]


def capability() -> Capability:
    """The compute capability that kernels are compiled for."""
    return _ASSUMED[0] if _ASSUMED else tuple(numba_cuda().get_current_device().compute_capability)


def shared_memory() -> int:
    """The most shared memory that a block can have, in bytes."""
    cuda = numba_cuda()
    if simulated() or not cuda.is_available():
        return USUAL_SHARED
    return int(cuda.get_current_device().MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)
