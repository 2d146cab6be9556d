"""The figures of the study: the features, and learning curves with the published ones behind them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ludoport.studies.banerjee_stone.jobs import OPPONENTS, TARGETS, load_curve
from ludoport.studies.banerjee_stone.pictures import draw_features
from ludoport.studies.banerjee_stone.plan import FeaturePlan
from ludoport.studies.banerjee_stone.published import published
from ludoport.studies.report.blocks import Picture
from ludoport.studies.report.draw import save

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = {
    "baseline": "#7f7f7f", "transfer": "#1f77b4", "transfer, printed values": "#17becf",
    "transfer, long training": "#9467bd", "transfer, nested": "#8c564b", "transfer, many sources": "#e377c2",
    "minimax": "#d62728", "maxmax": "#ff7f0e", "avgmax": "#2ca02c",
}  # fmt: skip
POINTS = 200
"""Number of points through which a curve is drawn."""

FEATURES = (
    "The features of the paper: filled squares where the opponent moves, filled circles where the learner does; empty "
    "squares are wins, empty circles losses, crossed squares draws."
)


def plot_all(plan: FeaturePlan, folder: Path, out: Path) -> dict[str, Picture]:
    """Draw everything that a folder holds; returns the pictures in the folder of a report by what they show."""
    titles = {f"({letter}) {template}": template for letter, template in published().templates.items()}
    found = {"features": save(draw_features(titles), out, "features", FEATURES)}
    for reading in plan.preset.readings:
        name = reading.replace(", ", "-").replace(" ", "-")
        caption = f"Reading `{reading}`: mean of {plan.preset.runs} runs with 95 % bands; dashed: published."
        found[reading] = save(_grid(plan, folder, reading), out, f"curves-{name}", caption)
    return found


def _grid(plan: FeaturePlan, folder: Path, reading: str) -> Figure:
    """All games and opponents of one reading, with bands; what the paper plots is dashed."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5 * len(OPPONENTS), 3.6 * len(TARGETS)), layout="constrained")
    grid = figure.subplots(len(TARGETS), len(OPPONENTS), squeeze=False)
    for row, target in zip(grid, TARGETS, strict=True):
        for axes, opponent in zip(row, OPPONENTS, strict=True):
            for learner in plan.preset.learners:
                job = plan.curve(reading, target, opponent, learner)
                if job is None:
                    continue
                curve = load_curve(folder, job)
                first = min(30, curve.matches)
                where = np.unique(np.linspace(first, curve.matches, POINTS).astype(int))
                mean, half = curve.mean[where - 1], curve.half_width[where - 1]
                axes.plot(where, mean, color=COLOURS[learner], linewidth=1.2, label=learner)
                axes.fill_between(where, mean - half, mean + half, color=COLOURS[learner], alpha=0.12, linewidth=0)
            printed = published().figure(target, opponent)
            for learner, points in printed.curves.items() if printed is not None else ():
                inside = points[points[:, 0] <= plan.preset.matches]
                label = f"{learner}, Figure {printed.number}" if printed is not None else ""
                axes.plot(inside[:, 0], inside[:, 1], "--", color=COLOURS[learner], linewidth=1.6, label=label)
            axes.set_title(f"{target}, {opponent} opponent", fontsize=10)
            axes.grid(alpha=0.3)
            axes.set_ylim(top=min(101.0, axes.get_ylim()[1]))
            if printed is not None:
                axes.legend(fontsize=6, loc="lower right")
    for axes in grid[-1]:
        axes.set_xlabel("matches")
    for row in grid:
        row[0].set_ylabel("cumulative average reward")
    grid[0][1].legend(fontsize=6, loc="lower right")
    figure.suptitle(f"Reading: {reading} (mean of {plan.preset.runs} runs, 95 % bands; dashed: published)")
    return figure
