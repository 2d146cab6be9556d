from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ludoport.studies.report.blocks import Picture
from ludoport.studies.report.draw import COLOURS, MARKERS, ScatterPoint, blend, style_of
from ludoport.studies.soemers.report import plots as report_plots
from ludoport.studies.soemers.report.entries import ShownCell, entries_of, published_entries
from ludoport.studies.soemers.report.heat import draw_heat
from ludoport.studies.soemers.report.plots import draw_scatter
from ludoport.studies.soemers.report.tables import transfer_tables
from tests.studies.report_cells import HEX, hex_cells

Drawn = dict[str, dict[str, list[ScatterPoint]]]


def points_of(entries: Sequence[ShownCell], monkeypatch: pytest.MonkeyPatch, *, ghosts: bool = True) -> Drawn:
    """The points of every figure by panel, without drawing anything."""
    drawn: Drawn = {}
    current: dict[str, list[ScatterPoint]] = {}

    def keep(axes: Any, points: Sequence[ScatterPoint], _styles: Any) -> None:
        current[axes.get_title()] = list(points)

    def save(_figure: Any, _folder: Path, name: str, caption: str) -> Picture:
        drawn[name] = dict(current)
        current.clear()
        return Picture(Path(name), caption)

    monkeypatch.setattr(report_plots, "scatter", keep)
    monkeypatch.setattr(report_plots, "save", save)
    draw_scatter(entries, Path(), ghosts=ghosts)
    return drawn


def test_the_published_figures_have_all_points(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = points_of(published_entries(), monkeypatch)
    sizes = {name: [len(points) for points in panels.values()] for name, panels in drawn.items()}
    assert sizes == {
        "figure-2": [54, 54],
        "figure-3": [54, 54, 20, 22],
        "figure-4": [30, 12, 24, 30],
        "figure-8": [54, 54, 20, 22],
        "variations": [150, 96],
    }
    # Figure 2: nothing that comes from a larger board reaches 50 %, and much that comes from a smaller one does.
    smaller, larger = drawn["figure-2"].values()
    assert max(point.y for point in smaller) < 50
    assert max(point.x for point in smaller) < 1 < min(point.x for point in larger)
    assert sum(point.y > 50 for point in larger) == 25
    # Figure 3: Diagonal Hex 19×19 to 11×11 stays at 0 %; Konane 8×8 to 12×12 loses almost nothing.
    to_smaller = drawn["figure-3"]["(a) larger to smaller boards"]
    assert (0.0, 0.0, "Diagonal Hex") in {(point.x, point.y, point.series) for point in to_smaller}
    # Figure 4: Minishogi to Shogi lies below the line y = x.
    below = [point for point in drawn["figure-4"]["(b) shogi"] if point.y < point.x]
    assert [(round(point.x), point.series) for point in below] == [(97, "to Shogi")]


def test_a_study_is_drawn_against_its_epochs(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = points_of(entries_of(hex_cells(), (HEX,)), monkeypatch)
    assert set(drawn) == {"figure-2", "figure-3", "figure-8", "agreement"}
    point, printed = drawn["figure-2"]["(b) smaller to larger boards"]
    assert (printed.x, printed.hollow, printed.y_span) == (point.x, True, None)
    assert (point.x, point.y, point.series) == (2.0, 85.0, "to 9×9")
    assert point.y_span is not None
    assert point.y_span[0] < 85 < point.y_span[1]
    ours, theirs = drawn["figure-3"]["(b) smaller to larger boards"]
    assert (ours.x, ours.y, ours.hollow) == (85.0, 80.0, False)
    assert (theirs.x, theirs.y, theirs.hollow) == (38.33, 69.33, True)
    assert len(drawn["agreement"]["zero-shot"]) == 6


@pytest.mark.slow
def test_a_network_without_epochs_leaves_the_others_their_ratios(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lame = [replace(one, target_epochs=0) if one.target == "7×7" else one for one in hex_cells()]
    entries = entries_of(lame, (HEX,))
    drawn = points_of(entries, monkeypatch)
    assert set(drawn["figure-8"]) == {"(b) smaller to larger boards", "(d) other win condition"}
    assert [(p.x, p.hollow) for p in drawn["figure-8"]["(b) smaller to larger boards"]] == [(2.0, False), (2.0, True)]
    monkeypatch.undo()
    caption = {picture.path.stem: picture.caption for picture in draw_scatter(entries, tmp_path)}["figure-8"]
    assert "the ratio of epochs of training" in caption
    assert "less than one epoch: 2." in caption
    assert "not published" not in caption
    none = [replace(one, target_epochs=0) for one in hex_cells()]
    assert "figure-8" not in points_of(entries_of(none, (HEX,)), monkeypatch)


def test_published_points_can_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = points_of(entries_of(hex_cells(), (HEX,)), monkeypatch, ghosts=False)
    for name in ("figure-3", "figure-8"):
        assert not any(point.hollow for points in drawn[name].values() for point in points)


@pytest.mark.slow
def test_pictures_are_written_twice_and_the_same_each_time(tmp_path: Path) -> None:
    entries = entries_of(hex_cells(), (HEX,))[:6]
    heat = draw_heat(transfer_tables(entries, (HEX,)), tmp_path)["Hex"]
    assert heat.path == Path("figures/heat-hex.png")
    first = (tmp_path / heat.path).read_bytes()
    assert first.startswith(b"\x89PNG")
    assert b"<svg" in (tmp_path / heat.path).with_suffix(".svg").read_bytes()
    draw_heat(transfer_tables(entries, (HEX,)), tmp_path)
    assert (tmp_path / heat.path).read_bytes() == first


def test_series_differ_in_colour_or_marker() -> None:
    names = [str(k) for k in range(len(COLOURS) * len(MARKERS))]
    looks = {(series.colour, series.marker) for series in style_of(names).values()}
    assert len(looks) == len(names)


def test_colours_of_percentages_grow_away_from_the_middle() -> None:
    def light(percentage: float) -> int:
        colour = blend(percentage)
        return sum(int(colour[k : k + 2], 16) for k in (1, 3, 5))

    assert light(50) == 3 * 255
    assert light(0) < light(20) < light(40) < light(50) > light(60) > light(80) > light(100)
