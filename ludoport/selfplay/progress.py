"""The epochs of a running training, shown live."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

from ludoport.arena.statistics import Elo
from ludoport.progress import live

if TYPE_CHECKING:
    from rich.table import Table

Watch = Callable[[dict[str, Any]], None]

SHOWN = 12
"""Epochs that the table shows."""

COLUMNS = ("epoch", "minutes", "left", "games/s", "positions/s", "evaluations/s", "policy", "value", "Elo")


@contextmanager
def watching(progress: Watch | bool | None, title: str, stream: TextIO | None = None) -> Iterator[Watch]:
    """Callback after every epoch.

    Args:
        progress: a function that is called instead; True for a live table, False for none; default: a live table in a
            terminal or a notebook.
        title: of the table.
        stream: the terminal's stream; default: standard error.
    """
    if callable(progress):
        yield progress
        return
    shown: list[dict[str, Any]] = []
    with live(progress, stream=stream or sys.stderr, keep=True) as show:

        def watch(record: dict[str, Any]) -> None:
            shown.append(record)
            show(table(shown[-SHOWN:], title))

        yield watch


def table(records: list[dict[str, Any]], title: str) -> Table:
    """The last epochs as a table."""
    from rich.table import Table

    made = Table(title=title)
    for name in COLUMNS:
        made.add_column(name, justify="right")
    for record in records:
        made.add_row(*cells(record))
    return made


def cells(record: dict[str, Any]) -> list[str]:
    """Values shown for an epoch, in the order of ``COLUMNS``."""
    losses, elo = [record["policy_loss"], record["value_loss"]], Elo.from_json(record)
    return [
        str(record["epoch"]), f"{record['seconds'] / 60:.2f}", f"{record['seconds_left'] / 60:.1f}",
        f"{record['games_per_second']:.1f}", f"{record['positions_per_second']:.0f}",
        f"{record['evaluations_per_second']:,.0f}", *("" if loss is None else f"{loss:.3f}" for loss in losses),
        elo.short if elo else "",
    ]  # fmt: skip


def line(record: dict[str, Any]) -> str:
    """An epoch in one line."""
    loss = "waiting for games"
    if record["policy_loss"] is not None:
        loss = f"policy {record['policy_loss']:.3f} value {record['value_loss']:.3f}"
    known = Elo.from_json(record)
    elo = f"  Elo {known.short}" if known else ""
    crew = f"  {record['actors']} playing" if "actors" in record else ""
    return (
        f"epoch {record['epoch']:>4}  {record['seconds'] / 60:6.2f} min, {record['seconds_left'] / 60:.1f} left  "
        f"{record['games_per_second']:7.1f} games/s  {record['positions_per_second']:8.0f} positions/s  "
        f"{record['evaluations_per_second']:9.0f} evaluations/s  {loss}{elo}{crew}"
    )
