"""The jobs of a block.

For every target: networks that learned it from nothing, with checkpoints at T/8, T/4, T/2, T and 2T; networks with
first weights; those that were transferred, rightly, with remedies, and with their channels mapped at random; those that
were tuned, also from a source that had learned nothing. All of them play each other along chains, so
that one scale holds them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ludoport.errors import LudoportError
from ludoport.studies.engine.jobs import Job, seed_of, slug
from ludoport.studies.engine.plan import GameVariant, StudyPlan
from ludoport.studies.evidence.blocks import BLOCKS, REAL, SIZES, Block, Size
from ludoport.studies.evidence.remedies import HEADS, choosing, remedies_of

SHARES = (1, 2, 4, 8, 16)
"""Checkpoints in eighths of T."""


@dataclass(frozen=True)
class Entrant:
    """A network that plays in a target game.

    Attributes:
        kind: ``untrained``, ``scratch``, ``zero-shot``, ``shuffled``, ``tuned``, ``control`` (tuned from a source that
            had learned nothing), or a remedy.
        seed: its number, from 1.
        eighths: time for which it learned the target, in eighths of T.
        source: the game that it comes from, if any.
    """

    kind: str
    seed: int
    eighths: int = 0
    source: str = ""

    @property
    def facts(self) -> dict[str, Any]:
        """Record for a store."""
        return {"kind": self.kind, "seed": self.seed, "eighths": self.eighths, "source": self.source}


Pair = tuple[Entrant, Entrant]
"""Two networks that play each other."""


class Planner:
    """Lists the jobs of a block."""

    def __init__(self, block: Block, size: Size, seed: int) -> None:
        self.block, self.size, self.seed = block, size, seed
        self.seeds = range(1, size.seeds + 1)

    def jobs(self) -> Iterator[Job]:
        """All jobs, most informative first: an interrupted study has its first measures complete."""
        for seed in self.seeds:
            for variant in self.block.variants:
                yield self._job("untrained", _untrained(variant, seed), variant, self.size.learning)
                epochs = 2 * self.size.epochs
                yield self._job("train", _scratch(variant, seed), variant, {**self.size.learning, "epochs": epochs})
        for target in self.block.variants:
            yield from self._backbone(target)
        pairs = [(s, t) for t in self.block.variants for s in self.block.variants if s != t]
        for source, target in pairs:
            yield from self._zero_shot(source, target)
        for target in self.block.variants:
            yield from self._ladder(target)
        named = {variant.name: variant for variant in self.block.variants}
        tuned = [(named[source], named[target]) for source, target in self.block.tuned]
        for source, target in tuned[:2]:
            yield from self._tuned(source, target)
        for source, target in pairs:
            yield from self._remedies(source, target)
        for source, target in tuned[2:]:
            yield from self._tuned(source, target)

    def _job(
        self, kind: Any, name: str, variant: GameVariant, params: dict[str, Any] | None = None, *needs: str
    ) -> Job:
        where = {"game": variant.game, "options": list(variant.options)}
        return Job(name, kind, {**where, **(params or {})}, seed_of(self.seed, name), tuple(dict.fromkeys(needs)))

    def _matches(self, name: str, target: GameVariant, pairs: Iterable[Pair]) -> Job:
        """Pairs of networks of a target that play each other, all of them at once."""
        listed = list(dict.fromkeys(pairs))
        needs = list(dict.fromkeys(self._place(target, entrant) for pair in listed for entrant in pair))
        matches = [
            {
                "who": [needs.index(self._place(target, entrant)) for entrant in (one, two)],
                "at": [self._epochs(entrant) for entrant in (one, two)],
                "seed": seed_of(self.seed, f"{target.name}/{_name(one)}/{_name(two)}"),
                "one": one.facts,
                "two": two.facts,
            }
            for one, two in listed
        ]
        params = {**self.size.playing, "target": target.name, "matches": matches}
        return self._job("evaluate", f"evaluate/{slug(target.name)}/{name}", target, params, *needs)

    def _anchored(self, target: GameVariant, entrant: Entrant, anchor: str) -> Job:
        """A network against a fixed opponent."""
        name = f"evaluate/{slug(target.name)}/{_name(entrant)}/{slug(anchor)}"
        params = {
            **self.size.playing, "games": self.size.anchor_games, "against": anchor,
            "at": [self._epochs(entrant)], "target": target.name, "anchored": entrant.facts,
        }  # fmt: skip
        return self._job("evaluate", name, target, params, self._place(target, entrant))

    def _epochs(self, entrant: Entrant) -> int | None:
        """The checkpoint that plays; None for the last network of a job."""
        return self.size.epochs * entrant.eighths // 8 if entrant.eighths else None

    def _place(self, target: GameVariant, entrant: Entrant) -> str:
        """The job that makes an entrant's network."""
        if entrant.kind == "untrained":
            return _untrained(target, entrant.seed)
        if entrant.kind == "scratch":
            return _scratch(target, entrant.seed)
        return f"{slug(entrant.kind)}/{slug(entrant.source)}/{slug(target.name)}/{entrant.seed}"

    def _backbone(self, target: GameVariant) -> Iterator[Job]:
        """The scale: neighbours in time play, of the same seed and of the next; both ends meet the first anchor."""
        count = len(self.seeds)
        pairs = []
        for seed in self.seeds:
            line = [Entrant("untrained", seed), *(Entrant("scratch", seed, eighths) for eighths in SHARES)]
            for one, two in pairwise(line):
                pairs += [(two, one), (two, Entrant(one.kind, seed % count + 1, one.eighths))]
        yield self._matches("scale", target, pairs)
        for seed in self.seeds:
            for entrant in (Entrant("scratch", seed, 8), Entrant("untrained", seed)):
                yield self._anchored(target, entrant, self.size.anchors[0])

    def _ladder(self, target: GameVariant) -> Iterator[Job]:
        """Matches of both ends of the scale against the other fixed opponents."""
        for anchor in self.size.anchors[1:]:
            for seed in self.seeds:
                yield self._anchored(target, Entrant("scratch", seed, 8), anchor)
        for anchor in self.size.anchors[1:2]:
            for seed in self.seeds:
                yield self._anchored(target, Entrant("untrained", seed), anchor)
        if strong := self.size.strong(target):
            for seed in self.seeds:
                yield from (self._anchored(target, Entrant("scratch", seed, e), strong) for e in SHARES[-2:])

    def _zero_shot(self, source: GameVariant, target: GameVariant) -> Iterator[Job]:
        pairs = []
        for seed in self.seeds:
            for kind in ("zero-shot", "shuffled"):
                entrant = Entrant(kind, seed, 0, source.name)
                params = {"unmapped": "zero", "shuffled": kind == "shuffled", "at": [self.size.epochs]}
                yield self._job("transfer", self._place(target, entrant), target, params, _scratch(source, seed))
                pairs += [(entrant, Entrant("untrained", seed)), (entrant, Entrant("scratch", seed, 1))]
            carried = Entrant("zero-shot", seed, 0, source.name)
            pairs += [(carried, Entrant("scratch", seed, eighths)) for eighths in (2, 4)]
            pairs += [(carried, Entrant("scratch", other, 8)) for other in self.seeds]
        yield self._matches(f"zero-shot/{slug(source.name)}", target, pairs)
        for seed in self.seeds:
            yield self._anchored(target, Entrant("zero-shot", seed, 0, source.name), REAL)

    def _remedies(self, source: GameVariant, target: GameVariant) -> Iterator[Job]:
        pairs = []
        learning = {**self.size.learning, "epochs": max(1, self.size.epochs // 16)}
        learning = {**learning, "settings": {**learning["settings"], "frozen": True}}
        for seed in self.seeds:
            plain = Entrant("zero-shot", seed, 0, source.name)
            for remedy, settings in remedies_of(source, target).items():
                entrant = Entrant(remedy, seed, 0, source.name)
                params = {"unmapped": "zero", "at": [self.size.epochs], **settings}
                yield self._job("transfer", self._place(target, entrant), target, params, _scratch(source, seed))
            refitted = Entrant(HEADS, seed, 0, source.name)
            yield self._job("tune", self._place(target, refitted), target, learning, self._place(target, plain))
            for remedy in (*remedies_of(source, target), HEADS):
                entrant = Entrant(remedy, seed, 0, source.name)
                pairs += [(entrant, plain), (entrant, Entrant("scratch", seed, 1))]
        yield self._matches(f"remedies/{slug(source.name)}", target, pairs)

    def _tuned(self, source: GameVariant, target: GameVariant) -> Iterator[Job]:
        learning = {**self.size.learning, "epochs": self.size.epochs}
        pairs = []
        for seed in self.seeds:
            carried = self._place(target, Entrant("zero-shot", seed, 0, source.name))
            tuned, control = (Entrant(kind, seed, 8, source.name) for kind in ("tuned", "control"))
            yield self._job("tune", self._place(target, tuned), target, learning, carried)
            blank = f"blank/{slug(source.name)}/{slug(target.name)}/{seed}"
            yield self._job("transfer", blank, target, {"unmapped": "zero"}, _untrained(source, seed))
            yield self._job("tune", self._place(target, control), target, learning, blank)
            for eighths in SHARES[:3]:
                half_way = Entrant("tuned", seed, eighths, source.name)
                pairs += [(half_way, Entrant("scratch", seed, share)) for share in (eighths, 8)]
            pairs += [(tuned, Entrant("scratch", other, eighths)) for other in self.seeds for eighths in (8, 16)]
            pairs += [(tuned, control), (control, Entrant("scratch", seed, 8))]
        yield self._matches(f"tuned/{slug(source.name)}", target, pairs)
        if strong := self.size.strong(target):
            for seed in self.seeds:
                yield self._anchored(target, Entrant("tuned", seed, 8, source.name), strong)


def _untrained(variant: GameVariant, seed: int) -> str:
    return f"untrained/{slug(variant.name)}/{seed}"


def _scratch(variant: GameVariant, seed: int) -> str:
    return f"train/{slug(variant.name)}/{seed}"


def _name(entrant: Entrant) -> str:
    return slug(*(part for part in (entrant.kind, entrant.source, f"{entrant.eighths}-8", str(entrant.seed)) if part))


def plan_block(name: str) -> Callable[[str, int, Sequence[str]], StudyPlan]:
    """The planner of a block: a function of preset, random seed and the wanted variants."""

    def make(preset: str, seed: int, only: Sequence[str] = ()) -> StudyPlan:
        if preset not in SIZES:
            raise LudoportError(f"unknown preset `{preset}`; choose from {', '.join(SIZES)}")
        size = SIZES[preset]
        block = _only(BLOCKS[name].sized(size.tiny), only)
        config = {
            "epochs": size.epochs,
            "seeds": size.seeds,
            "real": REAL,
            "choosing": [list(pair) for pair in choosing(BLOCKS[name].sized(size.tiny))],
        }
        jobs = tuple(Planner(block, size, seed).jobs())
        return StudyPlan(name, preset, seed, jobs, variants=block.variants, config=config)

    return make


def _only(block: Block, names: Sequence[str]) -> Block:
    """A part of a block, by the names of variants."""
    known = {slug(variant.name): variant for variant in block.variants}
    for name in names:
        if slug(name) not in known:
            there = ", ".join(f"`{variant.name}`" for variant in block.variants)
            raise LudoportError(f"the study has no variant `{name}`; choose from {there}")
    if not names:
        return block
    if len(names) < 2:
        raise LudoportError("name at least two variants; a network is transferred from one to another")
    chosen = [known[slug(name)] for name in names]
    held = {variant.name for variant in chosen}
    return Block(tuple(chosen), tuple(pair for pair in block.tuned if set(pair) <= held), block.tiny)
