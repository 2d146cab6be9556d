"""Matches: many games between two players, in parallel, stored as they end, resumed where they stopped."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from ludoport.arena.player import Player
from ludoport.arena.players import as_player
from ludoport.arena.playing import LIMIT, Played, pairing
from ludoport.arena.progress import watching
from ludoport.arena.result import MatchResult, Tally
from ludoport.arena.sprt import Sprt
from ludoport.arena.storage import Entry, Store
from ludoport.arena.workers import Job, play_apart, play_here
from ludoport.errors import LudoportError
from ludoport.game import Game, as_game
from ludoport.search.chance import has_chance

if TYPE_CHECKING:
    from ludoport.game import Move, State


def match(
    a: Player | str | Callable[[State], Move | str],
    b: Player | str | Callable[[State], Move | str],
    game: Game | str | Path,
    games: int = 100,
    *,
    options: Sequence[str] = (),
    seed: int = 1,
    workers: int | None = None,
    store: str | Path | None = None,
    sprt: Sprt | None = None,
    limit: int = LIMIT,
    label: str | None = None,
    progress: Callable[[MatchResult], None] | bool | None = None,
) -> MatchResult:
    """Let two players play each other; a moves first in games 0, 2, 4 ..., b in the others.

    Game k depends only on the match's seed and on k, as far as the players depend on nothing but their seeds. Dice are
    mirrored: games 2k and 2k + 1 have the same luck, so that each player once has the luck of each seat. An
    interrupted match keeps the games that ended; the same call with the same store plays what is missing.

    Args:
        a: a player, its text such as ``uct:800``, or a function that returns a move of a state.
        b: the other player.
        game: a game of two players, its name, or the path of its file.
        games: number of games; with an even number both move first equally often.
        options: options of the game, if it is given by name.
        seed: random seed.
        workers: processes; default: one a core, or this process alone if a player is defined in the script or session
            that calls this; 1: this process alone.
        store: the SQLite file that keeps the games; it may hold other matches as well.
        sprt: stop as soon as this test has a verdict; ``games`` is then the maximum.
        limit: moves after which an unfinished game counts as a draw.
        label: the game's name in the results; default: its title.
        progress: show a line with the score so far; default: in a terminal and in a notebook. A function is called with
            the result so far instead, at the start and after every game.

    Example:
        >>> import ludoport as lp
        >>> game = lp.load("Tic-Tac-Toe", jit=False)
        >>> match("minimax:2", lambda state: state.moves()[0], game, games=10, workers=1).record.games
        10
    """
    a, b, game = as_player(a), as_player(b), as_game(game, options)
    _check(game, games, seed, limit)
    job = Job(game, a, b, limit)
    count = _workers(workers, job)
    entry = Entry(label or game.title, game.rules.fingerprint, a.spec, b.spec, a.identity, b.identity, seed, limit)
    quiet = False if a.interactive or b.interactive else None
    with Store(store) as file, watching(quiet if progress is None else progress) as watch:
        number = file.enter(entry)
        tally = Tally(entry, games, sprt, file.path, mirrored=has_chance(game))
        for played in file.games(number):
            tally.add(played)
        watch(tally.result())
        if tally.decided:
            return tally.result()
        with closing(_play(job, seed, tally.missing(), count)) as results:
            for played in results:
                file.add(number, played)
                tally.add(played)
                watch(tally.result())
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


def _workers(wanted: int | None, job: Job) -> int:
    """The number of processes."""
    if wanted is not None and wanted < 1:
        raise LudoportError(f"the number of workers must be at least 1, not {wanted}")
    if job.a.interactive or job.b.interactive:
        if wanted not in (None, 1):
            raise LudoportError(f"a person plays one game at a time; use one worker, not {wanted}")
        return 1
    if wanted is None:
        return _cores() if job.travels(script=False) else 1
    if wanted > 1 and not job.travels(script=True):
        job.packed()  # says what cannot be sent
        raise LudoportError(
            "other processes cannot import players that are defined in a session without a file; use workers=1, or "
            "define them in a module"
        )
    return wanted


def _cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
