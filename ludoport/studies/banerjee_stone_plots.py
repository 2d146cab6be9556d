"""The figures of the study: the features, and learning curves with the published ones behind them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ludoport.studies.banerjee_stone import Plan
from ludoport.studies.banerjee_stone_jobs import OPPONENTS, TARGETS, load_curve
from ludoport.studies.banerjee_stone_published import published
from ludoport.studies.pictures import draw_features, save_figure

COLOURS = {
    "baseline": "#7f7f7f", "transfer": "#1f77b4", "transfer, printed values": "#17becf",
    "transfer, long training": "#9467bd", "transfer, nested": "#8c564b", "transfer, many sources": "#e377c2",
    "minimax": "#d62728", "maxmax": "#ff7f0e", "avgmax": "#2ca02c",
}  # fmt: skip
POINTS = 200
"""A curve is drawn through so many points."""


def plot_all(plan: Plan, out: Path) -> dict[str, Path]:
    """Draw everything; returns the PNG files by what they show."""
    folder = out / "plots"
    titles = {f"({letter}) {template}": template for letter, template in published().templates.items()}
    found = {"features": draw_features(titles, folder / "features")[0]}
    for reading in plan.preset.readings:
        name = reading.replace(", ", "-").replace(" ", "-")
        found[reading] = _grid(plan, out, reading, folder / f"curves-{name}")
    return found


def _grid(plan: Plan, out: Path, reading: str, stem: Path) -> Path:
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
                curve = load_curve(out, job)
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
    return save_figure(figure, stem)[0]
