"""The report of the study: our results next to the published ones, and where they differ."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ludoport.errors import LudoportError
from ludoport.studies.banerjee_stone.claims import Claim, claims
from ludoport.studies.banerjee_stone.jobs import (
    OPPONENTS,
    SOURCE,
    TARGETS,
    cpu_seconds,
    done,
    features_path,
    load_curve,
)
from ludoport.studies.banerjee_stone.plan import NAME, PRESETS, READINGS, FeaturePlan, make_plan, reading_for
from ludoport.studies.banerjee_stone.plots import plot_all
from ludoport.studies.banerjee_stone.published import CurveFigure, published
from ludoport.studies.report.blocks import Block, Heading, Paragraph, Picture, Rows, rows_of
from ludoport.studies.report.page import require_matplotlib, write_page
from ludoport.td.curve import Curve, between
from ludoport.td.lookahead import Template
from ludoport.transfer.features import combined
from ludoport.transfer.features_file import load_features

LEVEL = 95.0
"""The level whose first crossing is reported; the window is 50 matches."""


@dataclass(frozen=True)
class End:
    """One learning curve in few numbers.

    Attributes:
        reading: the reading of the paper.
        target: the game.
        opponent: the opponent of the learner.
        learner: the initial values of the learner.
        reward: cumulative average at the end.
        half_width: half of its 95 % interval.
        gain: mean distance to the curve of the baseline; None for the baseline itself.
        gain_half_width: half of its 95 % interval.
        reaches: matches until the last 50 have a mean of ``LEVEL``; None where they never have.
    """

    reading: str
    target: str
    opponent: str
    learner: str
    reward: float
    half_width: float
    gain: float | None
    gain_half_width: float | None
    reaches: float | None


@dataclass(frozen=True)
class CurveContent:
    """Source of a report: a plan whose jobs are done, and the folder of their results."""

    plan: FeaturePlan
    out: Path

    def values(self, reading: str, opponent: str, matches: int) -> dict[str, float]:
        """Our values of the published features, by their letters; NaN where one did not occur."""
        found = load_features(features_path(self.out, self.plan.table(reading, opponent, matches)))
        worths = {letter: found.worth(template, opponent) for letter, template in published().templates.items()}
        return {letter: worth.value if worth is not None else math.nan for letter, worth in worths.items()}

    def curves(self, reading: str, target: str, opponent: str) -> dict[str, Curve]:
        """The learning curves by learner."""
        jobs = {learner: self.plan.curve(reading, target, opponent, learner) for learner in self.plan.preset.learners}
        return {learner: load_curve(self.out, job) for learner, job in jobs.items() if job is not None}

    @cached_property
    def claims(self) -> list[Claim]:
        """Claims of the paper, and whether they hold."""
        return claims(self.plan, self.out)

    @cached_property
    def ends(self) -> list[End]:
        """All curves in few numbers."""
        return list(_ends(self))


def report_folder(folder: Path, out: Path, *, plots: bool = True) -> Path:
    """Write the report of the study in a folder; returns the HTML page.

    Raises:
        LudoportError: no preset of the study is finished there.
    """
    for preset in reversed(PRESETS.values()):
        plan = make_plan(preset)
        if all(done(folder, job) for job in plan.jobs):
            return write_report(plan, folder, out, plots=plots)
    raise LudoportError(f"{folder}: the study is not finished; resume it with: ludoport study {NAME} --out {folder}")


def write_report(plan: FeaturePlan, folder: Path, out: Path, *, plots: bool = True) -> Path:
    """Write the report of a finished plan; returns the HTML page.

    Args:
        plan: the plan that was computed.
        folder: folder of its results.
        out: the folder of the report.
        plots: whether there are to be figures.
    """
    if plots:
        require_matplotlib()
    content = CurveContent(plan, folder)
    pictures = plot_all(plan, folder, out) if plots else {}
    results: dict[str, Any] = {
        "study": NAME,
        "preset": asdict(plan.preset),
        "claims": [asdict(claim) for claim in content.claims],
        "curves": [asdict(end) for end in content.ends],
    }
    return write_page(_blocks(content, pictures), out, results)


def _blocks(content: CurveContent, pictures: dict[str, Picture]) -> Iterator[Block]:
    yield Heading("Value features from Tic-Tac-Toe (Banerjee and Stone, 2007)", 1)
    yield from _intro(content)
    yield from _features(content)
    if "features" in pictures:
        yield pictures["features"]
    for part in (_table1, _lengths, _claims):
        yield from part(content)
    for figure in published().figures:
        yield from _figure(content, figure)
    yield from _closeness(content)
    yield from _everything(content)
    yield from (picture for name, picture in pictures.items() if name != "features")


def table(head: Sequence[str], rows: Sequence[Sequence[object]], words: int = 1) -> Rows:
    """A table; numbers to two digits."""
    return rows_of(head, ([_cell(value) for value in row] for row in rows), words)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.2f}"
    return "" if value is None else str(value)


def _intro(content: CurveContent) -> Iterator[Block]:
    plan, preset = content.plan, content.plan.preset
    minutes = sum(cpu_seconds(content.out, job) for job in plan.jobs) / 60
    rows = [
        [name, READINGS[name].habit, READINGS[name].sight, "at sight" if READINGS[name].considered else "after a match"]
        for name in preset.readings
    ]
    yield Paragraph(
        f"{preset.runs} runs of {preset.matches} matches for every curve; the learner has the first move. Features "
        f"come from {preset.source_runs} runs of {preset.source_matches} matches of {SOURCE}, except where a learner "
        f"says otherwise ({preset.long_matches} matches, {preset.runs} runs). The paper leaves several things open, so "
        f"the study was run in these readings; `text` is the nearest to its words. All {len(plan.jobs)} jobs together "
        f"took {minutes:.1f} minutes of one core."
    )
    yield table(["reading", "opponents choose among equal moves", "opponents see (moves)", "values begin"], rows, 4)


def _features(content: CurveContent) -> Iterator[Block]:
    plan = content.plan
    longest = max(plan.preset.lengths)
    found = combined(
        [
            load_features(features_path(content.out, plan.table(name, opponent, longest)))
            for name in plan.preset.readings
            for opponent in OPPONENTS
        ]
    )
    known = set(published().templates.values())
    missing, extra = known - set(found.features), set(found.features) - known
    text = f"{len(found)} features were met in {SOURCE}; the paper has {len(known)}. "
    if not missing and not extra:
        text += "They are the same."
    else:
        text += f"Missing: {_names(missing)}. Not in the paper: {_names(extra)}."
    yield Heading("The features")
    yield Paragraph(text)


def _names(templates: set[Template]) -> str:
    return ", ".join(sorted(f"`{template}`" for template in templates)) or "none"


def _table1(content: CurveContent) -> Iterator[Block]:
    preset, printed = content.plan.preset, published()
    best = _best_reading(content)
    ours = {opponent: content.values(best, opponent, preset.source_matches) for opponent in OPPONENTS}
    rows = [
        [letter, f"`{template}`", *(x for o in OPPONENTS for x in (ours[o][letter], float(printed.values[o][letter])))]
        for letter, template in printed.templates.items()
    ]
    head = ["", "feature", *(f"{opponent}{mark}" for opponent in OPPONENTS for mark in ("", ", published"))]
    yield Heading("Table 1: values of the features")
    yield Paragraph(f"Reading `{best}`, the nearest one after {preset.source_matches} matches.")
    yield table(head, rows, 2)


def _distance(ours: dict[str, float], printed: dict[str, float]) -> tuple[float, float]:
    """Root mean square difference and correlation over the features that occurred."""
    letters = [letter for letter, value in ours.items() if not math.isnan(value)]
    a, b = np.array([ours[x] for x in letters]), np.array([printed[x] for x in letters], dtype=float)
    if len(letters) < 3 or a.std() == 0:
        return math.nan, math.nan
    return float(np.sqrt(np.mean((a - b) ** 2))), float(np.corrcoef(a, b)[0, 1])


def _mean_distance(content: CurveContent, reading: str, matches: int) -> float:
    values = (_distance(content.values(reading, o, matches), published().values[o])[0] for o in OPPONENTS)
    return float(np.mean(list(values)))


def _best_reading(content: CurveContent) -> str:
    names = dict.fromkeys(_source_reading(name) for name in content.plan.preset.readings)
    return min(names, key=lambda name: _mean_distance(content, name, content.plan.preset.source_matches))


def _source_reading(name: str) -> str:
    return reading_for(name, "eps-greedy").name


def _lengths(content: CurveContent) -> Iterator[Block]:
    rows = []
    preset = content.plan.preset
    # To the learner in the source game it makes no difference when new values begin.
    for reading in dict.fromkeys(_source_reading(name) for name in preset.readings):
        for length in preset.lengths:
            cells = [_distance(content.values(reading, o, length), published().values[o]) for o in OPPONENTS]
            rows.append([reading, length, *(x for cell in cells for x in cell)])
    head = ["reading", "matches", *(f"{o}: {what}" for o in OPPONENTS for what in ("distance", "correlation"))]
    yield Heading("How long was the training behind Table 1?", 3)
    yield Paragraph(
        "The paper does not say. Distance is the root mean square difference to the published values of the features "
        "that occurred."
    )
    yield table(head, rows)


def _claims(content: CurveContent) -> Iterator[Block]:
    readings = content.plan.preset.readings
    rows = [[claim.text, *(claim.verdicts.get(reading, "") for reading in readings)] for claim in content.claims]
    yield Heading("What the paper claims")
    yield Paragraph(
        "The mean distance between two curves over all matches, with half of its 95 % interval: *yes* if it lies "
        "clearly on the side that the paper says, *no* if clearly on the other, else *open*."
    )
    yield table(["claim", *readings], rows)


def _figure(content: CurveContent, figure: CurveFigure) -> Iterator[Block]:
    """First and last point of the curves of one figure, in all readings."""
    last_match = content.plan.preset.matches
    names = list(figure.curves)
    inside = {name: points[points[:, 0] <= last_match] for name, points in figure.curves.items()}
    if not all(len(points) for points in inside.values()):
        return
    first, last = int(next(iter(inside.values()))[0, 0]), int(next(iter(inside.values()))[-1, 0])
    rows: list[list[object]] = [
        ["published", *(float(inside[name][k, 1]) for name in names for k in (0, -1))],
    ]
    for reading in content.plan.preset.readings:
        curves = content.curves(reading, figure.target, figure.opponent)
        rows.append([reading, *(curves[name].at(k) for name in names for k in (first, last))])
    yield Heading(f"Figure {figure.number}: {figure.target} against {figure.opponent}")
    yield table(["", *(f"{name}, match {k}" for name in names for k in (first, last))], rows)


def _closeness(content: CurveContent) -> Iterator[Block]:
    """Distance of each reading from all published points."""
    rows = []
    for reading in content.plan.preset.readings:
        cells: list[object] = []
        for figure in published().figures:
            curves = content.curves(reading, figure.target, figure.opponent)
            errors = [
                curves[name].at(int(match)) - value
                for name, points in figure.curves.items()
                for match, value in points
                if match <= content.plan.preset.matches
            ]
            cells.append(float(np.sqrt(np.mean(np.square(errors)))) if errors else math.nan)
        rows.append([reading, *cells])
    yield Heading("Which reading comes nearest?")
    yield Paragraph("Root mean square distance to the published points of each figure.")
    yield table(["reading", *(f"Figure {figure.number}" for figure in published().figures)], rows)


def _ends(content: CurveContent) -> Iterator[End]:
    for reading in content.plan.preset.readings:
        for target in TARGETS:
            for opponent in OPPONENTS:
                curves = content.curves(reading, target, opponent)
                for learner, curve in curves.items():
                    gap = None if learner == "baseline" else between(curve, curves["baseline"], paired=True)
                    gain, width = (None, None) if gap is None else (gap.mean, gap.half_width)
                    end = curve.at(curve.matches), float(curve.half_width[-1])
                    yield End(reading, target, opponent, learner, *end, gain, width, curve.reaches(LEVEL))


def _everything(content: CurveContent) -> Iterator[Block]:
    """All curves: the end, the area against the baseline, and how soon a level is reached."""
    yield Heading("All games, opponents and learners")
    yield Paragraph(
        "Cumulative average reward at the end, with half of its 95 % interval; mean distance to the baseline's curve "
        f"over all matches; matches until the last 50 have a mean of {LEVEL:g} (mean over runs)."
    )
    for reading in content.plan.preset.readings:
        rows = []
        for end in content.ends:
            if end.reading == reading:
                area = "" if end.gain is None else f"{end.gain:+.2f} ± {end.gain_half_width:.2f}"
                reward = f"{end.reward:.2f} ± {end.half_width:.2f}"
                rows.append([end.target, end.opponent, end.learner, reward, area, end.reaches or "never"])
        yield Heading(f"Reading: {reading}", 3)
        head = ["game", "opponent", "learner", "at the end", "above the baseline", f"reaches {LEVEL:g}"]
        yield table(head, rows, 3)
