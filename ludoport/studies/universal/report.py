"""The report of the study: what networks for many games know of families that they have never seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ludoport.arena.statistics import WinLoss
from ludoport.studies.engine.jobs import JobEntry, slug
from ludoport.studies.evidence.model import Estimate, Scale
from ludoport.studies.evidence.plan import Entrant
from ludoport.studies.evidence.report import Found, read_found
from ludoport.studies.report.blocks import Block, CommandLine, Heading, Paragraph, Picture, rows_of
from ludoport.studies.report.draw import COLOURS, save
from ludoport.studies.report.page import require_matplotlib, write_page
from ludoport.studies.universal.plan import NO_VARIED, WHOLE, WITHOUT, by_number

TUNED = (1, 2, 4, 8)
"""Checkpoints of tuned networks, in eighths of T."""


def report_folder(folder: Path, out: Path, *, plots: bool = True) -> Path:
    """Write the report; returns the HTML page."""
    if plots:
        require_matplotlib()
    found = read_found(folder)
    cells = [cell for scale in found.scales.values() for cell in cells_of(scale)]
    learned = [cell for scale in found.scales.values() for cell in learned_cells(scale)]
    picture = _curve(found, cells, out) if plots and cells else None
    blocks = [*_blocks(found, cells, picture), *_learned(found, learned)]
    return write_page(blocks, out, {**found.facts, "cells": cells, "learned": learned})


def cells_of(scale: Scale) -> Iterator[dict[str, Any]]:
    """All measures of networks that play a target zero-shot, and of the tuned one."""
    for label in dict.fromkeys(match.one.source for match in scale.played if match.one.kind == "zero-shot"):
        against = _against_untrained(scale, label)
        cell: dict[str, Any] = {
            "target": scale.target, "network": label,
            "score against untrained": _score(scale, "zero-shot", 0, label, "untrained", 0).as_json(),
            "p": against.p_better if against.games else None,
            "score": _score(scale, "zero-shot", 0, label, "scratch", 8).as_json(),
            "carried": scale.carried("zero-shot", 0, label).as_json(),
        }  # fmt: skip
        if label == WHOLE and any(match.one.kind == "tuned" for match in scale.played):
            cell["tuned"] = [_score(scale, "tuned", e, label, "scratch", 8).as_json() for e in TUNED]
            cell["share of T needed"] = scale.share_needed(label).as_json()
        yield cell


def learned_cells(scale: Scale) -> Iterator[dict[str, Any]]:
    """Scores of networks for many games in a game that they have learned, against networks for this game only."""
    for label in dict.fromkeys(match.one.source for match in scale.played if match.one.kind == "learned"):
        scores = [_score(scale, "learned", 0, label, "scratch", e).as_json() for e in TUNED]
        yield {"target": scale.target, "network": label, "scores": scores}


def _score(scale: Scale, kind: str, eighths: int, label: str, other: str, of: int) -> Estimate:
    def mine(one: Entrant) -> bool:
        return (one.kind, one.eighths, one.source) == (kind, eighths, label)

    def theirs(two: Any) -> bool:
        return isinstance(two, Entrant) and (two.kind, two.eighths) == (other, of)

    return scale.score(mine, theirs)


def _against_untrained(scale: Scale, label: str) -> WinLoss:
    """All games of a network against those with first weights."""
    matches = [
        match
        for match in scale.played
        if (match.one.kind, match.one.source) == ("zero-shot", label)
        and isinstance(match.two, Entrant)
        and match.two.kind == "untrained"
    ]
    return WinLoss(*(sum(getattr(m, name) for m in matches) for name in ("wins", "draws", "losses")))


def _blocks(found: Found, cells: Sequence[dict[str, Any]], picture: Picture | None) -> Iterator[Block]:
    facts, config = found.facts, found.config
    yield Heading(f"{facts['name']}, {facts['preset']}", 1)
    yield Paragraph(
        f"Each family is held out once. `{WHOLE}` learned the games of all others and {config['varied']} varied games "
        f"for {config['many']} epochs; networks for one game learned it for T, {config['epochs']} epochs. Networks of "
        f"each kind: {config['seeds']}. Intervals are 95 % over seeds and games. *Score* is that against the network "
        "that learned the target for T. *Carried* says where a network stands between one with first weights (0) and "
        "that one (1) on the Elo scale of the target. p is one-sided, against networks with first weights."
    )
    yield CommandLine(f"ludoport study {facts['name']} --preset {facts['preset']} --seed {facts['seed']}")
    held = {name: targets for name, targets in config["families"].items() if {c["target"] for c in cells} & {*targets}}
    for family, targets in held.items():
        yield Heading(f"Without {family}")
        for target in targets:
            mine = [cell for cell in cells if cell["target"] == target]
            if not mine:
                continue
            yield rows_of(
                (f"zero-shot in {target}", "against untrained", "p", "score", "carried"),
                [
                    (c["network"], _percent(c, "score against untrained"), _p(c["p"]), _percent(c, "score"),
                     str(Estimate(**c["carried"])))
                    for c in mine
                ],
            )  # fmt: skip
            whole = next((cell for cell in mine if "tuned" in cell), None)
            if whole is not None:
                scores = [Estimate(**score).percent() for score in whole["tuned"]]
                needed = Estimate(**whole["share of T needed"]).percent()
                columns = (f"tuned in {target}", *(f"{e}/8 T" for e in TUNED), "share of T needed")
                yield rows_of(columns, [(f"score of `{WHOLE}`", *scores, needed)])
    if picture is not None:
        yield Heading("Number of games")
        yield picture


def _learned(found: Found, cells: Sequence[dict[str, Any]]) -> Iterator[Block]:
    """Scores of networks for many games in games that they have learned."""
    if not cells:
        return
    trained = [entry for entry in found.made if entry.job.kind == "train"]
    many = [_positions(entry) for entry in trained if f"/{slug(WHOLE)}/" in entry.job.id]
    alone = [_positions(entry) / 2 for entry in trained if "varied" not in entry.job.params]
    yield Heading("Games that they have learned")
    yield Paragraph(
        "Scores of networks for many games in games that they have learned, against networks that learned only this "
        "game, after a part of T. Each has seen about "
        f"{_mean(many)} positions of a game, one that learns a single game for T {_mean(alone)}."
    )
    columns = ("game", "network", *(f"against {e}/8 T" for e in TUNED))
    yield rows_of(
        columns, [(c["target"], c["network"], *(Estimate(**score).percent() for score in c["scores"])) for c in cells]
    )


def _positions(entry: JobEntry) -> float:
    """Positions of each game that a network has learned."""
    params, result = entry.job.params, entry.result or {}
    games = len(params["games"]) + params["varied"]["count"] if "varied" in params else 1
    return float(result.get("positions", 0)) / games


def _mean(values: Sequence[float]) -> str:
    return f"{sum(values) / max(1, len(values)):,.0f}"


def _percent(cell: dict[str, Any], name: str) -> str:
    return Estimate(**cell[name]).percent()


def _p(value: float | None) -> str:
    return "-" if value is None else f"{value:.2g}"


def _curve(found: Found, cells: Sequence[dict[str, Any]], out: Path) -> Picture:
    """Score against networks with first weights over the number of games, target by target."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.0, 4.0), layout="constrained")
    axes = figure.subplots()
    numbers = found.config["numbers"]
    for colour, target in zip(COLOURS, found.scales, strict=False):
        mine = {c["network"]: c["score against untrained"]["value"] for c in cells if c["target"] == target}
        values = [100 * mine.get(by_number(count), np.nan) for count in numbers]
        axes.plot(numbers, values, marker="o", markersize=4, color=colour, label=target)
        for label, marker in zip((WHOLE, NO_VARIED, *WITHOUT), "*sv^", strict=False):
            if label in mine:
                axes.plot([max(numbers) * 1.5], [100 * mine[label]], marker=marker, color=colour, linestyle="")
    axes.set_xscale("log")
    axes.set_xlabel("games learned (right: star: all, square: no varied games, triangles: no rules, no sums)")
    axes.set_ylabel("score against untrained, %")
    axes.axhline(50, color="#999999", linewidth=0.8)
    axes.grid(alpha=0.25)
    axes.legend(fontsize=8)
    return save(figure, out, "games", "Zero-shot strength over the number of games that a network has learned.")
