"""One game between two players."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from ludoport.arena.players import Player
    from ludoport.game import Game

Outcome = Literal["win", "draw", "loss"]

LIMIT = 2500
"""A game that is not over after so many moves counts as a draw."""


@dataclass(frozen=True)
class Pairing:
    """A game of a match that is to be played: who begins, and all its randomness.

    Attributes:
        number: its place in the match, from 0.
        first: which player sits in the first seat.
        start_seed: the seed of the initial position; the two games of a pair share it.
        seed: the seed of the players' choices.
    """

    number: int
    first: Literal["a", "b"]
    start_seed: int
    seed: int


@dataclass(frozen=True)
class Played:
    """A game of a match that was played.

    Attributes:
        pairing: which game.
        outcome: what player a got.
        utilities: what a and b got, from -1 to 1.
        finished: whether the game came to its end; otherwise it counts as a draw.
        moves: the moves in their notation.
        seconds: how long it took.
    """

    pairing: Pairing
    outcome: Outcome
    utilities: tuple[float, float]
    finished: bool
    moves: tuple[str, ...]
    seconds: float


def derived(seed: int, *path: object) -> int:
    """A seed that follows from another one; the same on every machine, below 2 ** 63."""
    text = "/".join(map(str, (seed, *path)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def pairing(seed: int, number: int) -> Pairing:
    """Game number ``number`` of the match with this seed: a begins in even games, b in odd ones."""
    first: Literal["a", "b"] = "a" if number % 2 == 0 else "b"
    return Pairing(number, first, derived(seed, "start", number // 2), derived(seed, "game", number))


def play_game(game: Game, a: Player, b: Player, pair: Pairing, limit: int = LIMIT) -> Played:
    """Play one game to its end, or until so many moves were played."""
    begin = time.perf_counter()
    seats = (a, b) if pair.first == "a" else (b, a)
    for seat, player in enumerate(seats, start=1):
        player.begin(game, seat, derived(pair.seed, "seat", seat))
    state = game.start(seed=pair.start_seed)
    moves: list[str] = []
    while not state.over and len(moves) < limit:
        player = seats[state.agent - 1]
        move = player.choose(state, derived(pair.seed, "move", len(moves)))
        try:
            following = state.play(move)
        except LudoportError as error:
            raise LudoportError(f"player {player.name} tried an impossible move: {error}") from None
        for other in seats:
            other.played(state, move)
        moves.append(move.text)
        state = following
    for player in seats:
        player.end(state)
    one, two = state.agent_utilities if state.over else (0.0, 0.0)
    ours, theirs = (one, two) if pair.first == "a" else (two, one)
    outcome: Outcome = "win" if ours > theirs else "loss" if ours < theirs else "draw"
    return Played(pair, outcome, (ours, theirs), state.over, tuple(moves), time.perf_counter() - begin)
