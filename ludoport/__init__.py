"""Ludoport carries what a program learned in one game over to another game."""

from ludoport.errors import LudError, LudoportError, UnsupportedError
from ludoport.game import Game, Move, PlayoutStats, State, load

__version__ = "0.1.0"

__all__ = ["Game", "LudError", "LudoportError", "Move", "PlayoutStats", "State", "UnsupportedError", "load"]
