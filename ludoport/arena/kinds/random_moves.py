"""The player ``random``: every legal move is equally likely."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludoport.arena.player import Player
from ludoport.arena.players import register
from ludoport.arena.specification import Specification

if TYPE_CHECKING:
    from ludoport.game import Move, State


@dataclass(repr=False)
class RandomMoves(Player):
    """Plays uniformly at random."""

    @property
    def spec(self) -> str:
        """The text of this player, as ``player`` reads it."""
        return "random"

    def choose(self, state: State, seed: int) -> Move:
        """Any legal move."""
        return random.Random(seed).choice(state.moves())


@register("random", "random")
def make(specification: Specification) -> Player:
    """The player of a text."""
    specification.named(None, ())
    return RandomMoves()
