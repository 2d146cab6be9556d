"""Reports of studies that are not tables of transfer: ablations, architectures (Figure 1), single matches."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludoport.arena.statistics import WinLoss
from ludoport.studies.engine.scores import Score
from ludoport.studies.report.blocks import Block, Heading, Paragraph, Picture, rows_of
from ludoport.studies.report.draw import INK, PlotSeries, ScatterPoint, panels, save, scatter, style_of
from ludoport.studies.report.statistics import LEVEL, holm, points_two_sided

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = ("group", "player", "against", "seed", "parameters", "games", "wins", "draws", "losses", "percentage", "job")


@dataclass(frozen=True)
class ScoreRow:
    """All games of one player against another, repetitions added up.

    Attributes:
        group: name of the group of scores, such as a game.
        player: the player.
        against: the opponent.
        record: all games.
        parts: the scores of the repetitions.
        p: two-sided binomial test of all games against 50 %.
        p_holm: the same, corrected for the number of rows.
    """

    group: str
    player: str
    against: str
    record: WinLoss
    parts: tuple[Score, ...]
    p: float
    p_holm: float

    @property
    def mark(self) -> str:
        """``+`` or ``-`` where the score differs from 50 % significantly, doubled where it does after Holm."""
        if self.p > LEVEL:
            return ""
        return ("+" if self.record.score > 0.5 else "-") * (2 if self.p_holm <= LEVEL else 1)


def score_rows(scores: Sequence[Score]) -> list[ScoreRow]:
    """One row for each two players in a group, in the order of the scores."""
    groups: dict[tuple[str, str, str], list[Score]] = {}
    for score in scores:
        groups.setdefault((score.group, score.player, score.against), []).append(score)
    records = [sum((score.record for score in some), WinLoss()) for some in groups.values()]
    tests = [points_two_sided(record.wins + record.draws / 2, record.games) for record in records]
    return [
        ScoreRow(*names, record, tuple(some), p, corrected)
        for (names, some), record, p, corrected in zip(groups.items(), records, tests, holm(tests), strict=True)
    ]


def score_blocks(scores: Sequence[Score], folder: Path | None) -> Iterator[Block]:
    """Scores of a study: tables, and pictures if there is a folder for them."""
    sized = [score for score in scores if score.parameters]
    others = [score for score in scores if not score.parameters]
    if sized:
        yield from _architectures(sized, folder)
    if others:
        yield Heading("Scores")
        rows = score_rows(others)
        if folder is not None:
            yield _forest(rows, folder)
        yield from _score_table(rows)


def _score_table(rows: Sequence[ScoreRow]) -> Iterator[Block]:
    repeated = any(len(row.parts) > 1 for row in rows)
    head = ["", "player", "against", "games", "won, drawn, lost", "score", "95 %", "mark", "p", "p after Holm"]
    lines = []
    for row in rows:
        low, high = row.record.interval()
        line = [
            row.group, row.player, row.against, row.record.games, row.record, f"{100 * row.record.score:.1f} %",
            f"{100 * low:.1f} to {100 * high:.1f} %", row.mark.replace("-", "−"), _p(row.p), _p(row.p_holm),
        ]  # fmt: skip
        if repeated:
            line.append(", ".join(f"{100 * part.record.score:.1f}" for part in row.parts))
        lines.append(line)
    yield rows_of([*head, "by repetition"] if repeated else head, lines, words=3)
    yield Paragraph(
        "A draw is half a win; intervals are Wilson's. + and −: different from 50 % (two-sided binomial test, 5 %); ++ "
        "and −−: also after Holm's correction for all rows. All of this covers the chance in games, not the chance in "
        + ("learning, which the differences between repetitions show." if repeated else "learning.")
    )


def _forest(rows: Sequence[ScoreRow], folder: Path) -> Picture:
    """Scores with their intervals, one line each; repetitions as small points."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 0.32 * len(rows) + 1.2), layout="constrained")
    axes = figure.subplots()
    for place, row in enumerate(rows):
        low, high = row.record.interval()
        colour = {"+": "#0072B2", "-": "#D55E00"}.get(row.mark[:1], "#7F7F7F")
        axes.plot([100 * low, 100 * high], [place, place], color=colour, linewidth=1.5)
        axes.plot([100 * row.record.score], [place], "o", color=colour, markersize=6)
        if len(row.parts) > 1:
            parts = [100 * part.record.score for part in row.parts]
            axes.plot(parts, [place] * len(parts), "|", color=INK, markersize=8)
    axes.axvline(50, color=INK, linewidth=0.8)
    one_group = len({row.group for row in rows}) == 1
    names = [row.player if one_group else f"{row.group}: {row.player}" for row in rows]
    axes.yaxis.set_ticks(range(len(rows)), names, fontsize=8)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlabel(f"score in percent against {rows[0].against}" if len({r.against for r in rows}) == 1 else "score")
    axes.grid(alpha=0.25, axis="x")
    ticks = " Ticks: repetitions." if any(len(row.parts) > 1 for row in rows) else ""
    caption = (
        "Scores with 95 % intervals; blue is significantly above 50 %, orange below, grey neither (5 %, each alone)."
    )
    return save(figure, folder, "scores", caption + ticks)


