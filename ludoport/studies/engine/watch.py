"""Signs of life, judged by the clock of the observer alone: the clocks of other machines may differ by minutes."""

from __future__ import annotations

import time
from collections.abc import Hashable


class Watch:
    """Remembers since when each sign has been the same."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[Hashable, float]] = {}

    def silent(self, who: str, sign: Hashable, seconds: float) -> bool:
        """Whether a sign has not changed for ``seconds``, as far as it was seen from here.

        Args:
            who: name of the one whose sign it is.
            sign: something that changes while they live.
            seconds: time without a change.
        """
        now = time.monotonic()
        known, since = self._seen.get(who, (None, now))
        if known != sign:
            since = now
        self._seen[who] = sign, since
        return now - since > seconds
