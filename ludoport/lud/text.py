"""Text that remembers where every character was written.

Options and macros are plain text substitution, so an error found after them would point nowhere. A `Traced` string
carries one origin per character; a `Sources` register turns an origin back into file, line and column.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable

from ludoport.errors import LudError
from ludoport.source import Source


class Traced:
    """A string with the origin of each character.

    Attributes:
        text: the characters.
        at: one origin per character, as given out by `Sources.add`.
    """

    __slots__ = ("at", "text")

    def __init__(self, text: str, at: array[int]) -> None:
        self.text = text
        self.at = at

    def __len__(self) -> int:
        return len(self.text)

    def cut(self, start: int, end: int) -> Traced:
        """The part from ``start`` up to ``end``."""
        return Traced(self.text[start:end], self.at[start:end])

    def strip(self) -> Traced:
        """The same without blanks at both ends."""
        start = len(self.text) - len(self.text.lstrip())
        return self.cut(start, max(start, len(self.text.rstrip())))

    @staticmethod
    def join(parts: Iterable[Traced]) -> Traced:
        """All parts, one after another."""
        texts: list[str] = []
        at = array("q")
        for part in parts:
            texts.append(part.text)
            at.extend(part.at)
        return Traced("".join(texts), at)

    @staticmethod
    def made(text: str, origin: int) -> Traced:
        """Generated text (an expanded range), all of it with one origin."""
        return Traced(text, array("q", [origin]) * len(text))


class Sources:
    """The files that take part in one reading.

    An origin is one integer: the file's base plus the offset within the file.
    """

    def __init__(self) -> None:
        self._bases: list[int] = []
        self._names: list[str] = []
        self._texts: list[str] = []
        self._lines: dict[int, list[int]] = {}
        self._next = 0

    def add(self, name: str, text: str) -> int:
        """Register a file; returns its base."""
        base = self._next
        self._bases.append(base)
        self._names.append(name)
        self._texts.append(text)
        self._next = base + len(text) + 1
        return base

    def trace(self, name: str, text: str) -> Traced:
        """Register a file and return its whole text, traced."""
        base = self.add(name, text)
        return Traced(text, array("q", range(base, base + len(text))))

    def source(self, origin: int) -> Source:
        """File, line and column of an origin."""
        index, starts, offset = self._locate(origin)
        line = bisect_right(starts, offset) - 1
        return Source(self._names[index], line + 1, offset - starts[line] + 1)

    def error(self, message: str, origin: int) -> LudError:
        """A `LudError` that shows the line of the origin."""
        source = self.source(origin)
        index, starts, _ = self._locate(origin)
        start = starts[source.line - 1]
        end = starts[source.line] - 1 if source.line < len(starts) else len(self._texts[index])
        # A tab or a very long line would push the caret away from what it points to.
        line = self._texts[index][start:end].replace("\t", " ").rstrip()
        return LudError(message, source, line) if len(line) <= 300 and line.isprintable() else LudError(message, source)

    def _locate(self, origin: int) -> tuple[int, list[int], int]:
        index = bisect_right(self._bases, origin) - 1
        starts = self._lines.get(index)
        if starts is None:
            starts = [0]
            text = self._texts[index]
            found = text.find("\n")
            while found >= 0:
                starts.append(found + 1)
                found = text.find("\n", found + 1)
            self._lines[index] = starts
        return index, starts, origin - self._bases[index]
