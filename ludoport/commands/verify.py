"""``ludoport verify``: compare games with recorded reference data."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludoport.commands import gdl, verify_chess
from ludoport.commands.common import Json, at_least, print_json

if TYPE_CHECKING:
    from ludoport.verify.report import Result
    from ludoport.verify.run import Kind

app = typer.Typer(no_args_is_help=True, help="Compare games with recorded reference data.", rich_markup_mode=None)

Files = Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files of recorded data, named after variants.")]
LudRoot = Annotated[
    Path | None, typer.Option("--lud-root", metavar="DIR", help="Take the game texts from here, not the bundled ones.")
]
Variants = Annotated[
    Path | None,
    typer.Option("--variants", metavar="FILE", help="The list of variants; otherwise looked for near the data."),
]
Jobs = Annotated[int, typer.Option("--jobs", "-j", help="Give each variant its own process, this many at a time.")]
Limit = Annotated[
    float | None, typer.Option("--limit", metavar="SECONDS", help="Give up a variant after this time (with --jobs).")
]


@app.command()
def trace(
    files: Files,
    lud_root: LudRoot = None,
    variants: Variants = None,
    jobs: Jobs = 0,
    limit: Limit = None,
    json: Json = False,
) -> None:
    """Replay recorded trials: mover, legal moves, end, winner and utilities at every ply."""
    _verify("trace", files, lud_root, variants, jobs, limit, json)


@app.command()
def perft(
    files: Files,
    lud_root: LudRoot = None,
    variants: Variants = None,
    jobs: Jobs = 0,
    limit: Limit = None,
    json: Json = False,
) -> None:
    """Compare the number of move sequences at every recorded depth."""
    _verify("perft", files, lud_root, variants, jobs, limit, json)


@app.command()
def tensor(
    files: Files,
    lud_root: LudRoot = None,
    variants: Variants = None,
    jobs: Jobs = 0,
    limit: Limit = None,
    json: Json = False,
) -> None:
    """Compare state tensors, slots of moves, shapes and channel names."""
    _verify("tensor", files, lud_root, variants, jobs, limit, json)


@app.command()
def mapping(files: Files, lud_root: LudRoot = None, variants: Variants = None, json: Json = False) -> None:
    """Compare how the channels of two games correspond, for every recorded pair."""
    from ludoport.verify.mapping import compare_mappings

    _report("mapping", compare_mappings(files, lud_root, variants), json, unit="channels", trials="pairs")


app.command()(verify_chess.chess)
app.command("gdl")(gdl.verify_gdl)


def _verify(
    kind: Kind,
    files: list[Path],
    lud_root: Path | None,
    variants: Path | None,
    jobs: int,
    limit: float | None,
    json: bool,
) -> None:
    from ludoport.verify.run import UNITS, compare_all, plan

    at_least("jobs", jobs, 0)
    if limit is not None:
        at_least("limit", limit, 0.001)
    tasks = plan(kind, files, lud_root, variants)
    _report(kind, compare_all(tasks, jobs, limit), json, unit=UNITS[kind])


def _report(kind: str, found: Iterable[Result], json: bool, *, unit: str, trials: str = "trials") -> None:
    from ludoport.verify.report import summary

    results = []
    for result in found:
        results.append(result)
        if not json:
            typer.echo(result.line())
            if result.first is not None:
                typer.echo("     " + str(result.first).replace("\n", "\n     "))
    total = summary(results)
    if json:
        print_json({"verify": kind, "summary": total, "variants": [result.record() for result in results]})
    else:
        typer.echo(
            f"{total['agreeing_variants']} of {total['variants']} variants agree: {total['agreeing_trials']} of "
            f"{total['trials']} {trials}, {total['agreeing_checks']} of {total['checks']} {unit}"
        )
    if total["agreeing_variants"] < total["variants"]:
        raise typer.Exit(1)
