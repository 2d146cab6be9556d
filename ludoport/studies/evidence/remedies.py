"""Remedies that are tried on the pairs of a block, and the pairs on which they are chosen.

Pairs are split in two before anything is measured: of both directions between two games a digest of their names puts
one into the first half. A remedy that helps on the first half is
kept only if it also helps on the second, which had no part in the choice.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from ludoport.studies.engine.jobs import seed_of
from ludoport.studies.engine.plan import GameVariant
from ludoport.studies.evidence.blocks import Block

HEADS = "heads refitted"
"""The remedy that learns: for a sixteenth of T, with the trunk frozen."""

ALL = "all without learning"

PLAIN: dict[str, str] = {
    "normalisations": "statistics",
    "pooled means": "rescale_pooled",
    "taps": "move_taps",
    "value turned": "turn_value",
}
"""Remedies without learning, with the settings of a transfer behind them."""

REMEDIES = (*PLAIN, ALL, HEADS)
"""All remedies, as tables and entrants call them."""


def remedies_of(source: GameVariant, target: GameVariant) -> dict[str, dict[str, Any]]:
    """The remedies without learning that could change something between two games, with settings of the transfer."""
    fits = {
        "normalisations": True,
        "pooled means": source.options != target.options or source.game != target.game,
        "taps": source.game != target.game or _board(source) != _board(target),
        "value turned": _misere(source) != _misere(target),
    }
    found = {name: {setting: True} for name, setting in PLAIN.items() if fits[name]}
    return {**found, ALL: {name: True for of_one in found.values() for name in of_one}}


def choosing(block: Block) -> list[tuple[str, str]]:
    """The half of all pairs on which remedies are chosen, one direction of any two games; the others are the test."""
    names = [variant.name for variant in block.variants]
    return [
        (one, two) if seed_of(0, f"{one} and {two}") % 2 else (two, one)
        for one, two in combinations(names, 2)
    ]  # fmt: skip


def _board(variant: GameVariant) -> str:
    return next((option for option in variant.options if option.startswith("Board/")), "")


def _misere(variant: GameVariant) -> bool:
    return any("Misere" in option for option in variant.options)
