"""Results as short tables for a terminal; ``ludoport report`` writes the long ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ludoport.studies.engine.cells import Cell
from ludoport.studies.engine.scores import Score, added


def table_lines(cells: Sequence[Cell], orders: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Win percentages, one table for each family and setting; rows are sources, columns targets.

    Args:
        cells: the cells so far.
        orders: the ``TableOrder`` of each family, as a store keeps it.
    """
    for order in orders:
        for setting in order["settings"]:
            known = {
                (cell.source, cell.target): f"{cell.percentage:.1f}"
                for cell in cells
                if (cell.table, cell.setting) == (order["table"], setting)
            }
            if known:
                yield from _table(f"{order['table']}, {setting}", order["rows"], order["columns"], known)


def _table(title: str, rows: Sequence[str], columns: Sequence[str], known: dict[tuple[str, str], str]) -> Iterator[str]:
    lines = [["source", *columns]]
    lines += [[row, *(known.get((row, column), "-") for column in columns)] for row in rows]
    yield f"{title}: percentage of games won against the network that learned the target"
    yield from aligned(lines)
    yield ""


def score_lines(scores: Sequence[Score]) -> Iterator[str]:
    """Scores with their intervals; repetitions are added up."""
    lines = [["", "player", "against", "games", "score", "95 % interval"]]
    for score in added(list(scores)):
        record = score.record
        low, high = record.interval()
        lines.append([
            score.group, score.player, score.against, str(record.games), f"{100 * record.score:.1f} %",
            f"{100 * low:.1f} to {100 * high:.1f} %",
        ])  # fmt: skip
    if len(lines) > 1:
        yield from aligned(lines)
        yield ""


def aligned(lines: Sequence[Sequence[str]]) -> Iterator[str]:
    """Cells in columns; the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        first, *others = line
        parts = [first.ljust(widths[0]), *(text.rjust(width) for text, width in zip(others, widths[1:], strict=True))]
        yield "  ".join(parts).rstrip()
