"""The page of ludemes: what can be compiled, how it is written, and in one line what it means."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ludoport.lud.signatures import Signature, language
from ludoport.web.views.ludemes import meanings as all_meanings
from ludoport.web.views.ludemes import written
from tools.reference.examples import shown
from tools.reference.markdown import code, summary

_FAMILIES = (
    ("moves", "Moves and effects"),
    ("boolean", "Conditions"),
    ("int", "Numbers"),
    ("region", "Regions"),
    ("intarray", "Arrays of numbers"),
)
_SKELETON = (
    ("game", "players", "mode", "equipment", "rules", "play", "phase", "meta", "start", "end"),
    ("container", "component", "item", "direction", "range", "dim", "float", "util", "match"),
)

_INTRO = """# Ludemes

The language is Ludii's, version 1.3.14. Between `<` and `>` stands what is to be written there: a name
and what kind of thing it is. `[...]` may be left out, `label:` is written as it stands, `|` stands between things of
which one is given, and `{...}` is a list. `ludoport check FILE` says where a text is wrong and which of its ludemes
cannot be compiled.
"""


def page() -> str:
    """Families with a registry, boards, the rest of the language, and what is missing."""
    meanings = all_meanings()
    parts = [_INTRO]
    for kind, title in _FAMILIES:
        parts.append(f"## {title}\n\n" + "".join(_entries(kind, meanings)))
    parts.append("## Boards\n\n" + "".join(_boards()))
    parts.append(_skeleton())
    parts.append(_words())
    parts.append(_missing(meanings))
    return "\n".join(parts)


def _entries(kind: str, meanings: Mapping[str, Callable[..., Any]]) -> Iterator[str]:
    for keyword in sorted({key.split(":", 1)[1] for key in meanings if key.startswith(f"{kind}:")}, key=_order):
        signatures = _signatures(keyword, kind)
        yield _entry(keyword, signatures, summary(meanings[f"{kind}:{keyword}"]))


def _order(keyword: str) -> tuple[str, str]:
    return keyword.lower(), keyword


def _signatures(keyword: str, kind: str) -> list[Signature]:
    return [entry for entry in language().by_keyword.get(keyword, ()) if entry.kind == kind]


def _entry(keyword: str, signatures: list[Signature], meaning: str) -> str:
    forms = list(dict.fromkeys(written(entry.keyword, way) for entry in signatures for way in entry.alternatives))
    said = f": {meaning.replace('``', '`')}" if meaning else ""
    example = shown(signatures[0]) if signatures else None
    lines = [*forms, *([f"Example: {example[0]}"] if example is not None else [])]
    return f"- **{code(keyword)}**{said}\n\n" + "".join(f"      {line}\n" for line in lines) + "\n"


def _boards() -> Iterator[str]:
    from ludoport.boards.build import BOARDS, MAKERS

    known = language().by_keyword
    for keyword in sorted({*BOARDS, *MAKERS}, key=_order):
        entries = [entry for entry in known.get(keyword, ()) if entry.kind in ("graph", "container")]
        if keyword in MAKERS and not entries:  # one maker for all tilings
            for name in sorted(name for name in known if name.startswith(f"{keyword} ")):
                yield _entry(name, _signatures(name, "graph"), "")
            continue
        yield _entry(keyword, entries, "")


def _skeleton() -> str:
    """Ludemes without an entry of their own: parts of texts that the compiler reads as a whole."""
    from ludoport.boards.build import BOARDS

    parts = [
        "## The rest of the language\n\n"
        "Parts that are compiled together with what they belong to, with all ways to write them. "
        "Not all of these ways can be compiled; `ludoport check` knows.\n\n"
    ]
    known = language().by_keyword
    for kinds in _SKELETON:
        for kind in kinds:
            for keyword in sorted(
                (name for name in known if _signatures(name, kind) and name not in BOARDS), key=_order
            ):
                parts.append(_entry(keyword, _signatures(keyword, kind), ""))
    return "".join(parts)


_WORDS = (
    ("RoleType", "Roles"),
    ("SiteType", "Kinds of sites"),
    ("AbsoluteDirection", "Absolute directions"),
    ("RelativeDirection", "Relative directions"),
    ("CompassDirection", "Facings of players and pieces"),
    ("RelationType", "Relations between sites"),
    ("StepType", "Steps of walks"),
    ("SquareShapeType", "Shapes of square boards"),
    ("HexShapeType", "Shapes of hexagonal boards"),
    ("TriShapeType", "Shapes of triangular boards"),
    ("BrickShapeType", "Shapes of brick boards"),
    ("DiagonalsType", "Diagonals of square boards"),
    ("RegionTypeStatic", "Regions of the board"),
    ("RegionTypeDynamic", "What stands on sites around another"),
    ("ResultType", "Results"),
    ("StackDirection", "Ends of stacks"),
    ("WhenType", "Times of removals"),
    ("RepetitionType", "Repetitions"),
)


def _words() -> str:
    """The words that parameters of some types take."""
    lines = [f"- {title} ({code(name)}): {', '.join(language().words_of(name))}\n" for name, title in _WORDS]
    return "## Words\n\nWhat may be written for a parameter of these types.\n\n" + "".join(lines)


def _missing(meanings: Mapping[str, Callable[..., Any]]) -> str:
    """Ludemes of the families above that cannot be compiled."""
    parts = [
        "## Not yet\n\nThese belong to the language; games that need them are understood but cannot be compiled.\n\n"
    ]
    for kind, title in _FAMILIES:
        names = sorted((name for name in language().by_keyword if _signatures(name, kind)), key=_order)
        left = [name for name in names if not _known(name, kind, meanings)]
        if left:
            parts.append(f"- {title}: {', '.join(map(code, left))}\n")
    return "".join(parts)


def _known(name: str, kind: str, meanings: Mapping[str, Callable[..., Any]]) -> bool:
    """Whether a name, or the operator that it spells out, has a meaning."""
    return any(f"{kind}:{word}" in meanings for word in (name, *(entry.keyword for entry in _signatures(name, kind))))
