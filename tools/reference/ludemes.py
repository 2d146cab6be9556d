"""The page of ludemes: what can be compiled, how it is written, and in one line what it means."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ludoport.lud.signatures import Alternative, Parameter, Signature, language
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
    meanings = _meanings()
    parts = [_INTRO]
    for kind, title in _FAMILIES:
        parts.append(f"## {title}\n\n" + "".join(_entries(kind, meanings)))
    parts.append("## Boards\n\n" + "".join(_boards()))
    parts.append(_skeleton())
    parts.append(_missing(meanings))
    return "\n".join(parts)


def _meanings() -> dict[str, Callable[..., Any]]:
    """Every ludeme with an entry in a registry: ``kind:keyword`` to the function that compiles it."""
    import ludoport.ludemes  # noqa: F401  (fills the registries)
    from ludoport.ludemes.arrays import ARRAYS
    from ludoport.ludemes.registry import BOOLEANS, INTS, MOVES, REGIONS

    found: dict[str, Callable[..., Any]] = {f"intarray:{keyword}": function for keyword, function in ARRAYS.items()}
    tables: tuple[Mapping[str, Callable[..., Any]], ...] = (MOVES, BOOLEANS, INTS, REGIONS)
    for table in tables:
        found |= table
    return found


def _entries(kind: str, meanings: Mapping[str, Callable[..., Any]]) -> Iterator[str]:
    for keyword in sorted({key.split(":", 1)[1] for key in meanings if key.startswith(f"{kind}:")}, key=_order):
        yield _entry(keyword, _signatures(keyword, kind), summary(meanings[f"{kind}:{keyword}"]))


def _order(keyword: str) -> tuple[str, str]:
    return keyword.lower(), keyword


def _signatures(keyword: str, kind: str) -> list[Signature]:
    return [entry for entry in language().by_keyword.get(keyword, ()) if entry.kind == kind]


def _entry(keyword: str, signatures: list[Signature], meaning: str) -> str:
    forms = list(dict.fromkeys(written(entry.keyword, way) for entry in signatures for way in entry.alternatives))
    said = f": {meaning.replace('``', '`')}" if meaning else ""
    return f"- **{code(keyword)}**{said}\n\n" + "".join(f"      {form}\n" for form in forms) + "\n"


def written(keyword: str, way: Alternative) -> str:
    """One way to write a ludeme."""
    parts: list[str] = []
    groups: dict[int, list[str]] = {}
    for parameter in way.parameters:
        shown = _parameter(parameter)
        if not parameter.group:
            parts.append(f"[{shown}]" if parameter.optional else shown)
            continue
        if parameter.group not in groups:
            groups[parameter.group] = []
            parts.append(f"\0{parameter.group}")
        groups[parameter.group].append(shown)
    for number, members in groups.items():
        between = " | ".join(members)
        whole = f"({between})" if number in way.required_groups and len(members) > 1 else f"[{between}]"
        if number in way.required_groups and len(members) == 1:
            whole = between
        parts[parts.index(f"\0{number}")] = whole
    return f"({' '.join([keyword, *parts])})"


def _parameter(parameter: Parameter) -> str:
    shown = f"<{parameter.name}: {parameter.type}>" if not parameter.named else f"{parameter.name}:<{parameter.type}>"
    label, _, rest = shown.partition("<")
    return f"{label}{'{' * parameter.lists}<{rest}{'}' * parameter.lists}"


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
