"""``ludoport study banerjee-stone``: value features from Tic-Tac-Toe, carried to other games."""

from __future__ import annotations

import sys
import time

import typer

from ludoport.commands.common import print_json
from ludoport.commands.options import Json, Plots, StudyFolder, StudySize, Workers
from ludoport.errors import LudoportError

EVERY = 20.0
"""Seconds between two lines of progress when the output is not a terminal."""


def study_banerjee_stone(
    preset: StudySize = "small",
    out: StudyFolder = None,
    workers: Workers = 2,
    plots: Plots = True,
    json: Json = False,
) -> None:
    """Repeat Banerjee and Stone (2007): value features.

    Presets: tiny, small, paper. The same command resumes.
    """
    from ludoport.studies.banerjee_stone.plan import PRESETS, default_folder, make_plan, run_plan
    from ludoport.studies.banerjee_stone.report import write_report
    from ludoport.studies.report.page import REPORT, require_matplotlib

    if preset not in PRESETS:
        raise LudoportError(f"unknown preset `{preset}`; choose from {', '.join(PRESETS)}")
    if plots:
        require_matplotlib()
    begin = time.monotonic()
    plan = make_plan(PRESETS[preset])
    folder = out or default_folder(preset)
    done = run_plan(plan, folder, workers=workers, report=_Progress(begin))
    report = write_report(plan, folder, folder / REPORT, plots=plots)
    seconds = time.monotonic() - begin
    if json:
        print_json({"report": str(report), "jobs": len(plan.jobs), "done_now": done, "seconds": round(seconds, 1)})
    else:
        typer.echo(f"report: {report} ({done} jobs done now, {seconds:.0f} s)")


class _Progress:
    """Prints the number of finished jobs: a live line on a terminal, otherwise one line every 20 seconds."""

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
