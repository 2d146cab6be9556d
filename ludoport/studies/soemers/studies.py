"""The studies of the paper by name: transfer between variants and between games, architectures; and our ablations."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ludoport.studies.engine.plan import StudyPlan
from ludoport.studies.soemers import families
from ludoport.studies.soemers.ablation import plan_ablation
from ludoport.studies.soemers.architectures import plan_architectures
from ludoport.studies.soemers.families import Family
from ludoport.studies.soemers.grid import GAME_SETTINGS, VARIANT_SETTINGS, TransferGrid, plan_grid
from ludoport.studies.soemers.presets import study_preset
from ludoport.studies.soemers.seeds import plan_seeds

VARIANTS: dict[str, Family] = {
    "variants/breakthrough": families.BREAKTHROUGH,
    "variants/broken-line": families.BROKEN_LINE,
    "variants/diagonal-hex": families.DIAGONAL_HEX,
    "variants/gomoku": families.GOMOKU,
    "variants/hex": families.HEX,
    "variants/hexentafl": families.HEXENTAFL,
    "variants/konane": families.KONANE,
    "variants/pentalath": families.PENTALATH,
    "variants/yavalath": families.YAVALATH,
}
"""Transfer between variants of one game, section 4.2."""

BETWEEN: dict[str, tuple[str, Family, Family]] = {
    "line": ("line completion", families.LINE, families.LINE),
    "shogi": ("shogi", families.SHOGI, families.SHOGI),
    "broken-line": ("broken line -> line completion", families.BROKEN_LINE, families.LINE),
    "diagonal-hex": ("diagonal hex -> hex", families.DIAGONAL_HEX, families.HEX),
}
"""Transfer between games, section 4.3: the name of the table, sources and targets."""


def grid_of(name: str, tiny: bool) -> TransferGrid:
    """The pairs of one of the paper's studies of transfer."""
    if name in VARIANTS:
        family = VARIANTS[name]
        members = family.tiny if tiny else family.variants
        return TransferGrid(family.table, members, members, VARIANT_SETTINGS)
    table, first, second = BETWEEN[name]
    sources, targets = ((side.tiny if tiny else side.variants) for side in (first, second))
    if name == "diagonal-hex" and not tiny:
        targets = tuple(sorted(targets, key=lambda variant: families.HEX_COLUMNS.index(variant.name)))
    return TransferGrid(table, sources, targets, GAME_SETTINGS)


def _transfer(name: str) -> Callable[[str, int, Sequence[str]], StudyPlan]:
    def make(preset: str, seed: int, only: Sequence[str]) -> StudyPlan:
        return plan_grid(name, grid_of(name, study_preset(preset).tiny), preset, seed, only)

    return make


STUDIES: dict[str, Callable[[str, int, Sequence[str]], StudyPlan]] = {
    **{name: _transfer(name) for name in (*VARIANTS, *BETWEEN)},
    "architectures": plan_architectures,
    "ablation": plan_ablation,
    "seeds": plan_seeds,
}
"""Planners of the studies: functions of preset, random seed and the wanted parts."""
