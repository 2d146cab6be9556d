"""Whether a game is worth learning: it ends, and neither chance nor the first moves decide it."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from ludoport.check import CheckError, check_game
from ludoport.game import Game, State

PLAYOUTS = 40
"""Random games that a game is judged by."""

LONGEST = 120
"""Plies after which a random game must have ended."""

SHORTEST = 5.0
"""Mean plies of a random game, at least."""

DRAWN, ONE_SIDED = 0.7, 0.92
"""The largest share of draws, and of decided games won by the same player."""

DEPTH = 4
"""Plies in which the first position must not be decided."""


@dataclass(frozen=True)
class Verdict:
    """Findings of random games and a short search about a game.

    Attributes:
        reason: why the game is not worth learning; empty if it is.
        plies: mean length of random games.
        draws: share of draws.
        first: share of decided games that the first player won.
    """

    reason: str
    plies: float = 0.0
    draws: float = 0.0
    first: float = 0.0


def judge(game: Game, seed: int = 1) -> Verdict:
    """Whether a game is worth learning.

    Args:
        game: a game of two players; plain Python is fast enough.
        seed: random seed.
    """
    draw, plies, results = Random(seed), 0, list[float]()
    for number in range(PLAYOUTS):
        state, length = game.start(seed + number), 0
        while not state.over and length < LONGEST:
            state, length = state.play(draw.choice(state.moves())), length + 1
        if not state.over:
            return Verdict("does not end")
        plies += length
        results.append(state.utilities[0])
    drawn = sum(result == 0 for result in results) / PLAYOUTS
    decided = max(1, sum(result != 0 for result in results))
    first = sum(result > 0 for result in results) / decided
    facts = plies / PLAYOUTS, drawn, first
    if facts[0] < SHORTEST:
        return Verdict("is too short", *facts)
    if drawn > DRAWN:
        return Verdict("is drawn", *facts)
    if not 1 - ONE_SIDED <= first <= ONE_SIDED:
        return Verdict("is one-sided", *facts)
    if decided_within(game.start(seed), DEPTH):
        return Verdict("is decided at once", *facts)
    try:
        check_game(game, playouts=1, plies=LONGEST, seed=seed)
    except CheckError as error:
        return Verdict(f"breaks a property of games: {error}", *facts)
    return Verdict("", *facts)


def decided_within(state: State, plies: int) -> bool:
    """Whether one of the players can force a win within a number of plies."""
    return any(_forced(state, player, plies) for player in (1, 2))


def _forced(state: State, player: int, plies: int) -> bool:
    """Whether a player can force a win."""
    if state.over:
        return state.utilities[player - 1] > 0
    if plies == 0:
        return False
    follow = (_forced(state.play(move), player, plies - 1) for move in state.moves())
    return any(follow) if state.mover == player else all(follow)
