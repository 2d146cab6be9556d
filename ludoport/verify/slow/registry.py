"""Meanings of ludemes: one function for each, found by its kind and keyword."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from ludoport.lud.signatures import INT_WORDS
from ludoport.lud.tree import Ludeme, Text, Word

if TYPE_CHECKING:
    from ludoport.verify.slow.context import Context

Meaning = Callable[[Ludeme, "Context"], Any]
F = TypeVar("F", bound=Callable[..., Any])
MEANINGS: dict[str, Meaning] = {}
ARGUMENTS: dict[str, frozenset[str]] = {}
"""The arguments that each meaning looks at."""

READ_ELSEWHERE = frozenset({"game", "players", "equipment", "rules", "play"})
"""Kinds of the skeleton of a game."""


class NotCovered(Exception):  # noqa: N818 - it says what is missing, and is no fault
    """A ludeme, or an argument of one, that the interpreter gives no meaning to."""


def means(keys: str, arguments: str = "") -> Callable[[F], F]:
    """Registers the meaning of ludemes.

    Args:
        keys: kinds and keywords, separated by commas.
        arguments: those that the function looks at, separated by blanks.
    """

    def register(function: F) -> F:
        for key in keys.split(","):
            MEANINGS[key.strip()] = function
            ARGUMENTS[key.strip()] = frozenset(arguments.split())
        return function

    return register


def evaluate(node: Any, cx: Context) -> Any:
    """The value of a part of the text."""
    if isinstance(node, Ludeme):
        meaning = MEANINGS.get(node.key)
        if meaning is None:
            raise NotCovered(node.key)
        return meaning(node, cx)
    if isinstance(node, Word):
        if node.name in INT_WORDS and node.enum not in ("RoleType",):
            return INT_WORDS[node.name]
        raise NotCovered(f"the word {node.name} as a value")
    if isinstance(node, Text):
        return node.text
    return node


def _rules(value: Any) -> Iterator[Ludeme]:
    """All ludemes but those that the board is made of."""
    if isinstance(value, list):
        for item in value:
            yield from _rules(item)
    elif isinstance(value, Ludeme) and value.kind not in ("graph", "dim"):
        if value.kind not in READ_ELSEWHERE:
            yield value
        for part in value.parts():
            yield from _rules(part)


def check_covered(root: Ludeme) -> None:
    """Raises `NotCovered` for the first ludeme or argument without a meaning."""
    for node in _rules(root):
        if node.key not in MEANINGS:
            raise NotCovered(node.key)
        unknown = sorted(set(node.args) - ARGUMENTS[node.key])
        if unknown:
            raise NotCovered(f"{node.key} with {unknown[0]}:")
