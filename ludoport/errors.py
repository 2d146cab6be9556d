"""The small family of errors that people see."""

from __future__ import annotations

SHOWN = 100
"""Characters that are shown of a long line before and after the place of an error."""


LONGEST = 2_000
"""Characters of a message; what a stranger wrote may be repeated in it, and may be long."""


class LudoportError(ValueError):
    """Wrong input; the message is one sentence."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message if len(message) <= LONGEST else f"{message[: LONGEST - 3]}...")


class LudError(LudoportError):
    """An error in a game file.

    Args:
        message: what is wrong, and if known what would be right.
        source: where; anything with ``file``, ``line`` and ``column``.
        excerpt: the line of text, shown with a caret under the column.
    """

    def __init__(self, message: str, source: object | None = None, excerpt: str | None = None) -> None:
        self.message = message
        self.source = source
        self.excerpt = excerpt
        super().__init__(self._render())

    def _render(self) -> str:
        text = self.message
        if self.source is not None:
            text = f"{self.source}: {text}"
        if self.excerpt is not None and self.source is not None:
            column = int(getattr(self.source, "column", 1)) - 1
            begin = max(0, column - SHOWN) if len(self.excerpt) > 2 * SHOWN else 0
            text += f"\n    {self.excerpt[begin : begin + 2 * SHOWN]}\n    {' ' * (column - begin)}^"
        return text


class UnsupportedError(LudError):
    """A correct game file uses a ludeme that Ludoport does not implement yet."""
