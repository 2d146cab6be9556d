"""The jobs of the study: each family is held out once, together with the varied games that are like it.

A network learns the games of all other families and varied ones, and is specialised to the targets of the family. It
plays networks with first weights, those that learned the target from nothing, and is compared with what the mapping of
channels carries over from a single source. It is tuned, too, and plays games that it has learned against networks that
learned only these. Variants of it leave something out: the rules, the sums of
tokens, the varied games, or most of the games.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random
from typing import Any

from ludoport.errors import LudoportError
from ludoport.studies.engine.jobs import Job, seed_of, slug
from ludoport.studies.engine.plan import GameVariant, StudyPlan
from ludoport.studies.evidence.blocks import Block
from ludoport.studies.evidence.plan import SHARES, Entrant, Pair, Planner
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


Games = tuple[list[str], int]
"""Lines of a list of games, and the number of varied games beside them."""


def without(family: GameFamily) -> str:
    """Name of a network that plays games it was trained on."""
    return f"{WHOLE} without {family.name}"


def by_mapping(source: str) -> str:
    """Name of a network that was transferred from one game by the mapping of channels."""
    return f"mapped from {source}"


def by_number(count: int) -> str:
    """Name of a network that learned a number of games."""
    return f"{count} game{'s' if count != 1 else ''}"


class UniversalPlanner(Planner):
    """Lists the jobs of the study.

    Args:
        extent: size of the study.
        seed: random seed.
        held: the families that are held out; networks learn all games of the others, whether these are held out or not.
    """

    def __init__(self, extent: Extent, seed: int, held: Sequence[GameFamily]) -> None:
        targets = tuple(target for family in extent.families for target in family.targets)
        super().__init__(Block(targets, (), targets), extent.size, seed)
        self.extent, self.held = extent, held

    def jobs(self) -> Iterator[Job]:
        """All jobs, most informative first: an interrupted study answers its first question.

        For one seed after another: what a network for many games knows of each family, then what tuning it is worth.
        Then what is left out, for one seed after another, and fixed opponents.
        """
        listed: dict[str, Job] = {}
        for seed in self.seeds:
            for stage in (self._zero_shot_of, self._tune):
                for family in self.held:
                    listed |= {job.id: job for job in stage(family, seed)}
        for seed in self.seeds:
            for family in self.held:
                listed |= {job.id: job for job in self._ablations(family, seed)}
        for family in self.held:
            for target in family.targets:
                listed |= {job.id: job for job in self._ladder(target)}
        yield from listed.values()

    def alone(self) -> list[GameVariant]:
        """Games that networks of their own learn: targets, and sources of mappings."""
        sources = [family.games[0] for family in self.extent.families]
        return list(dict.fromkeys([*self.block.variants, *sources]))

    def _others(self, family: GameFamily) -> list[GameFamily]:
        return [other for other in self.extent.families if other != family]

    def _zero_shot_of(self, family: GameFamily, seed: int) -> Iterator[Job]:
        """Jobs for a network that learned without a family: its matches there, and in games that it has learned."""
        sources = [other.games[0] for other in self._others(family)]
        yield self._many(family, WHOLE, self._everything(family), {}, seed)
        for variant in (*family.targets, *sources):
            yield from self._alone(variant, seed)
        for target in family.targets:
            yield from (self._untrained(target, other) for other in self.seeds)
            zero = [self._zero(target, family, seed, WHOLE)]
            zero += [self._mapped(target, source, seed) for source in sources]
            yield from (job for job, _ in zero)
            yield self._matches(f"zero-shot/{seed}", target, [pair for _, pairs in zero for pair in pairs])
            yield from self._scale(target, seed)
        for source in sources:
            job, pairs = self._learned(source, family, seed)
            yield job
            yield self._matches(f"learned/{slug(family.name)}/{seed}", source, pairs)

    def _alone(self, variant: GameVariant, seed: int) -> Iterator[Job]:
        """Networks that know one game."""
        yield self._untrained(variant, seed)
        learning = {**self.size.learning, "epochs": 2 * self.size.epochs}
        yield self._job("train", f"train/{slug(variant.name)}/{seed}", variant, learning)

    def _untrained(self, variant: GameVariant, seed: int) -> Job:
        return self._job("untrained", f"untrained/{slug(variant.name)}/{seed}", variant, self.size.learning)

    def _scale(self, target: GameVariant, seed: int) -> Iterator[Job]:
        """Neighbours in time play, and those of the seed before; both ends meet the first fixed opponent."""
        line = [Entrant("untrained", seed), *(Entrant("scratch", seed, eighths) for eighths in SHARES)]
        pairs = [(two, one) for one, two in pairwise(line)]
        if seed > 1:
            pairs += [(two, Entrant(one.kind, seed - 1, one.eighths)) for one, two in pairwise(line)]
        yield self._matches(f"scale/{seed}", target, pairs)
        for entrant in (Entrant("scratch", seed, 8), Entrant("untrained", seed)):
            yield self._anchored(target, entrant, self.size.anchors[0])

    def _everything(self, family: GameFamily) -> Games:
        lines = [line_of(game) for other in self._others(family) for game in other.games]
        return lines, self.extent.varied

    def _without(self, family: GameFamily) -> Iterator[tuple[str, Games, dict[str, Any]]]:
        """Networks that learn without a family, and without something else: name, games, settings."""
        lines, varied = self._everything(family)
        for label, settings in WITHOUT.items():
            yield label, (lines, varied), settings
        if varied:
            yield NO_VARIED, (lines, 0), {}
        lines = list(lines)
        Random(seed_of(self.seed, family.name)).shuffle(lines)
        for count in self.extent.numbers:
            yield by_number(count), (lines[:count], max(0, count - len(lines))), {}

    def _ablations(self, family: GameFamily, seed: int) -> Iterator[Job]:
        for label, games, settings in self._without(family):
            yield self._many(family, label, games, settings, seed)
        for target in family.targets:
            zero = [self._zero(target, family, seed, label) for label, _, _ in self._without(family)]
            yield from (job for job, _ in zero)
            yield self._matches(f"ablations/{seed}", target, [pair for _, pairs in zero for pair in pairs])

    def _many(self, family: GameFamily, label: str, games: Games, settings: dict[str, Any], seed: int) -> Job:
        name = f"many/{slug(family.name)}/{slug(label)}/{seed}"
        own = {**self.extent.settings, **settings, "rating_share": 0.0}
        params = {
            "training": self.extent.training, "settings": own, "epochs": self.extent.epochs, "games": games[0],
            "varied": {"count": games[1], "seed": self.seed, "without": list(family.like)}, "game": "", "options": [],
        }  # fmt: skip
        return Job(name, "train", params, seed_of(self.seed, name))

    def _zero(self, target: GameVariant, family: GameFamily, seed: int, label: str) -> tuple[Job, list[Pair]]:
        """A network for many games, specialised to a target, and its matches."""
        return self._carried(target, label, seed, f"many/{slug(family.name)}/{slug(label)}/{seed}", {})

    def _mapped(self, target: GameVariant, source: GameVariant, seed: int) -> tuple[Job, list[Pair]]:
        """A network for one game of another family, mapped to a target, and its matches."""
        at = {"at": [self.size.epochs]}
        return self._carried(target, by_mapping(source.name), seed, f"train/{slug(source.name)}/{seed}", at)

    def _carried(
        self, target: GameVariant, label: str, seed: int, need: str, params: dict[str, Any]
    ) -> tuple[Job, list[Pair]]:
        entrant = Entrant("zero-shot", seed, 0, label)
        job = self._job("transfer", self._place(target, entrant), target, {"unmapped": "zero", **params}, need)
        others = [Entrant("untrained", other) for other in self.seeds]
        others += [Entrant("scratch", seed, eighths) for eighths in (1, 8)]
        return job, [(entrant, other) for other in others]

    def _learned(self, game: GameVariant, family: GameFamily, seed: int) -> tuple[Job, list[Pair]]:
        """The network, specialised to a game that it has learned, and its matches with networks for this game only."""
        entrant = Entrant("learned", seed, 0, without(family))
        need = f"many/{slug(family.name)}/{slug(WHOLE)}/{seed}"
        job = self._job("transfer", self._place(game, entrant), game, {}, need)
        return job, [(entrant, Entrant("scratch", seed, eighths)) for eighths in (1, 2, 4, 8)]

    def _tune(self, family: GameFamily, seed: int) -> Iterator[Job]:
        for target in family.targets:
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
                    for share in dict.fromkeys((eighths, 8))
                ],
            )


def plan(preset: str, seed: int, only: Sequence[str] = ()) -> StudyPlan:
    """Plan the study.

    Args:
        preset: size of the study.
        seed: random seed.
        only: the families to hold out; default: all. What networks learn does not depend on it.
    """
    if preset not in EXTENTS:
        raise LudoportError(f"unknown preset `{preset}`; choose from {', '.join(EXTENTS)}")
    extent = EXTENTS[preset]
    planner = UniversalPlanner(extent, seed, _held(extent, only))
    config = {
        "epochs": extent.size.epochs, "seeds": extent.size.seeds, "many": extent.epochs, "varied": extent.varied,
        "numbers": list(extent.numbers),
        "families": {family.name: [target.name for target in family.targets] for family in extent.families},
        "sources": {family.name: family.games[0].name for family in extent.families},
    }  # fmt: skip
    return StudyPlan(NAME, preset, seed, tuple(planner.jobs()), variants=tuple(planner.alone()), config=config)


def _held(extent: Extent, names: Sequence[str]) -> list[GameFamily]:
    """The families that are held out."""
    known = {slug(family.name): family for family in extent.families}
    for name in names:
        if slug(name) not in known:
            there = ", ".join(f"`{family.name}`" for family in extent.families)
            raise LudoportError(f"the study has no family `{name}`; choose from {there}")
    return [known[slug(name)] for name in names] if names else list(extent.families)
