"""``ludoport compare``: runs side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludoport.commands.common import print_json
from ludoport.commands.options import Json, OutFileIfAny
from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from ludoport.selfplay.run import Run

SUFFIXES = (".png", ".svg", ".pdf")


def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    out: OutFileIfAny = None,
    json: Json = False,
) -> None:
    """Compare runs: losses, ratings and their curves.

    Prints a table of the runs, and their curves over the minutes of training. --out draws the curves over each other
    (PNG, SVG or PDF). Elo of different runs can be compared where they have the same game and opponent.
    """
    from ludoport.nets import require_torch

    require_torch()
    from ludoport.selfplay.comparison import compare as compared
    from ludoport.selfplay.comparison import curves, summary

    if out is not None and out.suffix not in SUFFIXES:
        raise LudoportError(f"{out}: a figure ends in {', '.join(SUFFIXES)}")
    found = compared(runs)
    if out is not None:
        _draw({one.label: one.run for one in found}, out)
    if json:
        print_json({"runs": [one.as_json() for one in found], "figure": None if out is None else str(out)})
        return
    for line in _aligned(summary(found), words=2):
        typer.echo(line)
    for title, rows in curves(found):
        typer.echo(f"\n{title}")
        for line in _aligned(rows):
            typer.echo(f"  {line}")
    if out is not None:
        typer.echo(f"\nfigure: {out}")


def _draw(runs: dict[str, Run], out: Path) -> None:
    from ludoport.selfplay.plots import plot_runs

    if not out.parent.is_dir():
        raise LudoportError(f"{out.parent}: no such folder")
    if plot_runs(runs, out) is None:
        raise LudoportError("figures need the package matplotlib: pip install 'ludoport[plots]'")


def _aligned(rows: Sequence[Sequence[str]], words: int = 0) -> Iterator[str]:
    """Rows in columns: the first ones are words, all others numbers."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        pairs = list(zip(row, widths, strict=True))
        cells = [cell.ljust(w) for cell, w in pairs[:words]] + [cell.rjust(w) for cell, w in pairs[words:]]
        yield "  ".join(cells).rstrip()
