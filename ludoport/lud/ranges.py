"""Ranges written with two dots: ``3..7`` and ``"A1".."C2"``."""

from __future__ import annotations

import re

from ludoport.lud.brackets import outside_strings
from ludoport.lud.text import Sources, Traced

_MAX_WIDTH = 1000
_MAX_WRITTEN = 200_000
_COORDINATES = re.compile(r'"([A-Za-z])(\d{1,6})"\s*\.\.\s*"([A-Za-z])(\d{1,6})"')


def _between(first: int, last: int) -> range:
    return range(first, last + 1) if first <= last else range(first, last - 1, -1)


def _replace(text: Traced, found: list[tuple[int, int, str]]) -> Traced:
    if not found:
        return text
    parts: list[Traced] = []
    start = 0
    for begin, end, new in found:
        parts += [text.cut(start, begin), Traced.made(new, text.at[begin])]
        start = end
    parts.append(text.cut(start, len(text)))
    return Traced.join(parts)


def expand_ranges(text: Traced, sources: Sources) -> Traced:
    """Write out number ranges, then coordinate ranges (all letters of the first, each with all numbers).

    Raises:
        LudError: a range is wider than 1000.
    """
    if ".." not in text.text:
        return text
    numbers: list[tuple[int, int, str]] = []
    written = 0
    for match in outside_strings(text.text, r"(?<![\d.\]])(?P<first>\d{1,9})\.\.(?P<last>\d{1,9})"):
        first, last = int(match["first"]), int(match["last"])
        if abs(last - first) > _MAX_WIDTH:
            raise sources.error(f"the range `{match[0]}` is wider than {_MAX_WIDTH}", text.at[match.start()])
        written += abs(last - first)
        if written > _MAX_WRITTEN:
            raise sources.error(
                "the ranges of this text stand for more numbers than any game needs", text.at[match.start()]
            )
        numbers.append((match.start(), match.end(), " ".join(map(str, _between(first, last)))))
    text = _replace(text, numbers)
    corners: list[tuple[int, int, str]] = []
    for match in _COORDINATES.finditer(text.text):
        columns = _between(ord(match[1].upper()), ord(match[3].upper()))
        rows = _between(int(match[2]), int(match[4]))
        if len(rows) > _MAX_WIDTH:
            raise sources.error(f"the range `{match[0]}` is wider than {_MAX_WIDTH}", text.at[match.start()])
        written += len(rows) * len(columns)
        if written > _MAX_WRITTEN:
            raise sources.error(
                "the ranges of this text stand for more sites than any game needs", text.at[match.start()]
            )
        labels = " ".join(f'"{chr(column)}{row}"' for column in columns for row in rows)
        corners.append((match.start(), match.end(), labels))
    return _replace(text, corners)
