"""Changes of kernel texts, for games in which a search does some things differently."""

from collections.abc import Iterable

BETWEEN = "...\n"
"""Stands for all lines between two parts of a text."""


def changed(text: str, changes: Iterable[tuple[str, str]]) -> str:
    """The text with every first part replaced by the second one; the first must be there once."""
    for old, new in changes:
        first, _, last = old.partition(BETWEEN)
        assert text.count(first) == 1, first
        before, _, after = text.partition(first)
        assert last in after, last
        text = before + new + (after.partition(last)[2] if last else after)
    return text
