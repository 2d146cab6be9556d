"""Ludoport carries what a program learned in one game over to another game."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ludoport.errors import LudError, LudoportError, UnsupportedError
from ludoport.game import Game, Move, State, as_game, load
from ludoport.playouts import PlayoutStats
from ludoport.version import __version__ as __version__

if TYPE_CHECKING:
    from ludoport.analysis.analyse import analyse
    from ludoport.analysis.result import Analysis
    from ludoport.arena.kinds.minimax import minimax
    from ludoport.arena.kinds.net import network
    from ludoport.arena.kinds.uct import uct
    from ludoport.arena.match import match
    from ludoport.arena.player import Player
    from ludoport.arena.players import player
    from ludoport.arena.result import MatchResult
    from ludoport.arena.searching import search
    from ludoport.arena.table import TableResult
    from ludoport.arena.zoo import zoo
    from ludoport.catalogue import games
    from ludoport.check import check_game
    from ludoport.search.result import SearchResult
    from ludoport.selfplay.api import train
    from ludoport.tensors.batch import batch
    from ludoport.transfer.api import transfer
    from ludoport.transfer.options import TransferOptions

__all__ = [
    "Analysis",
    "Game",
    "LudError",
    "LudoportError",
    "MatchResult",
    "Move",
    "Player",
    "PlayoutStats",
    "SearchResult",
    "State",
    "TableResult",
    "TransferOptions",
    "UnsupportedError",
    "analyse",
    "as_game",
    "batch",
    "check_game",
    "games",
    "load",
    "match",
    "minimax",
    "network",
    "player",
    "search",
    "train",
    "transfer",
    "uct",
    "zoo",
]

_LATER = {
    "Analysis": "ludoport.analysis.result",
    "MatchResult": "ludoport.arena.result",
    "Player": "ludoport.arena.player",
    "SearchResult": "ludoport.search.result",
    "TableResult": "ludoport.arena.table",
    "TransferOptions": "ludoport.transfer.options",
    "analyse": "ludoport.analysis.analyse",
    "batch": "ludoport.tensors.batch",
    "check_game": "ludoport.check",
    "games": "ludoport.catalogue",
    "match": "ludoport.arena.match",
    "minimax": "ludoport.arena.kinds.minimax",
    "network": "ludoport.arena.kinds.net",
    "player": "ludoport.arena.players",
    "search": "ludoport.arena.searching",
    "train": "ludoport.selfplay.api",
    "transfer": "ludoport.transfer.api",
    "uct": "ludoport.arena.kinds.uct",
    "zoo": "ludoport.arena.zoo",
}
"""Names whose modules are imported at first use, so that loading a game stays quick."""

# A module takes its name in ours when it is imported, once. Those that are called like a function of ours are imported
# here and their names given back, so that `lp.transfer` is the function whatever is imported later.
for _package in ("games", "search", "transfer", "zoo"):
    import_module(f"{__name__}.{_package}")
    del globals()[_package]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(_LATER[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
