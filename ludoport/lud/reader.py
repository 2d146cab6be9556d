"""From text to nodes: words, strings, ``( )`` groups and ``{ }`` lists, each with its label and its place."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from ludoport.lud.brackets import MAX_DEPTH, STRING
from ludoport.lud.text import Sources, Traced

_TOKEN = re.compile(
    rf"""(?P<blank>[\s\ufeff]+)
    |(?P<string>{STRING})
    |(?P<open>[({{])
    |(?P<close>[)}}])
    |(?P<skip>\[)
    |(?P<label>[A-Za-z0-9_\-]+):
    |(?P<word>[A-Za-z0-9_\-.+*/%=!^~<>&|#]+)
    |(?P<other>.)""",
    re.DOTALL | re.VERBOSE,
)
_SQUARE = re.compile(rf"{STRING}|[\[\]]", re.DOTALL)


@dataclass(slots=True, eq=False)
class Node:
    """A piece of the text.

    Attributes:
        shape: ``(`` for a ludeme, ``{`` for a list, ``"`` for a string, ``w`` for a word.
        text: the word, or the string without its quotes; empty for groups.
        start: position in the expanded text.
        end: position after it.
        origin: where it was written.
        label: the name before the colon, if any.
        label_origin: where the label was written.
        children: what a group holds.
        depth: how many groups enclose it.
    """

    shape: Literal["(", "{", '"', "w"]
    text: str
    start: int
    end: int
    origin: int
    label: str | None = None
    label_origin: int = -1
    children: list[Node] = field(default_factory=list)
    depth: int = 0


class _Builder:
    """Collects nodes into the innermost open group."""

    def __init__(self, text: Traced, sources: Sources) -> None:
        self.text = text
        self.sources = sources
        self.top: list[Node] = []
        self.open: list[Node] = []
        self.label: tuple[str, int] | None = None

    def add(self, node: Node) -> None:
        if self.label is not None:
            node.label, node.label_origin = self.label
            self.label = None
        (self.open[-1].children if self.open else self.top).append(node)

    def begin(self, mark: Literal["(", "{"], position: int) -> None:
        if len(self.open) >= MAX_DEPTH:
            raise self.sources.error(f"brackets nest more than {MAX_DEPTH} deep here", self.text.at[position])
        node = Node(mark, "", position, position, self.text.at[position], depth=len(self.open))
        self.add(node)
        self.open.append(node)

    def finish(self, mark: str, position: int) -> None:
        # A label with nothing after it comes from a macro argument that vanished.
        self.label = None
        if not self.open:
            raise self.sources.error(f"this `{mark}` closes nothing", self.text.at[position])
        node = self.open.pop()
        if (node.shape == "(") != (mark == ")"):
            opened = self.sources.source(node.origin)
            raise self.sources.error(
                f"this `{mark}` does not fit the `{node.shape}` opened at line {opened.line}, column {opened.column}",
                self.text.at[position],
            )
        node.end = position + 1
        if node.shape == "(":
            self._simplify(node)

    def _simplify(self, node: Node) -> None:
        siblings = self.open[-1].children if self.open else self.top
        if not node.children:
            siblings.pop()
            return
        first, last = node.children[0], node.children[-1]
        if first.shape == "(" and first.label is None and last.shape == "(":
            # `((x))` means `(x)`; `(and ((x) (y)))` occurs as well and means `(and (x) (y))`.
            first.label, first.label_origin = node.label, node.label_origin
            siblings[-1:] = node.children


def read_nodes(text: Traced, sources: Sources) -> list[Node]:
    """Split a text into its outermost nodes.

    Raises:
        LudError: brackets do not balance, a string never ends, or the text nests too deep.
    """
    builder = _Builder(text, sources)
    raw = text.text
    position = 0
    while position < len(raw):
        found = _TOKEN.match(raw, position)
        if found is None:
            break
        position = _take(found, builder)
    if builder.open:
        raise sources.error(f"this `{builder.open[-1].shape}` is never closed", builder.open[-1].origin)
    return builder.top


def _take(found: re.Match[str], builder: _Builder) -> int:
    """Handles one token; returns the position after it."""
    raw, start, end = found.string, found.start(), found.end()
    origin = builder.text.at[start]
    match found.lastgroup:
        case "string":
            if len(found[0]) < 2 or found[0][-1] != '"' or (end == len(raw) and found[0][-2] == "\\"):
                raise builder.sources.error("this string never ends", origin)
            builder.add(Node('"', found[0][1:-1], start, end, origin, depth=len(builder.open)))
        case "open":
            builder.begin("(" if found[0] == "(" else "{", start)
        case "close":
            builder.finish(found[0], start)
        case "skip":
            return _skip_square(raw, start, builder)
        case "label":
            if (
                builder.open
                and builder.open[-1].shape == "("
                and not builder.open[-1].children
                and builder.label is None
            ):
                # A colon after the keyword only ends it.
                builder.add(Node("w", found["label"], start, end - 1, origin, depth=len(builder.open)))
            else:
                builder.label = (found["label"], origin)
        case "word":
            builder.add(Node("w", found[0], start, end, origin, depth=len(builder.open)))
        case "other":
            if found[0] not in ":,;]":
                raise builder.sources.error(f"unexpected character {found[0]!r}", origin)
    return end


def _skip_square(raw: str, start: int, builder: _Builder) -> int:
    """Skip ``[ ... ]``, a placeholder without meaning."""
    depth = 0
    for found in _SQUARE.finditer(raw, start):
        if found[0] == "[":
            depth += 1
        elif found[0] == "]":
            depth -= 1
            if depth == 0:
                return found.end()
    raise builder.sources.error("this `[` is never closed", builder.text.at[start])
