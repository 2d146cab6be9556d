"""The rules of a game as a bag of tokens: how games begin, continue and end, and what they are played on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from ludoport.descriptions.bags import Bag, bag, spread, steps
from ludoport.descriptions.ludemes import ludeme_tokens
from ludoport.lud.tree import Description, Ludeme, Value, Word

_SECTIONS = ("meta", "start", "play", "end")


def text_rules(description: Description) -> Bag:
    """The rules of a game file."""
    root = description.root
    rules = root.peek("rules")
    sections: dict[str, set[str]] = {name: set() for name in _SECTIONS}
    phases = 0
    for node in rules.walk() if isinstance(rules, Ludeme) else ():
        phases += node.key == "phase:phase"
        for name in _SECTIONS:
            if node.key == f"{name}:{name}":
                sections[name] |= {token for value in node.parts() for token in _tokens(value)}
        if node.key == "end:if":
            sections["end"] |= set(_verdict(node))
    pieces = [node for node in root.walk() if node.kind == "component"]
    moving = {token for node in pieces for part in node.parts() for token in _tokens(part)}
    found = spread(steps("phases", phases)) + spread(steps("kinds of pieces", len(pieces)))
    for name, tokens in sections.items():
        found += spread(tokens).prefixed(name)
    return found + spread(token for token in moving if ":" in token).prefixed("piece")


def board_rules(tiling: str, mask: NDArray[np.bool_], hands: int, stacking: bool) -> Bag:
    """Tokens of the board.

    Args:
        tiling: the kind of tiling, such as ``Square``; empty for none.
        mask: cells of the tensors that are sites, shape (height, width).
        hands: number of hands.
        stacking: whether sites hold stacks.
    """
    sites, (height, width) = max(1, int(mask.sum())), mask.shape
    found = bag(f"tiling {tiling.lower() or 'none'}")
    found += spread(steps("size", round(2 * math.log2(sites)))) + spread(steps("height", height))
    found += spread(steps("width", width)) + spread(steps("hands", hands))
    return found + bag("stacks") if stacking else found


def way_rules(placements: bool, displacements: bool, apart: bool) -> Bag:
    """Tokens of the kinds of moves of a rulesheet; its text has no other words about them with a known meaning."""
    chosen = {"placement": placements, "displacement": displacements, "action": apart}
    return spread(f"moves {name}" for name, there in chosen.items() if there)


def _verdict(node: Ludeme) -> Iterator[str]:
    """Conditions together with what they lead to, so that to win and to lose by a line are different rules."""
    result = node.peek("result")
    if not isinstance(result, Ludeme):
        return
    words = " ".join(value.name for value in result.parts() if isinstance(value, Word))
    for test in _ludemes(node.peek("test")):
        for token in ludeme_tokens(test):
            yield f"{token} => {words}"


def _tokens(value: Value) -> set[str]:
    return {token for node in _ludemes(value) for token in ludeme_tokens(node)}


def _ludemes(value: Value | None) -> Iterable[Ludeme]:
    if isinstance(value, Ludeme):
        return (value,)
    return [node for item in value for node in _ludemes(item)] if isinstance(value, list) else ()
