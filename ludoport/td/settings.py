"""Settings of a learner; the defaults are those of the paper (Banerjee and Stone, 2007)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError

WIN, DRAW, LOSS = "W", "D", "L"
OPEN = "n"
"""Mark of a leaf that is not the end."""


@dataclass(frozen=True)
class OutcomeClasses:
    """The classes of outcomes that features distinguish.

    Args:
        classes: the class of each reward. A reward that is not listed belongs to the nearest one, the lower of two.
            Rewards of the same class are equivalent, so a game with other rewards can use features of earlier games.

    Example:
        >>> OutcomeClasses({-10: "L", 0: "L", 10: "D", 20: "W", 50: "W"}).of(12)
        'D'
    """

    classes: Mapping[float, str] = field(default_factory=lambda: {0: LOSS, 50: DRAW, 100: WIN})

    def __post_init__(self) -> None:
        if not self.classes:
            raise LudoportError("there are no classes of outcomes; give at least one reward and its class")
        for name in self.classes.values():
            if not name or name == OPEN or not name.replace("_", "").isalnum():
                raise LudoportError(
                    f"`{name}` cannot name a class of outcomes; use letters and digits, but not `{OPEN}`"
                )

    @classmethod
    def apart(cls, *rewards: float) -> OutcomeClasses:
        """Every reward is a class of its own, named after it."""
        return cls({reward: f"r{reward:g}".replace("-", "_").replace(".", "_") for reward in rewards})

    def of(self, reward: float) -> str:
        """The class of a reward."""
        return self.classes[min(sorted(self.classes), key=lambda listed: abs(listed - reward))]

    def table(self) -> NDArray[np.float64]:
        """Rewards in ascending order and the numbers of their classes; shape (2, rewards)."""
        rewards = sorted(self.classes)
        return np.array([rewards, [class_number(self.classes[reward]) for reward in rewards]], dtype=np.float64)


def class_number(name: str) -> int:
    """A number for a class that does not depend on which other classes there are; below 2 ** 48."""
    number = 0xCBF29CE484222325
    for byte in name.encode():
        number = ((number ^ byte) * 0x100000001B3) & (2**64 - 1)
    return number >> 16


@dataclass(frozen=True)
class TdSettings:
    """Settings of learning.

    Attributes:
        alpha: learning rate.
        gamma: discount.
        lam: trace decay: the share of an error that the previous afterstate gets.
        epsilon: probability of a random move.
        win: reward of a win.
        loss: reward of a loss.
        depth: moves of the lookahead below an afterstate.
        at_sight: new afterstates begin with their value when the learner first looks at them during play; otherwise,
            as in the paper, after the match that visited them, and until then they are worth the default.
        limit: number of moves after which a match is a draw.
        outcomes: the classes of outcomes that features tell apart.
    """

    alpha: float = 0.3
    gamma: float = 1.0
    lam: float = 0.7
    epsilon: float = 0.01
    win: float = 100.0
    loss: float = 0.0
    depth: int = 2
    at_sight: bool = False
    limit: int = 512
    outcomes: OutcomeClasses = field(default_factory=OutcomeClasses)

    def __post_init__(self) -> None:
        for name, value in (("alpha", self.alpha), ("lam", self.lam)):
            if not 0 < value <= 1:
                raise LudoportError(f"{name} must be above 0 and at most 1, not {value:g}")
        for name, value in (("gamma", self.gamma), ("epsilon", self.epsilon)):
            if not 0 <= value <= 1:
                raise LudoportError(f"{name} must lie between 0 and 1, not {value:g}")
        if self.win <= self.loss:
            raise LudoportError(f"a win ({self.win:g}) must be worth more than a loss ({self.loss:g})")
        for name, number in (("depth", self.depth), ("limit", self.limit)):
            if number < 1:
                raise LudoportError(f"the {name} must be at least 1, not {number}")

    @property
    def default(self) -> float:
        """The value of an unknown afterstate (footnote 2 of the paper)."""
        return (self.win + self.loss) / 2
