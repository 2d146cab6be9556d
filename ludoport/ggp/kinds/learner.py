"""The player ``learner``: TD(lambda) over afterstates; it learns from every match and remembers what it learned."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ludoport.arena.specification import Specification
from ludoport.errors import LudoportError
from ludoport.ggp.knowledge import knowledge, rehearse
from ludoport.ggp.learning import Style
from ludoport.ggp.positions import CompiledPosition
from ludoport.ggp.role_player import RolePlayer, register

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.ggp.positions import SheetPosition


class LearnerRole(RolePlayer):
    """Looks moves up while it plays, and learns in the start clock of the next match.

    Until the game is compiled it plays any move; what the match teaches counts all the same.
    """

    def __init__(self, style: Style | None = None) -> None:
        self.style = style or Style()
        self.role = 0
        self.rng = random.Random(0)
        self.steps: list[list[str]] = []

    def begin(self, role: int, seed: int) -> None:
        """A match begins, of which nothing has been seen."""
        self.role, self.rng, self.steps = role, random.Random(seed), []

    def warm(self, game: Game) -> None:
        """Compile the learner."""
        rehearse(game, self.style)

    def prepare(self, position: SheetPosition, until: float) -> None:
        """Learn from the last matches."""
        if isinstance(position, CompiledPosition):
            knowledge(position.game, self.role, self.style).learn(until)

    def think(self, position: SheetPosition, role: int, until: float) -> Iterator[str]:
        """One move."""
        if len(position.legal[role]) > 1 and isinstance(position, CompiledPosition):
            yield knowledge(position.game, role, self.style).choose(position, self.rng)
        else:
            yield self.rng.choice(position.legal[role])

    def moved(self, position: SheetPosition, moves: Sequence[str]) -> None:
        """Watch."""
        self.steps.append(list(moves))

    def end(self, position: SheetPosition) -> None:
        """Write the match down; one that was broken off teaches nothing."""
        if isinstance(position, CompiledPosition) and position.terminal:
            knowledge(position.game, self.role, self.style).finished(self.steps)


_USAGE = (
    "learner[:memory=FOLDER][,features=FILE][,against=OPPONENT][,start=default|minimax|maxmax|avgmax]"
    "[,alpha=NUMBER][,lambda=NUMBER][,epsilon=NUMBER][,depth=N][,at_sight=true]"
)


@register("learner", _USAGE)
def make(specification: Specification) -> RolePlayer:
    """The player of a text."""
    names = ("memory", "features", "against", "start", "alpha", "lambda", "epsilon", "depth", "at_sight")
    settings = specification.named(None, names)
    given: dict[str, object] = {}
    for name, field, example in (
        ("against", "against", ""), ("start", "start", ""), ("alpha", "alpha", 0.0), ("lambda", "lam", 0.0),
        ("epsilon", "epsilon", 0.0), ("depth", "depth", 0), ("at_sight", "at_sight", False),
    ):  # fmt: skip
        if name in settings:
            given[field] = settings.like(name, example)
    for name, field in (("memory", "folder"), ("features", "features")):
        if name in settings:
            given[field] = Path(settings.values[name]).expanduser().absolute()
    try:
        return LearnerRole(Style(**given))  # type: ignore[arg-type]
    except LudoportError as error:
        raise specification.refuse(str(error)) from None
