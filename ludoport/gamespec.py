"""Games that travel to other processes and machines: their rules without what was compiled from them."""

from __future__ import annotations

import copy
import pickle
from functools import cached_property
from typing import Any

from ludoport.errors import LudoportError
from ludoport.game import Game


def pack_game(game: Game) -> bytes:
    """A game as bytes; who unpacks it compiles it or has it in the cache."""
    try:
        return pickle.dumps((bare(game.rules), game.jit))
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        raise LudoportError(f"{game.name} cannot be sent to other processes ({error})") from None


def unpack_game(packed: bytes) -> Game:
    """The game that was packed; only for bytes of our own."""
    rules, jit = pickle.loads(packed)
    return Game(rules, jit)


def bare(rules: Any) -> Any:
    """Rules without what they have worked out so far."""
    fresh = copy.copy(rules)
    for ancestor in type(rules).__mro__:
        for name, value in vars(ancestor).items():
            if isinstance(value, cached_property):
                vars(fresh).pop(name, None)
    return fresh
