"""Compares the number of move sequences of every length."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ludoport.verify.reference import Counts, read_counts
from ludoport.verify.report import SHOWN, Disagreement, FileComparison

if TYPE_CHECKING:
    from ludoport.game import Game


def compare_file(game: Game, path: Path, result: FileComparison) -> None:
    """Counts move sequences at every recorded depth and writes what it finds into ``result``."""
    counts = read_counts(path)
    result.unit = "depths"
    result.trials = 1
    result.checks = len(counts.perft)
    result.agreeing, result.first = compare_counts(game, counts)
    result.agreeing_trials = int(result.first is None)


def compare_counts(game: Game, counts: Counts) -> tuple[int, Disagreement | None]:
    """Returns how many depths agree, and the first disagreement."""
    first: Disagreement | None = None
    agreeing = 0
    found = game.perft(len(counts.perft)) if counts.perft else []
    for depth, (expected, ours) in enumerate(zip(counts.perft, found, strict=True), start=1):
        if expected == ours:
            agreeing += 1
        elif first is None:
            first = Disagreement(f"depth {depth}", "perft", str(expected), str(ours), picture=game.start().picture())
    if counts.divide is not None:
        divided = compare_divide(game, counts.divide, counts.divide_depth)
        if first is None:
            first = divided
        elif divided is not None:
            first.missing, first.extra = divided.missing, divided.extra
    return agreeing, first


def compare_divide(game: Game, expected: Mapping[str, int], depth: int) -> Disagreement | None:
    """Compares the counts below each first move."""
    found = game.divide(depth)
    if dict(expected) == dict(found):
        return None
    missing = [f"{move}:{count}" for move, count in expected.items() if found.get(move) != count]
    extra = [f"{move}:{count}" for move, count in found.items() if expected.get(move) != count]
    return Disagreement(
        f"depth {depth}",
        "counts per first move",
        f"{len(expected)} moves",
        f"{len(found)} moves, {len(missing)} of the reference's with another count",
        missing=missing[:SHOWN],
        extra=extra[:SHOWN],
        picture=game.start().picture(),
    )
