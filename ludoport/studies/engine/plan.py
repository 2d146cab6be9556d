"""A study that is ready to be worked on: its jobs, its tables, and the games that take part."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ludoport.errors import LudoportError
from ludoport.studies.engine.cells import TableOrder
from ludoport.studies.engine.jobs import Job


@dataclass(frozen=True)
class GameVariant:
    """A game with options.

    Attributes:
        name: row or column of a table.
        game: name of the game, or path of its text.
        options: its choices.
    """

    name: str
    game: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class TextVariant(GameVariant):
    """A game given by the path of its file, ``game``.

    Attributes:
        written: the path as the study says it; names of jobs have it, so that they do not depend on the machine.
        digest: of the file, which may be edited.
    """

    written: str = ""
    digest: str = ""


@dataclass(frozen=True)
class StudyPlan:
    """A study that is ready to be worked on.

    Attributes:
        name: of the study.
        preset: size of the study.
        seed: random seed.
        jobs: everything that is to be done, in a good order.
        tables: the order of its tables.
        variants: the games that take part; pairs of them must fit each other.
        config: everything else that results depend on; two runs of the study must agree in it.
    """

    name: str
    preset: str
    seed: int
    jobs: tuple[Job, ...]
    tables: tuple[TableOrder, ...] = ()
    variants: tuple[GameVariant, ...] = ()
    config: dict[str, Any] = field(default_factory=dict)

    def facts(self) -> dict[str, Any]:
        """Facts about the study in its store."""
        return {"name": self.name, "preset": self.preset, "seed": self.seed, "config": self.config}


def check_plan(plan: StudyPlan) -> None:
    """Make sure before any work that all games can be read, and that those of a pair have the same players."""
    from ludoport.transfer.sides import find_side

    players: dict[int, GameVariant] = {}
    for variant in plan.variants:
        players.setdefault(find_side(variant.game, variant.options).players, variant)
    if len(players) > 1:
        (n, first), (m, second) = list(players.items())[:2]
        raise LudoportError(
            f"{first.name} has {n} players and {second.name} has {m}; "
            "a network can only be transferred between games with the same number"
        )
    if players and 2 not in players:
        n, variant = next(iter(players.items()))
        raise LudoportError(f"studies are about games of two players; {variant.name} has {n}")
