"""Progress of a study: a live table on a terminal, otherwise one line every 15 seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, get_args

from ludoport.errors import LudoportError
from ludoport.studies.engine.jobs import Kind
from ludoport.studies.engine.store import Store

if TYPE_CHECKING:
    from rich.console import Group

EVERY = 15.0
"""Seconds between two lines of progress when the output is not a terminal."""

STATES = ("done", "running", "waiting", "failed")


@contextmanager
def watching(folder: Path, title: str) -> Iterator[Callable[[], None]]:
    """Shows the progress of a study while this process or others work on it."""
    begin = time.monotonic()
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.live import Live

        def view() -> Group:
            # SQLite connections belong to one thread, and both this one and the ticking one look.
            with Store(folder, create=False) as store:
                return _view(store, title, begin)

        with (
            Live(view(), console=Console(stderr=True), auto_refresh=False) as live,
            _ticking(lambda: live.update(view(), refresh=True), 1.0) as tick,
        ):
            yield tick
            live.update(view(), refresh=True)
        return
    lines = _Lines(folder, begin)
    with _ticking(lines.look, 1.0) as tick:
        yield tick
    lines.say()


@contextmanager
def _ticking(look: Callable[[], None], every: float) -> Iterator[Callable[[], None]]:
    """Calls `look` repeatedly in a thread, because this process may be busy with a job."""
    end = Event()

    def run() -> None:
        while not end.wait(every):
            # A store that is locked for longer than its timeout must not end the progress display.
            with suppress(LudoportError):
                look()

    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        yield lambda: None
    finally:
        end.set()
        thread.join()


class _Lines:
    """Plain lines: number of finished jobs, and the jobs being done."""

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
    """Number of finished jobs and number of all jobs."""
    counts = store.counts()
    return sum(s.get("done", 0) for s in counts.values()), sum(sum(s.values()) for s in counts.values())


def _view(store: Store, title: str, begin: float) -> Group:
    """The progress so far as tables."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    counts = store.counts()
    overview = Table("", *STATES, title=title)
    for kind in get_args(Kind):
        if kind in counts:
            overview.add_row(kind, *(str(counts[kind].get(state, 0) or "") for state in STATES))
    now = Table("running job", "progress")
    for entry in store.entries("WHERE state = 'running'"):
        now.add_row(entry.job.id, entry.note)
    done, total = progress(store)
    elapsed = (time.monotonic() - begin) / 60
    return Group(Text(f"{elapsed:.1f} min  {done} of {total} jobs"), overview, now)
