"""``ludoport demo``: learn on a small board, carry over to a larger one, play; in a few minutes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludoport.commands.common import Json, Seed, at_least, print_json

if TYPE_CHECKING:
    from rich.console import Group

    from ludoport.studies.demo import Story

EVERY = 15.0
"""Seconds between two lines where no terminal shows a table."""


def demo(
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where runs, report and picture go.")] = Path(
        "runs/demo"
    ),
    minutes: Annotated[float | None, typer.Option("--minutes", help="How long each network learns (2).")] = None,
    games: Annotated[int | None, typer.Option("--games", help="Games of the two networks (60).")] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Everything in seconds, on tiny boards; proves nothing.")
    ] = False,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Train on Hex 5x5, carry the network to Hex 7x7, and play it against one that learned there equally long."""
    from ludoport.nets import require_torch

    require_torch()
    from ludoport.studies.demo import QUICK, Demo, run_demo, with_changes
    from ludoport.studies.demo_report import verdict, write_report

    if minutes is not None:
        at_least("minutes", minutes, 0.01)
    if games is not None:
        at_least("games", games, 2)
    plan = with_changes(QUICK if quick else Demo(), seed=seed, minutes=minutes, games=games)
    with _watching(json) as watch:
        story = run_demo(plan, out, watch)
        report = write_report(story)
    if json:
        results = [
            {"player": p.player, "against": p.against, "games": p.games, **vars(p.record), "score": p.record.score}
            for p in story.played()
        ]
        print_json({"report": str(report), "seconds": story.seconds, "results": results})
        return
    typer.echo(f"\n{verdict(story)}")
    typer.echo(f"{report} tells more; it took {story.seconds / 60:.1f} minutes")


@contextmanager
def _watching(json: bool) -> Iterator[Callable[[Story], None]]:
    """A table that changes on a terminal, otherwise a line now and then."""
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
    """Plain lines: one for every step, and the latest news every few seconds."""

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
    """What there is to say about the step that is being done."""
    from ludoport.studies.demo_report import percent

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
            elo = "" if last["elo"] is None else f", {last['elo']:+.0f} Elo"
            yield (
                f"Hex {board}: epoch {last['epoch']}, {last['evaluations_per_second']:,.0f} evaluations/s, "
                f"policy {last['policy_loss']:.3f}, value {last['value_loss']:.3f}{elo}"
            )


def _view(story: Story) -> Group:
    """Everything so far, as tables."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from ludoport.commands.train import COLUMNS, cells
    from ludoport.studies.demo_report import percent

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
