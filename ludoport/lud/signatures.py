"""Signatures of the language: every ludeme's keyword, kind and parameters, and every enum's words.

The facts stand in ``signatures.json``: ``enums`` lists the words of each enum; ``ludemes`` lists, per keyword, its
``kind``, the parameter types it ``fits``, the alternative parameter lists, and for operators the spelled-out
``synonym``. A parameter is written ``name Type flags``. The type ends in ``[]`` once per level of braces. In the flags,
``?`` means optional, ``:`` means written with its label, and a digit numbers a group of neighbouring parameters: at
most one of them is given, and exactly one if a member is not optional.

Kinds, that is what a ludeme stands for:
    ``game`` ``match`` ``players`` ``mode`` ``equipment`` ``rules`` ``play``: the skeleton of a game text;
    ``phase`` (``phase``, ``nextPhase``), ``meta``, ``start``, ``end``: rules, the enclosing ``(start ...)`` included;
    ``moves``: decisions, effects and operators that combine them;
    ``boolean`` ``int`` ``float`` ``region`` ``intarray`` ``range`` ``direction`` ``dim``: functions by their value;
    ``graph``: board graphs;
    ``container``: boards, hands, dice, decks; ``component``: pieces; ``item``: other equipment;
    ``util``: ``from``, ``to``, ``between``, ``then``, ``piece``, ``player``, ``track``, ``poly``, ``pair`` and other
    parts of a larger ludeme.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

#: Words that are numbers wherever a number is wanted.
INT_WORDS = {"Off": -1, "Undefined": -1, "End": -2, "Infinity": 1_000_000_000}

#: Parameter types that take the words of several enums.
ENUM_UNIONS = {
    "Direction": ("AbsoluteDirection", "RelativeDirection"),
    "DirectionFacing": ("CompassDirection", "RotationalDirection", "SpatialDirection"),
}

INT_TYPES = frozenset({"Integer", "IntFunction", "DimFunction"})
FLOAT_TYPES = frozenset({"Float", "FloatFunction"})
BOOL_TYPES = frozenset({"Boolean", "BooleanFunction", "BooleanConstant"})

#: What a person calls each parameter type.
_SPOKEN = {
    "Integer": "a whole number",
    "IntFunction": "a number",
    "DimFunction": "a dimension",
    "Float": "a decimal number",
    "FloatFunction": "a decimal number",
    "Boolean": "True or False",
    "BooleanConstant": "True or False",
    "BooleanFunction": "a condition",
    "String": "a quoted string",
    "RegionFunction": "a region",
    "IntArrayFunction": "an array of numbers",
    "GraphFunction": "a graph",
    "RangeFunction": "a range",
    "Direction": "a direction",
    "DirectionFacing": "a compass direction",
    "Moves": "moves",
    "NonDecision": "an effect",
    "RoleType": "a role such as Mover or P1",
    "SiteType": "Cell, Edge or Vertex",
    "Item": "a piece of equipment",
    "StartRule": "a start rule",
    "EndRule": "an end rule",
    "MetaRule": "a meta rule",
    "moves.Player": "`(player ...)`",
    "players.Player": "`(player ...)`",
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of an alternative."""

    name: str
    type: str
    lists: int
    optional: bool
    named: bool
    group: int

    @property
    def skippable(self) -> bool:
        """Whether matching may pass over it; groups are checked at the end."""
        return self.optional or self.group > 0


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to write a ludeme.

    Attributes:
        index: its number among all alternatives of the same kind and keyword.
        parameters: in the order in which arguments must appear.
        required_groups: groups of which one member must be given.
    """

    index: int
    parameters: tuple[Parameter, ...]
    required_groups: frozenset[int]


@dataclass(frozen=True, slots=True)
class Signature:
    """A ludeme: a keyword, of one or two words, with one meaning."""

    keyword: str
    kind: str
    fits: frozenset[str]
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True)
class Language:
    """All signatures and enums.

    Attributes:
        by_keyword: signatures by full keyword (``move``, ``move Step``), synonyms included.
        heads: for each first word, the second words that it knows.
        enums: the words of each enum.
    """

    by_keyword: dict[str, tuple[Signature, ...]]
    heads: dict[str, tuple[str, ...]]
    enums: dict[str, frozenset[str]]

    def enum_of(self, type_: str, word: str) -> str | None:
        """The enum through which a parameter type takes a word, or None."""
        for enum in ENUM_UNIONS.get(type_, (type_,)):
            if word in self.enums.get(enum, ()):
                return enum
        return None

    def words_of(self, type_: str) -> list[str]:
        """Every word that a parameter type takes."""
        return [word for enum in ENUM_UNIONS.get(type_, (type_,)) for word in sorted(self.enums.get(enum, ()))]

    def spoken(self, type_: str, lists: int) -> str:
        """A parameter type in words, for messages."""
        name = _SPOKEN.get(type_)
        if name is None:
            words = self.words_of(type_)
            if words:
                name = " or ".join(words) if len(words) < 4 else f"{', '.join(words[:3])} or another {type_}"
            else:
                name = f"`({type_[0].lower()}{type_[1:]} ...)`"
        return f"a list `{{...}}` of {name}" if lists else name


def _parameter(text: str) -> Parameter:
    name, type_, *rest = text.split(" ")
    flags = rest[0] if rest else ""
    digits = flags.lstrip("?:")
    return Parameter(
        name, type_.replace("[]", ""), type_.count("[]"), "?" in flags, ":" in flags, int(digits) if digits else 0
    )


def _signature(entry: dict[str, Any], first: int) -> Signature:
    alternatives: list[Alternative] = []
    for number, texts in enumerate(entry["alternatives"]):
        parameters = tuple(map(_parameter, texts))
        needed = frozenset(p.group for p in parameters if p.group and not p.optional)
        alternatives.append(Alternative(first + number, parameters, needed))
    return Signature(entry["keyword"], entry["kind"], frozenset(entry["fits"]), tuple(alternatives))


@cache
def language() -> Language:
    """The language, read once."""
    data = json.loads(files("ludoport.lud").joinpath("signatures.json").read_text(encoding="utf-8"))
    table: dict[str, list[Signature]] = {}
    counts: dict[tuple[str, str], int] = {}
    for entry in data["ludemes"]:
        key = (entry["kind"], entry["keyword"])
        signature = _signature(entry, counts.get(key, 0))
        counts[key] = counts.get(key, 0) + len(signature.alternatives)
        for name in filter(None, (signature.keyword, entry.get("synonym"))):
            table.setdefault(name, []).append(signature)
    heads: dict[str, list[str]] = {}
    for name in table:
        head, _, second = name.partition(" ")
        heads.setdefault(head, [])
        if second:
            heads[head].append(second)
    return Language(
        {name: tuple(signatures) for name, signatures in table.items()},
        {head: tuple(seconds) for head, seconds in heads.items()},
        {name: frozenset(words) for name, words in data["enums"].items()},
    )
