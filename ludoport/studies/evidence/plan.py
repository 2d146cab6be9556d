"""The jobs of a block.

For every target: networks that learned it from nothing, with checkpoints at T/8, T/4, T/2, T and 2T; networks with
first weights; those that were transferred, rightly and with their channels mapped at random; those that were tuned,
also from a source that had learned nothing. All of them play each other along chains, so that one scale holds them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ludoport.errors import LudoportError
from ludoport.studies.engine.jobs import Job, seed_of, slug
from ludoport.studies.engine.plan import StudyPlan, Variant
from ludoport.studies.evidence.blocks import BLOCKS, REAL, SIZES, Block, Size

SHARES = (1, 2, 4, 8, 16)
"""Checkpoints in eighths of T."""


@dataclass(frozen=True)
class Entrant:
    """A network that plays in a target game.

    Attributes:
        kind: ``untrained``, ``scratch``, ``zero-shot``, ``shuffled``, ``tuned`` or ``control`` (tuned from a source
            that had learned nothing).
        seed: its number, from 1.
        eighths: how long it learned the target, in eighths of T.
        source: the game that it comes from, if any.
    """

    kind: str
    seed: int
    eighths: int = 0
    source: str = ""

    @property
    def facts(self) -> dict[str, Any]:
        """As a store keeps it."""
        return {"kind": self.kind, "seed": self.seed, "eighths": self.eighths, "source": self.source}


class Planner:
    """Lists the jobs of a block."""

    def __init__(self, block: Block, size: Size, seed: int) -> None:
        self.block, self.size, self.seed = block, size, seed
        self.seeds = range(1, size.seeds + 1)

    def jobs(self) -> Iterator[Job]:
        """All jobs: what learns from nothing first, then target by target, zero-shot before tuning."""
        for variant in self.block.variants:
            for seed in self.seeds:
                yield self._job("untrained", _untrained(variant, seed), variant, self.size.learning)
                epochs = 2 * self.size.epochs
                yield self._job("train", _scratch(variant, seed), variant, {**self.size.learning, "epochs": epochs})
        for target in self.block.variants:
            yield from self._backbone(target)
        pairs = [(s, t) for t in self.block.variants for s in self.block.variants if s != t]
        for source, target in pairs:
            yield from self._zero_shot(source, target)
        for source, target in pairs:
            if (source.name, target.name) in self.block.tuned:
                yield from self._tuned(source, target)

    def _job(self, kind: Any, name: str, variant: Variant, params: dict[str, Any] | None = None, *needs: str) -> Job:
        where = {"game": variant.game, "options": list(variant.options)}
        return Job(name, kind, {**where, **(params or {})}, seed_of(self.seed, name), tuple(dict.fromkeys(needs)))

    def _match(self, target: Variant, one: Entrant, two: Entrant) -> Job:
        """Two networks of a target."""
        name = f"evaluate/{slug(target.name)}/{_name(one)}/{_name(two)}"
        at = [self.size.epochs * entrant.eighths // 8 for entrant in (one, two)]
        params = {
            **self.size.playing,
            "at": at,
            "evidence": {"target": target.name, "one": one.facts, "two": two.facts},
        }
        return self._job("evaluate", name, target, params, self._place(target, one), self._place(target, two))

    def _anchored(self, target: Variant, entrant: Entrant, anchor: str) -> Job:
        """A network against a fixed opponent."""
        name = f"evaluate/{slug(target.name)}/{_name(entrant)}/{slug(anchor)}"
        facts = {"target": target.name, "one": entrant.facts, "anchor": anchor}
        params = {
            **self.size.playing, "games": self.size.anchor_games, "against": anchor,
            "at": [self.size.epochs * entrant.eighths // 8], "evidence": facts,
        }  # fmt: skip
        return self._job("evaluate", name, target, params, self._place(target, entrant))

    def _place(self, target: Variant, entrant: Entrant) -> str:
        """The job that makes an entrant's network."""
        if entrant.kind == "untrained":
            return _untrained(target, entrant.seed)
        if entrant.kind == "scratch":
            return _scratch(target, entrant.seed)
        return f"{entrant.kind}/{slug(entrant.source)}/{slug(target.name)}/{entrant.seed}"

    def _backbone(self, target: Variant) -> Iterator[Job]:
        """The scale: neighbours in time play, of the same seed and of the next; ends meet fixed opponents."""
        count = len(self.seeds)
        for seed in self.seeds:
            line = [Entrant("untrained", seed), *(Entrant("scratch", seed, eighths) for eighths in SHARES)]
            for one, two in pairwise(line):
                yield self._match(target, two, one)
                if count > 1:
                    other = Entrant(one.kind, seed % count + 1, one.eighths)
                    yield self._match(target, two, other)
            for anchor in self.size.anchors:
                yield self._anchored(target, Entrant("scratch", seed, 8), anchor)
            yield self._anchored(target, Entrant("untrained", seed), self.size.anchors[0])

    def _zero_shot(self, source: Variant, target: Variant) -> Iterator[Job]:
        for seed in self.seeds:
            for kind in ("zero-shot", "shuffled"):
                entrant = Entrant(kind, seed, 0, source.name)
                params = {"unmapped": "zero", "shuffled": kind == "shuffled", "at": [self.size.epochs]}
                yield self._job("transfer", self._place(target, entrant), target, params, _scratch(source, seed))
                yield self._match(target, entrant, Entrant("untrained", seed))
                yield self._match(target, entrant, Entrant("scratch", seed, 1))
            carried = Entrant("zero-shot", seed, 0, source.name)
            for eighths in (2, 4):
                yield self._match(target, carried, Entrant("scratch", seed, eighths))
            for other in self.seeds:
                yield self._match(target, carried, Entrant("scratch", other, 8))

    def _tuned(self, source: Variant, target: Variant) -> Iterator[Job]:
        learning = {**self.size.learning, "epochs": self.size.epochs}
        for seed in self.seeds:
            carried = self._place(target, Entrant("zero-shot", seed, 0, source.name))
            tuned, control = (Entrant(kind, seed, 8, source.name) for kind in ("tuned", "control"))
            yield self._job("tune", self._place(target, tuned), target, learning, carried)
            blank = f"blank/{slug(source.name)}/{slug(target.name)}/{seed}"
            yield self._job("transfer", blank, target, {"unmapped": "zero"}, _untrained(source, seed))
            yield self._job("tune", self._place(target, control), target, learning, blank)
            for eighths in SHARES[:3]:
                half_way = Entrant("tuned", seed, eighths, source.name)
                yield self._match(target, half_way, Entrant("scratch", seed, eighths))
                yield self._match(target, half_way, Entrant("scratch", seed, 8))
            for other in self.seeds:
                for eighths in (8, 16):
                    yield self._match(target, tuned, Entrant("scratch", other, eighths))
            yield self._match(target, tuned, control)
            yield self._match(target, control, Entrant("scratch", seed, 8))


