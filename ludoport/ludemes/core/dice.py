"""Dice as the equipment lists them: containers of dice, each die a component with faces."""

from __future__ import annotations

from dataclasses import dataclass

from ludoport.errors import LudError, UnsupportedError
from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.core.equipment import Component, role_number
from ludoport.ludemes.core.traits import declare

declare("container:dice", ignores={"biased": "the reference rolls all faces with equal chance"})

_MOST_DICE = 100
_MOST_FACES = 10_000


@dataclass(frozen=True)
class Dice:
    """Dice that belong together.

    Attributes:
        owner: the player who owns them; one more than the number of players if all share them.
        first: the number of the first die among all dice of the game.
        faces: for each die, the numbers on its faces.
    """

    owner: int
    first: int
    faces: tuple[tuple[int, ...], ...]


def read_dice(items: list[Ludeme], n_players: int) -> list[Dice]:
    """The containers of dice in text order."""
    found: list[Dice] = []
    for item in items:
        if item.kind == "container" and item.keyword == "dice":
            first = sum(len(dice.faces) for dice in found)
            found.append(Dice(_owner(item, n_players), first, _faces(item)))
    return found


def die_components(dice: list[Dice], n_players: int) -> list[Component]:
    """Dice are the first components of a game."""
    every = [(group.owner, faces) for group in dice for faces in group.faces]
    return [
        Component(k, f"Die{k}", "Die", owner if owner else n_players + 1, faces=faces)
        for k, (owner, faces) in enumerate(every, 1)
    ]


def _owner(item: Ludeme, n_players: int) -> int:
    role = item.get("role")
    if role is None:
        return n_players + 1
    assert isinstance(role, Word)
    number = role_number(role.name, n_players)
    if number is None or role.name == "Each":
        raise UnsupportedError(f"dice of `{role.name}` are not implemented yet", item.source)
    return number


def _faces(item: Ludeme) -> tuple[tuple[int, ...], ...]:
    count, sides, low = item.args["num"], item.get("d"), item.get("from")
    assert isinstance(count, int)
    if isinstance(sides, int) and not 1 <= sides <= _MOST_FACES:
        raise LudError(f"a die has 1 to {_MOST_FACES:,} faces, not {sides:,}", item.source)
    if not 1 <= count <= _MOST_DICE:
        raise LudError(f"`dice` needs 1 to {_MOST_DICE} dice, not {count:,}", item.source)
    by_die, faces = item.get("facesByDie"), item.get("faces")
    if isinstance(by_die, list):
        listed = [_numbers(each) for each in by_die]
    elif isinstance(faces, list):
        listed = [_numbers(faces)] * count
    else:
        start = low if isinstance(low, int) else 1
        listed = [tuple(range(start, start + (sides if isinstance(sides, int) else 6)))] * count
    if len(listed) < count or not all(listed[:count]):
        raise LudError(f"`dice` needs faces for {count} dice, not {len(listed)} lists", item.source)
    return tuple(listed[:count])


def _numbers(values: Value) -> tuple[int, ...]:
    assert isinstance(values, list)
    return tuple(value for value in values if isinstance(value, int))
