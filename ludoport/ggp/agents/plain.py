"""The agents ``random`` and ``legal``: any legal move, or always the first one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ludoport.arena.specification import Specification
from ludoport.ggp.agent import Agent, register

if TYPE_CHECKING:
    from ludoport.ggp.positions import Position


class RandomAgent(Agent):
    """Plays any legal move, each equally likely."""

    def __init__(self) -> None:
        self.rng = random.Random(0)

    def begin(self, role: int, seed: int) -> None:
        """Begin with the randomness of the seed."""
        self.rng = random.Random(seed)

    def think(self, position: Position, role: int, until: float) -> Iterator[str]:
        """One move."""
        yield self.rng.choice(position.legal[role])


class LegalAgent(Agent):
    """Plays the first legal move in the order of texts."""

    def think(self, position: Position, role: int, until: float) -> Iterator[str]:
        """One move."""
        yield position.legal[role][0]


@register("random", "random")
def make_random(specification: Specification) -> Agent:
    """The agent of a text."""
    specification.named(None, ())
    return RandomAgent()


@register("legal", "legal")
def make_legal(specification: Specification) -> Agent:
    """The agent of a text."""
    specification.named(None, ())
    return LegalAgent()
