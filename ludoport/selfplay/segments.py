"""Stretches of a replay as files keep them: planes as bits where they are 0 and 1, policies without illegal moves.

The positions of a stretch never change; how their games ended (``ENDS``) becomes known later. All functions take NumPy
arrays or torch tensors and return the same kind, so a device packs its own replay.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

FIXED = ("seen", "policies", "judged", "persons")
"""Arrays of positions that are known when a position is recorded."""

ENDS = ("results", "replies", "finals")
"""Arrays of positions that are known when the game has ended."""

MOST_BYTES = 256 * 1024**2
"""A segment holds at most this many bytes of positions, unpacked."""

Arrays = dict[str, Any]
WEIGHTS = (1, 2, 4, 8, 16, 32, 64, 128)


def position_bytes(replay: Any) -> int:
    """Bytes of a position in memory; the mean over the replays where a run has several."""
    sizes: list[int] = [
        sum(getattr(one, name)[:1].nbytes for name in (*FIXED, *ENDS)) for one in replay.memories.values()
    ]
    return sum(sizes) // len(sizes)


def pack(seen: Any, policies: Any, judged: Any, persons: Any) -> Arrays:
    """Positions, packed.

    Args:
        seen: state tensors as bytes, shape (positions, inputs).
        policies: shares of moves, -1 where there is no legal move, shape (positions, slots).
        judged: values of searches, shape (positions,).
        persons: seats to move, shape (positions,).
    """
    like = _kit(seen)
    wide = (seen > 1).any(0)
    legal = policies >= 0
    counts = legal.sum(1)
    packed: Arrays = {
        "wide": wide, "bytes": seen[:, wide], "bits": _bits(seen[:, ~wide]), "values": policies[legal],
        "judged": judged, "persons": persons,
    }  # fmt: skip
    # Few legal moves among many slots: their numbers are shorter than a bit for each slot.
    if 16 * int(counts.sum()) < policies.shape[0] * policies.shape[1]:
        packed["counts"] = counts
        packed["slots"] = legal.nonzero()[1] if like is np else legal.nonzero()[:, 1]
    else:
        packed["legal"] = _bits(legal)
    return packed


def unpack(packed: Arrays, slots: int) -> dict[str, NDArray[Any]]:
    """Positions by the names of ``FIXED``, from what a file holds of them."""
    wide = packed["wide"]
    count = len(packed["judged"])
    seen = np.zeros((count, len(wide)), dtype=np.uint8)
    seen[:, wide] = packed["bytes"]
    seen[:, ~wide] = _unbits(packed["bits"], int((~wide).sum()))
    policies = np.full((count, slots), -1, dtype=np.int16)
    if "slots" in packed:
        policies[np.repeat(np.arange(count), packed["counts"]), packed["slots"]] = packed["values"]
    else:
        policies[_unbits(packed["legal"], slots).astype(bool)] = packed["values"]
    return {
        "seen": seen, "policies": policies, "judged": packed["judged"].astype(np.float32),
        "persons": packed["persons"].astype(np.int8),
    }  # fmt: skip


def narrowed(array: NDArray[Any]) -> NDArray[Any]:
    """The same numbers in the shortest type that holds each of them exactly."""
    if array.size == 0 or array.dtype == bool:
        return array
    if array.dtype.kind == "f":
        with np.errstate(over="ignore"):
            half = array.astype(np.float16)
        return half if np.array_equal(half.astype(array.dtype), array, equal_nan=True) else array
    for kind in (np.uint8, np.int8, np.uint16, np.int16, np.int32):
        limits = np.iinfo(kind)
        if limits.min <= int(array.min()) and int(array.max()) <= limits.max:
            return array.astype(kind)
    return array


def _kit(array: Any) -> Any:
    """The package that an array belongs to."""
    if isinstance(array, np.ndarray):
        return np
    import torch

    return torch


def _bits(flags: Any) -> Any:
    """Flags of each position, eight in a byte; shape (positions, flags) becomes (positions, flags / 8)."""
    if isinstance(flags, np.ndarray):
        return np.packbits(flags != 0, axis=1, bitorder="little")
    import torch

    count, width = flags.shape
    padded = torch.zeros((count, -(-width // 8) * 8), dtype=torch.uint8, device=flags.device)
    padded[:, :width] = flags != 0
    weights = torch.tensor(WEIGHTS, dtype=torch.uint8, device=flags.device)
    return (padded.reshape(count, -1, 8) * weights).sum(2, dtype=torch.uint8)


def _unbits(packed: NDArray[Any], width: int) -> NDArray[np.uint8]:
    return np.unpackbits(packed, axis=1, bitorder="little")[:, :width]
