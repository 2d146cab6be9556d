"""The study of architectures: networks of many shapes learn, then play UCT (section 4.1 and Figure 1 of the paper).

Sizes are drawn at random, as in the paper: blocks, layers in a block, and hidden channels. A network plays with 40
simulations a move; UCT has 800, each of which takes the mean of ten rollouts. Polygames' games are in Table 2; Hex and
Havannah have the swap rule there.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from ludoport.errors import LudoportError
from ludoport.studies.engine.jobs import Job, seed_of, slug
from ludoport.studies.engine.plan import GameVariant, StudyPlan
from ludoport.studies.soemers.presets import StudyPreset, study_preset

PAPER_GAMES = (
    GameVariant("Connect6", "Connect6"),
    *(GameVariant(f"Havannah {n}×{n}", "Havannah", (f"Board Size/{n}x{n}", "Swap Rules/On")) for n in (5, 8, 10)),
    *(GameVariant(f"Hex {n}×{n}", "Hex", (f"Board Size/{n}x{n}",)) for n in (11, 13, 19)),
    GameVariant("Minishogi", "Minishogi"),
)
"""The games of Table 2."""

GAMES = {
    "tiny": (GameVariant("Hex 5×5", "Hex", ("Board Size/5x5",)),),
    "small": tuple(game for game in PAPER_GAMES if game.name in ("Havannah 5×5", "Hex 11×11")),
    "paper": PAPER_GAMES,
}
"""Those of each size of the study; ``small`` has two in which UCT is quick, so that half an hour may do."""

FAMILIES = {
    "nano-fc": "NanoFC",
    "nano-conv": "NanoConv",
    "conv-fc": "ConvFC",
    "conv-conv": "ConvConv",
    "conv-conv-pool": "ConvConvPool",
    "conv-conv-pool-2": "ConvConvPoolV2",
    "u-conv-fc": "UConvFC",
    "u-conv-conv": "UConvConv",
}
"""The kinds of networks of Figure 1, with names for plots."""

SIZES = {"tiny": 2, "small": 1, "paper": 8}
"""Number of sizes of each kind that learn each game."""

MINUTES = {"tiny": 0.5, "small": 0.5, "paper": 1440.0}
"""Minutes that a network learns; a day in the paper."""

UCT_GAMES = {"tiny": 20, "small": 20, "paper": 300}


def plan_architectures(preset: str, seed: int, only: Sequence[str] = ()) -> StudyPlan:
    """All networks of all shapes; ``only`` names games or kinds of networks."""
    size = study_preset(preset)
    games = {slug(game.name): game for game in GAMES[preset]}
    kinds = {slug(name): name for name in FAMILIES}
    for name in only:
        if slug(name) not in games | kinds:
            choices = ", ".join(f"`{choice}`" for choice in [*(game.name for game in games.values()), *FAMILIES])
            raise LudoportError(f"the study has no game and no kind of network `{name}`; choose from {choices}")
    wanted = {slug(name) for name in only}
    chosen = [games[key] for key in games if key in wanted] or list(games.values())
    shapes = [kinds[key] for key in kinds if key in wanted] or list(FAMILIES)
    jobs = [
        job
        for game in chosen
        for family in shapes
        for number, shape in enumerate(draw_shapes(family, SIZES[preset], seed, tiny=size.tiny), 1)
        for job in _jobs(game, family, number, shape, preset, size, seed)
    ]
    return StudyPlan("architectures", preset, seed, tuple(jobs), variants=tuple(chosen))


def draw_shapes(family: str, count: int, seed: int, *, tiny: bool) -> list[dict[str, Any]]:
    """``count`` different sizes for a kind of network, the same in every game."""
    rng, shapes = random.Random(f"{seed} {family}"), list[dict[str, Any]]()
    while len(shapes) < count:
        shape = _draw_shape(family, rng, tiny)
        if shape not in shapes:
            shapes.append(shape)
    return shapes


def _draw_shape(family: str, rng: random.Random, tiny: bool) -> dict[str, Any]:
    """A size for a kind of network; U-shaped ones have an odd number of blocks."""
    shape: dict[str, Any] = {"family": family, "width_factor": rng.randint(1, 4 if tiny else 8) / 2}
    if family.startswith("nano"):
        return shape
    blocks, layers = rng.randint(1, 3 if tiny else 12), rng.randint(1, 2 if tiny else 6)
    return {**shape, "blocks": blocks | 1 if family.startswith("u-") else blocks, "layers": layers}


def _jobs(
    game: GameVariant, family: str, number: int, shape: dict[str, Any], preset: str, size: StudyPreset, seed: int
) -> list[Job]:
    path = f"{slug(game.name)}/{family}-{number}"
    where = {"game": game.game, "options": list(game.options)}
    settings = {**size.settings, "network": family}
    learning = {"training": size.training, "settings": settings, "minutes": MINUTES[preset], "shape": shape}
    learn, play = f"train/{path}", f"evaluate/{path}"
    playing = {"training": size.training, "games": UCT_GAMES[preset], "simulations": size.uct_simulations}
    score = {"group": game.name, "player": FAMILIES[family], "against": size.uct, "seed": number}
    return [
        Job(learn, "train", {**where, **learning}, seed_of(seed, learn)),
        Job(play, "evaluate", {**where, **playing, "against": size.uct, "score": score, "sized": True},
            seed_of(seed, play), (learn,)),
    ]  # fmt: skip
