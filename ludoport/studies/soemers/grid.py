"""A study of transfer as a graph of jobs.

Every variant learns once. Every pair of a source and a target, in every setting, is transferred, perhaps tuned,
and plays against the network that learned the target from nothing. Names of jobs say what they do, so the same study
has the same jobs whenever it is planned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ludoport.errors import LudoportError
from ludoport.studies.engine.cells import SETTINGS, Setting, TableOrder
from ludoport.studies.engine.jobs import Job, seed_of, slug
from ludoport.studies.engine.plan import GameVariant, StudyPlan, TextVariant
from ludoport.studies.soemers.presets import StudyPreset, study_preset

TRANSFERS: dict[Setting, dict[str, Any]] = {
    "zero-shot": {"unmapped": "zero"},
    "fine-tuned": {"unmapped": "fresh"},
    "fine-tuned, heads re-initialised": {"unmapped": "fresh", "reinit_heads": True},
    "fine-tuned, widths adjusted": {"unmapped": "fresh", "adjust_width": True},
}
"""Options of the transfer in each setting; see ``TransferOptions``."""

VARIANT_SETTINGS: tuple[Setting, ...] = SETTINGS[:3]
"""Between variants of one game (Tables 14 to 40); there all networks have the same width anyway."""

GAME_SETTINGS: tuple[Setting, ...] = (SETTINGS[0], SETTINGS[1], SETTINGS[3])
"""Between games (Tables 41 to 52). Widths only differ with the paper's network, which is twice as wide as a state has
planes; with others the last setting repeats the one before with other seeds."""


@dataclass(frozen=True)
class TransferGrid:
    """A grid of transfers between sources and targets.

    Attributes:
        table: the name of the family in reports.
        sources: rows.
        targets: columns; equal variants are no pair.
        settings: names of the settings of transfers; see ``SETTINGS``.
    """

    table: str
    sources: tuple[GameVariant, ...]
    targets: tuple[GameVariant, ...]
    settings: tuple[Setting, ...]

    def order(self) -> TableOrder:
        """Rows and columns, for reports."""
        rows, columns = (tuple(v.name for v in side) for side in (self.sources, self.targets))
        return TableOrder(self.table, rows, columns, self.settings)

    def pairs(self) -> list[tuple[GameVariant, GameVariant]]:
        """All pairs, target by target, so that jobs of one game follow each other."""
        return [(s, t) for t in self.targets for s in self.sources if (s.game, s.options) != (t.game, t.options)]

    def only(self, names: Sequence[str]) -> TransferGrid:
        """The part of a grid that is about some variants and settings; ``7x7`` will do for ``7×7``."""
        variants = dict.fromkeys(variant.name for variant in (*self.sources, *self.targets))
        known = {slug(name): name for name in (*variants, *self.settings)}
        for name in names:
            if slug(name) not in known:
                raise LudoportError(f"the study has no variant and no setting `{name}`; choose from {_list(known)}")
        wanted = {known[slug(name)] for name in names}
        chosen = wanted & set(variants) or set(variants)
        return TransferGrid(
            self.table,
            tuple(variant for variant in self.sources if variant.name in chosen),
            tuple(variant for variant in self.targets if variant.name in chosen),
            tuple(name for name in self.settings if name in wanted) or self.settings,
        )


def plan_jobs(grid: TransferGrid, preset: StudyPreset, seed: int) -> list[Job]:
    """All jobs of a grid: first those that learn from nothing, then setting by setting."""
    pairs = grid.pairs()
    if not pairs:
        raise LudoportError(f"the study {grid.table} has no pair of different games; name at least two of them")
    learners = dict.fromkeys(variant for pair in pairs for variant in pair)
    jobs = [train_job(variant, preset, seed) for variant in learners]
    for setting in grid.settings:
        for source, target in pairs:
            jobs += _pair(grid.table, setting, source, target, preset, seed)
    return jobs


def plan_grid(name: str, grid: TransferGrid, preset: str, seed: int, only: Sequence[str] = ()) -> StudyPlan:
    """A study of a grid; with ``only`` of a part of it."""
    chosen = grid.only(only) if only else grid
    jobs = tuple(plan_jobs(chosen, study_preset(preset), seed))
    variants = tuple(dict.fromkeys((*chosen.sources, *chosen.targets)))
    return StudyPlan(name, preset, seed, jobs, (grid.order(),), variants)


def train_job(variant: GameVariant, preset: StudyPreset, seed: int) -> Job:
    """Learn a game from nothing."""
    name = f"train/{place_of(variant)}"
    return Job(name, "train", {**_where(variant), **_learning(preset)}, seed_of(seed, name))


def _pair(
    table: str, setting: Setting, source: GameVariant, target: GameVariant, preset: StudyPreset, seed: int
) -> Iterable[Job]:
    """Carry over, perhaps tune, and play."""
    path = f"{slug(setting)}/{place_of(source)}/{place_of(target)}"
    learned, here = f"train/{place_of(source)}", f"train/{place_of(target)}"
    carry, tune, play = (f"{kind}/{path}" for kind in ("transfer", "tune", "evaluate"))
    yield Job(carry, "transfer", {**_where(target), **TRANSFERS[setting]}, seed_of(seed, carry), (learned,))
    ready = carry
    if setting != "zero-shot":
        yield Job(tune, "tune", {**_where(target), **_learning(preset)}, seed_of(seed, tune), (carry,))
        ready = tune
    cell = {"table": table, "setting": setting, "source": source.name, "target": target.name}
    params = {**_where(target), "cell": cell, **playing(preset)}
    yield Job(play, "evaluate", params, seed_of(seed, play), (ready, here))


def playing(preset: StudyPreset) -> dict[str, Any]:
    """Parameters of a match of two networks."""
    return {"training": preset.training, "games": preset.games, "simulations": preset.simulations}


def _learning(preset: StudyPreset) -> dict[str, Any]:
    given = {"minutes": preset.minutes, "epochs": preset.epochs}
    length = {name: value for name, value in given.items() if value is not None}
    return {"training": preset.training, "settings": preset.settings, **length}


def _where(variant: GameVariant) -> dict[str, Any]:
    text = {"text": variant.digest} if isinstance(variant, TextVariant) else {}
    return {"game": variant.game, "options": list(variant.options), **text}


def place_of(variant: GameVariant) -> str:
    """The part of a job's name that names a variant; equal names in different games differ."""
    game = variant.written if isinstance(variant, TextVariant) else variant.game
    return slug(variant.name) if slug(variant.name).startswith(slug(game)) else slug(game, variant.name)


def _list(known: dict[str, str]) -> str:
    return ", ".join(f"`{name}`" for name in known.values())
