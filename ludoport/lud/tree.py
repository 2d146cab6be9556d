"""The plain tree that a game text becomes once macros are expanded and signatures are matched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from ludoport.source import Source


@dataclass(frozen=True, slots=True)
class Word:
    """An enum constant such as ``Mover`` or ``Orthogonal``, with the enum that the signature asked for."""

    name: str
    enum: str
    source: Source

    def __str__(self) -> str:
        return self.name


@dataclass(slots=True)
class Ludeme:
    """One parenthesised item, matched to its signature.

    Attributes:
        kind: the result family: ``moves``, ``boolean``, ``int``, ``region``, ``intarray``, ``float``, ``direction``,
            ``range``, ``graph``, ``dim``, ``start``, ``end``, ``meta``, ``phase``, ``item``, ``component``,
            ``container``, ``util`` or ``game`` (see ``lud/signatures.py``).
        keyword: the words that name it: ``move Step``, ``is Line``, ``or``, ``+``.
        args: the arguments that were written, by parameter name.
        alternative: which signature of that keyword matched, from 0.
        source: where it stands.
    """

    kind: str
    keyword: str
    args: dict[str, Value]
    source: Source
    alternative: int = 0

    @property
    def key(self) -> str:
        """``kind:keyword``, the name under which the compiler knows this ludeme."""
        return f"{self.kind}:{self.keyword}"

    def get(self, name: str) -> Value | None:
        """The argument for a parameter, or None if it was not written."""
        return self.args.get(name)

    def peek(self, name: str) -> Value | None:
        """The argument for a parameter, for passes that search a text: it does not count as looked at."""
        return dict.get(self.args, name)

    def parts(self) -> Iterable[Value]:
        """All arguments, for passes that search a text: they do not count as looked at."""
        return dict.values(self.args)

    def walk(self) -> Iterator[Ludeme]:
        """This ludeme and all below it, parents first, in text order."""
        left: list[Value] = [self]
        while left:
            value = left.pop()
            if isinstance(value, Ludeme):
                yield value
                left += reversed([*value.parts()])
            elif isinstance(value, list):
                left += reversed(value)


@dataclass(frozen=True, slots=True)
class Text:
    """A quoted string and its place."""

    text: str
    source: Source

    def __str__(self) -> str:
        return self.text


Value: TypeAlias = "Ludeme | Word | Text | int | float | bool | list[Value]"


@dataclass(slots=True)
class Item:
    """One choice of an option."""

    label: str
    arguments: list[str]
    description: str
    priority: int


@dataclass(slots=True)
class Option:
    """A category of choices in a game text."""

    heading: str
    tag: str
    argument_names: list[str]
    items: list[Item]
    chosen: int = 0


@dataclass(slots=True)
class Ruleset:
    """A named bundle of option choices."""

    heading: str
    selections: list[str]
    priority: int


@dataclass(frozen=True, slots=True)
class Origin:
    """Origin of a description: text, options and ruleset; reading it again gives an equal description.

    Attributes:
        text: the game file as it was written.
        file: what errors call it.
        options: the options that were asked for, such as ``Board Size/7x7``.
        ruleset: the ruleset that was asked for.
        subgames: the same of the games of a match, in order.
    """

    text: str
    file: str
    options: tuple[str, ...] = ()
    ruleset: str | None = None
    subgames: tuple[Origin, ...] = ()


@dataclass(slots=True)
class Description:
    """A game text, read: options chosen, macros expanded, every ludeme checked against its signature."""

    name: str
    file: str
    root: Ludeme
    expanded: str
    origin: Origin
    options: list[Option] = field(default_factory=list)
    rulesets: list[Ruleset] = field(default_factory=list)
    ruleset: str | None = None
    metadata: str = ""
    subgames: list[Description] = field(default_factory=list)
    """The games of a match, in order."""
