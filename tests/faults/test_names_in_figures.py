"""Names of games and runs in figures are names, not formulas."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludoport.selfplay.config import TrainConfig
from ludoport.selfplay.run import Run

NAMES = ["a $ b", "$\\frac{1}{0", "$x$", "\\$", "$\\undefined$ $"]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_reports(tmp_path: Path, name: str) -> None:
    pytest.importorskip("matplotlib")
    from ludoport.studies.report.draw import panels, save

    figure = panels({name: 1}, lambda axes, _: axes.set_xticks([0], [name]))
    save(figure, tmp_path, "figure", "caption")
    text = (tmp_path / "figures" / "figure.svg").read_text()
    assert text.count(f"<!-- {name} -->") == 2


def test_runs(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from ludoport.selfplay.plots import plot_runs

    runs = {}
    for number, name in enumerate(NAMES):
        run = Run(tmp_path / str(number), TrainConfig(game="Hex"))
        run.create()
        run.keep_metrics([{"epoch": 1, "seconds": 1.0, "policy_loss": 1.0, "value_loss": 1.0}])
        runs[name] = run
    assert plot_runs(runs, tmp_path / "runs.png") is not None
