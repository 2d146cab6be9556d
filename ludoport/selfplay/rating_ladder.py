"""Whom a checkpoint plays to be rated: opponents of growing strength, then earlier checkpoints.

Games that are all won or all lost say little. So a checkpoint plays the strongest opponent that the ladder has reached,
climbs when it wins and steps down when it loses; above the last rung there are always earlier checkpoints.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

HIGHER = ("uct:3200,rollouts=10", "uct:12800,rollouts=10")
"""Rungs above the usual opponents of a run."""

WON, LOST = 0.8, 0.2
"""Scores that move a checkpoint to the next rung, and to the one below."""

Line = Mapping[str, Any]
"""Result of a checkpoint against an opponent; a line of ``ratings.jsonl``."""


def rungs(opponents: Sequence[str], usual: Sequence[str]) -> tuple[str, ...]:
    """The fixed opponents of a run, the weakest first; more of them unless it has chosen its own."""
    return (*opponents, *HIGHER) if tuple(opponents) == tuple(usual) else tuple(opponents)


def score(line: Line) -> float:
    """The share of points of a checkpoint."""
    games = line["wins"] + line["draws"] + line["losses"]
    return float((line["wins"] + line["draws"] / 2) / max(1, games))


def rung_of(lines: Sequence[Line], ladder: Sequence[str]) -> int:
    """The rung that the next checkpoint begins with: where the last results on the ladder lead to."""
    rung = 0
    for line in lines:
        if line["against"] in ladder:
            rung = after(ladder.index(line["against"]), line, len(ladder))
    return rung


def after(rung: int, line: Line, count: int) -> int:
    """The rung that follows a result."""
    if score(line) >= WON:
        return min(count - 1, rung + 1)
    return max(0, rung - 1) if score(line) <= LOST else rung


def earlier(lines: Sequence[Line], epoch: int) -> int | None:
    """The rated checkpoint nearest to half the age of this one; None if there is none."""
    known = {line["epoch"] for line in lines if line["epoch"] < epoch}
    return min(known, key=lambda other: abs(other - epoch / 2)) if known else None
