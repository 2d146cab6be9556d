"""Planes that show the dice of a game as the player to move sees them.

A plane counts the dice of one container that have one value left; dice that are used, and faces that are worth nothing,
are in no plane. Most rules roll while moves are listed, when the row still holds the last roll. Where the rules roll
always or in new turns, the planes show the new roll. Where they ask for more, planes of the kind ``die`` show the dice
in the row, and planes of the kind ``roll`` what a roll shows now.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ludoport.lud.tree import Ludeme, Value
from ludoport.ludemes.core.program import Program
from ludoport.ludemes.fields.dice import all_faces
from ludoport.tensors.channels import StateChannel

_ALWAYS, _NEW_TURN = "True", "state[PREV] != state[MOVER]"


@dataclass(frozen=True)
class DicePlanes:
    """Planes of the dice of a game.

    Attributes:
        channels: the meaning of every plane.
        faces: the numbers on the faces of every die.
        first: for each die, the number of the plane of every value, among the planes of the kind ``die``.
        rolled: the condition under which moves are listed after a roll: a test of the row, ``True``, empty if rolls
            happen only as moves are played, or None if the rules ask for more than a new turn.
    """

    channels: tuple[StateChannel, ...] = ()
    faces: tuple[tuple[int, ...], ...] = ()
    first: tuple[dict[int, int], ...] = ()
    rolled: str | None = ""

    @property
    def components(self) -> int:
        """Number of dice; they are the first components of a game."""
        return len(self.faces)

    @property
    def kept(self) -> int:
        """Number of planes of the kind ``die``; as many of the kind ``roll`` follow where there are any."""
        return sum(channel.kind == "die" for channel in self.channels)


def read_dice_planes(program: Program) -> DicePlanes:
    """The planes of a game's dice; the game need not be compiled."""
    channels: list[StateChannel] = []
    places: list[dict[int, int]] = []
    for group in program.dice:
        owner = group.owner if group.owner <= program.n_players else 0
        values = sorted({value for faces in group.faces for value in faces} - {0})
        places += [{value: len(channels) + k for k, value in enumerate(values)}] * len(group.faces)
        channels += [StateChannel("die", owner, index=value) for value in values]
    rolled = _when_rolled(program.description.root)
    if rolled is None:
        channels += [StateChannel("roll", channel.owner, index=channel.index) for channel in channels]
    return DicePlanes(tuple(channels), tuple(all_faces(program)), tuple(places), rolled)


def _when_rolled(root: Ludeme) -> str | None:
    """Condition under which moves are listed after a roll; see ``DicePlanes.rolled``."""
    found = {
        condition
        for node in root.walk()
        if node.key == "moves:do" and node.peek("next") is not None
        for condition in _rolls(node.peek("prior"), _ALWAYS)
    }
    return "" if not found else found.pop() if len(found) == 1 else None


def _rolls(value: Value | None, condition: str | None) -> Iterator[str | None]:
    """The condition of every roll in a part of the rules; None for one that asks for more than a new turn."""
    if not isinstance(value, Ludeme):
        return
    if value.key == "moves:roll":
        yield condition
    elif value.key == "moves:if":
        plain = condition == _ALWAYS and _new_turn(value.peek("cond"))
        yield from _rolls(value.peek("list"), _NEW_TURN if plain else None)
        yield from _rolls(value.peek("elseList"), None)
    else:
        below = condition if value.key in ("moves:and", "moves:do") else None
        for part in value.parts():
            yield from _rolls(part, below)


def _new_turn(condition: Value | None) -> bool:
    """Whether a condition says that the mover did not make the last move."""
    if not isinstance(condition, Ludeme) or condition.keyword != "not":
        return False
    inner = next(iter(condition.parts()), None)
    return isinstance(inner, Ludeme) and inner.keyword == "is Prev" and [str(p) for p in inner.parts()] == ["Mover"]


def dice_tables(dice: DicePlanes) -> Iterator[tuple[str, list[int]]]:
    """Tables that the kernels read: sides of every die; value and plane of every face, -1 for no plane."""
    if not dice.faces:
        return
    width = max(map(len, dice.faces))
    yield "TENSOR_SIDES", [len(faces) for faces in dice.faces]
    yield "TENSOR_FACE", [value for faces in dice.faces for value in (*faces, *[0] * (width - len(faces)))]
    most = max(value for faces in dice.faces for value in faces)
    yield "TENSOR_DIE", [places.get(value, -1) for places in dice.first for value in range(most + 1)]


def dice_lines(dice: DicePlanes, plane: int) -> Iterator[str]:
    """The lines of the kernel that write the planes of dice, which are 0, from a plane on."""
    width = max(map(len, dice.faces))
    most = max(value for faces in dice.faces for value in faces)
    rolled = f"wide(TENSOR_FACE[die * {width} + chance(state, wide(TENSOR_SIDES[die]), die)])"
    yield f"for die in range({len(dice.faces)}):"
    yield "    value = wide(state[DICE + die])"
    if dice.rolled:
        yield f"    if {dice.rolled}:"
        yield f"        value = {rolled}"
    yield from _count(plane, most)
    if dice.rolled is None:
        yield f"    value = {rolled}"
        yield from _count(plane + dice.kept, most)


def _count(plane: int, most: int) -> Iterator[str]:
    """One die more in the plane of a value."""
    yield f"    if 0 < value <= {most}:"
    yield f"        shown = wide(TENSOR_DIE[die * {most + 1} + value])"
    yield "        if shown >= 0:"
    yield "            for c in range(0 + LANE, TENSOR_CELLS, LANES):"
    yield f"                out[({plane} + shown) * TENSOR_CELLS + c] += 1"
