"""``ludoport demo``: train on a small board, transfer to a larger one, play; in a few minutes."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludoport.arena.statistics import Elo
from ludoport.commands.common import at_least, print_json
from ludoport.commands.options import GamesIfAny, Json, Minutes, OutFolder, Seed, option

if TYPE_CHECKING:
    from rich.console import Group

    from ludoport.studies.demo.study import Story

EVERY = 15.0
"""Seconds between two lines of progress when the output is not a terminal."""


def demo(
    out: OutFolder = Path("runs/demo"),
    minutes: Minutes = None,
    games: GamesIfAny = None,
    quick: Annotated[bool, option("--quick", help="Tiny boards and seconds of training, to try it out.")] = False,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Train on Hex 5x5, transfer to Hex 7x7, and play there.

    The opponent is a network trained on 7x7 for equally long.

    --minutes is the training time of each network (default: 2), --games the number of games between the two
    networks (default: 60).
    """
    from ludoport.nets import require_torch

    require_torch()
    from ludoport.studies.demo.report import verdict, write_report
    from ludoport.studies.demo.study import QUICK, Demo, run_demo, with_changes
    from ludoport.studies.report.page import REPORT, has_matplotlib

    if minutes is not None:
        at_least("minutes", minutes, 0.01)
    if games is not None:
        at_least("games", games, 2)
    plan = with_changes(QUICK if quick else Demo(), seed=seed, minutes=minutes, games=games)
    with _watching(json) as watch:
        story = run_demo(plan, out, watch)
        report = write_report(story, out / REPORT, plots=has_matplotlib())
    if json:
        results = [
            {"player": p.player, "against": p.against, "games": p.games, **vars(p.record), "score": p.record.score}
            for p in story.played()
        ]
        print_json({"report": str(report), "seconds": story.seconds, "results": results})
        return
    typer.echo(f"\n{verdict(story)}")
    typer.echo(f"report: {report} ({story.seconds / 60:.1f} minutes)")
    typer.echo(f"look at it in a browser: ludoport web {shlex.quote(str(out))}")


@contextmanager
def _watching(json: bool) -> Iterator[Callable[[Story], None]]:
    """A live table on a terminal, otherwise one line every 15 seconds."""
    if json:
        yield lambda story: None
        return
    if not sys.stdout.isatty():
        yield _Lines()
        return
    from rich.live import Live

    with Live(refresh_per_second=2) as live:
        yield lambda story: live.update(_view(story))


class _Lines:
    """Plain lines: one for each step, and the latest results every 15 seconds."""

    def __init__(self) -> None:
        self._step, self._next = "", 0.0

    def __call__(self, story: Story) -> None:
        step = story.step()
        if step != self._step:
            self._step, self._next = step, time.monotonic() + EVERY
            typer.echo(f"{story.seconds / 60:5.1f} min  {step}")
        elif time.monotonic() >= self._next:
            self._next = time.monotonic() + EVERY
            for words in news(story):
                typer.echo(f"{story.seconds / 60:5.1f} min    {words}")


def news(story: Story) -> Iterator[str]:
    """Lines about the step being done."""
    from ludoport.studies.demo.report import percent

    played = story.played()
    for match in played:
        told = percent(match.record) if match.record.games else match.note or "begins"
        yield f"{match.player} against {match.against}, {match.games} games: {told}"
    if played:
        return
    for board, run in story.runs().items():
        records = run.metrics()
        if records and records[-1]["policy_loss"] is not None:
            last = records[-1]
            known = Elo.from_json(last)
            elo = "" if known is None else f", Elo {known.short}"
            yield (
                f"Hex {board}: epoch {last['epoch']}, {last['evaluations_per_second']:,.0f} evaluations/s, "
                f"policy {last['policy_loss']:.3f}, value {last['value_loss']:.3f}{elo}"
            )


def _view(story: Story) -> Group:
    """The progress so far as tables."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from ludoport.selfplay.progress import COLUMNS, cells
    from ludoport.studies.demo.report import percent

    learning = Table("network", *COLUMNS, title="learning")
    for board, run in story.runs().items():
        records = run.metrics()
        learning.add_row(f"Hex {board}", *(cells(records[-1]) if records else ["compiling"]))
    parts: list[Text | Table] = [Text(f"{story.seconds / 60:.1f} min  {story.step()}"), learning]
    played = story.played()
    if played:
        playing = Table("player", "against", "games", "score", title=f"playing Hex {story.demo.large}")
        for match in played:
            told = percent(match.record) if match.record.games else match.note
            playing.add_row(match.player, match.against, str(match.games), told)
        parts.append(playing)
    return Group(*parts)
