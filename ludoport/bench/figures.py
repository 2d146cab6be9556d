"""Speeds of other engines: uniformly random playouts per CPU-second, one thread, the same kind of machine.

``data/ludii.csv``: Ludii 1.3.14, its own playouts (optimised where it has them). ``data/rbg.csv``: Regular Boardgames
compiled to C++, the faster of its modes, and the hand-written reasoners of its authors. Regular Boardgames has no swap
rule: ``without`` is the option that switches it off here. Its Chess has the 50-move rule and no repetition rule.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

_DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class Rival:
    """A game that Regular Boardgames has too.

    Attributes:
        option: the option to add so that both play the same game; empty for none.
        rbg: its playouts per CPU-second.
        handwritten: those of a program written for this one game, where there is one.
    """

    option: str
    rbg: float
    handwritten: float | None


def ludii() -> dict[str, float]:
    """Ludii's playouts per CPU-second, by variant."""
    return {row["id"]: float(row["ludii_playouts_per_cpu_second"]) for row in _rows("ludii.csv")}


def rivals() -> dict[str, Rival]:
    """The figures of Regular Boardgames, by variant."""
    return {
        row["id"]: Rival(
            row["without"],
            float(row["rbg_playouts_per_cpu_second"]),
            float(row["handwritten_playouts_per_cpu_second"]) if row["handwritten_playouts_per_cpu_second"] else None,
        )
        for row in _rows("rbg.csv")
    }


def _rows(name: str) -> list[dict[str, str]]:
    with (_DATA / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))
