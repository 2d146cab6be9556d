"""Effect of chance alone: networks that differ in their random seeds only, each against each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from ludoport.errors import LudoportError
from ludoport.studies.engine.jobs import Job, seed_of
from ludoport.studies.engine.plan import GameVariant, StudyPlan
from ludoport.studies.soemers.presets import study_preset


@dataclass(frozen=True)
class SeedsSize:
    """Size of the study: the game, networks, minutes of learning, games of a pair."""

    game: GameVariant
    seeds: int
    minutes: float
    games: int


SIZES = {
    "tiny": SeedsSize(GameVariant("Hex 5×5", "Hex", ("Board Size/5x5",)), 3, 0.5, 100),
    "small": SeedsSize(GameVariant("Hex 7×7", "Hex", ("Board Size/7x7",)), 8, 0.25, 100),
    "paper": SeedsSize(GameVariant("Hex 11×11", "Hex", ("Board Size/11x11",)), 8, 60.0, 300),
}


def plan_seeds(preset: str, seed: int, only: Sequence[str] = ()) -> StudyPlan:
    """Networks of one game from several seeds, and a match of each pair."""
    if only:
        raise LudoportError(f"the study has no part `{only[0]}`; all its networks meet")
    chosen, size = study_preset(preset), SIZES[preset]
    where = {"game": size.game.game, "options": list(size.game.options)}
    learning = {"training": chosen.training, "settings": chosen.settings, "minutes": size.minutes}
    names = [f"seed {number}" for number in range(1, size.seeds + 1)]
    jobs = [
        Job(f"train/{number}", "train", {**where, **learning}, seed_of(seed, name))
        for number, name in enumerate(names, 1)
    ]
    playing = {"training": chosen.training, "games": size.games, "simulations": chosen.simulations}
    for one, two in combinations(range(size.seeds), 2):
        play = f"evaluate/{one + 1}-{two + 1}"
        score = {"group": size.game.name, "player": names[one], "against": names[two], "seed": 1}
        needs = jobs[one].id, jobs[two].id
        jobs.append(Job(play, "evaluate", {**where, **playing, "score": score}, seed_of(seed, play), needs))
    config = {"game": [size.game.game, *size.game.options]}
    return StudyPlan("seeds", preset, seed, tuple(jobs), variants=(size.game,), config=config)
