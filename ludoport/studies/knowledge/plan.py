"""The jobs of the study: what is learned in chess, what is learned in Chessplus itself, and games of all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ludoport.errors import LudoportError
from ludoport.studies.engine.jobs import Job, Kind, seed_of, slug
from ludoport.studies.engine.plan import GameVariant, StudyPlan
from ludoport.studies.knowledge.sizes import SIZES, KnowledgeSize, batches_of, epochs_of, simulations_of

NAME = "chessplus-knowledge"

SOURCE = GameVariant("chess", "gardner")
TARGET = GameVariant("Chessplus", "gardner-chessplus")

TREE, NETWORK, DISTILLED = "tree", "network", "distilled tree"
CARRIED = (TREE, NETWORK, DISTILLED)
"""Kinds of knowledge that are carried over."""

OWN: dict[str, str] = {TREE: "tree of the target", NETWORK: "network of the target"}
"""Names of knowledge that was made in the target itself."""

PLAIN, UNTRAINED = "no tree", "untrained network"
"""Players without knowledge: plain UCT, and a network with first weights."""

TIMED = 100
"""Moves of a player that are timed."""

DISTILLED_SHARE = 0.5
"""The share of its compute that a distilled tree spends on the tree; the rest is learning."""


@dataclass(frozen=True)
class KnowledgeEntrant:
    """A player of the study.

    Attributes:
        kind: kind of its knowledge.
        level: its compute, in units; 0 for players without knowledge.
        seed: its number, from 1; 0 for plain UCT, which has none.
    """

    kind: str
    level: float = 0.0
    seed: int = 0

    @property
    def title(self) -> str:
        """Kind and level."""
        return f"{self.kind} {self.level:g}x" if self.level else self.kind

    @property
    def place(self) -> str:
        """A part of the names of jobs."""
        return f"{slug(self.title)}/{self.seed}"


class KnowledgePlanner:
    """Lists the jobs of the study."""

    def __init__(self, size: KnowledgeSize, seed: int, kinds: Sequence[str] = CARRIED) -> None:
        self.size, self.seed, self.kinds = size, seed, kinds
        self.seeds = range(1, size.seeds + 1)

    def jobs(self) -> Iterator[Job]:
        """All jobs, lower levels first: a study that is cut off has its left part complete."""
        if NETWORK in self.kinds:
            yield from (self._run(game, seed) for seed in self.seeds for game in (SOURCE, TARGET))
        yield from self._games(KnowledgeEntrant(PLAIN), None, player=f"uct:{self.size.simulations}")
        for seed in self.seeds if set(self.kinds) != {TREE} else ():
            yield self._job("untrained", f"untrained/{seed}", TARGET, self._learning)
            yield from self._games(KnowledgeEntrant(UNTRAINED, 0, seed), f"untrained/{seed}")
        yield from self._timed()
        for level in self.size.levels:
            for seed in self.seeds:
                for kind in self.kinds:
                    yield from {TREE: self._trees, NETWORK: self._networks, DISTILLED: self._distilled}[kind](
                        level, seed
                    )

    def _timed(self) -> Iterator[Job]:
        """Cost of a move, by a search without knowledge and with a network."""
        params = {**self._learning, "simulations": self.size.simulations, "moves": TIMED}
        yield self._job("time", f"time/{slug(PLAIN)}", TARGET, {**params, "player": f"uct:{self.size.simulations}"})
        if set(self.kinds) != {TREE}:
            yield self._job("time", f"time/{slug(UNTRAINED)}", TARGET, params, "untrained/1")

    @property
    def _learning(self) -> dict[str, Any]:
        return {"training": "tiny", "settings": self.size.learning}

    def _trees(self, level: float, seed: int) -> Iterator[Job]:
        mine, own = KnowledgeEntrant(TREE, level, seed), KnowledgeEntrant(OWN[TREE], level, seed)
        grown = self._grown(SOURCE, f"grow/{mine.place}", simulations_of(level))
        yield grown
        yield self._carried(mine, grown.id, knowledge="tree")
        yield from self._games(mine, f"carry/{mine.place}", knowledge="tree")
        there = self._grown(TARGET, f"grow/{own.place}", simulations_of(level))
        yield there
        yield from self._games(own, there.id, knowledge="tree")

    def _networks(self, level: float, seed: int) -> Iterator[Job]:
        mine, at = KnowledgeEntrant(NETWORK, level, seed), [epochs_of(level)]
        yield self._carried(mine, f"train/{slug(SOURCE.name)}/{seed}", unmapped="zero", at=at)
        yield from self._games(mine, f"carry/{mine.place}")
        yield from self._games(KnowledgeEntrant(OWN[NETWORK], level, seed), f"train/{slug(TARGET.name)}/{seed}", at=at)

    def _distilled(self, level: float, seed: int) -> Iterator[Job]:
        mine = KnowledgeEntrant(DISTILLED, level, seed)
        grown = self._grown(SOURCE, f"grow/{mine.place}", simulations_of(DISTILLED_SHARE * level))
        yield grown
        settings = {**self.size.learning, "schedule": "cosine"}  # each level is a run of its own
        learning = {
            "training": "tiny", "settings": settings, "least": self.size.simulations,
            "batches": batches_of((1 - DISTILLED_SHARE) * level),
        }  # fmt: skip
        yield self._job("distill", f"distill/{mine.place}", SOURCE, learning, grown.id)
        yield self._carried(mine, f"distill/{mine.place}", unmapped="zero")
        yield from self._games(mine, f"carry/{mine.place}")

    def _run(self, game: GameVariant, seed: int) -> Job:
        epochs = epochs_of(max(self.size.levels))
        return self._job("train", f"train/{slug(game.name)}/{seed}", game, {**self._learning, "epochs": epochs})

    def _grown(self, game: GameVariant, name: str, simulations: int) -> Job:
        params = {"simulations": simulations, "nodes": self.size.nodes, "least": self.size.simulations}
        return self._job("grow", name, game, params)

    def _carried(self, entrant: KnowledgeEntrant, need: str, **params: Any) -> Job:
        return self._job("transfer", f"carry/{entrant.place}", TARGET, params, need)

    def _games(self, entrant: KnowledgeEntrant, need: str | None, **params: Any) -> Iterator[Job]:
        """Matches against all fixed opponents; plain UCT has no seeds, and plays for all of them."""
        alone = {PLAIN: self.size.seeds, TREE: 1, OWN[TREE]: 1}.get(entrant.kind)
        games = self.size.games * (self.size.cheap * alone if alone else 1)
        for anchor in self.size.anchors:
            score = {"group": TARGET.game, "player": entrant.title, "against": anchor, "seed": entrant.seed}
            playing = {
                **self._learning, "games": games, "simulations": self.size.simulations, "against": anchor,
                "entrant": asdict(entrant), "score": score,
            }  # fmt: skip
            needs = (need,) if need else ()
            yield self._job("evaluate", f"games/{entrant.place}/{slug(anchor)}", TARGET, {**playing, **params}, *needs)

    def _job(self, kind: Kind, name: str, variant: GameVariant, params: dict[str, Any], *needs: str) -> Job:
        where = {"game": variant.game, "options": list(variant.options)}
        return Job(name, kind, {**where, **params}, seed_of(self.seed, name), needs)


def plan(preset: str, seed: int, only: Sequence[str] = ()) -> StudyPlan:
    """Plan the study.

    Args:
        preset: size of the study.
        seed: random seed.
        only: kinds of knowledge; default: all.
    """
    if preset not in SIZES:
        raise LudoportError(f"unknown preset `{preset}`; choose from {', '.join(SIZES)}")
    known = {slug(kind): kind for kind in CARRIED}
    for name in only:
        if slug(name) not in known:
            raise LudoportError(f"the study has no kind of knowledge `{name}`; choose from {', '.join(CARRIED)}")
    kinds = [known[slug(name)] for name in only] or CARRIED
    size = SIZES[preset]
    config = {
        "levels": list(size.levels), "seeds": size.seeds, "games": size.games, "cheap": size.cheap,
        "simulations": size.simulations,
        "anchors": list(size.anchors),
        "unit": {"simulations": simulations_of(1), "epochs": epochs_of(1), "batches": batches_of(1)},
    }  # fmt: skip
    jobs = tuple(KnowledgePlanner(size, seed, kinds).jobs())
    return StudyPlan(NAME, preset, seed, jobs, variants=(SOURCE, TARGET), config=config)
