"""Style of plots: panels, series that differ without colour, and files."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ludoport.files import make_folder, replacing
from ludoport.selfplay.plots import plain_text
from ludoport.studies.report.blocks import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

INK = "#444444"
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000", "#8C6D1F", "#7F7F7F")
"""The palette of Okabe and Ito (2008), made for all kinds of colour vision, with brown and grey for long lists."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*", "h")
FIGURES = "figures"
"""The folder of pictures beside a report."""
SALT = "ludoport"

T = TypeVar("T")


Span = tuple[float, float]


@dataclass(frozen=True)
class ScatterPoint:
    """A point of a scatter plot.

    Attributes:
        x: to the right.
        y: upwards.
        series: the series that it belongs to.
        x_span: the interval of x, drawn as a bar.
        y_span: the interval of y.
        hollow: whether it is a published point.
    """

    x: float
    y: float
    series: str
    x_span: Span | None = None
    y_span: Span | None = None
    hollow: bool = False


@dataclass(frozen=True)
class PlotSeries:
    """Look of the points of one series."""

    name: str
    colour: str
    marker: str

    def handle(self) -> Line2D:
        """Line of this series in a legend."""
        from matplotlib.lines import Line2D

        return Line2D([], [], color=self.colour, marker=self.marker, linestyle="none", markersize=5, label=self.name)


def style_of(names: Iterable[str]) -> dict[str, PlotSeries]:
    """A colour and a marker for each name; up to 99 names no two share both."""
    return {
        name: PlotSeries(name, COLOURS[k % len(COLOURS)], MARKERS[k % len(MARKERS)])
        for k, name in enumerate(dict.fromkeys(names))
    }


def scatter(axes: Axes, points: Iterable[ScatterPoint], styles: Mapping[str, PlotSeries]) -> None:
    """Draw points with their bars."""
    groups: dict[tuple[str, bool], list[ScatterPoint]] = {}
    for point in points:
        groups.setdefault((point.series, point.hollow), []).append(point)
    for (name, hollow), some in groups.items():
        style = styles[name]
        where = [point.x for point in some], [point.y for point in some]
        bars = [_bar(point.x, point.y, span, across) for point in some
                for span, across in ((point.x_span, True), (point.y_span, False)) if span is not None]  # fmt: skip
        # A gap (NaN) between the bars makes one line of them, which draws much faster than many.
        xs, ys = ([value for bar in bars for value in bar[k]] for k in (0, 1))
        axes.plot(xs, ys, color=style.colour, alpha=0.6, linewidth=1.0, zorder=2)
        look = {"markerfacecolor": "none", "markeredgewidth": 0.7, "alpha": 0.7} if hollow else {"markeredgewidth": 0}
        axes.plot(*where, style.marker, color=style.colour, markersize=5, zorder=2 if hollow else 3, **look)


def _bar(x: float, y: float, span: Span, across: bool) -> tuple[list[float], list[float]]:
    ends, level = [*span, math.nan], [y if across else x] * 3
    return (ends, level) if across else (level, ends)


def panels(
    titles: Mapping[str, T], draw: Callable[[Axes, T], None], styles: Mapping[str, PlotSeries] | None = None
) -> Figure:
    """Panels side by side, at most two in a row, each of win percentages from 0 to 100 with a line at 50 %.

    Args:
        titles: of the panels, and what each shows.
        draw: draws one.
        styles: the legend for all of them, if they share one.
    """
    from matplotlib.figure import Figure

    columns = min(2, len(titles))
    rows = -(-len(titles) // columns)
    legend = 1.7 if styles else 0.0
    figure = Figure(figsize=(4.0 * columns + legend, 3.8 * rows), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False)
    for axes in grid.flat:
        axes.set_visible(False)
    for axes, (title, content) in zip(grid.flat, titles.items(), strict=False):
        axes.set_visible(True)
        axes.set_title(title, fontsize=10)
        axes.axhline(50, color=INK, linewidth=0.8, zorder=1)
        axes.set_ylim(-4, 104)
        axes.grid(alpha=0.25)
        axes.set_ylabel("win percentage")
        draw(axes, content)
    if styles:
        handles = [style.handle() for style in styles.values()]
        figure.legend(handles=handles, loc="outside right upper", fontsize=8, frameon=False)
    return figure


def save(figure: Figure, folder: Path, name: str, caption: str) -> Picture:
    """Write a figure as PNG and SVG; equal figures become equal files."""
    from matplotlib import rc_context

    plain_text(figure)
    figure.draw_without_rendering()  # arranges the panels; once is enough for both files
    figure.set_layout_engine("none")
    stem = folder / FIGURES / name
    make_folder(stem.parent)
    for ending, metadata in (("png", None), ("svg", {"Date": None})):
        with rc_context({"svg.hashsalt": SALT}), replacing(stem.parent / f"{name}.{ending}", sync=False) as file:
            figure.savefig(file, format=ending, dpi=120, metadata=metadata)
    return Picture(Path(FIGURES) / f"{name}.png", caption)


def diverging() -> Any:
    """The colours of heat maps: orange below 50 %, blue above, distinct for all kinds of colour vision."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("transfer", [blend(value) for value in range(0, 101, 5)])


def blend(percentage: float) -> str:
    """The colour of a win percentage.

    Example:
        >>> blend(0), blend(50), blend(100)
        ('#d95f0e', '#ffffff', '#2b7bba')
    """
    end = (0xD9, 0x5F, 0x0E) if percentage < 50 else (0x2B, 0x7B, 0xBA)
    share = min(1.0, abs(percentage - 50) / 50)
    return "#" + "".join(f"{round(255 + (value - 255) * share):02x}" for value in end)


def names_at(axis: Any, names: Iterable[str], rotation: float = 0) -> None:
    """Names as the ticks of an axis."""
    listed = list(names)
    axis.set_ticks(range(len(listed)), listed, fontsize=7, rotation=rotation)


def write_cell(axes: Axes, row: int, column: int, text: str, span: Span | None, digits: int = 0) -> None:
    """A number in a cell of a heat map, with its interval below it in smaller type."""
    axes.text(column, row - (0.17 if span else 0), text, ha="center", va="center", fontsize=7)
    if span:
        ends = " to ".join(f"{end:.{digits}f}" for end in span)
        axes.text(column, row + 0.23, ends, ha="center", va="center", fontsize=5)
