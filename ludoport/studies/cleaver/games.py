"""Counts over the games of the experiment: moves from trees and from search, moves that only Chessplus has, lengths."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ludoport.arena.kinds.tree import knows
from ludoport.chess.notation import short_texts
from ludoport.chess.rules import ChessRules
from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ludoport.arena.playing import PlayedGame
    from ludoport.game import Game
    from ludoport.search.graph import SearchGraph

FEW = 10
"""Games that are shown one by one, as in Figure 15."""


def exclusive(move: str) -> bool:
    """Whether only Chessplus has a move: pieces merge, part, or move together.

    Example:
        >>> [exclusive(move) for move in ("N&c3", "(NP)d4", "N/Pxf3", "exd5", "b8=N+")]
        [True, True, True, False, False]
    """
    return any(sign in move for sign in "&(/")


def rows_of(game: Game, moves: Sequence[str]) -> Iterator[NDArray[Any]]:
    """The positions of a game from the start, one before each move; quicker than with the names of all moves."""
    rules = game.rules
    assert isinstance(rules, ChessRules)
    row = game.start().row.copy()
    for text in moves:
        yield row
        n = int(game.kernels.call("legal", row, game.move_list, game.work))
        legal = game.move_list[:n].copy()
        names = short_texts(rules.position(row), [int(move) for move in legal])
        wanted = text.rstrip("+#")
        if wanted not in names:
            raise LudoportError(f"`{text}` is not a legal move in {rules.fen_of(row)}")
        row = row.copy()
        game.kernels.call("play", row, legal[names.index(wanted)][None], game.work)
    yield row


@dataclass(frozen=True)
class SampleMove:
    """One move: who played it (``a`` or ``b``), its text, and whether the tree of the player knew the position."""

    player: str
    move: str
    offline: bool


def plies_of(game: Game, played: PlayedGame, graphs: Mapping[str, SearchGraph], least: int = 1) -> list[SampleMove]:
    """The moves of a game."""
    order = "ab" if played.pairing.first == "a" else "ba"
    answer = []
    for number, (row, move) in enumerate(zip(rows_of(game, played.moves), played.moves, strict=False)):
        player = order[number % 2]
        answer.append(SampleMove(player, move, knows(graphs[player], int(game.kernels.call("key", row)), least)))
    return answer


def analyse(
    game: Game, games: Sequence[PlayedGame], graphs: Mapping[str, SearchGraph], least: int = 1
) -> dict[str, Any]:
    """Everything that chapter 6 counts, for programs; trees know positions with at least ``least`` visits."""
    listed = [plies_of(game, played, graphs, least) for played in games]
    return {
        "exclusive": {player: _exclusive(player, games, listed) for player in "ab"},
        "offline": {player: _offline(player, [ply for plies in listed for ply in plies]) for player in "ab"},
        "few": [
            {player: _offline(player, plies) for player in "ab"} | {"outcome": played.outcome}
            for played, plies in zip(games[:FEW], listed[:FEW], strict=True)
        ],
        "lengths": lengths([len(played.moves) for played in games]),
        "ends": dict(Counter(_end(played) for played in games)),
    }


def _exclusive(
    player: str, games: Sequence[PlayedGame], listed: Sequence[Sequence[SampleMove]]
) -> dict[str, dict[str, int]]:
    """Moves of a player in games won and lost, and how many of them only Chessplus has (Figure 14)."""
    answer = {}
    for word, outcome in (("won", "win"), ("lost", "loss")):
        wanted = outcome if player == "a" else {"win": "loss", "loss": "win"}[outcome]
        moves = [
            ply.move
            for played, plies in zip(games, listed, strict=True)
            if played.outcome == wanted
            for ply in plies
            if ply.player == player
        ]
        answer[word] = {"moves": len(moves), "exclusive": sum(map(exclusive, moves))}
    return answer


def _offline(player: str, plies: Iterable[SampleMove]) -> dict[str, int]:
    """Moves of a player from its tree, and from searching (Figure 15)."""
    mine = [ply for ply in plies if ply.player == player]
    offline = sum(ply.offline for ply in mine)
    return {"offline": offline, "online": len(mine) - offline}


def lengths(plies: Sequence[int]) -> dict[str, float]:
    """Lengths of games."""
    return {
        "mean": round(float(np.mean(plies)), 2),
        "median": float(statistics.median(plies)),
        "shortest": min(plies),
        "longest": max(plies),
    }


def _end(played: PlayedGame) -> str:
    if not played.finished:
        return "limit of moves"
    return "checkmate" if played.moves and played.moves[-1].endswith("#") else "draw"


def sample_game(games: Sequence[PlayedGame]) -> PlayedGame:
    """A game to be shown: one that player a won with the first move, of the median length, or nearly."""
    won = [played for played in games if played.outcome == "win" and played.pairing.first == "a"] or list(games)
    middle = statistics.median([len(played.moves) for played in won])
    return min(won, key=lambda played: (abs(len(played.moves) - middle), played.pairing.number))
