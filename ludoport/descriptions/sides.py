"""Pieces and players of a game file, for descriptions of its channels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ludoport.descriptions.bags import Bag, bag, spread
from ludoport.descriptions.frame import Frame
from ludoport.descriptions.ludemes import ludeme_tokens
from ludoport.errors import LudError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.equipment import Component
from ludoport.ludemes.core.program import Program
from ludoport.ludemes.fields.named_regions import player_regions

MOVER, OTHER = "own", "enemy"
"""Owners as the player to move sees them."""


@dataclass(frozen=True)
class Equipment:
    """Tokens of pieces and players, and owners of hands and facts.

    Attributes:
        pieces: moves and captures of pieces, by the names in channels.
        players: where a player faces and what regions the player has, by number.
        hands: owners of the containers after the board, in their order.
        roles: numbers of the players by their names, where channels use them.
        facts: owners of facts by their texts.
    """

    pieces: Mapping[str, Bag] = field(default_factory=dict)
    players: Mapping[int, Bag] = field(default_factory=dict)
    hands: tuple[int, ...] = ()
    roles: Mapping[str, int] = field(default_factory=dict)
    facts: Mapping[str, int] = field(default_factory=dict)


def relative(owner: int, mover: int) -> str:
    """An owner as the player to move sees it; players have the numbers 1 and 2."""
    return {0: "neutral", mover: MOVER, 3 - mover: OTHER}.get(owner, "shared")


def equipment_of(program: Program, frame: Frame) -> Equipment:
    """The equipment of a game file."""
    return Equipment(
        pieces=piece_bags(program, frame),
        players={player: _traits(program, frame, player) for player in (1, 2)},
        hands=tuple(hand.owner for hand in program.hands),
    )


def piece_bags(program: Program, frame: Frame) -> dict[str, Bag]:
    """Tokens of the moves and captures of each piece of a game file, by name."""
    plays = [node for node in program.description.root.walk() if node.kind == "play"]
    return {piece.name: _behaviour(piece, plays, frame) for piece in program.components[1:]}


def _behaviour(piece: Component, plays: list[Ludeme], frame: Frame) -> Bag:
    """Tokens of a piece's own rules; those of the whole game where the pieces of players have none."""
    facing = frame.compass(piece.facing or "")
    own = bag(f"faces {facing}") if facing else Bag()
    if piece.moves is not None:
        return own + spread(ludeme_tokens(piece.moves, piece.owner))
    if piece.owner in (1, 2):
        return own + spread(token for play in plays for token in ludeme_tokens(play, piece.owner))
    return own + bag("still")


def _traits(program: Program, frame: Frame, player: int) -> Bag:
    facing = frame.compass(program.player_facing.get(player, ""))
    tokens = {f"faces {facing}"} if facing else set[str]()
    try:
        regions = player_regions(program, player)
    except LudError:  # regions that change during play lie on no side
        regions = []
    return spread(tokens | {f"region {frame.side(sites)}" for sites in regions})
