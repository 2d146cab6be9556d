"""Matches: many games between players, in parallel, stored as they end, resumed where they stopped."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from ludoport.arena.on_ray import play_on_ray
from ludoport.arena.player import Player
from ludoport.arena.players import as_player
from ludoport.arena.playing import LIMIT, PlayedGame, pairing
from ludoport.arena.progress import watching
from ludoport.arena.result import MatchResult, Tally
from ludoport.arena.sprt import Sprt
from ludoport.arena.storage import MatchEntry, MatchStore
from ludoport.arena.table import TableResult, TableTally, play_table
from ludoport.arena.workers import MatchJob, play_apart, play_here
from ludoport.errors import LudoportError
from ludoport.game import Game, as_game
from ludoport.search.chance import has_chance

if TYPE_CHECKING:
    from ludoport.game import Move, State


Given = Player | str | Callable[["State"], "Move | str"]
"""A player, its text, or a function that returns a move of a state."""


@overload
def match(
    a: Given,
    b: Given,
    game: Game | str | Path,
    games: int = 100,
    *,
    others: None = None,
    options: Sequence[str] = (),
    seed: int = 1,
    workers: int | None = None,
    store: str | Path | None = None,
    sprt: Sprt | None = None,
    limit: int = LIMIT,
    label: str | None = None,
    progress: Callable[[MatchResult], None] | bool | None = None,
    ray_address: str | None = None,
) -> MatchResult: ...


@overload
def match(
    a: Given,
    b: Given,
    game: Game | str | Path,
    games: int = 100,
    *,
    others: Sequence[Given],
    options: Sequence[str] = (),
    seed: int = 1,
    workers: int | None = None,
    limit: int = LIMIT,
    label: str | None = None,
    progress: Callable[[TableResult], None] | bool | None = None,
) -> TableResult: ...


def match(
    a: Given,
    b: Given,
    game: Game | str | Path,
    games: int = 100,
    *,
    others: Sequence[Given] | None = None,
    options: Sequence[str] = (),
    seed: int = 1,
    workers: int | None = None,
    store: str | Path | None = None,
    sprt: Sprt | None = None,
    limit: int = LIMIT,
    label: str | None = None,
    progress: Callable[[Any], None] | bool | None = None,
    ray_address: str | None = None,
) -> MatchResult | TableResult:
    """Let players play each other; with two, a moves first in games 0, 2, 4 ..., b in the others.

    Game k depends only on the match's seed and on k, as far as the players depend on nothing but their seeds. Dice are
    mirrored: games 2k and 2k + 1 have the same luck, so that each player once has the luck of each seat. An
    interrupted match keeps the games that ended; the same call with the same store plays what is missing.

    In games of three or more players, ``others`` names the players beside a and b. All seatings are played in turn, and
    the result has a score for each player.

    Args:
        a: a player, its text such as ``uct:800``, or a function that returns a move of a state.
        b: the second player.
        game: a game, its name, or the path of its file.
        games: number of games; with a multiple of the number of seatings (2 for two players, 6 for three) all have each
            seat equally often.
        others: the third player and those after it.
        options: options of the game, if it is given by name.
        seed: random seed.
        workers: processes; default: one a core, or this process alone if a player is defined in the script or session
            that calls this; 1: this process alone.
        store: the SQLite file that keeps the games of two players; it may hold other matches as well.
        sprt: stop as soon as this test of two players has a verdict; ``games`` is then the maximum.
        limit: moves after which an unfinished game counts as a draw.
        label: the game's name in the results; default: its title.
        progress: show a line with the score so far; default: in a terminal and in a notebook. A function is called with
            the result so far instead, at the start and after every game.
        ray_address: the Ray cluster whose processors play (``auto``, ``HOST:PORT``), or ``local``; default: processes
            of this machine.

    Example:
        >>> import ludoport as lp
        >>> game = lp.load("Tic-Tac-Toe", jit=False)
        >>> match("minimax:2", lambda state: state.moves()[0], game, games=10, workers=1).record.games
        10
    """
    a, b, game = as_player(a), as_player(b), as_game(game, options)
    players = (a, b, *map(as_player, others or ()))
    _check(game, players, games, seed, limit)
    job = MatchJob(game, players, limit)
    if ray_address is not None and workers is not None:
        raise LudoportError("Ray has as many workers as processors; leave out the number of workers")
    count = _workers(workers, job)
    if len(players) > 2:
        if store is not None or sprt is not None:
            raise LudoportError("only matches of two players are stored and tested; leave out `store` and `sprt`")
        if ray_address is not None:
            raise LudoportError("only matches of two players are played on Ray")
        return _table(
            job,
            TableTally(label or game.title, players, games, seed, limit, has_chance(game)),
            games,
            seed,
            count,
            progress,
        )
    entry = MatchEntry(label or game.title, game.rules.fingerprint, a.spec, b.spec, a.identity, b.identity, seed, limit)
    quiet = False if a.interactive or b.interactive else None
    with MatchStore(store) as file, watching(quiet if progress is None else progress) as watch:
        number = file.enter(entry)
        tally = Tally(entry, games, sprt, file.path, mirrored=has_chance(game))
        for played in file.games(number):
            tally.add(played)
        watch(tally.result())
        if tally.decided:
            return tally.result()
        with closing(_play(job, seed, tally.missing(), count, ray_address)) as results:
            for played in results:
                file.add(number, played)
                tally.add(played)
                watch(tally.result())
                if tally.decided:
                    break
        return tally.result()


def _table(
    job: MatchJob, tally: TableTally, games: int, seed: int, workers: int, progress: Callable[[Any], None] | bool | None
) -> TableResult:
    """Play a match of three or more players."""
    quiet = False if any(player.interactive for player in job.players) else None
    with watching(quiet if progress is None else progress) as watch:
        play_table(job, tally, games, seed, workers, watch)
    return tally.result()


def _play(
    job: MatchJob, seed: int, missing: list[int], workers: int, address: str | None
) -> Generator[PlayedGame, None, None]:
    pairs = [pairing(seed, number) for number in missing]
    here = play_here(job, pairs) if workers == 1 else play_apart(job, pairs, workers)
    with closing(here if address is None else play_on_ray(job, pairs, address)) as results:
        for played in results:
            assert isinstance(played, PlayedGame)
            yield played


def _check(game: Game, players: Sequence[Player], games: int, seed: int, limit: int) -> None:
    if game.n_players < 2:
        raise LudoportError(f"a match is between two or more players; {game.name} has {game.n_players}")
    if game.n_players != len(players):
        hint = "; name the others too (`others`)" if game.n_players > len(players) else ""
        raise LudoportError(
            f"a match needs a player for each seat: {game.name} has {game.n_players} players, and {len(players)} were "
            f"given{hint}"
        )
    for name, value in (("number of games", games), ("limit of moves", limit)):
        if value < 1:
            raise LudoportError(f"the {name} must be at least 1, not {value}")
    if not 0 <= seed < 2**63:
        raise LudoportError(f"the seed must be between 0 and 2 ** 63 - 1, not {seed}")


def _workers(wanted: int | None, job: MatchJob) -> int:
    """The number of processes."""
    if wanted is not None and wanted < 1:
        raise LudoportError(f"the number of workers must be at least 1, not {wanted}")
    if any(player.interactive for player in job.players):
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
