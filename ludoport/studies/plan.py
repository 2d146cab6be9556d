"""A study of transfer as a graph of jobs.

Every variant learns once. Every pair of a source and a target, in every setting, is carried over, perhaps tuned,
and plays against the network that learned the target from nothing. Names of jobs say what they do, so the same study
has the same jobs whenever it is planned.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.studies.cells import SETTINGS, Setting
from ludoport.studies.families import Variant
from ludoport.studies.jobs import Job, seed_of, slug
from ludoport.studies.presets import StudyPreset
from ludoport.studies.report_facts import TableOrder

TRANSFERS: dict[Setting, dict[str, Any]] = {
    "zero-shot": {"unmapped": "zero"},
    "fine-tuned": {"unmapped": "fresh"},
    "fine-tuned, heads re-initialised": {"unmapped": "fresh", "reinit_heads": True},
    "fine-tuned, widths adjusted": {"unmapped": "fresh", "adjust_width": True},
}
"""How a network is carried over in each setting; see ``TransferOptions``."""

VARIANT_SETTINGS: tuple[Setting, ...] = SETTINGS[:3]
"""Between variants of one game (Tables 14 to 40); there all networks have the same width anyway."""

GAME_SETTINGS: tuple[Setting, ...] = (SETTINGS[0], SETTINGS[1], SETTINGS[3])
"""Between games (Tables 41 to 52). Widths only differ with the paper's network, which is twice as wide as a state has
planes; with others the last setting repeats the one before with other seeds."""


@dataclass(frozen=True)
class TextVariant(Variant):
    """A game that is given by the path of its text; ``game`` is where that lies.

    Attributes:
        written: the path as the study says it; names of jobs have it, so that they do not depend on the machine.
        digest: of the text, since somebody may edit it.
    """

    written: str = ""
    digest: str = ""


@dataclass(frozen=True)
class Grid:
    """Which networks are carried over to which games.

    Attributes:
        table: the name of the family in reports.
        sources: rows.
        targets: columns; equal variants are no pair.
        settings: how networks are carried over.
    """

    table: str
    sources: tuple[Variant, ...]
    targets: tuple[Variant, ...]
    settings: tuple[Setting, ...]

    def order(self) -> TableOrder:
        """Rows and columns, for reports."""
        rows, columns = (tuple(v.name for v in side) for side in (self.sources, self.targets))
        return TableOrder(self.table, rows, columns, self.settings)

    def pairs(self) -> list[tuple[Variant, Variant]]:
        """All pairs, target by target, so that jobs of one game follow each other."""
        return [(s, t) for t in self.targets for s in self.sources if (s.game, s.options) != (t.game, t.options)]

    def only(self, names: Sequence[str]) -> Grid:
        """The part of a grid that is about some variants and settings; ``7x7`` will do for ``7×7``."""
        variants = dict.fromkeys(variant.name for variant in (*self.sources, *self.targets))
        known = {slug(name): name for name in (*variants, *self.settings)}
        for name in names:
            if slug(name) not in known:
                raise LudoportError(f"the study has no variant and no setting `{name}`; there are {_list(known)}")
        wanted = {known[slug(name)] for name in names}
        chosen = wanted & set(variants) or set(variants)
        return Grid(
            self.table,
            tuple(variant for variant in self.sources if variant.name in chosen),
            tuple(variant for variant in self.targets if variant.name in chosen),
            tuple(name for name in self.settings if name in wanted) or self.settings,
        )


def plan_jobs(grid: Grid, preset: StudyPreset, seed: int) -> list[Job]:
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


def train_job(variant: Variant, preset: StudyPreset, seed: int) -> Job:
    """Learn a game from nothing."""
    name = f"train/{place_of(variant)}"
    return Job(name, "train", {**_where(variant), **_learning(preset)}, seed_of(seed, name))


def _pair(
    table: str, setting: Setting, source: Variant, target: Variant, preset: StudyPreset, seed: int
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
    """How two networks play each other."""
    return {"training": preset.training, "games": preset.games, "simulations": preset.simulations}


def _learning(preset: StudyPreset) -> dict[str, Any]:
    length: dict[str, Any] = {"minutes": preset.minutes}
    if preset.epochs is not None:
        length["epochs"] = preset.epochs
    return {"training": preset.training, "settings": preset.settings, **length}


def digest_of(text: Path) -> str:
    """What tells a game's text from an edited one."""
    return hashlib.sha256(text.read_bytes()).hexdigest()[:16]


def _where(variant: Variant) -> dict[str, Any]:
    text = {"text": variant.digest} if isinstance(variant, TextVariant) else {}
    return {"game": variant.game, "options": list(variant.options), **text}


def place_of(variant: Variant) -> str:
    """The part of a job's name that tells a variant; equal names in different games differ."""
    game = variant.written if isinstance(variant, TextVariant) else variant.game
    return slug(variant.name) if slug(variant.name).startswith(slug(game)) else slug(game, variant.name)


def _list(known: dict[str, str]) -> str:
    return ", ".join(f"`{name}`" for name in known.values())
