"""``ludoport study banerjee-stone``: value features from Tic-Tac-Toe, carried to other games."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from ludoport.commands.common import Json, print_json
from ludoport.errors import LudoportError

EVERY = 20.0
"""Seconds between two lines of progress where nobody watches."""


def study_banerjee_stone(
    preset: Annotated[str, typer.Option("--preset", help="How large: tiny, small or paper.")] = "small",
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where results and the report go.")] = Path(
        "banerjee-stone"
    ),
    workers: Annotated[int, typer.Option("--workers", help="How many processes.")] = 2,
    plots: Annotated[bool, typer.Option("--plots/--no-plots", help="Draw the figures (needs matplotlib).")] = True,
    json: Json = False,
) -> None:
    """Repeat the experiments of Banerjee and Stone (2007); goes on where it was interrupted."""
    from ludoport.studies.banerjee_stone import PRESETS, make_plan, run_plan
    from ludoport.studies.banerjee_stone_report import write_report

    if preset not in PRESETS:
        raise LudoportError(f"there is no preset `{preset}`; there are {', '.join(PRESETS)}")
    if plots:
        _need_matplotlib()
    begin = time.monotonic()
    plan = make_plan(PRESETS[preset])
    done = run_plan(plan, out, workers=workers, report=_Progress(begin))
    report = write_report(plan, out, plots=plots)
    seconds = time.monotonic() - begin
    if json:
        total = len(plan.features) + len(plan.curves)
        print_json({"report": str(report), "jobs": total, "done_now": done, "seconds": round(seconds, 1)})
    else:
        typer.echo(f"{report} ({done} jobs done now, {seconds:.0f} s)")


def _need_matplotlib() -> None:
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise LudoportError('figures need matplotlib: pip install "ludoport[plots]", or use --no-plots') from None


class _Progress:
    """Says how far the study is: a line that changes on a terminal, otherwise now and then a new one."""

    def __init__(self, begin: float) -> None:
        self._begin = begin
        self._next = begin + EVERY

    def __call__(self, finished: int, total: int) -> None:
        now = time.monotonic()
        text = f"{finished} of {total} jobs, {now - self._begin:.0f} s"
        if sys.stderr.isatty():
            print(f"\r{text}", end="\n" if finished == total else "", file=sys.stderr, flush=True)
        elif now >= self._next:
            self._next = now + EVERY
            print(text, file=sys.stderr, flush=True)
