"""The jobs of the study: each family is held out once.

A network learns the games of all other families and varied ones, and is specialised to the targets of the family. It
plays networks with first weights, those that learned the target from nothing, and is compared with what the mapping of
channels carries over from a single source. It is tuned, too. Variants of it leave something out: the rules, the sums of
tokens, the varied games, or most of the games.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from ludoport.errors import LudoportError
from ludoport.studies.engine.jobs import Job, seed_of, slug
from ludoport.studies.engine.plan import GameVariant, StudyPlan
from ludoport.studies.evidence.blocks import Block
from ludoport.studies.evidence.plan import Entrant, Pair, Planner
from ludoport.studies.universal.families import EXTENTS, Extent, GameFamily, line_of

NAME = "universal"
WHOLE = "many games"
"""The network with everything."""

WITHOUT = {
    "no rules": {"rule_vectors": False},
    "a vector for each channel": {"token_sums": False},
}
"""Networks for many games with settings that leave something out."""

NO_VARIED = "no varied games"


def by_mapping(source: str) -> str:
    """What a network is called that was transferred from one game by the mapping of channels."""
    return f"mapped from {source}"


def by_number(count: int) -> str:
    """What a network is called that learned this many games."""
    return f"{count} game{'s' if count != 1 else ''}"


class UniversalPlanner(Planner):
    """Lists the jobs of the study.

    Args:
        extent: how large it is.
        seed: random seed.
    """

    def __init__(self, extent: Extent, seed: int) -> None:
        targets = tuple(target for family in extent.families for target in family.targets)
        super().__init__(Block(targets, (), targets), extent.size, seed)
        self.extent = extent

    def jobs(self) -> Iterator[Job]:
        """All jobs: networks for one game, their scale, then family by family."""
        for variant in self.alone():
            for seed in self.seeds:
                yield self._job("untrained", f"untrained/{slug(variant.name)}/{seed}", variant, self.size.learning)
                learning = {**self.size.learning, "epochs": 2 * self.size.epochs}
                yield self._job("train", f"train/{slug(variant.name)}/{seed}", variant, learning)
        for target in self.block.variants:
            yield from self._backbone(target)
            yield from self._ladder(target)
        for family in self.extent.families:
            yield from self._held_out(family)

    def alone(self) -> list[GameVariant]:
        """Games that networks of their own learn: targets, and sources of mappings."""
        sources = [family.games[0] for family in self.extent.families]
        return list(dict.fromkeys([*self.block.variants, *sources]))

    def _held_out(self, family: GameFamily) -> Iterator[Job]:
        for label, games, settings in self._networks(family):
            for seed in self.seeds:
                yield self._many(family, label, games, settings, seed)
        for target in family.targets:
            for seed in self.seeds:
                zero = [self._zero(target, family, seed, label) for label, _, _ in self._networks(family)]
                zero += [self._mapped(target, other, seed) for other in self.extent.families if other != family]
                yield from (job for job, _ in zero)
                yield self._matches(f"zero-shot/{seed}", target, [pair for _, pairs in zero for pair in pairs])
                yield from self._tune(target, seed)

    def _networks(self, family: GameFamily) -> Iterator[tuple[str, tuple[list[str], int], dict[str, Any]]]:
        """Networks that learn without a family: name, games and number of varied ones, settings."""
        lines = [line_of(game) for other in self.extent.families if other != family for game in other.games]
        everything = lines, self.extent.varied
        yield WHOLE, everything, {}
        for label, settings in WITHOUT.items():
            yield label, everything, settings
        if self.extent.varied:
            yield NO_VARIED, (lines, 0), {}
        Random(seed_of(self.seed, family.name)).shuffle(lines)
        for count in self.extent.numbers:
            yield by_number(count), (lines[:count], max(0, count - len(lines))), {}

    def _many(
        self, family: GameFamily, label: str, games: tuple[list[str], int], settings: dict[str, Any], seed: int
    ) -> Job:
        name = f"many/{slug(family.name)}/{slug(label)}/{seed}"
        own = {**self.extent.settings, **settings, "rating_share": 0.0}
        params = {
            "training": self.extent.training, "settings": own, "epochs": self.extent.epochs,
            "games": games[0], "varied": [games[1], self.seed], "game": "", "options": [],
        }  # fmt: skip
        return Job(name, "train", params, seed_of(self.seed, name))

    def _zero(self, target: GameVariant, family: GameFamily, seed: int, label: str) -> tuple[Job, list[Pair]]:
        """A network for many games, specialised to a target, and its matches."""
        return self._carried(target, label, seed, f"many/{slug(family.name)}/{slug(label)}/{seed}", {})

    def _mapped(self, target: GameVariant, other: GameFamily, seed: int) -> tuple[Job, list[Pair]]:
        """A network for one game of another family, mapped to a target, and its matches."""
        source, at = other.games[0].name, {"at": [self.size.epochs]}
        return self._carried(target, by_mapping(source), seed, f"train/{slug(source)}/{seed}", at)

    def _carried(
        self, target: GameVariant, label: str, seed: int, need: str, params: dict[str, Any]
    ) -> tuple[Job, list[Pair]]:
        entrant = Entrant("zero-shot", seed, 0, label)
        job = self._job("transfer", self._place(target, entrant), target, {"unmapped": "zero", **params}, need)
        others = [Entrant("untrained", seed), Entrant("scratch", seed, 1)]
        others += [Entrant("scratch", other, 8) for other in self.seeds]
        return job, [(entrant, other) for other in others]

    def _tune(self, target: GameVariant, seed: int) -> Iterator[Job]:
        tuned = Entrant("tuned", seed, 8, WHOLE)
        learning = {**self.size.learning, "epochs": self.size.epochs}
        start = self._place(target, Entrant("zero-shot", seed, 0, WHOLE))
        yield self._job("tune", self._place(target, tuned), target, learning, start)
        yield self._matches(
            f"tuned/{seed}",
            target,
            [
                (Entrant("tuned", seed, eighths, WHOLE), Entrant("scratch", seed, share))
                for eighths in (1, 2, 4, 8)
                for share in (eighths, 8)
            ],
        )


def plan(preset: str, seed: int, only: Sequence[str] = ()) -> StudyPlan:
    """Plan the study.

    Args:
        preset: how large.
        seed: random seed.
        only: the families to hold out; default: all. At least two, since the others are what is learned.
    """
    if preset not in EXTENTS:
        raise LudoportError(f"unknown preset `{preset}`; choose from {', '.join(EXTENTS)}")
    extent = _only(EXTENTS[preset], only)
    planner = UniversalPlanner(extent, seed)
    config = {
        "epochs": extent.size.epochs, "seeds": extent.size.seeds, "many": extent.epochs, "varied": extent.varied,
        "numbers": list(extent.numbers),
        "families": {family.name: [target.name for target in family.targets] for family in extent.families},
        "sources": {family.name: family.games[0].name for family in extent.families},
    }  # fmt: skip
    return StudyPlan(NAME, preset, seed, tuple(planner.jobs()), variants=tuple(planner.alone()), config=config)


def _only(extent: Extent, names: Sequence[str]) -> Extent:
    known = {slug(family.name): family for family in extent.families}
    for name in names:
        if slug(name) not in known:
            there = ", ".join(f"`{family.name}`" for family in extent.families)
            raise LudoportError(f"the study has no family `{name}`; choose from {there}")
    if len(names) == 1:
        raise LudoportError("name at least two families; a network learns the games of the others")
    return replace(extent, families=tuple(known[slug(name)] for name in names)) if names else extent
