"""Length of a run."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ludoport.errors import LudoportError


@dataclass(frozen=True)
class Budget:
    """Minutes of work or epochs, whichever ends first."""

    minutes: float | None = None
    epochs: int | None = None

    def __post_init__(self) -> None:
        if self.minutes is None and self.epochs is None:
            raise LudoportError("a run needs a number of minutes or of epochs")
        for name, value in (("minutes", self.minutes), ("epochs", self.epochs)):
            if value is not None and not 0 < value < math.inf:
                what = "finite" if value == math.inf else "positive"
                raise LudoportError(f"the number of {name} must be {what}, not {value}")

    def progress(self, seconds: float, epoch: int) -> float:
        """The part of the run that is done, from 0 to 1."""
        parts = [seconds / (60 * self.minutes)] if self.minutes is not None else []
        parts += [epoch / self.epochs] if self.epochs is not None else []
        return max(parts)

    def left(self, seconds: float, epoch: int, pace: float) -> float:
        """Estimated seconds left, if an epoch takes ``pace`` seconds."""
        parts = [60 * self.minutes - seconds] if self.minutes is not None else []
        parts += [(self.epochs - epoch) * pace] if self.epochs is not None else []
        return max(0.0, min(parts))