def _untrained(variant: Variant, seed: int) -> str:
    return f"untrained/{slug(variant.name)}/{seed}"


def _scratch(variant: Variant, seed: int) -> str:
    return f"train/{slug(variant.name)}/{seed}"


def _name(entrant: Entrant) -> str:
    return slug(*(part for part in (entrant.kind, entrant.source, f"{entrant.eighths}-8", str(entrant.seed)) if part))


def plan_block(name: str) -> Callable[[str, int, Sequence[str]], StudyPlan]:
    """What plans the study of a block."""

    def make(preset: str, seed: int, only: Sequence[str] = ()) -> StudyPlan:
        if preset not in SIZES:
            raise LudoportError(f"there is no preset `{preset}`; there are {', '.join(SIZES)}")
        size = SIZES[preset]
        block = _only(BLOCKS[name].sized(size.tiny), only)
        config = {
            "epochs": size.epochs,
            "seeds": size.seeds,
            "real": REAL,
            "tuned": [list(pair) for pair in block.tuned],
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
            raise LudoportError(f"the study has no variant `{name}`; there are {there}")
    if not names:
        return block
    if len(names) < 2:
        raise LudoportError("name at least two variants; a network is transferred from one to another")
    chosen = [known[slug(name)] for name in names]
    held = {variant.name for variant in chosen}
    return Block(tuple(chosen), tuple(pair for pair in block.tuned if set(pair) <= held), block.tiny)
