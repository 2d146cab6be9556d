"""The figures of the study: the features, and learning curves with the published ones behind them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ludoport.studies.banerjee_stone import published as paper
from ludoport.studies.banerjee_stone.jobs import load_curve
from ludoport.studies.banerjee_stone.pictures import draw_features
from ludoport.studies.banerjee_stone.plan import SHOWN, FeaturePlan
from ludoport.studies.report.blocks import Picture
from ludoport.studies.report.draw import save

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STYLES = {
    "baseline": ("#666666", "from scratch"),
    "transfer": ("#1f77b4", "features from Tic-Tac-Toe"),
    "minimax": ("#d62728", "values from minimax"),
    "random": ("#2ca02c", "random moves (control)"),
}
"""Colour and name of each learner in the figures."""

POINTS = 200
"""Number of points through which a curve is drawn."""

COLUMNS = 3

FEATURES = (
    "The features of the paper: filled squares where the opponent moves, filled circles where the learner does; empty "
    "squares are wins, empty circles losses, crossed squares draws."
)


def plot_all(plan: FeaturePlan, folder: Path, out: Path) -> dict[str, Picture]:
    """Draw everything that a folder holds; returns the pictures in the folder of a report by what they show."""
    titles = {f"({letter}) {template}": template for letter, template in paper.published().templates.items()}
    found = {"features": save(draw_features(titles), out, "features", FEATURES)}
    for reading in plan.preset.readings:
        name = reading.replace(", ", "-").replace(" ", "-")
        caption = (
            f"Reading `{reading}`: one panel for each figure of the paper; mean of {plan.preset.runs} runs with 95 % "
            "bands. Dashed: published."
        )
        found[reading] = save(_panels(plan, folder, reading), out, f"curves-{name}", caption)
    return found


def _panels(plan: FeaturePlan, folder: Path, reading: str) -> Figure:
    """One panel for each published figure, and a legend in the place that is left."""
    from matplotlib.figure import Figure

    printed = paper.published().figures
    rows = -(-(len(printed) + 1) // COLUMNS)
    figure = Figure(figsize=(4.2 * COLUMNS, 3.2 * rows), layout="constrained")
    figure.subplots(rows, COLUMNS)
    for axes, published in zip(figure.axes, printed, strict=False):
        _draw(axes, plan, folder, reading, published)
    handles, labels = figure.axes[0].get_legend_handles_labels()
    left = figure.axes[len(printed) :]
    for axes in left:
        axes.axis("off")
    left[0].legend(handles, labels, loc="center", frameon=False, fontsize=10)
    figure.suptitle(f"Reading: {reading} (mean of {plan.preset.runs} runs, 95 % bands)")
    return figure


def _draw(axes: Axes, plan: FeaturePlan, folder: Path, reading: str, published: paper.CurveFigure) -> None:
    """The curves of one figure of the paper: ours with bands, the published ones dashed."""
    for learner in SHOWN:
        colour, label = STYLES[learner]
        job = plan.curve(reading, published.target, published.opponent, learner)
        if job is None:
            continue
        curve = load_curve(folder, job)
        where = np.unique(np.linspace(min(30, curve.matches), curve.matches, POINTS).astype(int))
        mean, half = curve.mean[where - 1], curve.half_width[where - 1]
        axes.plot(where, mean, color=colour, linewidth=1.6, label=label)
        axes.fill_between(where, mean - half, mean + half, color=colour, alpha=0.2, linewidth=0)
    for learner, points in published.curves.items():
        colour, label = STYLES[learner]
        inside = points[points[:, 0] <= plan.preset.matches]
        axes.plot(inside[:, 0], inside[:, 1], "--", color=colour, linewidth=1.4, label=f"{label}, published")
    axes.set(xlabel="matches", ylabel="mean reward so far", ylim=(None, 102))
    axes.set_title(f"Figure {published.number}: {published.target}, {published.opponent} opponent", fontsize=10)
    axes.grid(alpha=0.3)
