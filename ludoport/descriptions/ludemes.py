"""Tokens of a part of a game text.

A ludeme gives its keyword; its words, numbers and truth values; and the pair that it makes with the ludeme around it,
so that a capture by a step differs from a step beside a capture. Names do not count, nor does how often something is
written, nor ludemes that only group others.
"""

from __future__ import annotations

from collections.abc import Iterator

from ludoport.descriptions.bags import steps
from ludoport.lud.tree import Ludeme, Text, Value, Word

_GROUPS = {"moves:or", "moves:and", "boolean:and", "boolean:or", "util:then", "moves:apply"}
"""Ludemes that hold others together: pairs look through them."""


def ludeme_tokens(ludeme: Ludeme, player: int = 0) -> set[str]:
    """The tokens of a ludeme and of all below it.

    Args:
        ludeme: a part of a game text.
        player: whose part it is; the words for this player and for the other one of two become ``Self`` and ``Other``.
            0 leaves them as they are.
    """
    return set(_tokens(ludeme, "", player))


def keyword(ludeme: Ludeme) -> str:
    """Kind and keyword; decisions and effects of the same kind have the same.

    >>> from ludoport.lud.reading import read_text
    >>> text = '(game "G" (players 2) (equipment {(board (square 3)) (piece "M" P1 (move Step Forward (to)))}))'
    >>> rules = next(node.get("generator") for node in read_text(text).root.walk() if node.kind == "component")
    >>> keyword(rules)
    'moves:step'
    """
    words = ludeme.keyword
    if ludeme.kind == "moves" and words.startswith("move "):
        words = words.removeprefix("move ")
        words = words[0].lower() + words[1:]
    return f"{ludeme.kind}:{words}"


def _tokens(ludeme: Ludeme, around: str, player: int) -> Iterator[str]:
    key = keyword(ludeme)
    groups = ludeme.key in _GROUPS
    if not groups:
        yield key
        if around:
            yield f"{around} > {key}"
    for name in ludeme.args:
        yield from _value_tokens(ludeme.peek(name), around if groups else key, "" if groups else name, player)


def _value_tokens(value: Value | None, key: str, name: str, player: int) -> Iterator[str]:
    if isinstance(value, Ludeme):
        yield from _tokens(value, key, player)
    elif isinstance(value, list):
        for item in value:
            yield from _value_tokens(item, key, name, player)
    elif isinstance(value, Word):
        yield f"{key} {_role(value.name, player)}"
    elif isinstance(value, bool):
        yield f"{key} {name} {value}"
    elif isinstance(value, int):
        yield from steps(f"{key} {name}", value)
    elif isinstance(value, float):
        yield f"{key} {name} {value:g}"
    else:
        assert value is None or isinstance(value, Text)


def _role(word: str, player: int) -> str:
    """A role, seen from a player."""
    if player in (1, 2):
        return {f"P{player}": "Self", f"P{3 - player}": "Other"}.get(word, word)
    return word
