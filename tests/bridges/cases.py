"""The games that every bridge is tried with, on boards that plain Python plays quickly."""

from __future__ import annotations

from typing import Any

import pytest

from ludoport.bridges.positions import NumberedGame

GAMES: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "Tic-Tac-Toe": ((), {}),
    "Hex": (("Board Size/5x5", "Swap Rules/On"), {}),
    "Breakthrough": (("Board Size/6x6",), {}),
    "Konane": (("Board Size/6x6",), {}),
    "Connect Four": ((), {}),
    "Chess 8x8": ((), {}),
    "chessplus": ((), {"ranks": 4}),
    "tic-tac-toe.kif": ((), {}),
    "rock-paper-scissors.kif": ((), {}),
    "Kyoto Shogi": ((), {"ranks": 2}),
    "Minishogi": ((), {"ranks": 2}),
}
"""Options of each game, and the number of moves that share a slot where random play in plain Python takes long to find
it, or does not find it."""

SLOW = {"Minishogi", "Breakthrough", "Kyoto Shogi"}
ALL = [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in GAMES]

_made: dict[str, NumberedGame] = {}


def numbered(name: str) -> NumberedGame:
    """One of the games, made once."""
    if name not in _made:
        options, settings = GAMES[name]
        _made[name] = NumberedGame(name, options, **settings)
    return _made[name]
