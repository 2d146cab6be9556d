"""The paper's tables: one for each family and setting, as a part of reports."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from ludoport.studies.engine.cells import Setting, TableOrder
from ludoport.studies.report.blocks import markdown_rows
from ludoport.studies.report.draw import blend
from ludoport.studies.soemers.published import published
from ludoport.studies.soemers.report.entries import ShownCell

LONGEST = 150
"""Most characters of the name of a file."""

LEGEND = (
    "Bold: win percentage of the carried-over network, a draw being half a win; below it Wilson's 95 % interval, and "
    "in italics the published number where there is one. + and −: different from 50 % (two-sided binomial test, 5 %); "
    "++ and −−: also after Holm's correction for all cells of the report."
)
"""Legend of the tables."""


@dataclass(frozen=True)
class TransferTable:
    """One table of win percentages.

    Attributes:
        order: rows and columns.
        setting: setting of the transfer.
        entries: known entries, by source and target.
    """

    order: TableOrder
    setting: Setting
    entries: dict[tuple[str, str], ShownCell]

    @property
    def title(self) -> str:
        """Family and setting, with the number of the paper's table if that has some of the pairs."""
        printed = published().table(self.order.table, self.setting)
        known = printed is not None and any(pair in printed.values for pair in self.order.pairs)
        number = f" (Table {printed.number} of the paper)" if printed and known else ""
        return f"{self.order.table[:1].upper()}{self.order.table[1:]}, {self.setting}{number}"

    @property
    def stem(self) -> str:
        """The name of its files, without ending."""
        words = re.sub(r"->", "to", f"{self.order.table} {self.setting}").lower()
        return re.sub(r"[^a-z0-9]+", "-", words).strip("-")[:LONGEST]

    @property
    def beside(self) -> bool:
        """Whether some cell has a published number beside it."""
        return any(entry.published is not None for entry in self.entries.values())

    def at(self, source: str, target: str) -> ShownCell | None:
        """The cell of a pair, if it was played."""
        return self.entries.get((source, target))

    def published_at(self, source: str, target: str) -> float | None:
        """The published number of a pair, also where it was not played yet; None in reports without any."""
        return published().value(self.order.table, self.setting, source, target) if self.beside else None

    def is_pair(self, source: str, target: str) -> bool:
        """Whether a pair belongs into the table; a game is not transferred to itself."""
        return self.order.is_pair(source, target)

    def markdown(self) -> Iterator[str]:
        """Lines of Markdown: ours in bold with mark and interval, the published number in italics below."""
        head = ["source \\ target", *self.order.columns]
        rows = ([source, *(_markdown(self, source, target) for target in head[1:])] for source in self.order.rows)
        yield from markdown_rows(head, rows)

    def html(self) -> str:
        """The same for a page, coloured by win percentage."""
        head = "".join(f"<th>{escape(name)}</th>" for name in self.order.columns)
        lines = []
        for source in self.order.rows:
            cells = "".join(_cell(self, source, target) for target in self.order.columns)
            lines.append(f'<tr><th class="word">{escape(source)}</th>{cells}</tr>')
        return (
            f'<div class="wide"><table class="transfer"><thead><tr><th class="word">source \\ target</th>{head}</tr>'
            f"</thead><tbody>{''.join(lines)}</tbody></table></div>"
        )


def transfer_tables(entries: Sequence[ShownCell], orders: Sequence[TableOrder]) -> list[TransferTable]:
    """All tables in which at least one cell is known."""
    tables = []
    for order in orders:
        for setting in order.settings:
            found = {(e.source, e.target): e for e in entries if (e.table, e.setting) == (order.table, setting)}
            if found:
                tables.append(TransferTable(order, setting, found))
    return tables


def _markdown(table: TransferTable, source: str, target: str) -> str:
    entry, printed = table.at(source, target), table.published_at(source, target)
    if entry is None and not table.is_pair(source, target):
        return "–"
    lines = ["not played"]
    if entry is not None:
        low, high = entry.interval
        mark = f" {entry.mark.replace('-', '−')}" if entry.mark else ""
        lines = [f"**{entry.percentage:.1f}**{mark}", f"{low:.1f} to {high:.1f}"]
    return "<br>".join(lines if printed is None else [*lines, f"*{printed:.1f}*"])


def _cell(table: TransferTable, source: str, target: str) -> str:
    entry, printed = table.at(source, target), table.published_at(source, target)
    if entry is None and not table.is_pair(source, target):
        return '<td class="none"></td>'
    below = "" if printed is None else f"<small><i>published {printed:.1f}</i></small>"
    if entry is None:
        return f'<td class="missing">not played{below}</td>'
    low, high = entry.interval
    mark = f" {entry.mark.replace('-', '−')}" if entry.mark else ""
    said = f"<b>{entry.percentage:.1f}</b>{mark}<small>{low:.1f} to {high:.1f}</small>{below}"
    tip = escape(details(entry), quote=True)
    return f'<td style="background:{blend(entry.percentage)}" title="{tip}">{said}</td>'


def details(entry: ShownCell) -> str:
    """All that is known about a cell, in one line."""
    parts = [entry.name, f"{entry.games} games"]
    if entry.record is not None:
        parts.append(str(entry.record))
    parts.append(f"p = {entry.p:.3g}, after Holm {entry.p_holm:.3g}")
    if entry.epochs is not None:
        parts.append(f"epochs {entry.epochs[0]} and {entry.epochs[1]}")
    if entry.job:
        parts.append(f"job {entry.job}")
    return "; ".join(parts)
