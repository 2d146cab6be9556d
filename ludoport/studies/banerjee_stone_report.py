"""The report of the study: what was found beside what was published, and plainly where they differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ludoport.studies.banerjee_stone import READINGS, Plan, reading_for
from ludoport.studies.banerjee_stone_claims import claims
from ludoport.studies.banerjee_stone_jobs import (
    OPPONENTS,
    SOURCE,
    TARGETS,
    Job,
    cpu_seconds,
    features_path,
    load_curve,
)
from ludoport.studies.banerjee_stone_plots import plot_all
from ludoport.studies.banerjee_stone_published import Figure, published
from ludoport.td.curve import Curve, between
from ludoport.td.lookahead import Template
from ludoport.transfer.features import combined
from ludoport.transfer.features_file import load_features

LEVEL = 95.0
"""The level whose first crossing is reported; the window is 50 matches."""


def write_report(plan: Plan, out: Path, *, plots: bool = True) -> Path:
    """Write ``report.md`` and the plots from what is stored; returns its path."""
    pictures = plot_all(plan, out) if plots else {}
    parts = [
        "# Value features from Tic-Tac-Toe (Banerjee and Stone, 2007)\n",
        _intro(plan, out),
        _features(plan, out, pictures.get("features"), out),
        _table1(plan, out),
        _lengths(plan, out),
        _claims(plan, out),
        *(_figure(plan, out, figure) for figure in published().figures),
        _closeness(plan, out),
        _everything(plan, out),
        *(f"![{name}]({path.relative_to(out)})\n" for name, path in pictures.items() if name != "features"),
    ]
    path = out / "report.md"
    path.write_text("\n".join(parts))
    return path


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table in Markdown; numbers to two digits."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(_cell(value) for value in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def _cell(value: object) -> str:
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.2f}"
    return "" if value is None else str(value)


def _intro(plan: Plan, out: Path) -> str:
    preset = plan.preset
    jobs: list[Job] = [*plan.features, *plan.curves]
    minutes = sum(cpu_seconds(out, job) for job in jobs) / 60
    rows = [
        [name, READINGS[name].habit, READINGS[name].sight, "at sight" if READINGS[name].considered else "after a match"]
        for name in preset.readings
    ]
    return (
        f"{preset.runs} runs of {preset.matches} matches for every curve; the learner has the first move. Features "
        f"come from {preset.source_runs} runs of {preset.source_matches} matches of {SOURCE}, except where a learner "
        f"says otherwise ({preset.long_matches} matches, {preset.runs} runs). The paper leaves several things open, so "
        f"the study was run in these readings; `text` is the nearest to its words. All {len(jobs)} jobs together took "
        f"{minutes:.1f} minutes of one core.\n\n"
        + table(["reading", "opponents choose among equal moves", "opponents see (moves)", "values begin"], rows)
    )


def _features(plan: Plan, out: Path, picture: Path | None, folder: Path) -> str:
    longest = max(plan.preset.lengths)
    found = combined(
        [
            load_features(features_path(out, plan.table(name, opponent, longest)))
            for name in plan.preset.readings
            for opponent in OPPONENTS
        ]
    )
    known = set(published().templates.values())
    missing, extra = known - set(found.features), set(found.features) - known
    text = f"## The features\n\n{len(found)} features were met in {SOURCE}; the paper has {len(known)}. "
    if not missing and not extra:
        text += "They are the same.\n"
    else:
        text += f"Missing: {_names(missing)}. Not in the paper: {_names(extra)}.\n"
    return text + (f"\n![the features]({picture.relative_to(folder)})\n" if picture is not None else "")


def _names(templates: set[Template]) -> str:
    return ", ".join(sorted(f"`{template}`" for template in templates)) or "none"


def _values(plan: Plan, out: Path, reading: str, opponent: str, matches: int) -> dict[str, float]:
    found = load_features(features_path(out, plan.table(reading, opponent, matches)))
    worths = {letter: found.worth(template, opponent) for letter, template in published().templates.items()}
    return {letter: worth.value if worth is not None else math.nan for letter, worth in worths.items()}


def _table1(plan: Plan, out: Path) -> str:
    preset, printed = plan.preset, published()
    best = _best_reading(plan, out)
    ours = {opponent: _values(plan, out, best, opponent, preset.source_matches) for opponent in OPPONENTS}
    rows = [
        [letter, f"`{template}`", *(x for o in OPPONENTS for x in (ours[o][letter], float(printed.values[o][letter])))]
        for letter, template in printed.templates.items()
    ]
    head = ["", "feature", *(f"{opponent}{mark}" for opponent in OPPONENTS for mark in ("", ", published"))]
    return (
        f"## Table 1: values of the features\n\nReading `{best}`, the nearest one after {preset.source_matches} "
        f"matches.\n\n{table(head, rows)}"
    )


def _distance(ours: dict[str, float], printed: dict[str, float]) -> tuple[float, float]:
    """Root mean square difference and correlation over the features that occurred."""
    letters = [letter for letter, value in ours.items() if not math.isnan(value)]
    a, b = np.array([ours[x] for x in letters]), np.array([printed[x] for x in letters], dtype=float)
    if len(letters) < 3 or a.std() == 0:
        return math.nan, math.nan
    return float(np.sqrt(np.mean((a - b) ** 2))), float(np.corrcoef(a, b)[0, 1])


def _mean_distance(plan: Plan, out: Path, reading: str, matches: int) -> float:
    values = (_distance(_values(plan, out, reading, o, matches), published().values[o])[0] for o in OPPONENTS)
    return float(np.mean(list(values)))


def _best_reading(plan: Plan, out: Path) -> str:
    names = dict.fromkeys(_source_reading(name) for name in plan.preset.readings)
    return min(names, key=lambda name: _mean_distance(plan, out, name, plan.preset.source_matches))


def _source_reading(name: str) -> str:
    return reading_for(name, "eps-greedy").name


def _lengths(plan: Plan, out: Path) -> str:
    rows = []
    # The learner in the source game does not care when new values begin.
    for reading in dict.fromkeys(_source_reading(name) for name in plan.preset.readings):
        for length in plan.preset.lengths:
            cells = [_distance(_values(plan, out, reading, o, length), published().values[o]) for o in OPPONENTS]
            rows.append([reading, length, *(x for cell in cells for x in cell)])
    head = ["reading", "matches", *(f"{o}: {what}" for o in OPPONENTS for what in ("distance", "correlation"))]
    return (
        "### How long was the training behind Table 1?\n\nThe paper does not say. Distance is the root mean square "
        "difference to the published values of the features that occurred.\n\n" + table(head, rows)
    )


def _claims(plan: Plan, out: Path) -> str:
    found = claims(plan, out)
    rows = [[claim.text, *(claim.verdicts.get(reading, "") for reading in plan.preset.readings)] for claim in found]
    return (
        "## What the paper claims\n\nThe mean distance between two curves over all matches, with half of its 95 % "
        "interval: *yes* if it lies clearly on the side that the paper says, *no* if clearly on the other, else "
        "*open*.\n\n" + table(["claim", *plan.preset.readings], rows)
    )


def _curves(plan: Plan, out: Path, reading: str, target: str, opponent: str) -> dict[str, Curve]:
    jobs = {learner: plan.curve(reading, target, opponent, learner) for learner in plan.preset.learners}
    return {learner: load_curve(out, job) for learner, job in jobs.items() if job is not None}


def _figure(plan: Plan, out: Path, figure: Figure) -> str:
    """First and last point of the curves of one figure, in all readings."""
    last_match = plan.preset.matches
    names = list(figure.curves)
    inside = {name: points[points[:, 0] <= last_match] for name, points in figure.curves.items()}
    if not all(len(points) for points in inside.values()):
        return ""
    first, last = int(next(iter(inside.values()))[0, 0]), int(next(iter(inside.values()))[-1, 0])
    rows: list[list[object]] = [
        ["published", *(float(inside[name][k, 1]) for name in names for k in (0, -1))],
    ]
    for reading in plan.preset.readings:
        curves = _curves(plan, out, reading, figure.target, figure.opponent)
        rows.append([reading, *(curves[name].at(k) for name in names for k in (first, last))])
    head = ["", *(f"{name}, match {k}" for name in names for k in (first, last))]
    return f"## Figure {figure.number}: {figure.target} against {figure.opponent}\n\n{table(head, rows)}"


def _closeness(plan: Plan, out: Path) -> str:
    """How far each reading is from all published points."""
    rows = []
    for reading in plan.preset.readings:
        cells: list[object] = []
        for figure in published().figures:
            curves = _curves(plan, out, reading, figure.target, figure.opponent)
            errors = [
                curves[name].at(int(match)) - value
                for name, points in figure.curves.items()
                for match, value in points
                if match <= plan.preset.matches
            ]
            cells.append(float(np.sqrt(np.mean(np.square(errors)))) if errors else math.nan)
        rows.append([reading, *cells])
    head = ["reading", *(f"Figure {figure.number}" for figure in published().figures)]
    return (
        "## Which reading comes nearest?\n\nRoot mean square distance to the published points of each figure.\n\n"
        + table(head, rows)
    )


def _everything(plan: Plan, out: Path) -> str:
    """All curves: the end, the area against the baseline, and how soon a level is reached."""
    parts = [
        "## All games, opponents and learners\n\nCumulative average reward at the end, with half of its 95 % interval; "
        "mean distance to the baseline's curve over all matches; "
        f"matches until the last 50 have a mean of {LEVEL:g} (mean over runs).\n"
    ]
    for reading in plan.preset.readings:
        rows = []
        for target in TARGETS:
            for opponent in OPPONENTS:
                curves = _curves(plan, out, reading, target, opponent)
                for learner, curve in curves.items():
                    gap = between(curve, curves["baseline"], paired=True)
                    area = "" if learner == "baseline" else f"{gap.mean:+.2f} ± {gap.half_width:.2f}"
                    end = f"{curve.at(curve.matches):.2f} ± {curve.half_width[-1]:.2f}"
                    rows.append([target, opponent, learner, end, area, curve.reaches(LEVEL) or "never"])
        head = ["game", "opponent", "learner", "at the end", "above the baseline", f"reaches {LEVEL:g}"]
        parts.append(f"### Reading: {reading}\n\n{table(head, rows)}")
    return "\n".join(parts)
