"""Work in the background, one piece at a time, whose failure stops the run."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Background:
    """One thread that does what it is given; the next piece is taken when the one before has ended.

    A failure is raised in the thread of the run: by the next call of any method here.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._thread: threading.Thread | None = None
        self._error: BaseException | None = None

    def start(self, work: Callable[[], None]) -> None:
        """Begin a piece of work, after the one before it."""
        self.wait()

        def run() -> None:
            try:
                work()
            except BaseException as error:  # told to the run
                self._error = error

        # Not a daemon: a process that ends by itself finishes what it writes.
        self._thread = threading.Thread(target=run, name=self._name)
        self._thread.start()

    def check(self) -> None:
        """Raise what went wrong, if anything did."""
        error, self._error = self._error, None
        if error is not None:
            raise error

    def wait(self) -> None:
        """Wait for the work under way."""
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self.check()

    @property
    def busy(self) -> bool:
        """Whether work is under way."""
        return self._thread is not None and self._thread.is_alive()