def _architectures(scores: Sequence[Score], folder: Path | None) -> Iterator[Block]:
    """Figure 1: win percentage against the size of the network, one panel a game."""
    yield Heading("Architectures (Figure 1)")
    styles = style_of(score.player for score in scores)
    if folder is not None:
        yield save(_size_panels(scores, styles), folder, "figure-1", _caption(scores))
    groups = list(dict.fromkeys(score.group for score in scores))
    lines = []
    for player in styles:
        line = [player]
        for group in groups:
            some = [score for score in scores if (score.player, score.group) == (player, group)]
            line.append(_best(some))
        lines.append(line)
    yield rows_of(["network", *groups], lines)
    yield Paragraph(
        "Mean win percentage of the networks of a kind, and in brackets the best of them with its number of parameters."
    )


def _size_panels(scores: Sequence[Score], styles: dict[str, PlotSeries]) -> Any:
    def draw(axes: Axes, group: str) -> None:
        some = [score for score in scores if score.group == group]
        axes.set_xscale("log")
        axes.set_xlabel("parameters")
        scatter(axes, [_point(score) for score in some], styles)

    return panels({group: group for group in dict.fromkeys(score.group for score in scores)}, draw, styles)


def _point(score: Score) -> ScatterPoint:
    low, high = score.record.interval()
    return ScatterPoint(score.parameters, 100 * score.record.score, score.player, y_span=(100 * low, 100 * high))


def _caption(scores: Sequence[Score]) -> str:
    against = ", ".join(dict.fromkeys(score.against for score in scores))
    return f"Figure 1: win percentage against {against}, by size and kind of network. Bars: 95 % intervals."


def _best(scores: Sequence[Score]) -> str:
    if not scores:
        return ""
    best = max(scores, key=lambda score: score.record.score)
    mean = math.fsum(score.record.score for score in scores) / len(scores)
    return f"{100 * mean:.1f} % ({100 * best.record.score:.1f} %, {best.parameters:,})"


def scores_csv(scores: Sequence[Score]) -> str:
    """One line a match."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(score_plain(score) for score in scores)
    return out.getvalue()


def score_plain(score: Score) -> dict[str, Any]:
    """Facts about a match, by the names of the columns."""
    record = score.record
    values = (
        score.group, score.player, score.against, score.seed, score.parameters or None, record.games, record.wins,
        record.draws, record.losses, round(100 * record.score, 4), score.job,
    )  # fmt: skip
    return dict(zip(COLUMNS, values, strict=True))


def _p(value: float) -> str:
    return f"{value:.3f}" if value >= 0.001 else "< 0.001"
