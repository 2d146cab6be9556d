"""Features of a game that its tensors show, read from its text.

The reference decides by flags that single ludemes raise anywhere in the text, used or not. The lists below say the
same of all 915 game texts for which its flags were recorded.
"""

from __future__ import annotations

from dataclasses import dataclass

from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.program import Program

_MOVING = {
    "moves:custodial", "moves:fromTo", "moves:hop", "moves:intervene", "moves:leap", "moves:move", "moves:move Hop",
    "moves:move Leap", "moves:move Shoot", "moves:move Slide", "moves:move Step", "moves:move Swap", "moves:slide",
    "moves:sow", "moves:step", "moves:surround", "moves:swap Pieces",
}  # fmt: skip
"""Ludemes with an origin; a selection has one if it has a destination too."""

_COUNTING = {
    "container:deck", "container:dice", "container:hand", "container:mancalaBoard", "int:count", "moves:set Count",
    "moves:sow", "start:set Count",
}  # fmt: skip
"""Ludemes that make piles of equal pieces matter, beside all moves and start rules that name a count."""

_STATES = {"container:dice", "int:state", "moves:set State", "moves:take Domino"}
"""Ludemes that make local states matter, beside start rules that set one."""


@dataclass(frozen=True)
class Features:
    """Features of a game beyond pieces on sites and players who take turns.

    Attributes:
        movement: some moves have an origin, so that displacements tell them apart.
        stacking: sites hold stacks.
        counts: sites hold piles of equal pieces.
        states: pieces have local states.
        swap: the meta rule that lets a person take over the first move.
        texts: texts that can be proposed or voted for.
    """

    movement: bool
    stacking: bool
    counts: bool
    states: bool
    swap: bool
    texts: tuple[str, ...]


def read_features(program: Program) -> Features:
    """The features of a game."""
    keys, nodes = program.keys, list(program.description.root.walk())
    return Features(
        movement=bool(keys & _MOVING) or any(_selects_two(node) for node in nodes),
        stacking=program.stacking,
        counts=not program.stacking and (bool(keys & _COUNTING) or any(_names_count(node) for node in nodes)),
        states=bool(keys & _STATES) or any(n.key == "start:place" and n.get("state") is not None for n in nodes),
        swap="meta:swap" in keys,
        texts=_texts(program),
    )


def _selects_two(node: Ludeme) -> bool:
    return node.key == "moves:move Select" and node.get("to") is not None


def _names_count(node: Ludeme) -> bool:
    """Whether a move or a start rule says how many pieces; at random places it says how many sites."""
    named = node.get("count") is not None or node.get("counts") is not None
    return named and node.kind in ("start", "moves") and node.keyword != "place Random"


def _texts(program: Program) -> tuple[str, ...]:
    """Texts that rules propose or vote for, in the order of the rules."""
    kinds = (rule.spec.kind for rule in program.rules.rules)
    found = (kind.partition(":")[2] for kind in kinds if kind.startswith(("propose:", "vote:")))
    return tuple(dict.fromkeys(found))
