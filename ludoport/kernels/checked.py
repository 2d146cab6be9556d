"""Kernels that check every index while they run, for finding faults; chosen by ``LUDOPORT_BOUNDS=1``.

Machine code is then compiled with numba's bounds checking. Plain Python (``LUDOPORT_JIT=0``) runs on arrays that refuse
negative indices as well, which Python would count from the end. In both, the text of generated kernels also checks
that an index stays inside its field, and not only inside its row.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np


def checking() -> bool:
    """Whether kernels check every index."""
    return os.environ.get("LUDOPORT_BOUNDS", "0") == "1"


class Checked:
    """An array that refuses every index outside of it, also a negative one.

    Example:
        >>> Checked(np.zeros(3))[-1]
        Traceback (most recent call last):
        IndexError: index -1 of an array of 3
    """

    __slots__ = ("array",)

    def __init__(self, array: Any) -> None:
        self.array = array

    def __getitem__(self, index: Any) -> Any:
        self._check(index)
        found = self.array[index]
        return Checked(found) if isinstance(found, np.ndarray) else found

    def __setitem__(self, index: Any, value: Any) -> None:
        self._check(index)
        self.array[index] = value

    def __len__(self) -> int:
        return len(self.array)

    @property
    def shape(self) -> tuple[int, ...]:
        """Numbers of cells along each axis."""
        return tuple(self.array.shape)

    @property
    def size(self) -> int:
        """Number of cells."""
        return int(self.array.size)

    def _check(self, index: Any) -> None:
        parts = index if isinstance(index, tuple) else (index,)
        for part, size in zip(parts, self.array.shape, strict=False):
            if isinstance(part, slice):
                begin, end = part.start or 0, size if part.stop is None else part.stop
                if not 0 <= begin <= end <= size:
                    raise IndexError(f"slice {begin}:{end} of an array of {size}")
            elif not 0 <= part < size:
                raise IndexError(f"index {part} of an array of {size}")


def checked_entry(function: Callable[..., Any]) -> Callable[..., Any]:
    """An entry point whose arrays, also those in records, check their indices."""

    def wrapped(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return Checked(value)
        return type(value)(*map(wrapped, value)) if hasattr(value, "_fields") else value

    def call(*arguments: Any) -> Any:
        return function(*map(wrapped, arguments))

    return call


CHECKED_INDEX = '''
@kernel
def checked_index(index, low, high):
    """An index if it lies between two numbers; otherwise one that every array refuses, in machine code too."""
    return index if low <= index <= high else 1 << 60
'''
"""The kernel through which every index of generated text goes."""
