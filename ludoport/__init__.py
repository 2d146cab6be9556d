"""Ludoport carries what a program learned in one game over to another game."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ludoport.errors import LudError, LudoportError, UnsupportedError
from ludoport.game import Game, Move, PlayoutStats, State, load

if TYPE_CHECKING:
    from ludoport.arena.kinds.minimax import minimax
    from ludoport.arena.kinds.net import network
    from ludoport.arena.kinds.uct import uct
    from ludoport.arena.match import match
    from ludoport.arena.players import player
    from ludoport.selfplay.api import train

__version__ = "0.1.0"

__all__ = [
    "Game",
    "LudError",
    "LudoportError",
    "Move",
    "PlayoutStats",
    "State",
    "UnsupportedError",
    "load",
    "match",
    "minimax",
    "network",
    "player",
    "train",
    "transfer",
    "uct",
]

_LATER = {
    "match": "ludoport.arena.match",
    "minimax": "ludoport.arena.kinds.minimax",
    "network": "ludoport.arena.kinds.net",
    "player": "ludoport.arena.players",
    "train": "ludoport.selfplay.api",
    "transfer": "ludoport.transfer.api",
    "uct": "ludoport.arena.kinds.uct",
}
"""Names whose rooms are opened when somebody asks for them, so that loading a game stays quick."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)
