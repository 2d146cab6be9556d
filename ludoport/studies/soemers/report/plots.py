"""The scatter plots of the first paper (Figures 2, 3, 4 and 8), from any study or from the published tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludoport.studies.engine.cells import SETTINGS, Setting
from ludoport.studies.report.blocks import Picture
from ludoport.studies.report.draw import INK, PlotSeries, ScatterPoint, panels, save, scatter, style_of
from ludoport.studies.soemers.report.agreement import compared
from ludoport.studies.soemers.report.entries import ShownCell, by_pair
from ludoport.studies.soemers.report.pairs import PANELS, Kind
from ludoport.studies.soemers.report.summary import TUNED, VARIATIONS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ZERO: Setting = "zero-shot"
EPOCHS = "epochs of S / epochs of T"
SITES = "sites of T / sites of S"
MOST_TARGETS = 12
"""Most targets that colours can tell apart."""
SIZES: tuple[Kind, ...] = ("smaller board", "larger board")


def draw_scatter(entries: Sequence[ShownCell], folder: Path, *, ghosts: bool = True) -> list[Picture]:
    """Draw all figures that the entries have points for; returns the pictures.

    Args:
        entries: the cells of a study.
        folder: folder of the report; pictures go to ``figures`` in it.
        ghosts: whether the paper's points for the same pairs are drawn too, hollow.
    """
    drawn = [
        _ratio(entries, folder, "figure-2", ZERO, SIZES, "Figure 2: zero-shot win percentage", ghosts),
        _tuning(entries, folder, ghosts),
        _games(entries, folder, ghosts),
        _ratio(entries, folder, "figure-8", TUNED, tuple(PANELS), "Figure 8: win percentage after fine-tuning", ghosts),
        _variations(entries, folder),
        _agreement(entries, folder),
    ]
    return [picture for picture in drawn if picture is not None]


def _ratio(
    entries: Sequence[ShownCell], folder: Path, name: str, setting: Setting, kinds: Sequence[Kind], title: str,
    ghosts: bool,
) -> Picture | None:  # fmt: skip
    """Win percentage against the ratio of epochs; of sites where epochs are unknown.

    The paper does not print how many epochs its networks learned, so its points are drawn at our ratios.
    """
    every = [entry for entry in entries if entry.setting == setting and entry.kind in kinds]
    counted = any(entry.epochs is not None for entry in every)
    some = [entry for entry in every if (entry.epoch_ratio if counted else entry.site_ratio) is not None]
    if not some:
        return None
    series = _naming(entries)
    styles = _styles(entries)

    def draw(axes: Axes, kind: Kind) -> None:
        ratios = {e: e.epoch_ratio if counted else e.site_ratio for e in some if e.kind == kind}
        points = [
            ScatterPoint(x, e.percentage, series(e), y_span=e.interval) for e, x in ratios.items() if x is not None
        ]
        if ghosts:
            points += [
                ScatterPoint(x, e.published, series(e), hollow=True)
                for e, x in ratios.items() if x is not None and e.published is not None
            ]  # fmt: skip
        scatter(axes, points, styles)
        _ratio_axis(axes, [point.x for point in points])
        axes.set_xlabel(EPOCHS if counted else SITES)

    titles = {PANELS[kind]: kind for kind in kinds if any(e.kind == kind for e in some)}
    shown = _legend(styles, (series(entry) for entry in some))
    axis = "the ratio of epochs of training" if counted else (
        "the ratio of board sites, which stands for the ratio of epochs (in equal time a network learns more epochs on "
        "a smaller board); numbers of epochs were not published"
    )  # fmt: skip
    left = len(every) - len(some)
    missing = f" Left out, because a network learned for less than one epoch: {left}." if counted and left else ""
    hollow = ghosts and any(entry.published is not None for entry in some)
    beside = " Hollow: the published percentages, at our ratios." if hollow else ""
    text = f"{title} against {axis}. Bars: 95 % intervals.{beside}{missing}"
    return save(panels(titles, draw, shown), folder, name, text)


def _tuning(entries: Sequence[ShownCell], folder: Path, ghosts: bool) -> Picture | None:
    """Figure 3: after fine-tuning against zero-shot, by kind of pair."""
    some = [entry for entry in _both(entries) if entry.kind in PANELS]
    if not some:
        return None
    series = _naming(entries)
    styles = _styles(entries)

    def draw(axes: Axes, kind: Kind) -> None:
        _diagonal(axes, "zero-shot win percentage")
        scatter(axes, _tuned_points([e for e in some if e.kind == kind], entries, series, ghosts), styles)

    titles = {PANELS[kind]: kind for kind in PANELS if any(e.kind == kind for e in some)}
    shown = _legend(styles, (series(entry) for entry in some))
    return save(panels(titles, draw, shown), folder, "figure-3", _tuning_caption("Figure 3", ghosts, some))


def _games(entries: Sequence[ShownCell], folder: Path, ghosts: bool) -> Picture | None:
    """Figure 4: the same for different games, one panel a family.

    The paper's caption does not name the horizontal axis; ours is that of its Figure 3.
    """
    some = [entry for entry in _both(entries) if entry.kind == "other game"]
    if not some:
        return None
    families = list(dict.fromkeys(e.table for e in some))

    def draw(axes: Axes, family: str) -> None:
        inside = [e for e in some if e.table == family]
        styles = _styles(inside)
        series = _naming(inside)
        _diagonal(axes, "zero-shot win percentage")
        scatter(axes, _tuned_points(inside, entries, series, ghosts), styles)
        axes.legend(handles=[style.handle() for style in styles.values()], fontsize=6, loc="lower right")

    titles = {f"({letter}) {family}": family for letter, family in zip("abcdefgh", families, strict=False)}
    return save(panels(titles, draw), folder, "figure-4", _tuning_caption("Figure 4", ghosts, some))


def _variations(entries: Sequence[ShownCell], folder: Path) -> Picture | None:
    """The variations of fine-tuning against plain fine-tuning (Section 4.4)."""
    plain = by_pair(entries, TUNED)
    some = [e for setting in VARIATIONS for e in by_pair(entries, setting).values() if e.pair in plain]
    if not some:
        return None
    series = _naming(entries)
    styles = _styles(entries)

    def draw(axes: Axes, setting: Setting) -> None:
        _diagonal(axes, "win percentage after plain fine-tuning")
        inside = [(plain[e.pair], e) for e in some if e.setting == setting]
        scatter(axes, [_point(first, e, series(e)) for first, e in inside], styles)

    titles = {str(setting): setting for setting in VARIATIONS if any(e.setting == setting for e in some)}
    shown = _legend(styles, (series(entry) for entry in some))
    caption = "Variations of fine-tuning (Section 4.4): win percentage against that after plain fine-tuning."
    return save(panels(titles, draw, shown), folder, "variations", f"{caption} Bars: 95 % intervals.")


def _agreement(entries: Sequence[ShownCell], folder: Path) -> Picture | None:
    """Our win percentages against the published ones."""
    common = compared(entries)
    if not common:
        return None
    series = _naming(entries)
    styles = _styles(entries)

    def draw(axes: Axes, setting: Setting) -> None:
        _diagonal(axes, "published win percentage")
        inside = [one for one in common if one.entry.setting == setting]
        points = [
            ScatterPoint(one.published, one.entry.percentage, series(one.entry), y_span=one.entry.interval)
            for one in inside
        ]
        scatter(axes, points, styles)

    titles = {str(setting): setting for setting in SETTINGS if any(one.entry.setting == setting for one in common)}
    shown = _legend(styles, (series(one.entry) for one in common))
    caption = "Our win percentages against the published ones; on the line they are equal. Bars: our 95 % intervals."
    return save(panels(titles, draw, shown), folder, "agreement", caption)


def _both(entries: Sequence[ShownCell]) -> list[ShownCell]:
    """Fine-tuned entries of pairs that were played zero-shot too."""
    before = by_pair(entries, ZERO)
    return [entry for entry in by_pair(entries, TUNED).values() if entry.pair in before]


def _tuned_points(
    some: Iterable[ShownCell], entries: Sequence[ShownCell], series: Callable[[ShownCell], str], ghosts: bool
) -> list[ScatterPoint]:
    before = by_pair(entries, ZERO)
    points = []
    for entry in some:
        first = before[entry.pair]
        points.append(_point(first, entry, series(entry)))
        if ghosts and entry.published is not None and first.published is not None:
            points.append(ScatterPoint(first.published, entry.published, series(entry), hollow=True))
    return points


def _point(first: ShownCell, second: ShownCell, series: str) -> ScatterPoint:
    return ScatterPoint(first.percentage, second.percentage, series, first.interval, second.interval)


def _tuning_caption(name: str, ghosts: bool, entries: Iterable[ShownCell]) -> str:
    hollow = ghosts and any(entry.published is not None for entry in entries)
    return (
        f"{name}: win percentage after fine-tuning against zero-shot. Above 50 % transfer helped; below the line y = x "
        f"fine-tuning made it worse. Bars: 95 % intervals.{' Hollow: the published points.' if hollow else ''}"
    )


def _diagonal(axes: Axes, name: str) -> None:
    axes.axline((0, 0), (100, 100), color="#D55E00", linewidth=1, zorder=1)
    axes.set_xlim(-4, 104)
    axes.set_aspect("equal")
    axes.set_xlabel(name)


def _ratio_axis(axes: Axes, ratios: Sequence[float]) -> None:
    """A logarithmic axis with plain numbers, with some room where all points have one ratio."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    axes.set_xscale("log")
    low, high = min([*ratios, 1.0]) / 1.15, max([*ratios, 1.0]) * 1.15
    axes.set_xlim(low, high)
    ticks = [1.0, *(base * 10.0**power for power in range(-4, 5) for base in (2, 5, 10))]
    if high / low < 3:
        ticks += [0.5, 0.6, 0.7, 0.8, 0.9, 1.2, 1.4, 1.6, 1.8]
    axes.xaxis.set_major_locator(FixedLocator(sorted({tick for tick in ticks if low <= tick <= high})))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(_short))
    axes.axvline(1, color=INK, linewidth=0.8, linestyle=":", zorder=1)


def _short(value: Any, _place: Any) -> str:
    return f"{value:g}"


def _naming(entries: Sequence[ShownCell]) -> Callable[[ShownCell], str]:
    """Groups of one colour: families, or targets if there is one family with few of them."""
    return (lambda entry: f"to {entry.target}") if _few_targets(entries) else (lambda entry: entry.table)


def _few_targets(entries: Sequence[ShownCell]) -> bool:
    return len({entry.table for entry in entries}) == 1 and len({entry.target for entry in entries}) <= MOST_TARGETS


def _legend(styles: dict[str, PlotSeries], used: Iterable[str]) -> dict[str, PlotSeries]:
    names = set(used)
    return {name: style for name, style in styles.items() if name in names}


def _styles(entries: Sequence[ShownCell]) -> dict[str, PlotSeries]:
    """The same look for a series in all figures; targets in the order of rows, which that of columns mostly is."""
    if not _few_targets(entries):
        return style_of(entry.table for entry in entries)
    targets = {entry.target for entry in entries}
    names = dict.fromkeys([*(entry.source for entry in entries), *(entry.target for entry in entries)])
    return style_of(f"to {name}" for name in names if name in targets)
