"""Cells with all that a report says about them: intervals, tests, the published number, what kind of pair it is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ludoport.arena.statistics import WinLoss, wilson
from ludoport.studies.engine.cells import Cell, Setting, TableOrder
from ludoport.studies.report.statistics import LEVEL, holm, points_two_sided
from ludoport.studies.soemers.published import published
from ludoport.studies.soemers.report.facts import JobFacts
from ludoport.studies.soemers.report.jobs import Played, cell_jobs, games_of_cells
from ludoport.studies.soemers.report.pairs import Kind, kind_of_games, kind_of_pair, site_ratio


@dataclass(frozen=True)
class ShownCell:
    """One cell of a table, ready to be shown.

    Attributes:
        table: the family of games.
        setting: setting of the transfer.
        source: row.
        target: column.
        points: of the carried-over network, a draw being half a point.
        games: number of games.
        record: wins, draws and losses; None where only a percentage was printed.
        epochs: epochs of the source and the target network; None where unknown.
        published: the paper's win percentage for the same pair and setting.
        p: two-sided binomial test against 50 %.
        p_holm: the same, corrected for the number of cells in the report.
        job: name of the job in the study's store.
        seed: random seed of that job; None where unknown.
        commit: of the program that played.
        played: source and target with options, where the store has them; for pairs that the paper does not have.
    """

    table: str
    setting: Setting
    source: str
    target: str
    points: float
    games: int
    record: WinLoss | None = None
    epochs: tuple[int, int] | None = None
    published: float | None = None
    p: float = 1.0
    p_holm: float = 1.0
    job: str = ""
    seed: int | None = None
    commit: str = ""
    played: tuple[Played, Played] | None = None

    @property
    def percentage(self) -> float:
        """Win percentage, a draw being half a win."""
        return 100 * self.points / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval, in percent."""
        low, high = wilson(self.points, self.games)
        return 100 * low, 100 * high

    @property
    def mark(self) -> str:
        """``+`` or ``-`` where the score differs from 50 % significantly, doubled where it does after Holm."""
        if self.p > LEVEL:
            return ""
        return ("+" if self.percentage > 50 else "-") * (2 if self.p_holm <= LEVEL else 1)

    @property
    def kind(self) -> Kind:
        """Relation of the target to the source."""
        kind = kind_of_pair(self.table, self.source, self.target)
        return kind_of_games(*self.played) if kind == "unknown" and self.played is not None else kind

    @property
    def epoch_ratio(self) -> float | None:
        """Epochs of the source network over epochs of the target's own."""
        return None if self.epochs is None or min(self.epochs) < 1 else self.epochs[0] / self.epochs[1]

    @property
    def site_ratio(self) -> float | None:
        """Sites of the target over sites of the source."""
        return site_ratio(self.table, self.source, self.target)

    @property
    def pair(self) -> tuple[str, str, str]:
        """Family, source and target."""
        return self.table, self.source, self.target

    @property
    def name(self) -> str:
        """The pair in words."""
        return f"{self.table}: {self.source} → {self.target}"


def entries_of(cells: Iterable[Cell], tables: Sequence[TableOrder], jobs: Sequence[JobFacts] = ()) -> list[ShownCell]:
    """The cells of a study in the order of its tables, with tests, and with published numbers beside them.

    Args:
        cells: the cells that were played.
        tables: their order.
        jobs: those of the study, as far as they are known.
    """
    known = published()
    players, games = cell_jobs(jobs), games_of_cells(jobs)
    found = [
        ShownCell(
            cell.table,
            cell.setting,
            cell.source,
            cell.target,
            cell.wins + cell.draws / 2,
            cell.games,
            WinLoss(cell.wins, cell.draws, cell.losses),
            (cell.source_epochs, cell.target_epochs),
            known.value(cell.table, cell.setting, cell.source, cell.target),
            job=cell.job,
            seed=job.seed if job else None,
            commit=job.commit if job else "",
            played=games.get((cell.table, cell.job)),
        )
        for cell in cells
        for job in [players.get((cell.table, cell.job))]
    ]
    return with_tests(in_order(found, tables))


def published_entries() -> list[ShownCell]:
    """The paper's tables as if they were a study.

    The paper prints percentages of 300 games to two digits, so points are known to the half; how many games were
    drawn, and how long networks learned, is not.
    """
    known = published()
    return with_tests(
        ShownCell(table.family, table.setting, source, target, round(value / 100 * known.games * 2) / 2, known.games)
        for table in known.tables
        for (source, target), value in table.values.items()
    )


def published_orders() -> tuple[TableOrder, ...]:
    """Families, rows, columns and settings of the paper."""
    families = dict.fromkeys(table.family for table in published().tables)
    orders = []
    for family in families:
        tables = [table for table in published().tables if table.family == family]
        settings = tuple(table.setting for table in tables)
        orders.append(TableOrder(family, tables[0].rows, tables[0].columns, settings))
    return tuple(orders)


def in_order(entries: Iterable[ShownCell], tables: Sequence[TableOrder]) -> list[ShownCell]:
    """Entries by family, setting, row and column."""
    orders = {order.table: (number, order) for number, order in enumerate(tables)}

    def place(entry: ShownCell) -> tuple[int, int, int, int]:
        number, order = orders[entry.table]
        where = order.rows.index(entry.source), order.columns.index(entry.target)
        return number, order.settings.index(entry.setting), *where

    return sorted(entries, key=place)


def with_tests(entries: Iterable[ShownCell]) -> list[ShownCell]:
    """Entries with their tests, corrected for how many there are."""
    found = list(entries)
    values = [points_two_sided(entry.points, entry.games) for entry in found]
    return [
        replace(entry, p=p, p_holm=corrected) for entry, p, corrected in zip(found, values, holm(values), strict=True)
    ]


def by_pair(entries: Iterable[ShownCell], setting: Setting) -> dict[tuple[str, str, str], ShownCell]:
    """The entries of one setting by family, source and target."""
    return {entry.pair: entry for entry in entries if entry.setting == setting}


def mean(values: Sequence[float]) -> float:
    """The mean; NaN of nothing."""
    return math.fsum(values) / len(values) if values else math.nan
