"""Trees below afterstates in readable form, and their codes in kernels.

A tree is written as its set of children in braces: outcomes by the letters of their classes, ``n`` where the lookahead
ended, ``N{...}`` where the learner moves, ``O{...}`` where another moves. Below an afterstate another moves, so there
the letter is left out. ``{L,N{W,n}}``: some replies win for the opponent, all others let the learner win or continue.
``[...]`` is a nested tree: a leaf that is an afterstate with a known feature of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ludoport.errors import LudoportError
from ludoport.td.settings import OPEN, OutcomeClasses, TdSettings, class_number

if TYPE_CHECKING:
    from ludoport.game import State

_TOKEN = re.compile(r"\s*([A-Za-z0-9_]+|[{}\[\],])")


@dataclass(frozen=True)
class Template:
    """A tree in which equal siblings are one.

    Attributes:
        label: the class of an outcome, ``n`` for another leaf, ``N`` or ``O`` with children, ``[`` with a nested tree.
        children: none for a leaf.
    """

    label: str
    children: frozenset[Template] = frozenset()

    def __str__(self) -> str:
        return self.text if self.label != "O" else self.text[1:]

    @cached_property
    def text(self) -> str:
        """Text of the template inside of another one."""
        if self.label == "[":
            return f"[{next(iter(self.children))}]"
        if not self.children:
            return self.label
        return f"{self.label}{{{','.join(child.text for child in self.ordered)}}}"

    @property
    def ordered(self) -> list[Template]:
        """The children in the order in which they are written."""
        return sorted(self.children, key=lambda child: child.text)

    @cached_property
    def code(self) -> int:
        """The number by which kernels know it; odd exactly if it holds an outcome."""
        if self.label == "[":
            return mix(0x7A35B2C9, next(iter(self.children)).code) | 1
        if self.children:
            h = mix(0x2545F491, int(self.label == "N"))
            codes = sorted(child.code for child in self.children)
            for code in codes:
                h = mix(h, code)
            return ((h >> 1) << 1) | int(any(code & 1 for code in codes))
        return 0x6C62272E if self.label == OPEN else mix(0x1F123BB5, class_number(self.label)) | 1

    @property
    def is_feature(self) -> bool:
        """Whether an outcome is somewhere in the tree; only then it is a feature."""
        return self.code & 1 == 1

    @property
    def depth(self) -> int:
        """Moves from the root to the furthest leaf."""
        below = max((child.depth for child in self.children), default=0)
        return below if self.label == "[" or not self.children else 1 + below

    def walk(self) -> Iterator[Template]:
        """All nodes, from the root."""
        yield self
        for child in self.ordered:
            yield from child.walk()


def mix(h: int, x: int) -> int:
    """One more number in a hash, as kernels do it."""
    h ^= x
    h = ((h & 0xFFFFFFFF) * 0x9E3779B1 + ((h >> 32) ^ 0x5BD1E995)) & 0x7FFFFFFFFFFFFFFF
    return h ^ (h >> 29)


def read_template(text: str) -> Template:
    """The tree that a text describes.

    Example:
        >>> tree = read_template("{N{W,n},L}")
        >>> str(tree), tree.depth, tree.is_feature
        ('{L,N{W,n}}', 2, True)
    """
    tokens = [match.group(1) for match in _TOKEN.finditer(text)]
    if "".join(tokens) != "".join(text.split()):
        raise LudoportError(f"`{text}` is not a tree; write it as in {{L,N{{W,n}}}}")
    tree, place = _read(tokens, 0, text)
    if place != len(tokens) or not tree.children or tree.label == "[":
        raise LudoportError(f"`{text}` is not a tree; write it as in {{L,N{{W,n}}}}")
    return tree


def _read(tokens: list[str], place: int, text: str) -> tuple[Template, int]:
    wrong = LudoportError(f"`{text}` is not a tree; write it as in {{L,N{{W,n}}}}")
    if place >= len(tokens):
        raise wrong
    label = tokens[place]
    if label == "[":
        inner, place = _read(tokens, place + 1, text)
        if place >= len(tokens) or tokens[place] != "]":
            raise wrong
        return Template("[", frozenset({inner})), place + 1
    if label in "]},":
        raise wrong
    if label == "{":
        label = "O"
    else:
        place += 1
    if place >= len(tokens) or tokens[place] != "{":
        return Template(label), place
    children: set[Template] = set()
    while tokens[place] != "}":
        child, place = _read(tokens, place + 1, text)
        children.add(child)
        if place >= len(tokens) or tokens[place] not in (",", "}"):
            raise wrong
    if label not in ("N", "O"):
        raise wrong
    return Template(label, frozenset(children)), place + 1


def template_of(
    state: State,
    seat: int,
    settings: TdSettings | None = None,
    nested: Callable[[State], Template | None] | None = None,
) -> Template:
    """The tree below an afterstate that is not the end.

    Args:
        state: the afterstate.
        seat: seat of the learner.
        settings: depth of the lookahead, rewards and classes of outcomes.
        nested: gives the known feature of a leaf, or nothing.
    """
    if state.over:
        raise LudoportError("the game is over; there is no tree below its end")
    chosen = settings or TdSettings()
    return _below(state, seat, chosen, chosen.depth, chosen.outcomes, nested)


def _below(
    state: State,
    seat: int,
    settings: TdSettings,
    depth: int,
    outcomes: OutcomeClasses,
    nested: Callable[[State], Template | None] | None,
) -> Template:
    if state.over:
        gained = state.seat_utilities[seat - 1]
        return Template(outcomes.of(settings.loss + (settings.win - settings.loss) * (gained + 1) / 2))
    if depth == 0:
        known = nested(state) if nested is not None else None
        return Template(OPEN) if known is None else Template("[", frozenset({known}))
    children = (_below(state.play(move), seat, settings, depth - 1, outcomes, nested) for move in state.moves())
    return Template("N" if state.seat == seat else "O", frozenset(children))
