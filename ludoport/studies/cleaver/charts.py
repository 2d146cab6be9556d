"""The charts of the experiment: Figures 14 and 15 of the thesis, scores, and the study of discounts."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from ludoport.studies.report.blocks import Picture
from ludoport.studies.report.draw import save

COLOURS = {"transfer": "#3465a4", "target": "#cc0000", "control": "#4e9a06"}


LOOK = {"svg.fonttype": "none", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False}


def draw_charts(folder: Path, results: dict[str, Any]) -> dict[str, Picture]:
    """Draw all charts; returns them by name."""
    from matplotlib import rc_context

    charts = {
        "scores": (_scores, "Scores of the first player with 95 % intervals."),
        "exclusive": (_exclusive, "Moves that only Chessplus has (dark), in games won and lost; Figure 14."),
        "offline": (_offline, "Moves from the trees and from search, in the first games; Figure 15."),
    }
    if results["discounts"]:
        charts["discounts"] = _discounts, "Scores by what a visit of the source is worth, with 95 % intervals."
    drawn = {}
    with rc_context(cast("Any", LOOK)):
        for name, (draw, caption) in charts.items():
            figure = draw(results)
            figure.tight_layout()
            drawn[name] = save(figure, folder, name, caption)
    return drawn


def _figure(width: float, height: float, rows: int = 1, columns: int = 1, **more: Any) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height))
    return figure, figure.subplots(rows, columns, squeeze=False, **more)


def _scores(results: dict[str, Any]) -> Any:
    """Scores of all matches with their 95 % intervals."""
    figure, axes = _figure(6, 2.2)
    axis, matches = axes[0, 0], list(results["matches"].values())
    for place, one in enumerate(matches):
        low, high = one["interval"]
        axis.plot([100 * low, 100 * high], [place, place], color=COLOURS[one["a"]], linewidth=2)
        axis.plot(100 * one["score"], place, "o", color=COLOURS[one["a"]])
    axis.axvline(50, color="grey", linewidth=0.8, linestyle="--")
    axis.set_yticks(range(len(matches)), [f"{one['a']} against {one['b']}" for one in matches])
    axis.set_ylim(len(matches) - 0.5, -0.5)
    axis.set_xlabel("score of the first, % (95 % interval)")
    return figure


def _exclusive(results: dict[str, Any]) -> Any:
    """Figure 14: moves that only Chessplus has, in games won and lost."""
    figure, axes = _figure(6, 2.6, 1, 2, sharey=True)
    one = next(iter(results["matches"].values()))
    for axis, word in zip(axes[0], ("won", "lost"), strict=True):
        for place, player in enumerate("ab"):
            counts = one["exclusive"][player][word]
            classic = counts["moves"] - counts["exclusive"]
            colour = COLOURS[one[player]]
            axis.bar(place, classic, color=colour, alpha=0.45, width=0.6, label="classic" if not place else None)
            axis.bar(place, counts["exclusive"], bottom=classic, color=colour, width=0.6)
            share = 100 * counts["exclusive"] / max(counts["moves"], 1)
            axis.text(place, counts["moves"], f"{share:.1f} %", ha="center", va="bottom")
        axis.set_xticks([0, 1], [one["a"], one["b"]])
        axis.set_title(f"games {word}")
        axis.margins(y=0.15)
    axes[0, 0].set_ylabel("moves (dark: only Chessplus)")
    return figure


def _offline(results: dict[str, Any]) -> Any:
    """Figure 15: moves from the trees and from search, in the first games."""
    figure, axes = _figure(6, 3, 2, 1, sharex=True)
    one = next(iter(results["matches"].values()))
    for axis, player in zip(axes[:, 0], "ab", strict=True):
        for number, game in enumerate(one["few"], start=1):
            counts = game[player]
            total = max(counts["offline"] + counts["online"], 1)
            share = 100 * counts["offline"] / total
            axis.bar(number, share, color=COLOURS[one[player]], width=0.7)
            axis.bar(number, 100 - share, bottom=share, color="#dddddd", width=0.7)
        axis.set_ylabel("% of moves")
        axis.set_title(f"{one[player]}: from its tree (coloured) and from search (grey)")
        axis.set_xticks(range(1, len(one["few"]) + 1))
    axes[1, 0].set_xlabel("game")
    return figure


def _discounts(results: dict[str, Any]) -> Any:
    """Scores by weight of a source visit."""
    figure, axes = _figure(6, 2.6)
    axis = axes[0, 0]
    for shift, other in ((0.97, "target"), (1.03, "control")):
        for row in results["discounts"]:
            low, high = row[other]["interval"]
            place = row["discount"] * shift
            axis.plot([place, place], [100 * low, 100 * high], color=COLOURS[other])
        values = [(row["discount"] * shift, 100 * row[other]["score"]) for row in results["discounts"]]
        axis.plot(*zip(*values, strict=True), "o", color=COLOURS[other], label=f"against {other}")
    axis.axhline(50, color="grey", linewidth=0.8, linestyle="--")
    axis.set_xscale("log")
    axis.set_xlabel("worth of a visit of the source")
    axis.set_ylabel("score, % (95 % interval)")
    axis.legend(frameon=False)
    return figure
