"""Games that a report is made from: played at random, and by UCT with what it thought at every move."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from ludoport.arena.playing import derived
from ludoport.game import State
from ludoport.kernels.room import GIVEN_UP, no_room

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ludoport.arena.player import Player
    from ludoport.game import Game

LEAD = 0.1
"""A player leads whose expected result, from -1 to 1, is at least this far above the other's."""


@dataclass(frozen=True)
class SampleGame:
    """One game.

    Attributes:
        points: of each seat; the best share one point.
        plies: its length.
        choices: legal moves at every ply, on average.
        finished: whether it came to its end.
        leads: number of changes of the lead between players; None where positions were not judged.
    """

    points: tuple[float, ...]
    plies: int
    choices: float
    finished: bool
    leads: int | None = None


def random_game(game: Game, seed: int, limit: int) -> SampleGame:
    """One game of uniformly random moves."""
    rules, kernels, rng = game.rules, game.kernels, random.Random(seed)
    row, moves, work = game.start(seed).row.copy(), game.move_list, game.work
    over, width = rules.fields["OVER"], rules.move_size
    plies = choices = 0
    while not row[over] and plies < limit:
        count = int(kernels.call("legal", row, moves, work))
        first = rng.randrange(count) * width
        kernels.call("play", row, moves[first : first + width].copy(), work)
        if row[over] == GIVEN_UP:
            raise no_room(game.name, rules.max_moves)
        plies, choices = plies + 1, choices + count
    return SampleGame(points_of(State(game, row)), plies, choices / max(plies, 1), bool(row[over]))


def searched_game(game: Game, players: Sequence[Player], seed: int, limit: int, until: float) -> SampleGame | None:
    """One game between searching players, one for each seat; None if ``time.monotonic()`` passes ``until``."""
    state = game.start(derived(seed, "start"))
    for seat, player in enumerate(players, 1):
        player.begin(game, seat, derived(seed, "seat", seat))
    plies = choices = 0
    values: list[float] = []
    while not state.over and plies < limit:
        if time.monotonic() > until:
            return None
        found = players[state.seat - 1].search(state, derived(seed, "move", plies))
        values.append(found.value if state.seat == 1 else -found.value)
        plies, choices = plies + 1, choices + len(found.moves)
        state = state.play(found.best)
    known = lead_changes(values) if game.n_players == 2 else None
    return SampleGame(points_of(state), plies, choices / max(plies, 1), state.over, known)


def lead_changes(values: Sequence[float]) -> int:
    """Number of times that the lead passes to the other player.

    A search likes the moves of the player to move a little too much, so that values of consecutive positions differ
    even where neither player gains anything; the mean of two neighbours is looked at.

    Args:
        values: expected result of the first player at every ply, from -1 to 1.

    Example:
        >>> lead_changes([0.3, -0.2, 0.3, -0.2]), lead_changes([0.4, 0.5, -0.6, -0.4, -0.3])
        (0, 1)
    """
    leader = changes = 0
    for first, second in pairwise(values):
        middle = (first + second) / 2
        now = 1 if middle >= LEAD else 2 if middle <= -LEAD else 0
        changes += bool(now and leader and now != leader)
        leader = now or leader
    return changes


def points_of(state: State) -> tuple[float, ...]:
    """One point, which the best seats share; an unfinished game counts as a draw."""
    results = state.seat_utilities if state.over else [0.0] * state.game.n_players
    best = [value == max(results) for value in results]
    if state.game.n_players == 1:
        return (float(state.over and results[0] > 0),)
    return tuple(float(one) / sum(best) for one in best)
