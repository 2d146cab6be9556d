"""Writing a bound tree as indented text."""

from __future__ import annotations

from functools import cache

from ludoport.lud.signatures import language
from ludoport.lud.tree import Ludeme, Text, Value, Word

_WIDTH = 100
_SHORT = 40
"""Characters of an argument that a message shows."""


@cache
def _labels(kind: str, keyword: str) -> dict[tuple[int, str], bool]:
    """Which parameters of a ludeme are written with their name, by alternative."""
    return {
        (alternative.index, parameter.name): parameter.named
        for signature in language().by_keyword.get(keyword, ())
        if signature.kind == kind
        for alternative in signature.alternatives
        for parameter in alternative.parameters
    }


def written_argument(ludeme: Ludeme, name: str) -> str:
    """How an argument is written: its label, or else its text, cut where it is long."""
    if _labels(ludeme.kind, ludeme.keyword).get((ludeme.alternative, name)):
        return f"{name}:"
    value = ludeme.peek(name)
    text = " ".join(_format(value, "", 0).split()) if value is not None else name
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 3]}..."


def format_tree(ludeme: Ludeme, indent: str = "    ") -> str:
    """The text of a bound tree; short ludemes stay on one line.

    Args:
        ludeme: the tree.
        indent: what each level adds to the left.
    """
    return _format(ludeme, indent, 0)


def _format(value: Value, indent: str, level: int) -> str:
    if isinstance(value, bool):
        return "True" if value else "False"
    if isinstance(value, Text):
        return f'"{value.text}"'
    if isinstance(value, Word | int | float):
        return str(value)
    if isinstance(value, list):
        head, close, parts = "{", "}", [_format(item, indent, level + 1) for item in value]
    else:
        labels = _labels(value.kind, value.keyword)
        head, close = f"({value.keyword}", ")"
        parts = [
            (f"{name}:" if labels.get((value.alternative, name)) else "") + _format(item, indent, level + 1)
            for name, item in dict.items(value.args)
        ]
    glue = "" if head == "{" else " "
    line = (head + glue + " ".join(parts)).rstrip() + close
    if "\n" not in line and len(line) + level * len(indent) <= _WIDTH:
        return line
    inner = "\n" + indent * (level + 1)
    while head != "{" and len(parts) > 1 and parts[0][0] not in "({" and "\n" not in parts[0] and ":" not in parts[0]:
        # Names and other words stay beside the keyword.
        head += f" {parts.pop(0)}"
    return head + "".join(inner + part for part in parts) + "\n" + indent * level + close
