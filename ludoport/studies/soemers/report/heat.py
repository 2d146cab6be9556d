"""Heat maps of transfer matrices, with the published ones beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ludoport.studies.report.blocks import Picture
from ludoport.studies.report.draw import diverging, names_at, save, write_cell
from ludoport.studies.soemers.published import published
from ludoport.studies.soemers.report.tables import TransferTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage

Numbers = dict[tuple[str, str], float]
Spans = dict[tuple[str, str], tuple[float, float]]


def draw_heat(tables: Sequence[TransferTable], folder: Path) -> dict[str, Picture]:
    """One figure a family, with one column a setting; by the name of the family."""
    families = dict.fromkeys(table.order.table for table in tables)
    return {family: _family([t for t in tables if t.order.table == family], folder) for family in families}


def _family(tables: Sequence[TransferTable], folder: Path) -> Picture:
    """Two panels in a row: ours and the published one, or two settings where there is nothing published."""
    from matplotlib.figure import Figure

    order = tables[0].order
    shown: list[tuple[str, TransferTable, Numbers, Spans]] = []
    beside = any(table.beside for table in tables)
    for table in tables:
        ours = {pair: entry.percentage for pair, entry in table.entries.items()}
        spans = {pair: entry.interval for pair, entry in table.entries.items()}
        shown.append((f"{table.setting}{', ours' if beside else ''}", table, ours, spans))
        printed = published().table(order.table, table.setting)
        if beside:
            shown.append((f"{table.setting}, published", table, printed.values if printed else {}, {}))
    columns = min(2, len(shown))
    rows = -(-len(shown) // columns)
    width, height = 0.6 * len(order.columns) + 1.5, 0.42 * len(order.rows) + 1.1
    figure = Figure(figsize=(width * columns + 0.8, height * rows), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False)
    for axes in grid.flat[len(shown) :]:
        axes.set_visible(False)
    for axes, (title, table, numbers, spans) in zip(grid.flat, shown, strict=False):
        image = _matrix(axes, table, numbers, spans)
        axes.set_title(title, fontsize=8)
    figure.colorbar(image, ax=grid, label="win percentage", shrink=0.8)
    stem = f"heat-{tables[0].stem.removesuffix('-' + _slug(tables[0].setting))}"
    caption = f"{tables[0].title.split(',')[0]}: win percentages, sources as rows and targets as columns"
    how = "Small: 95 % intervals. Orange is below 50 %, blue above; hatched is unknown."
    return save(figure, folder, stem, f"{caption}. {how}")


def _slug(setting: str) -> str:
    return setting.replace(", ", "-").replace(" ", "-")


def _matrix(axes: Axes, table: TransferTable, known: Numbers, spans: Spans) -> AxesImage:
    """One matrix, with its numbers and their intervals written into it."""
    import numpy as np
    from matplotlib.patches import Rectangle

    order = table.order
    numbers = np.array([[known.get((source, target), np.nan) for target in order.columns] for source in order.rows])
    image = axes.imshow(numbers, cmap=diverging(), vmin=0, vmax=100, aspect="auto")
    for (row, column), number in np.ndenumerate(numbers):
        if not np.isnan(number):
            write_cell(axes, row, column, f"{number:.0f}", spans.get((order.rows[row], order.columns[column])))
            continue
        pair = table.is_pair(order.rows[row], order.columns[column])
        patch = Rectangle((column - 0.5, row - 0.5), 1, 1, edgecolor="#bbbbbb", linewidth=0)
        patch.set_facecolor("white" if pair else "#dddddd")
        patch.set_hatch("////" if pair else "")
        axes.add_patch(patch)
    names_at(axes.xaxis, order.columns, rotation=45)
    names_at(axes.yaxis, order.rows)
    axes.set_xlabel("target", fontsize=8)
    axes.set_ylabel("source", fontsize=8)
    return image
