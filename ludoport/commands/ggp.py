"""``ludoport ggp``: players and managers of the general game playing protocol."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludoport.commands import ggp_learn
from ludoport.commands.common import Json, Seed, at_least, print_json
from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from ludoport.ggp.match import Terms
    from ludoport.ggp.record import Record

app = typer.Typer(help="Play games written in GDL over the network.", no_args_is_help=True)

Sheet = Annotated[str, typer.Argument(metavar="GAME", help="A bundled rulesheet, or a path.")]
StartClock = Annotated[float, typer.Option("--startclock", help="Seconds before the first move.")]
PlayClock = Annotated[float, typer.Option("--playclock", help="Seconds for each move.")]
Grace = Annotated[float, typer.Option("--grace", help="Seconds by which an answer may be late.")]
Limit = Annotated[int, typer.Option("--limit", help="Most steps of a match.")]
Matches = Annotated[int, typer.Option("--matches", "-n", help="How many matches; players change seats in between.")]
Parallel = Annotated[int, typer.Option("--parallel", "-p", help="How many matches at once.")]
Out = Annotated[Path | None, typer.Option("--out", metavar="FOLDER", help="Where the records of matches go.")]
States = Annotated[bool, typer.Option("--states/--no-states", help="Whether records hold every state, or its hash.")]
Interpreter = Annotated[bool, typer.Option("--interpreter", help="Do not compile the game for the manager.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Say what happens.")]


@app.command()
def player(
    port: Annotated[int, typer.Option("--port", help="Where to listen; 0 lets the system choose.")] = 9147,
    host: Annotated[str, typer.Option("--host", help="On which address to listen; 0.0.0.0 for all.")] = "127.0.0.1",
    agent: Annotated[str, typer.Option("--agent", help="Who chooses; `ludoport ggp agents` lists them.")] = "uct",
    name: Annotated[str, typer.Option("--name", help="How the player calls itself.")] = "",
    matches: Annotated[int, typer.Option("--matches", help="Most matches at once.")] = 64,
    expire: Annotated[
        float, typer.Option("--expire", help="Seconds after which a match is given up whose manager is silent.")
    ] = 120.0,
    seed: Seed = 1,
    verbose: Verbose = False,
) -> None:
    """Take part in matches until interrupted."""
    from ludoport.ggp.player import serve_player
    from ludoport.ggp.settings import PlayerSettings

    if not 0 <= port < 65536:
        raise LudoportError(f"the port must be between 0 and 65535, not {port}")
    at_least("matches", matches, 1)
    at_least("expire", expire, 0)
    _log(verbose)
    settings = PlayerSettings(agent=agent, name=name, matches=matches, expire=expire, seed=seed)
    asyncio.run(serve_player(settings, host, port, lambda found: typer.echo(f"{agent} listens on {host}:{found}")))


@app.command()
def agents() -> None:
    """List the kinds of agents."""
    from ludoport.ggp.agent import kinds

    for kind in kinds():
        typer.echo(f"{kind.name:<10} {kind.usage}")


@app.command()
def manager(
    game: Sheet,
    players: Annotated[list[str], typer.Argument(metavar="HOST:PORT...", help="The players, in the order of roles.")],
    startclock: StartClock = 10.0,
    playclock: PlayClock = 5.0,
    grace: Grace = 0.5,
    limit: Limit = 1000,
    matches: Matches = 1,
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
    from ludoport.ggp.manager import Plan, load_sheet, manage
    from ludoport.ggp.match import Terms, address

    _log(verbose)
    terms = Terms(startclock, playclock, grace, limit, states=states)
    plan = Plan([address(text) for text in players], terms, matches, parallel, seed, _folder(out))
    rules, compiled = load_sheet(game, not interpreter)
    records = asyncio.run(manage(rules, plan, compiled, None if json else _tell))
    _print(records, json)


@app.command()
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
    parallel: Parallel = 1,
    seed: Seed = 1,
    out: Out = None,
    states: States = True,
    interpreter: Interpreter = False,
    json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Run matches between players that are started for them on this machine."""
    from ludoport.ggp.manager import load_sheet
    from ludoport.ggp.match import Terms

    _log(verbose)
    terms = Terms(startclock, playclock, grace, limit, states=states)
    at_least("matches", matches, 1)
    at_least("parallel", parallel, 1)
    folder = _folder(out)
    rules, compiled = load_sheet(game, not interpreter)
    records = asyncio.run(_local(rules, compiled, agent or [], terms, matches, parallel, seed, folder, json))
    _print(records, json)


async def _local(
    rules: Any, compiled: Any, agents: list[str], terms: Terms, matches: int, parallel: int, seed: int,
    folder: Path | None, json: bool,
) -> list[Record]:  # fmt: skip
    from ludoport.ggp.local import local_players
    from ludoport.ggp.manager import Plan, manage, roles_to_fill

    roles = roles_to_fill(rules)
    if len(agents) > len(roles):
        raise LudoportError(f"{rules.name} has {len(roles)} role(s) to fill, but {len(agents)} agents are given")
    chosen = [*agents, *["uct"] * (len(roles) - len(agents))]
    async with local_players(chosen, seed, game=compiled) as players:
        plan = Plan(players, terms, matches, parallel, seed, folder)
        return await manage(rules, plan, compiled, None if json else _tell)


def _folder(out: Path | None) -> Path | None:
    if out is not None and out.exists() and not out.is_dir():
        raise LudoportError(f"{out}: is not a folder")
    return out


def _log(verbose: bool) -> None:
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, format="%(message)s")


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


app.command("learn")(ggp_learn.ggp_learn)
