"""``ludoport match``: two players play each other."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludoport.arena.playing import LIMIT
from ludoport.commands.common import Json, Options, RulesetName, Seed, load_game, print_json
from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from ludoport.arena.result import MatchResult
    from ludoport.arena.sprt import Sprt

EVERY = 30.0
"""Seconds between two lines of progress where no terminal shows it."""

_PLAYER = "random, uct:SIMULATIONS, minimax:DEPTH, human ...; `ludoport match --players` describes them all."


def match(
    a: Annotated[str, typer.Argument(metavar="A", help=f"A player: {_PLAYER}")] = "",
    b: Annotated[str, typer.Argument(metavar="B", help="The other player.")] = "",
    game: Annotated[str, typer.Option("--game", "-g", metavar="GAME", help="A bundled game, or a path.")] = "",
    option: Options = None,
    ruleset: RulesetName = None,
    games: Annotated[
        int, typer.Option("--games", "-n", help="How many games; both players begin equally often.")
    ] = 100,
    seed: Seed = 1,
    workers: Annotated[int | None, typer.Option("--workers", help="Processes (as many as there are cores).")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="SQLite file that keeps all games; goes on with it.")
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option("--sprt", metavar="ELO0,ELO1[,ALPHA,BETA]", help="Stop as soon as this test has a verdict."),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", help="Longer games count as draws.")] = LIMIT,
    players: Annotated[bool, typer.Option("--players", help="List the kinds of players.")] = False,
    json: Json = False,
) -> None:
    """Let two players play each other and say who is stronger."""
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
    one, two = player(a), player(b)
    loaded = load_game(game, option, ruleset)
    label = " ".join([loaded.name, *(f"[{choice}]" for choice in [*(option or []), *([ruleset] if ruleset else [])])])
    with _progress(games, quiet=one.interactive or two.interactive) as show:
        latest: list[MatchResult] = []

        def update(result: MatchResult) -> None:
            latest[:] = [result]
            show(result)

        try:
            result = play_match(
                one, two, loaded, games, seed=seed, workers=workers, store=out, sprt=test, limit=limit, label=label,
                progress=update,
            )  # fmt: skip
        except KeyboardInterrupt:
            if latest:
                typer.echo(f"\n{latest[0]}", err=True)
                hint = f"{out} keeps these games; the same command goes on" if out else "without --out nothing is kept"
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


@contextmanager
def _progress(games: int, quiet: bool) -> Iterator[Callable[[MatchResult], None]]:
    """A line with the score so far: one that changes on a terminal, otherwise a new one every half minute."""
    if quiet:
        yield lambda result: None
        return
    if not sys.stderr.isatty():
        yield _Log()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (BarColumn(20), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as line:
        task = line.add_task("", total=games)
        yield lambda result: line.update(task, completed=result.record.games, description=_score(result))


class _Log:
    """Writes the score so far, but not too often."""

    def __init__(self) -> None:
        self._next = time.monotonic() + EVERY

    def __call__(self, result: MatchResult) -> None:
        if time.monotonic() >= self._next and not result.complete:
            self._next = time.monotonic() + EVERY
            typer.echo(f"{result.record.games} of {result.games} games: {_score(result)}", err=True)


def _score(result: MatchResult) -> str:
    """The score so far, in one line."""
    record = result.record
    if not record.games:
        return "no game has ended yet"
    low, high = record.interval()
    llr = "" if result.sprt is None else f", LLR {result.sprt.llr(record):.2f}"
    return f"{record}, {100 * record.score:.1f} % ({100 * low:.1f} to {100 * high:.1f} %){llr}"
