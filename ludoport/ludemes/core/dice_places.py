"""Places of dice that a text names by number, to choose one of them.

Dice are not pieces on sites, so their places are sites of a game only if its moves select them, and for nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Value


def named_places(root: Ludeme, places: range) -> bool:
    """Whether moves select places of dice.

    Raises:
        UnsupportedError: a text names them for something else.
    """
    if not places:
        return False
    named = {str(node.peek("name")) for node in root.walk() if node.keyword == "regions" and _lists(node, places)}
    if not any(node.key == "region:sites" and _means(node, places, named) for node in root.walk()):
        return False
    for node in _elsewhere(root):
        means = node.key == "region:sites" and _means(node, places, named)
        if means or (node.keyword not in ("sites", "regions") and _has(node, places)):
            raise UnsupportedError("places of dice are not implemented yet except as what a move selects", node.source)
    return True


def _elsewhere(node: Ludeme) -> Iterator[Ludeme]:
    """All parts of a text but the origins of moves that select; equal parts are one object."""
    yield node
    for part in node.parts():
        if node.key == "moves:move Select" and part is node.peek("from"):
            continue
        for value in _flat(part):
            if isinstance(value, Ludeme):
                yield from _elsewhere(value)


def _means(node: Ludeme, places: range, named: set[str]) -> bool:
    return str(node.peek("name")) in named if node.peek("name") is not None else _lists(node, places)


def _has(node: Ludeme, places: range) -> bool:
    """Whether an argument is the number of such a place."""
    return any(isinstance(value, int) and value in places for part in node.parts() for value in _flat(part))


def _lists(node: Ludeme, places: range) -> bool:
    """Whether a region lists places of dice by their numbers."""
    return any(isinstance(value, int) and value in places for value in _flat(node.peek("sites")))


def _flat(value: Value | None) -> Iterator[Value]:
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, list):
            yield from _flat(each)
        elif each is not None:
            yield each
