"""Coverage of the intervals of the evidence studies, by simulation.

    python -m tools.interval_coverage [--studies N]

Plays the matches of two variants of block ``evidence/hex`` with networks whose strengths are known: the design of the
study, results drawn at random. Each kind has a true strength; every network of it differs by its seed, every pairing
by a little. Prints the share of 95 % intervals that hold the truth, measure by measure.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ludoport.arena.rating import LOGIT
from ludoport.studies.evidence.mixed import NODES, WEIGHTS
from ludoport.studies.evidence.model import Estimate, Kind, Played, Player, Scale, kind_of
from ludoport.studies.evidence.plan import Entrant, plan_block

TARGET, SOURCE = "Hex 7×7", "Hex 9×9"
TRUE = {
    ("untrained", 0): 0.0, ("scratch", 1): 500.0, ("scratch", 2): 900.0, ("scratch", 4): 1300.0, ("scratch", 8): 1800.0,
    ("scratch", 16): 2300.0, ("zero-shot", 0): 1200.0, ("shuffled", 0): 50.0,
    ("uct:800,rollouts=10", 0): 1200.0, ("uct:50", 0): 400.0, ("uct:200", 0): 800.0,
    ("uct:5000,rollouts=4", 0): 1500.0, ("uct:20000", 0): 1600.0,
}  # fmt: skip
"""Elo of kinds, about those of the first part of the block."""


@dataclass(frozen=True)
class World:
    """Spread of the strengths of networks.

    Attributes:
        name: of the row in the table.
        seeds: networks of each kind.
        between: standard deviation between seeds in Elo.
        uneven: spread of that between kinds, as the standard deviation of its logarithm.
        pairing: standard deviation between pairings in Elo.
    """

    name: str
    seeds: int = 3
    between: float = 80.0
    uneven: float = 0.0
    pairing: float = 30.0


WORLDS = (
    World("3 seeds, equal kinds"),
    World("3 seeds, kinds differ", uneven=0.5),
    World("3 seeds, far apart", between=150.0, uneven=0.5),
    World("3 seeds, alike", between=20.0, pairing=0.0),
    World("2 seeds, kinds differ", seeds=2, uneven=0.5),
)


def design(seeds: int) -> list[tuple[Entrant, Player, int]]:
    """Pairs of players of the target and their numbers of games."""
    found: list[tuple[Entrant, Player, int]] = []
    for job in plan_block("evidence/hex")("small", 1, [TARGET, SOURCE]).jobs:
        params = job.params
        if params.get("target") != TARGET:
            continue
        for match in params.get("matches", ()):
            found.append((Entrant(**match["one"]), Entrant(**match["two"]), params["games"]))
        if "anchored" in params:
            found.append((Entrant(**params["anchored"]), params["against"], params["games"]))
    return [
        (one, two, games)
        for one, two, games in found
        if (kind_of(one)[:2] in TRUE and kind_of(two)[:2] in TRUE)
        and all(isinstance(player, str) or player.seed <= seeds for player in (one, two))
    ]


def simulated(world: World, seed: int) -> tuple[Scale, dict[Kind, float]]:
    """A study of such networks, and the standard deviation between the seeds of each kind in Elo."""
    rng, matches = np.random.default_rng(seed), design(world.seeds)
    kinds = {kind_of(player): 0.0 for one, two, _ in matches for player in (one, two)}
    for kind in kinds:
        if ":" not in kind[0]:
            kinds[kind] = world.between * float(np.exp(world.uneven * rng.standard_normal()))
    own: dict[Player, float] = {}
    played = []
    for one, two, games in matches:
        for player in (one, two):
            kind = kind_of(player)
            own.setdefault(player, TRUE[kind[:2]] + kinds[kind] * rng.standard_normal())
        gap = own[one] - own[two] + world.pairing * rng.standard_normal()
        wins = int(rng.binomial(games, 1 / (1 + np.exp(-gap / LOGIT))))
        played.append(Played(TARGET, one, two, wins, 0, games - wins))
    return Scale(TARGET, played, seed=seed), kinds


def _of(kind: Kind) -> Callable[[Player], bool]:
    return lambda player: kind_of(player) == kind


def measures(world: World, seed: int) -> Iterator[tuple[str, Estimate, float]]:
    """Every measure of a simulated study: its name, its estimate and the truth."""
    scale, kinds = simulated(world, seed)
    for eighths in (1, 2, 4, 8, 16):
        yield "Elo", scale.elo("scratch", eighths), TRUE["scratch", eighths]
    for name in ("zero-shot", "shuffled"):
        truth = (TRUE[name, 0] - TRUE["untrained", 0]) / (TRUE["scratch", 8] - TRUE["untrained", 0])
        yield "carried", scale.carried(name, 0, SOURCE), truth
    carried: Kind = ("zero-shot", 0, SOURCE)
    others: tuple[Kind, ...] = (
        ("scratch", 2, ""),
        ("scratch", 4, ""),
        ("scratch", 8, ""),
        ("uct:800,rollouts=10", 0, ""),
    )
    for other in others:
        spread = np.hypot(np.hypot(kinds[carried], kinds[other]), world.pairing)
        chances = 1 / (1 + np.exp(-(TRUE[carried[:2]] - TRUE[other[:2]] + spread * NODES) / LOGIT))
        estimate = scale.score(_of(carried), _of(other))
        yield "score", estimate, float(chances @ WEIGHTS / WEIGHTS.sum())


def coverage(world: World, studies: int) -> dict[str, float]:
    """The share of intervals that hold the truth, by measure, in percent."""
    held: dict[str, list[bool]] = {}
    for seed in range(1, studies + 1):
        for name, one, truth in measures(world, seed):
            held.setdefault(name, []).append(one.low <= truth <= one.high)
    return {name: 100 * float(np.mean(ones)) for name, ones in held.items()}


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description="Coverage of the intervals of the evidence studies, by simulation.")
    parser.add_argument("--studies", type=int, default=200, help="simulated studies for each row")
    studies = parser.parse_args().studies
    for number, world in enumerate(WORLDS):
        found = coverage(world, studies)
        if not number:
            print(f"| {studies} simulated studies | {' | '.join(found)} |\n|---|{'--:|' * len(found)}")
        print(f"| {world.name} | {' | '.join(f'{share:.1f} %' for share in found.values())} |", flush=True)


if __name__ == "__main__":
    main()
