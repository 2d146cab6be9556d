"""Matches: many games between two players, in parallel, stored as they end, resumed where they stopped."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from ludoport.arena.players import Player, as_player
from ludoport.arena.playing import LIMIT, Played, pairing
from ludoport.arena.result import MatchResult, Tally
from ludoport.arena.sprt import Sprt
from ludoport.arena.storage import Entry, Store
from ludoport.arena.workers import Job, play_apart, play_here
from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from ludoport.game import Game


def match(
    a: Player | str,
    b: Player | str,
    game: Game,
    games: int = 100,
    *,
    seed: int = 1,
    workers: int | None = None,
    store: str | Path | None = None,
    sprt: Sprt | None = None,
    limit: int = LIMIT,
    label: str | None = None,
    progress: Callable[[MatchResult], None] | None = None,
) -> MatchResult:
    """Let two players play each other; a begins in games 0, 2, 4 ..., b in the others.

    Game k is the same whoever plays it and whenever, as far as the players depend on nothing but their seeds. An
    interrupted match keeps the games that ended; the same call with the same store plays what is missing.

    Args:
        a: a player, or its text such as ``uct:800``.
        b: the other one.
        game: a game of two players.
        games: how many; an even number gives both the same chances.
        seed: where the randomness begins.
        workers: processes; as many as there are cores if nothing is said, 1 plays in this process.
        store: the SQLite file that keeps the games; it may hold other matches as well.
        sprt: stop as soon as this test has a verdict; ``games`` is then the most.
        limit: a game that is not over after so many moves counts as a draw.
        label: how the results call the game; its name if nothing is said.
        progress: called with the result so far, at the beginning and after every game.

    Example:
        >>> import ludoport as lp
        >>> game = lp.load("Tic-Tac-Toe", jit=False)
        >>> match("minimax:2", "random", game, games=10, workers=1).record.games
        10
    """
    a, b = as_player(a), as_player(b)
    _check(game, games, seed, limit)
    count = _workers(workers, a, b)
    entry = Entry(label or game.name, game.rules.fingerprint, a.spec, b.spec, a.identity, b.identity, seed, limit)
    with Store(store) as file:
        number = file.enter(entry)
        tally = Tally(entry, games, sprt, file.path)
        for played in file.games(number):
            tally.add(played)
        if progress is not None:
            progress(tally.result())
        if tally.decided:
            return tally.result()
        with closing(_play(Job(game, a, b, limit), seed, tally.missing(), count)) as results:
            for played in results:
                file.add(number, played)
                tally.add(played)
                if progress is not None:
                    progress(tally.result())
                if tally.decided:
                    break
        return tally.result()


def _play(job: Job, seed: int, missing: list[int], workers: int) -> Generator[Played, None, None]:
    pairs = [pairing(seed, number) for number in missing]
    return play_here(job, pairs) if workers == 1 else play_apart(job, pairs, workers)


def _check(game: Game, games: int, seed: int, limit: int) -> None:
    if game.n_players != 2:
        raise LudoportError(f"a match is between two players; {game.name} has {game.n_players}")
    for name, value in (("number of games", games), ("limit of moves", limit)):
        if value < 1:
            raise LudoportError(f"the {name} must be at least 1, not {value}")
    if not 0 <= seed < 2**63:
        raise LudoportError(f"the seed must be between 0 and 2 ** 63 - 1, not {seed}")


def _workers(wanted: int | None, a: Player, b: Player) -> int:
    """How many processes."""
    if wanted is not None and wanted < 1:
        raise LudoportError(f"the number of workers must be at least 1, not {wanted}")
    if a.interactive or b.interactive:
        if wanted not in (None, 1):
            raise LudoportError(f"a person plays one game at a time; use one worker, not {wanted}")
        return 1
    return wanted or _cores()


def _cores() -> int:
    """How many cores we may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
