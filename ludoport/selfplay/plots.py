"""Pictures of how runs learn."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludoport.selfplay.rating import ratings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ludoport.selfplay.run import Run

SHORT = 10
"""Runs with fewer epochs than this have a mark at each."""


def plot_runs(runs: Mapping[str, Run], file: Path) -> Path | None:
    """Write the figure of runs to a file; None without matplotlib."""
    if find_spec("matplotlib") is None:
        return None
    draw_runs(runs).savefig(file, dpi=130)
    return file


def draw_runs(runs: Mapping[str, Run]) -> Figure:
    """A figure of the losses and ratings of runs over their time."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 3.4), layout="constrained")
    policy, value, strength = figure.subplots(1, 3)
    for label, run in runs.items():
        records = run.metrics()
        _loss(policy, records, "policy_loss", label)
        _loss(value, records, "value_loss", label)
        _strength(strength, run, label)
    for axes, title in ((policy, "policy loss"), (value, "value loss"), (strength, "Elo")):
        axes.set_title(title, fontsize=10)
        axes.set_xlabel("minutes")
        axes.grid(alpha=0.3)
        if not axes.has_data():
            axes.text(0.5, 0.5, "no data yet", transform=axes.transAxes, ha="center", va="center", color="0.5")
        if axes.get_legend_handles_labels()[0] and len(runs) > 1:
            axes.legend(fontsize=8)
    anchors = {run.config.opponents[0] for run in runs.values() if run.config.opponents}
    if len(anchors) == 1:
        strength.set_title(f"Elo vs {anchors.pop()} (95 % intervals)", fontsize=10)
    plain_text(figure)
    return figure


def plain_text(figure: Figure) -> None:
    """Show names in a figure literally; matplotlib would read text between two `$` as a formula."""
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        text.set_parse_math(False)


def _loss(axes: Axes, records: list[dict[str, Any]], name: str, label: str) -> None:
    known = [record for record in records if record.get(name) is not None]
    # A single epoch makes no line; without a mark its panel would be empty.
    marker = "o" if len(known) < SHORT else ""
    minutes = [r["seconds"] / 60 for r in known]
    axes.plot(minutes, [r[name] for r in known], label=label, linewidth=1.4, marker=marker, markersize=4)


def _strength(axes: Axes, run: Run, label: str) -> None:
    found = ratings(run)
    if found:
        minutes = np.array([rating.seconds / 60 for rating in found])
        elo = np.array([rating.elo.shown for rating in found])
        ends = np.array([[rating.elo.low, rating.elo.high] for rating in found]).T
        spread = np.where(np.isfinite(ends), np.abs(ends - elo), 0.0)  # nothing is drawn where nothing bounds it
        bars = axes.errorbar(minutes, elo, yerr=spread, label=label, marker="o", markersize=4, capsize=2, linewidth=1.4)
        # A checkpoint that won or lost all its games has a bound only: an arrow points away from it.
        for up, marker in ((True, "^"), (False, "v")):
            open_ended = np.array([not r.elo.bounded and (r.elo.value > 0) == up for r in found])
            axes.plot(minutes[open_ended], elo[open_ended], marker, markersize=8, color=bars[0].get_color())
