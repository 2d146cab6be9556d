"""One game of a match."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ludoport.arena.luck import Luck, luck_after
from ludoport.arena.player import TakeBack
from ludoport.errors import LudoportError
from ludoport.moves import Move

if TYPE_CHECKING:
    from ludoport.arena.player import Player
    from ludoport.game import Game, State

Outcome = Literal["win", "draw", "loss"]

LIMIT = 2500
"""Moves after which an unfinished game counts as a draw."""


@dataclass(frozen=True)
class Pairing:
    """A game of a match that is to be played: who moves first, and its random seeds.

    Attributes:
        number: its place in the match, from 0.
        first: the player in the first seat.
        start_seed: random seed of the initial position; the two games of a pair share it.
        seed: random seed of the players' choices.
    """

    number: int
    first: Literal["a", "b"]
    start_seed: int
    seed: int


@dataclass(frozen=True)
class PlayedGame:
    """A game of a match that was played.

    Attributes:
        pairing: the game.
        outcome: of player a.
        utilities: of a and b, from -1 to 1.
        finished: whether the game came to its end; otherwise it counts as a draw.
        moves: in recorded notation.
        seconds: duration.
    """

    pairing: Pairing
    outcome: Outcome
    utilities: tuple[float, float]
    finished: bool
    moves: tuple[str, ...]
    seconds: float


@dataclass(frozen=True)
class Seating:
    """A game of a match of three or more players that is to be played.

    Attributes:
        number: its place in the match, from 0.
        players: for each seat, the number of the player who has it, from 0.
        start_seed: random seed of the initial position and of luck; one round of seatings shares it.
        seed: random seed of the players' choices.
    """

    number: int
    players: tuple[int, ...]
    start_seed: int
    seed: int


@dataclass(frozen=True)
class Seated:
    """A game of such a match that was played.

    Attributes:
        seating: the game.
        utilities: of the players, in their order, from -1 to 1.
        finished: whether the game came to its end; otherwise it counts as a draw.
        moves: in recorded notation.
        seconds: duration.
    """

    seating: Seating
    utilities: tuple[float, ...]
    finished: bool
    moves: tuple[str, ...]
    seconds: float


def derived(seed: int, *path: object) -> int:
    """A random seed derived from another one; the same on every machine, below 2 ** 63."""
    text = "/".join(map(str, (seed, *path)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def pairing(seed: int, number: int) -> Pairing:
    """Game number ``number`` of the match with this seed: a moves first in even games, b in odd ones."""
    first: Literal["a", "b"] = "a" if number % 2 == 0 else "b"
    return Pairing(number, first, derived(seed, "start", number // 2), derived(seed, "game", number))


def answered(player: Player, state: State, answer: object) -> tuple[Move, State]:
    """The legal move that a player answered with, and the position after it.

    Raises:
        LudoportError: it answered with something else.
    """
    if not isinstance(answer, (Move, str)):
        raise LudoportError(f"player {player.name} returned {answer!r} instead of a move in this position:\n{state}")
    try:
        move = state.find(answer) if isinstance(answer, str) else answer
        return move, state.play(move)
    except LudoportError as error:
        raise LudoportError(f"player {player.name}: {error}") from None


def taken_back(line: list[tuple[State, Move]], state: State) -> tuple[list[tuple[State, Move]], State]:
    """A game before the last turn of the seat to move; as it is where that seat has not moved yet."""
    for number in reversed(range(len(line))):
        before, _ = line[number]
        if before.seat == state.seat:
            return line[:number], before
    return line, state


def play_game(game: Game, a: Player, b: Player, pair: Pairing, limit: int = LIMIT) -> PlayedGame:
    """Play one game of two players to its end, or until ``limit`` moves were played."""
    begin = time.perf_counter()
    state, moves = _played(game, (a, b) if pair.first == "a" else (b, a), pair.start_seed, pair.seed, limit)
    one, two = state.seat_utilities if state.over else (0.0, 0.0)
    ours, theirs = (one, two) if pair.first == "a" else (two, one)
    outcome: Outcome = "win" if ours > theirs else "loss" if ours < theirs else "draw"
    return PlayedGame(pair, outcome, (ours, theirs), state.over, moves, time.perf_counter() - begin)


def play_seating(game: Game, players: Sequence[Player], seating: Seating, limit: int = LIMIT) -> Seated:
    """Play one game of three or more players to its end, or until ``limit`` moves were played."""
    begin = time.perf_counter()
    seats = [players[number] for number in seating.players]
    state, moves = _played(game, seats, seating.start_seed, seating.seed, limit)
    results = state.seat_utilities if state.over else [0.0] * len(seats)
    utilities = tuple(results[seating.players.index(number)] for number in range(len(seats)))
    return Seated(seating, utilities, state.over, moves, time.perf_counter() - begin)


def _played(
    game: Game, seats: Sequence[Player], start_seed: int, seed: int, limit: int
) -> tuple[State, tuple[str, ...]]:
    """The last position and the moves of a game between players, given by their seats."""
    for seat, player in enumerate(seats, start=1):
        player.begin(game, seat, derived(seed, "seat", seat))
    luck = Luck(game, start_seed)
    state = luck.dealt(game.start(seed=start_seed))
    line: list[tuple[State, Move]] = []
    while not state.over and len(line) < limit:
        player = seats[state.seat - 1]
        try:
            move, following = answered(player, state, player.choose(state, derived(seed, "move", len(line))))
        except TakeBack:
            line, state = taken_back(line, state)
            luck = luck_after(game, start_seed, [*(before.seat for before, _ in line), state.seat])
            for seat, other in enumerate(seats, start=1):
                other.rewind(game, seat, derived(seed, "seat", seat), line)
            continue
        for other in seats:
            other.played(state, move)
        line.append((state, move))
        state = luck.dealt(following)
    for player in seats:
        player.end(state)
    return state, tuple(move.text for _, move in line)
