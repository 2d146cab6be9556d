"""Ablation of training techniques: each is switched once, learns as long, and plays the unchanged preset.

Both learn from the same seed and for the same time; a control, the preset itself from another seed, shows how far
scores go apart by chance. All play with the preset's search, so only what was learned differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ludoport.errors import LudoportError
from ludoport.studies.engine.jobs import Job, seed_of, slug
from ludoport.studies.engine.plan import GameVariant, StudyPlan
from ludoport.studies.soemers.presets import StudyPreset, study_preset

GAME = GameVariant("Hex 5×5", "Hex", ("Board Size/5x5",))

CONTROL = "another seed"
"""The preset itself."""

SWITCHES: dict[str, dict[str, Any]] = {
    "PUCT instead of Gumbel search": {"gumbel": False, "completed": False},
    "PUCT with Dirichlet noise": {"gumbel": False, "completed": False, "noise": 0.25},
    "PUCT with forced visits": {"gumbel": False, "completed": False, "forced": 2.0},
    "PUCT with forced visits that stay": {"gumbel": False, "completed": False, "forced": 2.0, "pruned": False},
    "policy learns from visits": {"completed": False},
    "playout-cap randomisation": {"full_share": 0.25},
    "no symmetries": {"symmetries": False},
    "no averaged weights": {"ema": 0.0},
    "value mixed with the search's": {"mix": 0.5},
    "predicting the reply": {"reply_weight": 0.15},
    "predicting who owns what in the end": {"ownership_weight": 0.15},
    "resigning": {"resign": 0.95},
    "past checkpoints as opponents": {"tournament": True, "checkpoint_epochs": 2},
    "no proofs": {"solve": False},
    "random openings": {"openings": 0.25},
    "constant rate": {"schedule": "constant"},
    "trapezoid rate": {"schedule": "trapezoid"},
    "half the reuse": {},
    "twice the reuse": {},
    "half the simulations": {},
    "twice the simulations": {},
    "wider sigma": {"sigma_scale": 1.0},
}
"""The switches by name, each with the settings that differ from the preset; empty ones depend on the preset."""

FACTORS: dict[str, tuple[str, float]] = {
    "half the reuse": ("reuse_factor", 0.5),
    "twice the reuse": ("reuse_factor", 2.0),
    "half the simulations": ("simulations", 0.5),
    "twice the simulations": ("simulations", 2.0),
}


@dataclass(frozen=True)
class AblationSize:
    """Size of the study: repetitions, minutes of learning, games of a pair."""

    seeds: int
    minutes: float
    games: int


SIZES = {"tiny": AblationSize(1, 0.5, 100), "small": AblationSize(3, 0.5, 300), "paper": AblationSize(5, 10.0, 300)}


def plan_ablation(preset: str, seed: int, only: Sequence[str] = (), game: GameVariant = GAME) -> StudyPlan:
    """All switches, or those that ``only`` names, against the preset of training of this size."""
    chosen = study_preset(preset)
    known = {slug(name): name for name in (CONTROL, *SWITCHES)}
    for name in only:
        if slug(name) not in known:
            choices = ", ".join(f"`{choice}`" for choice in known.values())
            raise LudoportError(f"the study has no switch `{name}`; choose from {choices}")
    names = [known[slug(name)] for name in only] or list(known.values())
    size, jobs = SIZES[preset], list[Job]()
    for number in range(1, size.seeds + 1):
        jobs += [_learn("unchanged", {}, number, chosen, size, game, seed)]
        for name in names:
            jobs += _against(name, number, chosen, size, game, seed)
    return StudyPlan(
        "ablation", preset, seed, tuple(jobs), variants=(game,), config={"game": [game.game, *game.options]}
    )


def changes(name: str, preset: StudyPreset) -> dict[str, Any]:
    """The settings that a switch changes."""
    if name not in FACTORS:
        return dict(SWITCHES.get(name, {}))
    from ludoport.selfplay.config import preset as configured

    setting, factor = FACTORS[name]
    value = getattr(configured(preset.training, **preset.settings), setting)
    return {setting: type(value)(value * factor)}


def _learn(
    name: str,
    switched: dict[str, Any],
    number: int,
    preset: StudyPreset,
    size: AblationSize,
    game: GameVariant,
    seed: int,
) -> Job:
    where = {"game": game.game, "options": list(game.options)}
    learning = {"training": preset.training, "settings": {**preset.settings, **switched}, "minutes": size.minutes}
    # The same seed for all switches of a repetition; only the control has another one.
    common = seed_of(seed, f"{CONTROL if name == CONTROL else 'ablation'} {number}")
    return Job(f"train/{slug(name)}-{number}", "train", {**where, **learning}, common)


def _against(
    name: str, number: int, preset: StudyPreset, size: AblationSize, game: GameVariant, seed: int
) -> list[Job]:
    learner = _learn(name, changes(name, preset), number, preset, size, game, seed)
    play = f"evaluate/{slug(name)}-{number}"
    score = {"group": game.name, "player": name, "against": f"preset {preset.training}", "seed": number}
    playing = {"training": preset.training, "games": size.games, "simulations": preset.simulations, "score": score}
    params = {"game": game.game, "options": list(game.options), **playing}
    return [learner, Job(play, "evaluate", params, seed_of(seed, play), (learner.id, f"train/unchanged-{number}"))]
