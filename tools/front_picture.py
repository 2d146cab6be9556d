"""``python -m tools.front_picture``: the picture on the first page, and the numbers in it.

Left, learning curves from four starts, one of them with features from another game; they are learned here, in a
minute or two. Right, matches of the tutorial, whose results ``docs/results/tutorial/matches.json`` keeps, with the
commands that played them.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludoport.arena.statistics import WinLoss
from ludoport.td.curve import Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "results" / "tutorial"
RUNS, MATCHES = 10, 600
GREY, BLUE, RED, GREEN = "#666666", "#1f77b4", "#c0392b", "#2ca02c"


def curves() -> dict[str, Curve]:
    """Connect-3 from scratch, with features from Tic-Tac-Toe, with values from minimax, and at random.

    The opponent looks ahead. Values begin when a position is first looked at, which is not what the words of the paper
    say: read so, no start is better than another (docs/results/banerjee-stone).
    """
    import numpy as np

    import ludoport as lp
    from ludoport.td.learner import ValueLearner
    from ludoport.td.opponents import Opponent
    from ludoport.td.settings import TdSettings
    from ludoport.transfer.features import combined, learned_features

    opponent, settings = Opponent("eps-greedy"), TdSettings(at_sight=True)
    source, target = lp.load("tic-tac-toe.kif"), lp.load("connect-three-5x5.kif")
    tables = []
    for seed in range(100):
        learner = ValueLearner(source, seed=seed, keep=True)
        learner.train(opponent, matches=30)
        tables.append(learned_features(learner, opponent.name, seed=seed))
    known = combined(tables).known(opponent.name)
    learns: dict[str, dict[str, Any]] = {
        "from scratch": {},
        "features from Tic-Tac-Toe": {"start": "features", "features": known},
        "values from minimax": {"start": "minimax"},
        "random moves": {"settings": replace(settings, epsilon=1.0)},
    }
    found = {}
    for name, given in learns.items():
        learners = [ValueLearner(target, seed=seed, **{"settings": settings, **given}) for seed in range(RUNS)]
        found[name] = Curve(np.array([learner.train(opponent, MATCHES) for learner in learners]))
    return found


def draw(found: dict[str, Curve], matches: list[dict[str, Any]], path: Path) -> None:
    """Both halves of the picture."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained", width_ratios=(1, 1.1))
    _draw_curves(left, found)
    _draw_matches(right, matches)
    figure.savefig(path, dpi=140, metadata={"Software": None})
    plt.close(figure)


def _draw_curves(axes: Axes, found: dict[str, Curve]) -> None:
    for (name, curve), colour in zip(found.items(), (GREY, BLUE, RED, GREEN), strict=True):
        x = range(10, curve.matches + 1)
        mean, half = curve.mean[9:], curve.half_width[9:]
        axes.plot(x, mean, color=colour, label=name)
        axes.fill_between(x, mean - half, mean + half, color=colour, alpha=0.2, linewidth=0)
    axes.set(xlabel="matches", ylabel="mean reward so far (a win is 100)", ylim=(0, 100), xlim=(0, MATCHES))
    axes.set_title(f"Connect-3, value learning from four starts\n(mean of {RUNS} runs, 95 % intervals)", fontsize=10)
    axes.legend(loc="lower right", bbox_to_anchor=(1, 0.16), fontsize=9, frameon=False)
    axes.grid(alpha=0.3)


def _draw_matches(axes: Axes, matches: list[dict[str, Any]]) -> None:
    for place, match in enumerate(reversed(matches)):
        record = WinLoss(*match["result"])
        low, high = record.interval()
        colour = BLUE if match["transferred"] else GREY
        score = 100 * record.score
        axes.barh(place, score, color=colour, alpha=0.75, height=0.6)
        axes.plot([100 * low, 100 * high], [place, place], color="black", marker="|", markersize=8)
        axes.text(2, place, f"{record.wins} of {record.games}", va="center", color="white", fontsize=9, weight="bold")
    axes.axvline(50, color=RED, linewidth=1, linestyle="--")
    axes.set_yticks(range(len(matches)), [match["name"] for match in reversed(matches)], fontsize=9)
    axes.set(xlim=(0, 101), xlabel="score in %, with 95 % interval")
    axes.set_title("Crooked Path 7x7: a network from 5x5,\nnever trained on the larger board", fontsize=10)
    axes.grid(axis="x", alpha=0.3)


def main() -> None:
    """Learns, and draws."""
    matches = json.loads((FOLDER / "matches.json").read_text(encoding="utf-8"))
    draw(curves(), matches, FOLDER / "transfer.png")


if __name__ == "__main__":
    main()
