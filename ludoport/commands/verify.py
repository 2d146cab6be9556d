"""``ludoport verify``: compare games with recorded reference data."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludoport.commands import gdl, verify_chess
from ludoport.commands.common import at_least, print_json
from ludoport.commands.options import Jobs, Json, Timeout, option

if TYPE_CHECKING:
    from ludoport.verify.report import FileComparison
    from ludoport.verify.run import Kind

app = typer.Typer(no_args_is_help=True, help="Compare games with recorded reference data.", rich_markup_mode=None)

Files = Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files of recorded data, named after variants.")]
LudRoot = Annotated[
    Path | None, option("--lud-root", metavar="FOLDER", help="Folder of game files.", default="the bundled games")
]
Variants = Annotated[
    Path | None, option("--variants", metavar="FILE", help="List of variants.", default="found near the data")
]


SUMMARIES: dict[Kind, str] = {
    "trace": "Replay recorded trials. Compares mover and legal moves at every ply, then result, scores and pieces.\n\n"
    "Short records are replayed in plain Python, all others in machine code; LUDOPORT_JIT=1 compiles always, 0 never.",
    "perft": "Compare numbers of move sequences.",
    "tensor": "Compare state tensors, move slots and channels.",
    "chance": "Replay recorded trials of games with chance. Every draw has its recorded outcome.",
}
"""Commands that take the same options, and what each does."""


def _command(kind: Kind) -> None:
    def command(
        files: Files,
        lud_root: LudRoot = None,
        variants: Variants = None,
        jobs: Jobs = 0,
        timeout: Timeout = None,
        json: Json = False,
    ) -> None:
        _verify(kind, files, lud_root, variants, jobs, timeout, json)

    command.__doc__ = SUMMARIES[kind]
    app.command(kind)(command)


for _kind in SUMMARIES:
    _command(_kind)


@app.command()
def mapping(files: Files, lud_root: LudRoot = None, variants: Variants = None, json: Json = False) -> None:
    """Compare mappings of channels between games."""
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
    timeout: float | None,
    json: bool,
) -> None:
    from ludoport.verify.run import UNITS, compare_all, plan

    at_least("jobs", jobs, 0)
    if timeout is not None:
        at_least("timeout", timeout, 0.001)
    tasks = plan(kind, files, lud_root, variants)
    _report(kind, compare_all(tasks, jobs, timeout), json, unit=UNITS[kind])


def _report(kind: str, found: Iterable[FileComparison], json: bool, *, unit: str, trials: str = "trials") -> None:
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
