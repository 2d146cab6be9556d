"""Where something was written: the place in a file that an error points at."""

from __future__ import annotations

from dataclasses import dataclass


def plain_name(name: str) -> str:
    r"""A file name that can be written anywhere: bytes that are not UTF-8 appear as escapes.

    Example:
        >>> print(plain_name("a\udcff.lud"))
        a\udcff.lud
    """
    return name.encode("utf-8", "backslashreplace").decode()


@dataclass(frozen=True, slots=True)
class Source:
    """A place in a file; lines and columns count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"
