"""Traits of a ludeme, declared where its meaning is registered.

Several parts of the compiler must know something of every ludeme in a text before any code is written: what it looks
at, what it changes, whether it is known when the game is loaded, whether its moves can be drawn. Nothing here lists
keywords: all of it is asked of the declarations. Where a ludeme declares nothing, the answer is the cautious one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Literal, TypedDict, Unpack

from ludoport.lud.tree import Ludeme

Part = Literal[
    "board", "counter", "dice", "hidden", "next", "pending", "score", "state", "trigger", "value", "var", "votes",
]  # fmt: skip
"""What effects change and questions look at. ``board`` is everything that lies on sites, states and values included."""

Pieces = Literal["stay", "arrive", "leave", "move", "turn"]
"""What happens to pieces: nothing, new ones arrive, some leave, move elsewhere, or turn into others."""


Named = Literal["message", "variable", "values"]
"""What the texts of a ludeme are names of: messages to vote on, variables, lists of remembered values."""


class Order(Enum):
    """In which order the parts of an effect are evaluated and its changes happen."""

    ACT = "its parts are evaluated, then it changes something"
    FRAME = "it changes nothing itself, its parts may"
    LOOP = "a frame whose parts are evaluated again and again"
    BRANCH = "a frame with a condition and two parts, of which one counts"
    LOOK = "it looks at everything first and changes the board afterwards"
    OWN = "it sees its own changes by itself; only what changed before it matters"
    STEPS = "its parts are evaluated and done one after another"


class Traits(TypedDict, total=False):
    """What can be declared of a ludeme.

    Attributes:
        reads: what it looks at besides its arguments. Caution: the board.
        writes: what it changes. Caution: the board.
        order: how evaluating and changing follow each other; may depend on the arguments.
        known: whether the same arguments give the same in every position. Caution: no.
        draws: whether moves can be drawn by a number where it occurs among generators and effects. Caution: no.
        pieces: what happens to pieces. Caution: anything.
        chooses: whether it chooses among moves, which must have passed their tests for that.
        counts: whether it needs to know how many equal pieces are on a site.
        stacks: whether it needs pieces on top of pieces.
        heights: whether it asks how high a stack is.
        lists: whether the reference answers it from its lists of a player's pieces, and we from the board.
        calculates: whether it may give a number beyond the sites.
        large: whether it may give a number beyond 16 bits.
        kinds: kinds of sites that it names by itself.
        given_sites: whether it looks at nothing but the sites it is given, so that naming their kind adds nothing.
        chance: whether it draws at random.
        named: what its texts are names of, each of which needs a place in the row.
        ignores: arguments without effect on play, each with the reason.
    """

    reads: Sequence[Part]
    writes: Sequence[Part]
    order: Order | Callable[[Ludeme], Order]
    known: bool
    draws: bool
    pieces: Pieces
    chooses: bool
    counts: bool
    stacks: bool
    heights: bool
    lists: bool
    calculates: bool
    large: bool
    kinds: Sequence[str]
    given_sites: bool
    chance: bool
    named: Named
    ignores: Mapping[str, str]


TRAITS: dict[str, Traits] = {}
"""The declarations by kind and keyword."""

_CAUTION: tuple[Part, ...] = ("board",)


def declare(*keys: str, **declared: Unpack[Traits]) -> None:
    """Declare once what is true of ludemes, or of parts of ludemes that have no meaning of their own."""
    for key in keys:
        if key in TRAITS:
            raise ValueError(f"`{key}` is declared twice")
        TRAITS[key] = declared


def traits(node: Ludeme) -> Traits:
    """Declarations of a ludeme."""
    return TRAITS.get(node.key, Traits())


def reads(node: Ludeme) -> Sequence[Part]:
    """Parts of a position that a ludeme reads besides its arguments."""
    return traits(node).get("reads", _CAUTION)


def writes(node: Ludeme) -> Sequence[Part]:
    """Parts of a position that a ludeme changes."""
    return traits(node).get("writes", _CAUTION)


def order(node: Ludeme) -> Order:
    """Order in which a ludeme evaluates its parts and makes its changes."""
    found = traits(node).get("order", Order.ACT)
    return found if isinstance(found, Order) else found(node)


def naming(root: Ludeme, what: Named) -> list[Ludeme]:
    """The ludemes of a text that name something, in text order."""
    return [node for node in root.walk() if traits(node).get("named") == what]


def pieces(node: Ludeme) -> Pieces | None:
    """What happens to pieces; None if anything may."""
    return traits(node).get("pieces")


def undeclared(key: str) -> bool:
    """Whether the cautious answer is given for a ludeme because it does not declare the answer itself."""
    declared = TRAITS.get(key, Traits())
    if key.startswith("moves:"):
        return not ({"writes", "order"} & declared.keys() and {"draws", "pieces"} <= declared.keys())
    return "reads" not in declared
