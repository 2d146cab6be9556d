"""All studies by name."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from pathlib import Path

from ludoport.errors import LudoportError
from ludoport.studies.engine.plan import StudyPlan
from ludoport.studies.evidence.blocks import BLOCKS
from ludoport.studies.evidence.plan import plan_block
from ludoport.studies.knowledge import plan as knowledge
from ludoport.studies.soemers import studies as soemers
from ludoport.studies.soemers.custom import read_grid
from ludoport.studies.soemers.grid import plan_grid
from ludoport.studies.universal import plan as universal

STUDIES: dict[str, Callable[[str, int, Sequence[str]], StudyPlan]] = {
    **{name: plan_block(name) for name in BLOCKS},
    universal.NAME: universal.plan,
    knowledge.NAME: knowledge.plan,
    **soemers.STUDIES,
}
"""Planners of the studies: functions of preset, random seed and the wanted parts."""

OTHERS = ("chessplus", "banerjee-stone")
"""Studies of the other papers, which have commands of their own."""


def unknown(name: str) -> LudoportError:
    """The error for an unknown study, with a suggestion."""
    known = [*STUDIES, *OTHERS]
    near = difflib.get_close_matches(name, known, 1, cutoff=0.5) or [k for k in known if k.endswith(f"/{name}")]
    hint = f"; did you mean `{near[0]}`?" if near else f"; choose from {', '.join(known)}"
    return LudoportError(f"unknown study `{name}`{hint}")


def plan_study(name: str, preset: str, seed: int = 1, only: Sequence[str] = ()) -> StudyPlan:
    """Plan a study of the catalogue, or one that a TOML file describes.

    Args:
        name: of the study, or the path of a file that ends in ``.toml``.
        preset: size of the study.
        seed: random seed.
        only: variants and settings; default: all.
    """
    if name.endswith(".toml"):
        own = read_grid(Path(name))
        return plan_grid(own.name, own.grid, preset, seed, only)
    if name not in STUDIES:
        raise unknown(name)
    return STUDIES[name](preset, seed, only)
