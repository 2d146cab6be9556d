"""Pictures of how runs learn."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludoport.selfplay.rating import ratings

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ludoport.selfplay.run import Run


def plot_runs(runs: Mapping[str, Run], file: Path) -> Path | None:
    """Draw losses and ratings of runs over their time; None where matplotlib is not there."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        return None
    figure = Figure(figsize=(11, 3.4), layout="constrained")
    FigureCanvasAgg(figure)
    policy, value, strength = figure.subplots(1, 3)
    for label, run in runs.items():
        records = run.metrics()
        _loss(policy, records, "policy_loss", label)
        _loss(value, records, "value_loss", label)
        _strength(strength, run, label)
    for axes, title in ((policy, "loss of the policy"), (value, "loss of the value"), (strength, "Elo")):
        axes.set_title(title, fontsize=10)
        axes.set_xlabel("minutes")
        axes.grid(alpha=0.3)
        if axes.get_legend_handles_labels()[0] and len(runs) > 1:
            axes.legend(fontsize=8)
    anchors = {run.config.opponents[0] for run in runs.values() if run.config.opponents}
    if len(anchors) == 1:
        strength.set_title(f"Elo above {anchors.pop()}", fontsize=10)
    figure.savefig(file, dpi=130)
    return file


def _loss(axes: Axes, records: list[dict[str, Any]], name: str, label: str) -> None:
    known = [record for record in records if record.get(name) is not None]
    axes.plot([r["seconds"] / 60 for r in known], [r[name] for r in known], label=label, linewidth=1.4)


def _strength(axes: Axes, run: Run, label: str) -> None:
    found = ratings(run)
    if found:
        axes.errorbar(
            [r.seconds / 60 for r in found], [r.elo for r in found], yerr=[r.error for r in found], label=label,
            marker="o", markersize=4, capsize=2, linewidth=1.4,
        )  # fmt: skip
