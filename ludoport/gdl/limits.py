"""How large a network may become, and how long making it may take."""

from __future__ import annotations

import time

from ludoport.errors import LudoportError


class TooLarge(LudoportError):  # noqa: N818 - it is a result, not a mistake
    """A rulesheet has too many instances to be made into a network."""


class TooSlow(TooLarge):
    """Making a network takes too long."""


class Clock:
    """CPU time that a network may take.

    Args:
        seconds: how much.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.process_time() + seconds

    def check(self) -> None:
        """Give up when the time is over."""
        if time.process_time() > self._end:
            raise TooSlow(f"making a network takes more than {self.seconds:g} s")
