"""A game manager: many matches between players on the network, some of them at once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ludoport.arena.playing import derived
from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.gdl import GdlRules, load_rules
from ludoport.ggp.match import CHANCE, Address, Match
from ludoport.ggp.positions import compiled_game, read_rules
from ludoport.ggp.record import MatchRecord, write_record
from ludoport.ggp.terms import Terms
from ludoport.languages import find_game


@dataclass(frozen=True)
class Series:
    """Settings of a manager.

    Attributes:
        players: one for each role but ``random``; from match to match they move on by one seat.
        terms: clocks and limits.
        matches: number of matches.
        parallel: number of matches at the same time.
        seed: of everything random.
        folder: folder of records; None keeps them in memory only.
        rotate: whether players change seats.
    """

    players: Sequence[Address]
    terms: Terms = field(default_factory=Terms)
    matches: int = 1
    parallel: int = 1
    seed: int = 1
    folder: Path | None = None
    rotate: bool = True

    def __post_init__(self) -> None:
        if self.matches < 1 or self.parallel < 1:
            raise LudoportError("the number of matches, and of those played at once, must be at least 1")

    def seats(self, number: int) -> list[Address]:
        """Players of a match, in the order of the roles."""
        shift = number % len(self.players) if self.rotate and self.players else 0
        return [*self.players[shift:], *self.players[:shift]]


def find_sheet(name: str) -> Path:
    """The rulesheet with this name or path; bundled ones need no ``.kif`` here."""
    found = find_game(name, "GDL").path
    assert found is not None
    return found


def load_sheet(name: str, compiled: bool = True, jit: bool | None = None) -> tuple[GdlRules, Game | None]:
    """Rules to play by, and their compiled game if it is wanted and can be made."""
    rules = load_rules(find_sheet(name))
    # Read once more without its name, as players read it, so that players on this machine find it compiled.
    return rules, compiled_game(read_rules(rules.program.sheet.text), jit) if compiled else None


def roles_to_fill(rules: GdlRules) -> list[str]:
    """The roles that need a player."""
    return [role for role in rules.roles if role.lower() != CHANCE]


async def manage(
    rules: GdlRules, plan: Series, game: Game | None = None, tell: Callable[[MatchRecord], None] | None = None
) -> list[MatchRecord]:
    """Play all matches of a plan; their records in order.

    Args:
        rules: the game.
        plan: the matches to run.
        game: the compiled game; without it the interpreter computes the positions.
        tell: gets each record when its match has ended.
    """
    places = asyncio.Semaphore(plan.parallel)
    stem = "".join(c if c.isalnum() else "_" for c in rules.name.lower())[:40] or "game"
    tag = int(1000 * time.time())  # no two managers should give matches the same name

    async def one(number: int) -> MatchRecord:
        seed = derived(plan.seed, "match", number)
        match = Match(f"ludoport.{stem}.{tag}.{number}", rules, plan.seats(number), plan.terms, seed, game)
        async with places:
            record = await match.play()
        if plan.folder is not None:
            write_record(plan.folder, record)
        if tell is not None:
            tell(record)
        return record

    return list(await asyncio.gather(*(one(number) for number in range(plan.matches))))
