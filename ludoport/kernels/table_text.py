"""Tables as generated source: digits that a person can read, or compressed where there are too many of them."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

UNPACKING = "import base64\nimport zlib\n"
"""What the text of a compressed table imports, besides numpy."""

LONG = 4000
"""Tables with more numbers are compressed: Python takes seconds to compile a million digits."""

_WIDTH = 160


def table_text(array: NDArray[np.signedinteger[Any]]) -> str:
    """An expression for a table of integers, shape ``[n]``."""
    if len(array) > LONG:
        packed = base64.b64encode(zlib.compress(array.tobytes(), 6)).decode()
        return f'np.frombuffer(zlib.decompress(base64.b64decode("{packed}")), dtype=np.{array.dtype}).copy()'
    digits = ",".join(map(str, array.tolist()))
    if len(digits) > LONG:  # folded, so that a person can scroll through the file
        digits = "\n".join(_folded(digits.split(",")))
    return f"np.array([{digits}], dtype=np.{array.dtype})"


def _folded(items: list[str]) -> Iterator[str]:
    line: list[str] = []
    length = 0
    for item in items:
        line.append(item)
        length += len(item) + 1
        if length > _WIDTH:
            yield ",".join(line) + ","
            line, length = [], 0
    yield ",".join(line)
