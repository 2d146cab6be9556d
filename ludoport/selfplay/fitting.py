"""Shortage of memory on a device: tries again with fewer games, and says so."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable
from typing import TypeVar

import torch

from ludoport.errors import LudoportError

T = TypeVar("T")


def with_fewer(make: Callable[[int], T], games: int, what: str) -> T:
    """The result of ``make`` for a number of games, halved as often as memory runs out.

    Args:
        make: makes it for a number of games; whatever it held when memory ran out must be free to go.
        games: wanted number of games.
        what: name of the games in the message.

    Raises:
        LudoportError: there is too little memory for a single game.
    """
    while True:
        try:
            return make(games)
        except torch.OutOfMemoryError as error:
            if games == 1:
                raise LudoportError(f"the device has too little memory for one game of {what}") from error
            games = (games + 1) // 2
        gc.collect()
        if torch.cuda.is_available():
            torch.cuda.empty_cache()
        warnings.warn(f"the device ran out of memory: {what} continues with {games} games at once", stacklevel=3)
