"""Tables that are too long for numba's cache: it keeps machine code only if no constant array in it exceeds a megabyte.

A longer table is cut into parts, and a function that finds the right part takes the place of the table.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

LARGEST = 900_000
"""Bytes of a table that stays whole."""


def accessor(name: str) -> str:
    """The function that replaces a table."""
    return f"{name.lower()}_at"


def reader(name: str, part: int, parts: int) -> str:
    """The text of that function.

    Args:
        name: the table; its parts are called ``NAME_PART_0`` and so on.
        part: numbers in each part but the last.
        parts: number of parts.
    """
    lines = ["@inlined", f"def {accessor(name)}(k):", f'    """A number of {name}, which is too long for one table."""']
    for number in range(parts - 1):
        lines.append(f"    if k < {(number + 1) * part}:")
        lines.append(f"        return wide({name}_PART_{number}[k - {number * part}])")
    lines.append(f"    return wide({name}_PART_{parts - 1}[k - {(parts - 1) * part}])")
    return "\n".join(lines)


def call_readers(text: str, names: Mapping[str, object]) -> str:
    """Kernels with ``NAME[...]`` replaced by a call, for all these names.

    Example:
        >>> call_readers("LONG[wide(START[i])] + START[i]", {"LONG": None})
        'long_at(wide(START[i])) + START[i]'
    """
    for name in names:
        while (found := re.search(rf"\b{name}\[", text)) is not None:
            end = _closing(text, found.end())
            inside = text[found.end() : end]
            text = f"{text[: found.start()]}{accessor(name)}({inside}){text[end + 1 :]}"
    return text


def _closing(text: str, place: int) -> int:
    """Place of the bracket that closes the one opened before a place."""
    depth = 1
    while depth:
        depth += {"[": 1, "]": -1}.get(text[place], 0)
        place += 1
    return place - 1
