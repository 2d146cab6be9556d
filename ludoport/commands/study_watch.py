"""What a person sees while a study runs: a table that changes on a terminal, otherwise a line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

from ludoport.studies.store import Store

if TYPE_CHECKING:
    from rich.console import Group

EVERY = 15.0
"""Seconds between two lines where no terminal shows a table."""

STATES = ("done", "running", "waiting", "failed")


@contextmanager
def watching(folder: Path, title: str) -> Iterator[Callable[[], None]]:
    """Show how a study goes while it is worked on in this process or in others."""
    begin = time.monotonic()
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.live import Live

        with (
            Store(folder, create=False) as store,
            _ticking(lambda: live.update(_view(store, title, begin)), 1.0) as tick,
            Live(_view(store, title, begin), console=Console(stderr=True), auto_refresh=True) as live,
        ):
            yield tick
        return
    lines = _Lines(folder, begin)
    with _ticking(lines.look, 1.0) as tick:
        yield tick
    lines.say()


@contextmanager
def _ticking(look: Callable[[], None], every: float) -> Iterator[Callable[[], None]]:
    """Look again and again in a thread, because this process may be busy with a job."""
    end = Event()

    def run() -> None:
        while not end.wait(every):
            look()

    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        yield lambda: None
    finally:
        end.set()
        thread.join()


class _Lines:
    """Plain lines: how far the study is, and what is being done."""

    def __init__(self, folder: Path, begin: float) -> None:
        self._folder, self._begin, self._next = folder, begin, begin + EVERY

    def look(self) -> None:
        if time.monotonic() >= self._next:
            self.say()

    def say(self) -> None:
        self._next = time.monotonic() + EVERY
        with Store(self._folder, create=False) as store:
            done, total = progress(store)
            running = [f"{e.job.id} ({e.note})" for e in store.entries("WHERE state = 'running'")]
        text = f"{(time.monotonic() - self._begin) / 60:5.1f} min  {done} of {total} jobs"
        print("; ".join([text, *running]), file=sys.stderr, flush=True)


def progress(store: Store) -> tuple[int, int]:
    """How many jobs are done, and how many there are."""
    counts = store.counts()
    return sum(s.get("done", 0) for s in counts.values()), sum(sum(s.values()) for s in counts.values())


def _view(store: Store, title: str, begin: float) -> Group:
    """Everything so far, as tables."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    counts = store.counts()
    overview = Table("", *STATES, title=title)
    for kind in ("train", "transfer", "tune", "evaluate"):
        if kind in counts:
            overview.add_row(kind, *(str(counts[kind].get(state, 0) or "") for state in STATES))
    now = Table("at work", "", title="")
    for entry in store.entries("WHERE state = 'running'"):
        now.add_row(entry.job.id, entry.note)
    done, total = progress(store)
    elapsed = (time.monotonic() - begin) / 60
    return Group(Text(f"{elapsed:.1f} min  {done} of {total} jobs"), overview, now)
