"""Reads KIF, the prefix notation in which rulesheets are written.

A term is a string (a constant, or a variable that begins with ``?``) or a tuple of terms. What is read keeps its place,
so that an error can point at it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ludoport.errors import LudError
from ludoport.source import Source, plain_name

Term = str | tuple["Term", ...]
"""A constant, a variable or a compound term; facts and moves are terms without variables."""

KEYWORDS = frozenset(
    "init true next role does goal legal terminal base input distinct not or sees random <=".split()  # noqa: SIM905
)
"""Words with a fixed meaning; they may be written in any case."""

MAX_DEPTH = 100
"""Parentheses that nest deeper are refused."""

_TOKEN = re.compile(r"[()]|[^\s();]+")


@dataclass(frozen=True, slots=True)
class SheetNode:
    """A word (``word`` is its text) or a list (``word`` is None), with its place."""

    word: str | None
    items: tuple[SheetNode, ...]
    offset: int

    @property
    def term(self) -> Term:
        """The same without places."""
        return self.word if self.word is not None else tuple(item.term for item in self.items)

    @property
    def head(self) -> str:
        """The first word of a list, or the word itself; empty if there is none."""
        if self.word is not None:
            return self.word
        return self.items[0].word or "" if self.items else ""


class Sheet:
    """The text of a rulesheet and what was read from it."""

    def __init__(self, text: str, file: str = "rules") -> None:
        if plain_name(text) != text:
            raise LudError(f"{file} is not a text file")
        self.text, self.file = text, file

    @cached_property
    def nodes(self) -> tuple[SheetNode, ...]:
        """The sentences and rules, in order."""
        return tuple(self._read())

    @cached_property
    def _lines(self) -> list[str]:
        return self.text.split("\n")

    def place(self, offset: int) -> Source:
        """Position of a character."""
        before = self.text[:offset]
        line = before.count("\n")
        return Source(self.file, line + 1, offset - (before.rfind("\n") + 1) + 1)

    def error(self, message: str, offset: int) -> LudError:
        """An error that points at a character."""
        place = self.place(offset)
        # A tab counts as one column, so it is shown as one blank.
        return LudError(message, place, self._lines[place.line - 1].replace("\t", " ").rstrip("\r"))

    def _tokens(self) -> Iterator[tuple[str, int]]:
        start = 0
        for line in self._lines:
            code = line.split(";", 1)[0]
            for match in _TOKEN.finditer(code):
                yield match.group(), start + match.start()
            start += len(line) + 1

    def _read(self) -> Iterator[SheetNode]:
        stack: list[tuple[list[SheetNode], int]] = []
        for token, offset in self._tokens():
            if token == "(":
                if len(stack) == MAX_DEPTH:
                    raise self.error(f"parentheses nest more than {MAX_DEPTH} deep here", offset)
                stack.append(([], offset))
                continue
            if token == ")":
                if not stack:
                    raise self.error("this `)` closes nothing", offset)
                items, begin = stack.pop()
                node = SheetNode(None, tuple(items), begin)
                if not items:
                    raise self.error("a pair of parentheses with nothing between them", begin)
                if items[0].word is None:
                    raise self.error("a sentence or a term begins with a word, not with `(`", begin)
            else:
                node = SheetNode(token.lower() if token.lower() in KEYWORDS else token, (), offset)
            if stack:
                stack[-1][0].append(node)
            else:
                yield node
        if stack:
            raise self.error("this `(` is never closed", stack[-1][1])


def parse_term(text: str) -> Term:
    """One term from text, such as ``(mark 1 2)``.

    >>> parse_term("(mark 1 (f 2))")
    ('mark', '1', ('f', '2'))
    """
    nodes = Sheet(text, "term").nodes
    if len(nodes) != 1:
        raise LudError(f"`{text}` should be one term, not {len(nodes)}")
    return nodes[0].term


def term_text(term: Term) -> str:
    """The canonical text of a term: one space between elements, none inside the parentheses.

    >>> term_text(("mark", "1", ("f", "2")))
    '(mark 1 (f 2))'
    """
    return term if isinstance(term, str) else "(" + " ".join(map(term_text, term)) + ")"


def is_variable(term: Term) -> bool:
    """Whether a term is a variable."""
    return isinstance(term, str) and term.startswith("?")


def is_number(term: Term) -> bool:
    """Whether a term is a number that goal values can be."""
    return isinstance(term, str) and term.isascii() and term.isdigit() and len(term) < 8


def variables(term: Term) -> Iterator[str]:
    """The variables of a term, from left to right, repeated as they occur."""
    if isinstance(term, str):
        if term.startswith("?"):
            yield term
    else:
        for item in term:
            yield from variables(item)
