"""``ludoport match``: players play each other."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludoport.arena.playing import LIMIT
from ludoport.arena.progress import watching
from ludoport.commands.common import load_game, print_json
from ludoport.commands.options import (
    Games,
    Json,
    Limit,
    MatchGame,
    Options,
    OutFileIfAny,
    Ray,
    RayAddress,
    RulesetName,
    Seed,
    WorkersOrCores,
    address_of,
    option,
)
from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from ludoport.arena.result import MatchResult
    from ludoport.arena.sprt import Sprt
    from ludoport.arena.table import TableResult

EVERY = 30.0
"""Seconds between two lines of progress where no terminal shows it."""

_PLAYER = "random, uct:SIMULATIONS, minimax:DEPTH, human ... (see --players)."


def match(
    a: Annotated[str, typer.Argument(metavar="A", help=f"Player: {_PLAYER}")] = "",
    b: Annotated[str, typer.Argument(metavar="B", help="Second player.")] = "",
    others: Annotated[list[str] | None, typer.Argument(metavar="C...", help="Third player and further ones.")] = None,
    game: MatchGame = "",
    option: Options = None,
    ruleset: RulesetName = None,
    games: Games = 100,
    seed: Seed = 1,
    workers: WorkersOrCores = None,
    out: OutFileIfAny = None,
    sprt: Annotated[
        str | None, option("--sprt", metavar="ELO0,ELO1[,ALPHA,BETA]", help="Sequential test that may stop the match.")
    ] = None,
    limit: Limit = LIMIT,
    ray: Ray = False,
    ray_address: RayAddress = None,
    players: Annotated[bool, option("--players", help="List the kinds of players.")] = False,
    json: Json = False,
) -> None:
    """Play a match and test which player is stronger.

    Two players start equally often; three and more have all seatings in turn, and a score each. Games longer than
    --limit count as draws. --out is an SQLite file that keeps all games of two players; the same command resumes from
    it.
    """
    from ludoport.arena.match import match as play_match
    from ludoport.arena.players import kinds, player

    if players:
        for kind in kinds():
            typer.echo(f"{kind.name:<10} {kind.usage}")
        return
    if not a or not b:
        raise LudoportError("a match needs two players, as in `ludoport match uct:800 random --game Hex`")
    if not game:
        raise LudoportError("a match needs a game, as in `--game Hex`")
    test = read_sprt(sprt)
    one, two, more = player(a), player(b), [player(text) for text in others or []]
    loaded = load_game(game, option, ruleset)
    label = " ".join([loaded.name, *(f"[{choice}]" for choice in [*(option or []), *([ruleset] if ruleset else [])])])
    how: dict[str, Any] = {"seed": seed, "workers": workers, "limit": limit, "label": label}
    if not more:
        how |= {"store": out, "sprt": test, "ray_address": address_of(ray, ray_address)}
    elif out is not None or test is not None or address_of(ray, ray_address) is not None:
        raise LudoportError("only matches of two players have --out, --sprt and Ray")
    else:
        how["others"] = more
    with _progress(any(each.interactive for each in (one, two, *more))) as show:
        latest: list[MatchResult | TableResult] = []

        def update(result: MatchResult | TableResult) -> None:
            latest[:] = [result]
            show(result)

        try:
            result: MatchResult | TableResult = play_match(one, two, loaded, games, progress=update, **how)
        except KeyboardInterrupt:
            if latest:
                typer.echo(f"\n{latest[0]}", err=True)
                hint = f"{out} keeps these games; the same command resumes" if out else "without --out nothing is kept"
                typer.echo(f"  interrupted; {hint}", err=True)
            raise
    if json:
        print_json(result.as_json())
    else:
        typer.echo(str(result))


def read_sprt(text: str | None) -> Sprt | None:
    """The sequential test that was asked for."""
    from ludoport.arena.sprt import Sprt

    if text is None:
        return None
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (2, 4):
        raise LudoportError(f"--sprt is `{text}`; it is written ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA, as in `0,10`")
    return Sprt(*numbers)


def _progress(quiet: bool) -> AbstractContextManager[Callable[[Any], None]]:
    """The score so far: one line that changes on a terminal, otherwise a new line every half minute."""
    if quiet or sys.stderr.isatty():
        return watching(False if quiet else None)
    return nullcontext(_Log())


class _Log:
    """Writes the score so far, but not too often."""

    def __init__(self) -> None:
        self._next = time.monotonic() + EVERY

    def __call__(self, result: MatchResult | TableResult) -> None:
        if time.monotonic() >= self._next and not result.complete:
            self._next = time.monotonic() + EVERY
            typer.echo(f"{result.ended} of {result.games} games: {result.line}", err=True)
