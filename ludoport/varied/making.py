"""Varied games by number: the same seed and number give the same text."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from ludoport.errors import LudoportError
from ludoport.files import write_atomically
from ludoport.game import Game
from ludoport.lud import read_text
from ludoport.ludemic import LudemicRules
from ludoport.varied.templates import FAMILIES
from ludoport.varied.worthy import judge

TRIES = 200
"""Texts that are drawn for one game before giving up."""

LIST = "games.txt"
"""The list of games that is written beside them, as ``ludoport train --games`` takes it."""


@dataclass(frozen=True)
class VariedGame:
    """A game that was made by program.

    Attributes:
        name: its name.
        family: kind of the game.
        text: its game text.
    """

    name: str
    family: str
    text: str

    def load(self, jit: bool = True) -> Game:
        """The game."""
        return Game(LudemicRules(read_text(self.text, self.name)), jit=jit)


def varied_game(number: int, seed: int = 1, families: tuple[str, ...] = ()) -> VariedGame:
    """One varied game; families take turns.

    Args:
        number: number of the game, from 0.
        seed: random seed.
        families: the families to choose from; default: all.

    Raises:
        LudoportError: there is no such family.
    """
    chosen = families or tuple(FAMILIES)
    for name in chosen:
        if name not in FAMILIES:
            raise LudoportError(f"unknown family `{name}`; choose from {', '.join(FAMILIES)}")
    family = chosen[number % len(chosen)]
    name = f"{family} {seed}-{number:04d}"
    for attempt in range(TRIES):
        made = VariedGame(name, family, FAMILIES[family](_random(f"{name} {attempt}"), name))
        if not judge(made.load(jit=False)).reason:
            return made
    raise LudoportError(f"{name}: none of {TRIES} texts is worth learning")


def varied_games(count: int, seed: int = 1, families: tuple[str, ...] = ()) -> Iterator[VariedGame]:
    """Varied games, all different; the first ones are the same however many are asked for.

    Args:
        count: number of games.
        seed: random seed.
        families: the families to choose from; default: all.
    """
    seen, number = set[str](), 0
    while len(seen) < count:
        made = varied_game(number, seed, families)
        content = made.text.replace(made.name, "")
        if content not in seen:
            seen.add(content)
            yield made
        number += 1
        if number > 20 * count + 100:
            raise LudoportError(f"there are no {count} different games in these families, only {len(seen)}")


def write_games(folder: Path, count: int, seed: int = 1, families: tuple[str, ...] = ()) -> Iterator[VariedGame]:
    """Write varied games into a folder, with a list of them; yields each that is written."""
    folder.mkdir(parents=True, exist_ok=True)
    names = []
    for made in varied_games(count, seed, families):
        write_atomically(folder / f"{made.name}.lud", made.text)
        names.append(f"{made.name}.lud")
        yield made
    write_atomically(folder / LIST, "".join(f"{name}\n" for name in names))


def _random(text: str) -> Random:
    """A random generator that a text decides."""
    return Random(int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little"))
