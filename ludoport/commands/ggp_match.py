"""``ludoport ggp manager`` and ``ludoport ggp match``: matches between players on the network or on this machine."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludoport.commands.common import Json, Seed, at_least, print_json
from ludoport.commands.ggp_player import Verbose, log
from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.gdl import GdlRules
    from ludoport.ggp.manager import Plan
    from ludoport.ggp.match import Address, Terms
    from ludoport.ggp.record import Record

    Seating = Callable[[GdlRules, Game | None], AbstractAsyncContextManager[list[Address]]]
    Planning = Callable[[list[Address]], Plan]

Sheet = Annotated[str, typer.Argument(metavar="GAME", help="A bundled rulesheet, or a path.")]
StartClock = Annotated[float, typer.Option("--startclock", help="Seconds before the first move.")]
PlayClock = Annotated[float, typer.Option("--playclock", help="Seconds for each move.")]
Grace = Annotated[float, typer.Option("--grace", help="Seconds by which an answer may be late.")]
Limit = Annotated[int, typer.Option("--limit", help="Most steps of a match.")]
Matches = Annotated[int, typer.Option("--matches", "-n", help="How many matches; players change seats in between.")]
Rotate = Annotated[bool, typer.Option("--rotate/--no-rotate", help="Whether players change seats between matches.")]
Parallel = Annotated[int, typer.Option("--parallel", "-p", help="How many matches at once.")]
Out = Annotated[Path | None, typer.Option("--out", metavar="FOLDER", help="Where the records of matches go.")]
States = Annotated[bool, typer.Option("--states/--no-states", help="Whether records hold every state, or its hash.")]
Interpreter = Annotated[bool, typer.Option("--interpreter", help="Do not compile the game for the manager.")]


def manager(
    game: Sheet,
    players: Annotated[list[str], typer.Argument(metavar="HOST:PORT...", help="The players, in the order of roles.")],
    startclock: StartClock = 10.0,
    playclock: PlayClock = 5.0,
    grace: Grace = 0.5,
    limit: Limit = 1000,
    matches: Matches = 1,
    rotate: Rotate = True,
    parallel: Parallel = 1,
    seed: Seed = 1,
    out: Out = None,
    states: States = True,
    interpreter: Interpreter = False,
    json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Run matches between players on the network.

    A move that is missing, late or not legal is replaced by a random legal one, and recorded as a mistake.
    """
    from ludoport.ggp.match import Terms, address

    @asynccontextmanager
    async def seated(rules: GdlRules, compiled: Game | None) -> AsyncIterator[list[Address]]:
        del rules, compiled
        yield listed

    log(verbose)
    terms = Terms(startclock, playclock, grace, limit, states=states)
    listed = [address(text) for text in players]
    _run(game, seated, _planning(terms, matches, rotate, parallel, seed, out), interpreter, json)


def match(
    game: Sheet,
    agent: Annotated[
        list[str] | None, typer.Option("--agent", "-a", help="Who plays the next role (uct); once for each role.")
    ] = None,
    startclock: StartClock = 10.0,
    playclock: PlayClock = 2.0,
    grace: Grace = 0.5,
    limit: Limit = 1000,
    matches: Matches = 1,
    rotate: Rotate = True,
    parallel: Parallel = 1,
    seed: Seed = 1,
    out: Out = None,
    states: States = True,
    interpreter: Interpreter = False,
    json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Run matches between players that are started for them on this machine."""
    from ludoport.ggp.local import local_players
    from ludoport.ggp.manager import roles_to_fill
    from ludoport.ggp.match import Terms

    @asynccontextmanager
    async def seated(rules: GdlRules, compiled: Game | None) -> AsyncIterator[list[Address]]:
        roles, given = len(roles_to_fill(rules)), agent or []
        if len(given) > roles:
            raise LudoportError(f"{rules.name} has {roles} role(s) to fill, but {len(given)} agents are given")
        async with local_players([*given, *["uct"] * (roles - len(given))], seed, game=compiled) as players:
            yield players

    log(verbose)
    terms = Terms(startclock, playclock, grace, limit, states=states)
    _run(game, seated, _planning(terms, matches, rotate, parallel, seed, out), interpreter, json)


def _planning(
    terms: Terms, matches: int, rotate: bool, parallel: int, seed: int, out: Path | None
) -> Planning:  # fmt: skip
    """What is to be done, as soon as the players are known."""
    from ludoport.ggp.manager import Plan

    at_least("matches", matches, 1)
    at_least("parallel", parallel, 1)
    if out is not None and out.exists() and not out.is_dir():
        raise LudoportError(f"{out}: is not a folder")
    return lambda players: Plan(players, terms, matches, parallel, seed, out, rotate)


def _run(game: str, seating: Seating, planning: Planning, interpreter: bool, json: bool) -> None:
    from ludoport.ggp.manager import load_sheet, manage

    rules, compiled = load_sheet(game, not interpreter)

    async def run() -> list[Record]:
        async with seating(rules, compiled) as players:
            return await manage(rules, planning(players), compiled, None if json else _tell)

    _print(asyncio.run(run()), json)


def _tell(record: Record) -> None:
    """One line for each match."""
    parts = []
    for role, player, goal in zip(record.roles, record.players, record.goals or [None] * 99, strict=False):
        who = "the manager" if player is None else player["name"]
        parts.append(f"{role} ({who}) {'-' if goal is None else goal}")
    wrong = len(record.mistakes())
    extra = f", {wrong} mistake(s)" if wrong else ""
    why = "" if record.ended == "terminal" else f", ended by {record.ended}"
    typer.echo(f"{record.match}: {', '.join(parts)} in {len(record.steps)} steps{why}{extra}")


def _print(records: list[Record], json: bool) -> None:
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
        typer.echo(f"  {row['player']}: mean goal {mean} in {row['matches']} match(es), {row['mistakes']} mistake(s)")
