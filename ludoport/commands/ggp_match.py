"""``ludoport ggp manager`` and ``ludoport ggp match``: matches between players on the network or on this machine."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludoport.commands.common import at_least, counted, print_json
from ludoport.commands.ggp_player import log
from ludoport.commands.options import (
    GgpPlayers,
    Interpreter,
    Json,
    Limit,
    Matches,
    OutFolderIfAny,
    Parallel,
    PlayClock,
    Seed,
    StartClock,
    Verbose,
    option,
)
from ludoport.errors import LudoportError
from ludoport.ggp.terms import Terms

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.gdl import GdlRules
    from ludoport.ggp.manager import Series
    from ludoport.ggp.match import Address
    from ludoport.ggp.record import MatchRecord

    Seating = Callable[[GdlRules, Game | None], AbstractAsyncContextManager[list[Address]]]
    Planning = Callable[[list[Address]], Series]

Sheet = Annotated[str, typer.Argument(metavar="GAME", help="Name of a bundled rulesheet, or a file.")]
Grace = Annotated[float, option("--grace", help="Seconds by which an answer may be late.")]
Rotate = Annotated[bool, option("--rotate/--no-rotate", help="Change seats between matches.")]
States = Annotated[bool, option("--states/--no-states", help="Record every state, or only its hash.")]

TERMS = Terms()
"""The defaults of clocks and limits."""


def manager(
    game: Sheet,
    players: Annotated[
        list[str], typer.Argument(metavar="HOST:PORT...", help="Addresses of the players, in the order of roles.")
    ],
    startclock: StartClock = TERMS.startclock,
    playclock: PlayClock = TERMS.playclock,
    grace: Grace = TERMS.grace,
    limit: Limit = TERMS.limit,
    matches: Matches = 1,
    rotate: Rotate = True,
    parallel: Parallel = 1,
    seed: Seed = 1,
    out: OutFolderIfAny = None,
    states: States = True,
    interpreter: Interpreter = False,
    json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Run matches between players on the network.

    Fails if no player listens at an address. During a match, a move that is missing, late or illegal is replaced by a
    random legal one and recorded as a mistake.
    """
    from ludoport.ggp.client import require_listening
    from ludoport.ggp.manager import roles_to_fill
    from ludoport.ggp.match import address

    @asynccontextmanager
    async def seated(rules: GdlRules, compiled: Game | None) -> AsyncIterator[list[Address]]:
        del compiled
        roles = len(roles_to_fill(rules))
        if len(listed) != roles:
            raise LudoportError(f"{rules.name} needs {counted(roles, 'player')}, not {len(listed)}")
        await asyncio.gather(*(require_listening(player.host, player.port) for player in listed))
        yield listed

    log(verbose)
    terms = Terms(startclock, playclock, grace, limit, states=states)
    listed = [address(text) for text in players]
    _run(game, seated, _planning(terms, matches, rotate, parallel, seed, out), interpreter, json)


def match(
    game: Sheet,
    player: GgpPlayers = None,
    startclock: StartClock = TERMS.startclock,
    playclock: PlayClock = TERMS.playclock,
    grace: Grace = TERMS.grace,
    limit: Limit = TERMS.limit,
    matches: Matches = 1,
    rotate: Rotate = True,
    parallel: Parallel = 1,
    seed: Seed = 1,
    out: OutFolderIfAny = None,
    states: States = True,
    interpreter: Interpreter = False,
    json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Run matches between players on this machine. Give one --player for each role."""
    from ludoport.ggp.local import local_players
    from ludoport.ggp.manager import roles_to_fill

    @asynccontextmanager
    async def seated(rules: GdlRules, compiled: Game | None) -> AsyncIterator[list[Address]]:
        roles, given = len(roles_to_fill(rules)), player or []
        if len(given) > roles:
            raise LudoportError(
                f"{rules.name} has {counted(roles, 'role')} to fill, but {counted(len(given), 'player')} given"
            )
        async with local_players([*given, *["uct"] * (roles - len(given))], seed, game=compiled) as players:
            yield players

    log(verbose)
    terms = Terms(startclock, playclock, grace, limit, states=states)
    _run(game, seated, _planning(terms, matches, rotate, parallel, seed, out), interpreter, json)


def _planning(
    terms: Terms, matches: int, rotate: bool, parallel: int, seed: int, out: Path | None
) -> Planning:  # fmt: skip
    """The plan of the matches, given the players."""
    from ludoport.ggp.manager import Series

    at_least("matches", matches, 1)
    at_least("parallel", parallel, 1)
    if out is not None and out.exists() and not out.is_dir():
        raise LudoportError(f"{out} is a file, not a folder; choose another --out")
    return lambda players: Series(players, terms, matches, parallel, seed, out, rotate)


def _run(game: str, seating: Seating, planning: Planning, interpreter: bool, json: bool) -> None:
    from ludoport.ggp.manager import load_sheet, manage

    rules, compiled = load_sheet(game, not interpreter)

    async def run() -> list[MatchRecord]:
        async with seating(rules, compiled) as players:
            return await manage(rules, planning(players), compiled, None if json else _tell)

    _print(asyncio.run(run()), json)


def _tell(record: MatchRecord) -> None:
    """One line for each match."""
    parts = []
    for role, player, goal in zip(record.roles, record.players, record.goals or [None] * 99, strict=False):
        who = "the manager" if player is None else player["name"]
        parts.append(f"{role} ({who}) {'-' if goal is None else goal}")
    wrong = len(record.mistakes())
    extra = f", {counted(wrong, 'mistake')}" if wrong else ""
    why = "" if record.ended == "terminal" else f", ended by {record.ended}"
    typer.echo(f"{record.match}: {', '.join(parts)} in {len(record.steps)} steps{why}{extra}")


def _print(records: list[MatchRecord], json: bool) -> None:
    from ludoport.ggp.record import standings

    table = standings(records)
    if json:
        shown = [{k: v for k, v in record.as_json().items() if k not in ("steps", "final")} for record in records]
        for short, record in zip(shown, records, strict=True):
            short |= {"n_steps": len(record.steps), "mistakes": len(record.mistakes()), "longest": record.longest()}
        print_json({"matches": shown, "players": table})
        return
    for row in table:
        mean = "-" if row["mean_goal"] is None else f"{row['mean_goal']:.1f}"
        matches, mistakes = counted(row["matches"], "match"), counted(row["mistakes"], "mistake")
        typer.echo(f"  {row['player']}: mean goal {mean} in {matches}, {mistakes}")
