"""The paper's tables: one for each family and setting, as Markdown, LaTeX and CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ludoport.studies.cells import Setting
from ludoport.studies.published import published
from ludoport.studies.report_entries import Entry
from ludoport.studies.report_facts import TableOrder

COLUMNS = (
    "table", "setting", "source", "target", "games", "wins", "draws", "losses", "percentage", "low", "high", "p",
    "p_holm", "mark", "published", "source_epochs", "target_epochs", "kind", "job", "seed", "commit",
)  # fmt: skip
"""Columns of the CSV files."""

LEGEND = (
    "Bold: win percentage of the carried-over network, a draw being half a win; below it Wilson's 95 % interval, and "
    "in italics the published number where there is one. + and −: different from 50 % (two-sided binomial test, 5 %); "
    "++ and −−: also after Holm's correction for all cells of the report."
)
"""How the tables are read."""


@dataclass(frozen=True)
class TransferTable:
    """One table of win percentages.

    Attributes:
        order: rows and columns.
        setting: how networks were carried over.
        entries: what is known, by source and target.
    """

    order: TableOrder
    setting: Setting
    entries: dict[tuple[str, str], Entry]

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
        return re.sub(r"[^a-z0-9]+", "-", words).strip("-")

    @property
    def beside(self) -> bool:
        """Whether some cell has a published number beside it."""
        return any(entry.published is not None for entry in self.entries.values())

    def at(self, source: str, target: str) -> Entry | None:
        """The cell of a pair, if it was played."""
        return self.entries.get((source, target))

    def published_at(self, source: str, target: str) -> float | None:
        """The published number of a pair, also where nobody has played it yet; None in reports without any."""
        return published().value(self.order.table, self.setting, source, target) if self.beside else None

    def is_pair(self, source: str, target: str) -> bool:
        """Whether a pair belongs into the table; a game is not carried over to itself."""
        return self.order.is_pair(source, target)


def transfer_tables(entries: Sequence[Entry], orders: Sequence[TableOrder]) -> list[TransferTable]:
    """All tables in which at least one cell is known."""
    tables = []
    for order in orders:
        for setting in order.settings:
            found = {(e.source, e.target): e for e in entries if (e.table, e.setting) == (order.table, setting)}
            if found:
                tables.append(TransferTable(order, setting, found))
    return tables


def write_tables(tables: Sequence[TransferTable], folder: Path) -> list[Path]:
    """Write every table in three languages; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for table in tables:
        texts = {
            "md": "\n".join([f"# {table.title}", "", LEGEND, "", *markdown_transfer(table), ""]),
            "tex": latex_transfer(table),
            "csv": csv_text(table.entries.values()),
        }
        for ending, text in texts.items():
            paths.append(folder / f"{table.stem}.{ending}")
            paths[-1].write_text(text, encoding="utf-8")
    return paths


def markdown_rows(head: Sequence[str], rows: Iterable[Sequence[str]], words: int = 1) -> Iterator[str]:
    """A table in Markdown; the first columns are words and stand left, the others numbers and stand right."""
    yield f"| {' | '.join(_bar(text) for text in head)} |"
    yield f"|{'---|' * min(words, len(head))}{'--:|' * (len(head) - words)}"
    for row in rows:
        yield f"| {' | '.join(_bar(text) for text in row)} |"


def _bar(text: str) -> str:
    return text.replace("|", "\\|")


def markdown_transfer(table: TransferTable) -> Iterator[str]:
    """A table of win percentages: ours in bold with mark and interval, the published number in italics below."""
    head = ["source \\ target", *table.order.columns]
    yield from markdown_rows(
        head, ([source, *(_markdown(table, source, target) for target in table.order.columns)]
               for source in table.order.rows)
    )  # fmt: skip


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


def latex_transfer(table: TransferTable) -> str:
    """A table in LaTeX; needs the package ``booktabs``."""
    columns = table.order.columns
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{Win percentages: {latex(table.title)}. {_latex_legend(table)}}}",
        rf"\label{{tab:{table.stem}}}",
        rf"\begin{{tabular}}{{l{'r' * len(columns)}}}",
        r"\toprule",
        rf"& \multicolumn{{{len(columns)}}}{{c}}{{Target}} \\",
        rf"\cmidrule{{2-{len(columns) + 1}}}",
        f"Source & {' & '.join(latex(name) for name in columns)} \\\\",
        r"\midrule",
    ]
    for source in table.order.rows:
        for first, line in enumerate(_latex_row(table, source)):
            lines.append(f"{latex(source) if first == 0 else ''} & {' & '.join(line)} \\\\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}", ""])


def _latex_legend(table: TransferTable) -> str:
    legend = (
        r"Below each, Wilson's 95\,\% interval; $+$ and $-$: different from 50\,\% (binomial test, 5\,\%), doubled: "
        "also after Holm's correction."
    )
    return legend + (" Last line: the published number." if table.beside else "")


def _latex_row(table: TransferTable, source: str) -> Iterator[list[str]]:
    """Two or three lines: percentages, intervals, published numbers."""
    cells = [(target, table.at(source, target)) for target in table.order.columns]
    first, second, third = list[str](), list[str](), list[str]()
    for target, entry in cells:
        printed = table.published_at(source, target)
        third.append("" if printed is None else rf"\textit{{{printed:.1f}}}")
        if entry is None:
            first.append("?" if table.is_pair(source, target) else "--")
            second.append("")
        else:
            low, high = entry.interval
            first.append(f"{entry.percentage:.1f}" + (f"$^{{{entry.mark}}}$" if entry.mark else ""))
            second.append(rf"{{\scriptsize [{low:.1f}, {high:.1f}]}}")
    yield first
    yield second
    if table.beside:
        yield third


_LATEX = {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
"""Characters that a backslash before them does not make plain."""


def latex(text: str) -> str:
    r"""Plain text for LaTeX.

    Example:
        >>> print(latex("7×7 & 50 % -> x_1"))
        7$\times$7 \& 50 \% $\to$ x\_1
    """
    text = re.sub(r"[\\^~&%#_{}$]", lambda found: _LATEX.get(found[0], rf"\{found[0]}"), text)
    return text.replace("->", r"$\to$").replace("→", r"$\to$").replace("×", r"$\times$")


def csv_text(entries: Iterable[Entry]) -> str:
    """One line a cell, with everything that is known about it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for entry in entries:
        writer.writerow(csv_row(entry).values())
    return out.getvalue()


def csv_row(entry: Entry) -> dict[str, object]:
    """What is known about a cell, by the names of the columns; what is not known is None."""
    low, high = entry.interval
    record = entry.record
    counts = (None, None, None) if record is None else (record.wins, record.draws, record.losses)
    values = (
        entry.table, entry.setting, entry.source, entry.target, entry.games, *counts, round(entry.percentage, 4),
        round(low, 4), round(high, 4), float(f"{entry.p:.4g}"), float(f"{entry.p_holm:.4g}"), entry.mark,
        entry.published, *(entry.epochs or (None, None)), entry.kind, entry.job, entry.seed,
        entry.commit,
    )  # fmt: skip
    return dict(zip(COLUMNS, values, strict=True))
