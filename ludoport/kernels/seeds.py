"""Seeds of the random generator of kernels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def seeded(seed: int) -> NDArray[np.int64]:
    """The two words of the random generator for a seed."""
    x = (seed * 0x9E3779B97F4A7C15 + 0xD1B54A32D192ED03) & (2**64 - 1)
    x ^= x >> 30
    x = (x * 0xBF58476D1CE4E5B9) & (2**64 - 1)
    x ^= x >> 27
    x = (x * 0x94D049BB133111EB) & (2**64 - 1)
    x ^= x >> 31
    return np.array([(x & 0xFFFFFFFF) | 1, x >> 32], dtype=np.int64)
