"""Where something was written: the place in a file that an error points at."""

from __future__ import annotations

import re
from dataclasses import dataclass

_OBEYED = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
"""Characters that a terminal would obey; white space (also U+0085) is harmless."""


def plain_name(name: str) -> str:
    r"""A file name that can be written anywhere: bytes that are not UTF-8 and control characters appear as escapes.

    Example:
        >>> print(plain_name("a\udcff\x1b.lud"))
        a\udcff\x1b.lud
    """
    safe = name.encode("utf-8", "backslashreplace").decode()
    return _OBEYED.sub(lambda found: f"\\x{ord(found[0]):02x}", safe)


def has_controls(text: str) -> bool:
    r"""Whether a text has characters that a terminal would obey.

    Example:
        >>> has_controls("( INFO )\r\n"), has_controls("\x1b[2J")
        (False, True)
    """
    return _OBEYED.search(text) is not None


@dataclass(frozen=True, slots=True)
class Source:
    """A place in a file; lines and columns count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"
