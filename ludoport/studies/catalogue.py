"""All studies by name."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.studies import families
from ludoport.studies.families import Family, Variant
from ludoport.studies.jobs import Job
from ludoport.studies.plan import GAME_SETTINGS, VARIANT_SETTINGS, Grid, plan_jobs
from ludoport.studies.presets import study_preset
from ludoport.studies.report_facts import TableOrder


@dataclass(frozen=True)
class Plan:
    """A study that is ready to be worked on.

    Attributes:
        name: of the study.
        preset: how large it is.
        seed: where its randomness begins.
        jobs: everything that is to be done, in a good order.
        tables: the order of its tables.
        variants: the games that take part; pairs of them must fit each other.
        config: whatever else decides what comes out; two runs of the study must agree in it.
    """

    name: str
    preset: str
    seed: int
    jobs: tuple[Job, ...]
    tables: tuple[TableOrder, ...] = ()
    variants: tuple[Variant, ...] = ()
    config: dict[str, Any] = field(default_factory=dict)

    def facts(self) -> dict[str, Any]:
        """What a store keeps about the study."""
        return {"name": self.name, "preset": self.preset, "seed": self.seed, "config": self.config}


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


def grid_of(name: str, tiny: bool) -> Grid:
    """The pairs of one of the paper's studies of transfer."""
    if name in VARIANTS:
        family = VARIANTS[name]
        members = family.tiny if tiny else family.variants
        return Grid(family.table, members, members, VARIANT_SETTINGS)
    table, first, second = BETWEEN[name]
    sources, targets = ((side.tiny if tiny else side.variants) for side in (first, second))
    if name == "diagonal-hex" and not tiny:
        targets = tuple(sorted(targets, key=lambda variant: families.HEX_COLUMNS.index(variant.name)))
    return Grid(table, sources, targets, GAME_SETTINGS)


def plan_grid(name: str, grid: Grid, preset: str, seed: int, only: Sequence[str] = ()) -> Plan:
    """A study of a grid; with ``only`` of a part of it."""
    chosen = grid.only(only) if only else grid
    jobs = tuple(plan_jobs(chosen, study_preset(preset), seed))
    variants = tuple(dict.fromkeys((*chosen.sources, *chosen.targets)))
    return Plan(name, preset, seed, jobs, (grid.order(),), variants)


def _transfer(name: str) -> Callable[[str, int, Sequence[str]], Plan]:
    def make(preset: str, seed: int, only: Sequence[str]) -> Plan:
        return plan_grid(name, grid_of(name, study_preset(preset).tiny), preset, seed, only)

    return make


def _ablation(preset: str, seed: int, only: Sequence[str]) -> Plan:
    from ludoport.studies.ablation import plan_ablation

    return plan_ablation(preset, seed, only)


def _architectures(preset: str, seed: int, only: Sequence[str]) -> Plan:
    from ludoport.studies.architectures import plan_architectures

    return plan_architectures(preset, seed, only)


STUDIES: dict[str, Callable[[str, int, Sequence[str]], Plan]] = {
    **{name: _transfer(name) for name in (*VARIANTS, *BETWEEN)},
    "architectures": _architectures,
    "ablation": _ablation,
}
"""How a study is planned: by preset, seed and the parts that are wanted."""

OTHERS = ("chessplus", "banerjee-stone")
"""Studies of the other papers, which have commands of their own."""


def unknown(name: str) -> LudoportError:
    """What to say about a study that does not exist."""
    known = [*STUDIES, *OTHERS]
    near = difflib.get_close_matches(name, known, 1, cutoff=0.5) or [k for k in known if k.endswith(f"/{name}")]
    hint = f"; did you mean `{near[0]}`?" if near else f"; there are {', '.join(known)}"
    return LudoportError(f"there is no study `{name}`{hint}")


def plan_study(name: str, preset: str, seed: int = 1, only: Sequence[str] = ()) -> Plan:
    """Plan a study of the catalogue, or one that a TOML file describes.

    Args:
        name: of the study, or the path of a file that ends in ``.toml``.
        preset: how large.
        seed: where the randomness begins.
        only: variants and settings; everything unless given.
    """
    if name.endswith(".toml"):
        from ludoport.studies.custom import read_grid

        own = read_grid(Path(name))
        return plan_grid(own.name, own.grid, preset, seed, only)
    if name not in STUDIES:
        raise unknown(name)
    return STUDIES[name](preset, seed, only)


def check_plan(plan: Plan) -> None:
    """Make sure before any work that all games can be read, and that those of a pair have the same players."""
    from ludoport.transfer.sides import find_side

    players: dict[int, Variant] = {}
    for variant in plan.variants:
        players.setdefault(find_side(variant.game, variant.options).players, variant)
    if len(players) > 1:
        (n, first), (m, second) = list(players.items())[:2]
        raise LudoportError(
            f"{first.name} has {n} players and {second.name} has {m}; "
            "a network can only be carried over between games with equally many"
        )
    if players and 2 not in players:
        n, variant = next(iter(players.items()))
        raise LudoportError(f"studies are about games of two players; {variant.name} has {n}")
