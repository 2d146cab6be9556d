"""Limits on the size of a network and on the time to make it."""

from __future__ import annotations

import time

from ludoport.errors import LudoportError


class TooLarge(LudoportError):  # noqa: N818 - it is a result, not a mistake
    """A rulesheet is too large for a network, or for its rules to be compiled."""


class TooSlow(TooLarge):
    """Making a network, or compiling rules, takes too long."""


class Clock:
    """CPU time that something may take.

    Args:
        seconds: the limit.
        what: name of the work in messages.
    """

    def __init__(self, seconds: float, what: str = "making a network") -> None:
        self.seconds, self._what = seconds, what
        self._end = time.process_time() + seconds

    @property
    def left(self) -> float:
        """The remaining share of the limit."""
        return max(0.0, self._end - time.process_time())

    def check(self) -> None:
        """Give up when the time is over."""
        if time.process_time() > self._end:
            raise TooSlow(f"{self._what} takes more than {self.seconds:g} s")
