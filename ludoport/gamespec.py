"""Games that travel to other processes and machines: as their texts, without what was compiled from them."""

from __future__ import annotations

import pickle

from ludoport.errors import LudoportError
from ludoport.game import Game


def pack_game(game: Game) -> bytes:
    """A game as bytes; who unpacks it compiles it or has it in the cache."""
    try:
        return pickle.dumps(game)
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        raise LudoportError(f"{game.name} cannot be sent to other processes ({error})") from None


def unpack_game(packed: bytes) -> Game:
    """The game that was packed; only for bytes that this program wrote."""
    game: Game = pickle.loads(packed)
    return game
