"""The files of the paper's tables: Markdown, LaTeX and CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ludoport.files import make_folder, write_atomically
from ludoport.studies.soemers.report.entries import ShownCell
from ludoport.studies.soemers.report.tables import LEGEND, TransferTable

COLUMNS = (
    "table", "setting", "source", "target", "games", "wins", "draws", "losses", "percentage", "low", "high", "p",
    "p_holm", "mark", "published", "source_epochs", "target_epochs", "kind", "job", "seed", "commit",
)  # fmt: skip
"""Columns of the CSV files."""


def write_tables(tables: Sequence[TransferTable], folder: Path) -> list[Path]:
    """Write every table in three languages; returns the files."""
    make_folder(folder)
    paths = []
    for table in tables:
        texts = {
            "md": "\n".join([f"# {table.title}", "", LEGEND, "", *table.markdown(), ""]),
            "tex": latex_transfer(table),
            "csv": csv_text(table.entries.values()),
        }
        for ending, text in texts.items():
            paths.append(folder / f"{table.stem}.{ending}")
            write_atomically(paths[-1], text, sync=False)
    return paths


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


def csv_text(entries: Iterable[ShownCell]) -> str:
    """One line a cell, with everything that is known about it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for entry in entries:
        writer.writerow(csv_row(entry).values())
    return out.getvalue()


def csv_row(entry: ShownCell) -> dict[str, object]:
    """Facts about a cell, by the names of the columns; None if unknown."""
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
