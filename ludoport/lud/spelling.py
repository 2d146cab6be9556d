"""Suggestions for misspelt words."""

from __future__ import annotations

from collections.abc import Iterable


def _distance(a: str, b: str) -> int:
    """Edits between two words, where swapping two neighbouring letters is one edit."""
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, last = last, row
    return last[-1]


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that differs least from ``word``, if it is near enough to be meant."""
    best: tuple[int, int, str] | None = None
    if not 3 <= len(word) <= 80:
        return None
    limit = (len(word) + 1) // 3
    for name in sorted(known):
        if abs(len(name) - len(word)) <= limit:
            distance = _distance(word.lower(), name.lower())
            # Letters in the wrong order are a likelier slip than one letter too many.
            candidate = (distance, abs(len(name) - len(word)), name)
            if distance <= limit and (best is None or candidate < best):
                best = candidate
    return best[2] if best else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A tail for an error message: the nearest known spelling, or nothing.

    >>> did_you_mean("mvoe", ["move", "vote"])
    '; did you mean `move`?'
    """
    name = nearest(word, known)
    return f"; did you mean `{name}`?" if name else ""
