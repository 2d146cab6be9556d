"""Thinking in a thread of its own, which ends by time, by simulations or by a word; engines of UCI and GTP need it."""

from __future__ import annotations

import io
import sys
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from ludoport.arena.player import Player
    from ludoport.game import Move, State
    from ludoport.search.result import SearchResult

FIRST_REPORT = 0.1
"""Seconds until the first report where no interval is set; each later one takes half as long again."""

MISTAKES = (LudoportError, ArithmeticError, AssertionError, LookupError, RecursionError, TypeError, ValueError)
"""Exceptions that a line from another program may cause; engines answer with an error and continue."""


def lines_of_input() -> Iterable[str]:
    """The lines of the standard input; bytes that are no text become question marks."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    return sys.stdin


@dataclass(frozen=True)
class ThinkingLimits:
    """Limits of a search: time, simulations, or `Thinking.stop`.

    Attributes:
        seconds: time; None for none.
        simulations: simulations; None for none.
        waits: whether the answer waits for `Thinking.stop` or `Thinking.hit`, even if the search has ended before.
        interval: seconds between reports; None: they become rarer.
    """

    seconds: float | None = None
    simulations: int | None = None
    waits: bool = False
    interval: float | None = None


class Thinking(threading.Thread):
    """A player that thinks about a position.

    Args:
        player: the player; `Player.begin` was called.
        state: the position; nothing else may use its game at the same time.
        seed: random seed.
        limits: limits of time and simulations.
        report: called with what was found so far and the seconds spent.
        finish: called with the move, once.
    """

    def __init__(
        self,
        player: Player,
        state: State,
        seed: int,
        limits: ThinkingLimits,
        report: Callable[[SearchResult, float], None],
        finish: Callable[[Move, SearchResult | None], None],
    ) -> None:
        super().__init__(daemon=True)
        self.player, self.state, self.seed, self.limits = player, state, seed, limits
        self._report, self._finish = report, finish
        self._stopped = threading.Event()
        self._waits, self._clock = limits.waits, time.monotonic()
        self.problem: LudoportError | None = None

    def stop(self) -> None:
        """End now; comes back when `finish` was called."""
        self._stopped.set()
        self.join()

    def hit(self) -> None:
        """The time starts now: the opponent played the move that this thinking foresaw."""
        self._clock, self._waits = time.monotonic(), False

    def run(self) -> None:
        """Think; an error is kept in ``problem``, and `finish` is not called then."""
        try:
            self._think()
        except LudoportError as error:
            self.problem = error

    def _think(self) -> None:
        begin, interval = time.monotonic(), self.limits.interval
        due = interval or FIRST_REPORT
        best: Move | str | None = None
        for better in self.player.think(self.state, self.seed):
            best = better
            spent = time.monotonic() - begin
            if spent >= due and (found := self.player.so_far()) is not None:
                self._report(found, spent)
                due = spent + interval if interval else 1.5 * spent
            if self._stopped.is_set() or self._enough():
                break
        found = self.player.so_far()
        if found is not None:
            self._report(found, time.monotonic() - begin)
        while self._waits and not self._stopped.wait(0.01):
            pass
        assert best is not None, "every player has a move"
        self._finish(self.state.find(best) if isinstance(best, str) else best, found)

    def _enough(self) -> bool:
        if self._waits:
            return False
        most, seconds = self.limits.simulations, self.limits.seconds
        if most is not None and self.player.simulations_so_far >= most:
            return True
        return seconds is not None and time.monotonic() - self._clock >= seconds
