"""Turns texts, functions and objects into players.

Each kind of player is one file in ``kinds``; it calls ``register`` and is found by being there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from ludoport.arena.function import FunctionPlayer
from ludoport.arena.player import Player
from ludoport.arena.registry import Registry
from ludoport.errors import LudoportError

if TYPE_CHECKING:
    import torch

    from ludoport.game import Move, State

__all__ = ["REGISTRY", "Player", "as_player", "kinds", "player", "register"]


REGISTRY: Registry[Player] = Registry("player", "ludoport.arena.kinds")
register = REGISTRY.register
kinds = REGISTRY.kinds


def player(text: str) -> Player:
    """The player that a text describes; ``ludoport match --players`` lists the kinds.

    Example:
        >>> player("uct:800,exploration=1.4")
        player('uct:800,exploration=1.4')
    """
    return _limited(REGISTRY.make(text))


def _limited(made: Player) -> Player:
    if made.missing_limit:
        raise LudoportError(f"player `{made.spec}`: {made.missing_limit}")
    return made


def as_player(given: Player | str | Callable[[State], Move | str] | torch.nn.Module) -> Player:
    """A player as it is, the one that a text describes, or the one that a function or a torch module is."""
    if isinstance(given, Player):
        return _limited(given)
    if isinstance(given, str):
        return player(given)
    if isinstance(given, type):
        raise LudoportError(f"{given.__name__} is a class; pass an instance: {given.__name__}()")
    if "torch" in sys.modules and isinstance(given, sys.modules["torch"].nn.Module):
        from ludoport.arena.module import ModulePlayer

        return ModulePlayer(given)
    if callable(given):
        return FunctionPlayer(given)
    raise LudoportError(f"a player is a Player, a text such as `uct:800` or a function, not {given!r}")
