"""Completions of a game text, from the signatures of the language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ludoport.lud.signatures import Signature, language
from ludoport.web.views.ludemes import help_of, written

MOST = 40
"""Completions that are offered at once."""

FORMS = 4
"""Ways of writing a ludeme that its help shows."""


@dataclass(frozen=True)
class _Place:
    """Place of the cursor.

    Attributes:
        inside: keyword of the ludeme around it; empty at the top.
        typed: the typed part of the next word.
        opened: whether a bracket was opened directly before that word.
    """

    inside: str
    typed: str
    opened: bool


def complete(text: str, offset: int) -> dict[str, Any]:
    """Completions at a place of a text.

    Args:
        text: the game text.
        offset: characters before the cursor.

    Returns:
        ``start``: start of the word that a completion replaces; ``inside``: the ludeme around the cursor with its
        ``forms`` and ``help``, or None; ``items``: ``insert``, ``label``, ``kind``, ``help`` and ``forms`` each, those
        that fit the ludeme around them first.
    """
    before = text[:offset]
    place = _place(before)
    items = list(_ludemes(place) if place.opened else _words(place))
    return {"start": offset - len(place.typed), "inside": _about(place.inside), "items": items[:MOST]}


def _place(before: str) -> _Place:
    code = re.sub(r'"(?:[^"\\\n]|\\.)*"?|//[^\n]*', lambda found: " " * len(found[0]), before)
    opened = re.search(r"\(([A-Za-z]\w*(?: [A-Z]\w*)?|[A-Za-z]\w* |)$", code)
    if opened:
        outer = code[: opened.start()]
        return _Place(_around(outer), opened[1], True)
    word = re.search(r"(?<!\w)[A-Za-z]\w*$", code)  # words begin where no word goes on: the square of time otherwise
    typed = word[0] if word else ""
    return _Place(_around(code[: len(code) - len(typed)]), typed, False)


def _around(code: str) -> str:
    """The keyword after the innermost bracket that is still open."""
    depth = 0
    for at in range(len(code) - 1, -1, -1):
        if code[at] in ")":
            depth += 1
        elif code[at] == "(":
            if depth == 0:
                return _keyword(code[at + 1 :])
            depth -= 1
    return ""


def _keyword(code: str) -> str:
    """The keyword at the start of a text: the longest that the language knows."""
    known = language().by_keyword
    two = re.match(r"\s*([A-Za-z]\w*)\s+([A-Za-z]\w*)", code)
    if two and f"{two[1]} {two[2]}" in known:
        return f"{two[1]} {two[2]}"
    one = re.match(r"\s*([A-Za-z]\w*)", code)
    return one[1] if one and (one[1] in known or one[1] in language().heads) else ""


def _wanted(keyword: str) -> set[str]:
    """Types of all parameters of a ludeme."""
    return {parameter.type for entry in _entries(keyword) for way in entry.alternatives for parameter in way.parameters}


def _entries(keyword: str) -> list[Signature]:
    """The signatures of a keyword; of all its second words where it needs one."""
    known = language().by_keyword
    if keyword in known:
        return list(known[keyword])
    return [entry for second in language().heads.get(keyword, ()) for entry in known[f"{keyword} {second}"]]


def _ludemes(place: _Place) -> Iterator[dict[str, Any]]:
    wanted = _wanted(place.inside) or {"Game"}
    known = language().by_keyword
    names = [name for name in known if name.lower().startswith(place.typed.lower()) and name[:1].isalpha()]

    def order(name: str) -> tuple[bool, bool, str]:
        fits = any(entry.fits & wanted for entry in known[name])
        return not fits, not name.startswith(place.typed), name.lower()

    for name in sorted(names, key=order):
        entry = next((one for one in known[name] if one.fits & wanted), known[name][0])
        yield {"insert": name, "label": name, "fits": bool(entry.fits & wanted), **_described(name, entry)}


def _words(place: _Place) -> Iterator[dict[str, Any]]:
    """Words of enums and labels of parameters that the ludeme around the cursor takes."""
    seen: set[str] = set()
    for entry in _entries(place.inside):
        for way in entry.alternatives:
            for parameter in way.parameters:
                words = language().words_of(parameter.type)
                found = [(f"{parameter.name}:", "label")] if parameter.named else [(word, "word") for word in words]
                for word, kind in found:
                    if word not in seen and word.lower().startswith(place.typed.lower()):
                        seen.add(word)
                        told = f"{parameter.name}: {language().spoken(parameter.type, parameter.lists)}"
                        item = {"insert": word, "label": word, "fits": True, "kind": kind, "help": told}
                        yield {**item, "forms": []}


def _about(keyword: str) -> dict[str, Any] | None:
    entries = _entries(keyword)
    return {"label": keyword, **_described(keyword, *entries)} if entries else None


def _described(name: str, *entries: Signature) -> dict[str, Any]:
    forms = list(dict.fromkeys(written(entry.keyword, way) for entry in entries for way in entry.alternatives))
    said = next((told for entry in entries if (told := help_of(entry.kind, entry.keyword))), "")
    return {"kind": entries[0].kind, "help": said.replace("``", "`"), "forms": forms[:FORMS]}
