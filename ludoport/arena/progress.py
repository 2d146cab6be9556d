"""The score of a running match, shown live."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ludoport.progress import Show, bar, live

if TYPE_CHECKING:
    from ludoport.arena.result import MatchResult
    from ludoport.arena.table import TableResult

Watch = Callable[[Any], None]
"""Called with the result so far."""


@contextmanager
def watching(progress: Watch | bool | None = None) -> Iterator[Watch]:
    """Callback after every game of a match.

    Args:
        progress: a function that is called instead; True for a live line, False for none; default: a live line in a
            terminal or a notebook.
    """
    if callable(progress):
        yield progress
        return
    with live(progress) as show:
        yield _Line(show)


class _Line:
    """A bar, the games that ended, the score so far, and the time that is left."""

    def __init__(self, show: Show) -> None:
        self._show, self._began, self._before = show, time.monotonic(), -1

    def __call__(self, result: MatchResult | TableResult) -> None:
        done, total = result.ended, result.games
        if self._before < 0:
            self._before = done  # games of an earlier call took no time of this one
        left = ""
        if self._before < done < total:
            seconds = (time.monotonic() - self._began) * (total - done) / (done - self._before)
            left = f"  {int(seconds // 60)}:{int(seconds % 60):02d} left"
        self._show(f"{bar(done, total)} {done}/{total}  {result.line}{left}")
