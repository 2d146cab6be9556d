"""Channels of tensors as bags of tokens, as the player to move sees them."""

from __future__ import annotations

from ludoport.descriptions.bags import Bag, bag, spread, steps
from ludoport.descriptions.sides import MOVER, Equipment, relative
from ludoport.tensors.channels import MoveChannel, StateChannel

_CLOCK = 20
"""Clocks are drawn in steps of this many moves."""


def state_bag(channel: StateChannel, mover: int, equipment: Equipment) -> Bag:
    """Tokens of a plane of a state, if a player is to move.

    Args:
        channel: its meaning in the layout.
        mover: the player to move, 1 or 2.
        equipment: pieces and players as the game's text describes them.
    """
    kind, owner = channel.kind, relative(channel.owner, mover)
    if kind in ("piece", "level-from-bottom", "level-from-top"):
        behaviour = equipment.pieces.get(channel.piece, Bag())
        found = bag("piece", f"{owner} piece") + behaviour + behaviour.prefixed(owner)
        return found if kind == "piece" else found + bag(kind, f"{kind} {channel.index}", f"{owner} {kind}")
    if kind == "to-move":
        found = bag("to-move", f"{owner} to-move")
        if owner != MOVER:
            return found
        traits = (equipment.players.get(p, Bag()).prefixed(relative(p, mover)) for p in (1, 2))
        return sum(traits, found)
    if kind == "amount":
        return bag("amount", f"{owner} amount")
    if kind == "container":
        return _container(channel.index, mover, equipment)
    if kind == "clock":
        return bag("clock") + spread(steps("clock", channel.index // _CLOCK))
    if kind == "fact":
        return _fact(channel.piece, mover, equipment)
    if kind in ("die", "roll"):
        return bag(kind, f"{owner} {kind}", f"{kind} {channel.index}") + spread(steps(kind, channel.index))
    if kind in ("state", "last-from", "last-to"):
        return bag(kind, f"{kind} {channel.index}")
    return bag(kind)


def _container(index: int, mover: int, equipment: Equipment) -> Bag:
    if index == 0:
        return bag("board")
    owners = equipment.hands
    owner = relative(owners[index - 1], mover) if index <= len(owners) else "shared"
    return bag("hand", f"{owner} hand")


def _fact(text: str, mover: int, equipment: Equipment) -> Bag:
    """A fact of a rulesheet: on the board or not, and whose it is if it names a role or one role makes it true."""
    words = text.strip("()").split()
    place = "fact on board" if "." in words else "fact"
    numbers = {equipment.roles[word] for word in words if word in equipment.roles} or {equipment.facts.get(text, 0)}
    owners = {relative(number, mover) for number in numbers}
    return bag("fact", place, *(f"{owner} {place}" for owner in owners))


def move_bag(channel: MoveChannel, equipment: Equipment) -> Bag:
    """Tokens of a plane of moves; displacements are numbers, see ``Way`` in ``game.py``."""
    if channel.kind != "displacement":
        return bag(channel.kind)
    still = channel.dx == 0 and channel.dy == 0
    found = bag("placement" if still else "displacement")
    if channel.level or channel.span:
        found += bag(f"level {channel.level}", f"span {channel.span}")
    return found + _manner(channel.text, equipment) if channel.text else found


def _manner(text: str, equipment: Equipment) -> Bag:
    """Tokens that distinguish moves with the same displacement: promotions, leaving halves, words of a rulesheet."""
    for verb, piece in (("promotion", text.removeprefix("=")), ("departure", text.removesuffix(" leaves"))):
        if piece != text:
            return bag(verb) + equipment.pieces.get(f"{piece}1", Bag()).prefixed(verb)
    return bag("en passant") if text == "en passant" else bag("named", f"named by {len(text.split())} words")
