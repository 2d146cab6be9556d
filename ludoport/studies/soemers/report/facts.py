"""Facts for a report besides the cells: the training, jobs and machines behind the numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ludoport.errors import LudoportError
from ludoport.studies.engine.cells import SETTINGS, Cell, Setting, TableOrder

MOST_PAIRS = 10_000
"""Cells of a table; the largest one of the paper has 36."""

MOST_GAMES = 1_000_000
"""Games of a cell; the paper has 300."""


@dataclass(frozen=True)
class Learned:
    """Training of one network from scratch.

    Attributes:
        name: of its job.
        epochs: number of epochs.
        seconds: duration.
        games: of self-play.
        parameters: number of parameters of the network.
        device: device on which it learned.
    """

    name: str
    epochs: int
    seconds: float
    games: int
    parameters: int
    device: str = ""


@dataclass(frozen=True)
class JobFacts:
    """Facts about one job, so that every number can be traced.

    Attributes:
        study: to which it belongs.
        id: its name.
        kind: kind of the job.
        seed: random seed.
        params: everything else that decided the outcome.
        needs: jobs whose results it used.
        commit: of the program that did it.
        seconds: duration; None if it was not measured.
    """

    study: str
    id: str
    kind: str
    seed: int
    params: dict[str, Any]
    needs: tuple[str, ...] = ()
    commit: str = ""
    seconds: float | None = None


@dataclass(frozen=True)
class StudyFacts:
    """Facts about a study: the settings, machines and jobs behind its numbers.

    Attributes:
        name: of the study, as the command line has it ("variants/hex").
        preset: its size ("tiny", "small", "paper").
        tables: the families, in the order of the report.
        machine: processors and cards in words.
        workers: number of workers at the same time; several numbers if that changed.
        commit: of the program that played.
        version: of the program that played.
        minutes: that all jobs took together; None if it was not measured.
        seeds: random seeds.
        command: the line that makes the study again; several if several made it.
        training: the training of the networks, in one or two sentences.
        playing: the games that were played, in one or two sentences.
        caveats: limits of the findings, one sentence each.
        notes: anything else that a reader should know, one sentence each.
        learned: the networks that learned from nothing.
        jobs: all that were done.
        title: of the report; the name of the study if empty.
    """

    name: str
    preset: str
    tables: tuple[TableOrder, ...]
    machine: str = ""
    workers: str = ""
    commit: str = ""
    version: str = ""
    minutes: float | None = None
    seeds: tuple[int, ...] = ()
    command: str = ""
    training: str = ""
    playing: str = ""
    caveats: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    learned: tuple[Learned, ...] = ()
    jobs: tuple[JobFacts, ...] = ()
    title: str = ""


def table_orders(cells: Iterable[Cell]) -> tuple[TableOrder, ...]:
    """The orders in which cells come, for studies that define none."""
    found: dict[str, tuple[dict[str, None], dict[str, None], dict[Setting, None]]] = {}
    for cell in cells:
        rows, columns, settings = found.setdefault(cell.table, ({}, {}, {}))
        rows[cell.source] = columns[cell.target] = None
        settings[cell.setting] = None
    return tuple(
        TableOrder(table, *_square(list(rows), list(columns)), tuple(s for s in SETTINGS if s in settings))
        for table, (rows, columns, settings) in found.items()
    )


def _square(rows: list[str], columns: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Rows and columns; in one order where both are the same games."""
    if set(rows) == set(columns):
        return tuple(rows), tuple(rows)
    return tuple(rows), tuple(columns)


def check_cells(cells: Sequence[Cell], tables: Sequence[TableOrder]) -> None:
    """Refuse cells that no table has a place for, cells without games, and two cells for one place.

    Sizes that no study has are refused too: a file of a stranger could ask for any amount of work.
    """
    for table in tables:
        if len(table.rows) * len(table.columns) > MOST_PAIRS:
            size = f"{len(table.rows):,} rows and {len(table.columns):,} columns"
            raise LudoportError(f"the table `{table.table}` has {size}; a report has room for {MOST_PAIRS:,} cells")
    orders = {order.table: order for order in tables}
    seen: set[tuple[str, str, str, str]] = set()
    for cell in cells:
        name = f"{cell.table}, {cell.setting}, {cell.source} -> {cell.target}"
        order = orders.get(cell.table)
        if order is None:
            raise LudoportError(f"unknown table `{cell.table}` in this report; choose from {', '.join(orders)}")
        if cell.setting not in order.settings or cell.source not in order.rows or cell.target not in order.columns:
            raise LudoportError(f"the table has no place for the cell {name}")
        if min(cell.wins, cell.draws, cell.losses) < 0 or cell.games == 0:
            raise LudoportError(f"a cell needs at least one game and no negative counts: {name} has {_counts(cell)}")
        if cell.games > MOST_GAMES:
            raise LudoportError(f"the cell {name} has more than {MOST_GAMES:,} games")
        place = (cell.table, cell.setting, cell.source, cell.target)
        if place in seen:
            raise LudoportError(f"there are two cells for {name}; a table holds one")
        seen.add(place)


def _counts(cell: Cell) -> str:
    return f"+{cell.wins} ={cell.draws} -{cell.losses}"
