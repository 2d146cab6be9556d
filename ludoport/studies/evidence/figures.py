"""The figures of a block: both measures of every pair, as bars and as heat maps, and curves of learning."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludoport.studies.evidence.model import Estimate
from ludoport.studies.evidence.plan import SHARES
from ludoport.studies.report.blocks import Picture
from ludoport.studies.report.draw import COLOURS, INK, diverging, names_at, save, write_cell

if TYPE_CHECKING:
    from ludoport.studies.evidence.report import Found


def zeros(cells: Sequence[dict[str, Any]], out: Path) -> Picture:
    """For every pair, the paper's measure on the left and knowledge carried on the right, with intervals."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 1.0 + 0.32 * len(cells)), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    for place, cell in enumerate(reversed(cells)):
        for axes, name, colour, shift in (
            (left, "zero-shot score", COLOURS[0], 0.0), (right, "zero-shot carried", COLOURS[0], 0.12),
            (right, "random mapping carried", COLOURS[1], -0.12),
        ):  # fmt: skip
            one = Estimate.of_json(cell[name])
            scale = 100 if axes is left else 1
            axes.plot([scale * one.low, scale * one.high], [place + shift] * 2, color=colour, linewidth=1.5)
            axes.plot([scale * one.value], [place + shift], "o", color=colour, markersize=5)
    left.set_yticks(range(len(cells)), [_label(cell) for cell in reversed(cells)], fontsize=8)
    left.set_ylim(-0.5, len(cells) - 0.5)
    left.set_xlim(-3, 103)
    left.axvline(50, color=INK, linewidth=0.8)
    left.set_xlabel("score against the target's own network, %")
    for line in (0, 1):
        right.axvline(line, color=INK, linewidth=0.8)
    right.set_xlabel("carried (0: untrained, 1: from scratch)\norange: channels mapped at random")
    for axes in (left, right):
        axes.grid(alpha=0.25)
    caption = "Zero-shot transfer by both measures, with 95 % intervals over seeds and games. * undertrained target."
    return save(figure, out, "zeros", caption)


def heat(cells: Sequence[dict[str, Any]], out: Path) -> Picture:
    """Both measures as matrices, sources as rows and targets as columns, with intervals in the cells."""
    from matplotlib.figure import Figure

    sources, targets = (list(dict.fromkeys(cell[side] for cell in cells)) for side in ("source", "target"))
    starred = {cell["target"] for cell in cells if cell["undertrained"]}
    size = 2 * (0.8 * len(targets) + 1.9), 0.45 * len(sources) + 1.5
    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(1, 2)
    measures = (
        ("zero-shot score", "score against the target's own network, %", 100, 0),
        ("zero-shot carried", "knowledge carried", 1, 2),
    )
    for axes, (name, title, scale, digits) in zip(panels, measures, strict=True):
        values = np.full((len(sources), len(targets)), np.nan)
        for cell in cells:
            one, row, column = (
                Estimate.of_json(cell[name]),
                sources.index(cell["source"]),
                targets.index(cell["target"]),
            )
            if not np.isnan(one.value):
                values[row, column] = scale * one.value
                span = scale * one.low, scale * one.high
                write_cell(axes, row, column, f"{scale * one.value:.{digits}f}", span, digits)
        axes.set_facecolor("#dddddd")
        axes.imshow(values, cmap=diverging(), vmin=0, vmax=scale, aspect="auto")
        axes.set_title(title, fontsize=8)
        names_at(axes.xaxis, [f"{target} *" if target in starred else target for target in targets], rotation=30)
        names_at(axes.yaxis, sources)
        axes.set_xlabel("target", fontsize=8)
        axes.set_ylabel("source", fontsize=8)
    caption = "Zero-shot transfer, with 95 % intervals over seeds and games in small type; grey was not played."
    return save(figure, out, "heat", f"{caption} * undertrained target.")


def _label(cell: dict[str, Any]) -> str:
    return f"{cell['source']} to {cell['target']}{' *' if cell['undertrained'] else ''}"


def curves(found: Found, target: str, out: Path) -> Picture:
    """Strength over time: from nothing, and tuned from each source; zero-shot networks that were not tuned as lines."""
    from matplotlib.figure import Figure

    scale = found.scales[target]
    lines: dict[str, list[tuple[int, Estimate]]] = {
        "from nothing": [(0, scale.elo("untrained")), *((e, scale.elo("scratch", e)) for e in SHARES)]
    }
    for source in found.tuned(target):
        curve = [(e, scale.elo("tuned", e, source)) for e in SHARES[:4]]
        lines[f"from {source}"] = [(0, scale.elo("zero-shot", 0, source)), *curve]
    figure = Figure(figsize=(6.0, 4.0), layout="constrained")
    axes = figure.subplots()
    for colour, (name, points) in zip(COLOURS, lines.items(), strict=False):
        times, values = [e / 8 for e, _ in points], [one.value for _, one in points]
        axes.plot(times, values, marker="o", markersize=4, color=colour, label=name)
        axes.fill_between(
            times, [one.low for _, one in points], [one.high for _, one in points], color=colour, alpha=0.15
        )
    others = [source for source in found.sources(target) if source not in found.tuned(target)]
    for colour, source in zip(COLOURS[len(lines) :], others, strict=False):
        one = scale.elo("zero-shot", 0, source)
        axes.axhline(one.value, color=colour, linestyle="--", linewidth=1.2, label=f"zero-shot from {source}")
        axes.axhspan(one.low, one.high, color=colour, alpha=0.12)
    axes.set_xlabel("learned in the target, in units of T")
    axes.set_ylabel("Elo above the untrained network")
    axes.grid(alpha=0.25)
    axes.legend(fontsize=8)
    name = "curves-" + "".join(c if c.isalnum() else "-" for c in target.lower().replace("×", "x"))
    return save(figure, out, name, f"{target}: strength over time, with 95 % intervals over seeds and games.")
