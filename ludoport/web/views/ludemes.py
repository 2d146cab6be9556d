"""The ludemes of the language: how each is written, and in one line what it means."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from ludoport.lud.signatures import Alternative, Parameter


@cache
def meanings() -> dict[str, Callable[..., Any]]:
    """Every ludeme with an entry in a registry: ``kind:keyword`` to the function that compiles it."""
    import ludoport.ludemes  # noqa: F401  (fills the registries)
    from ludoport.ludemes.core.registry import BOOLEANS, INTS, MOVES, REGIONS
    from ludoport.ludemes.core.rewriting import REWRITES
    from ludoport.ludemes.meanings.arrays import ARRAYS

    found: dict[str, Callable[..., Any]] = {f"intarray:{keyword}": function for keyword, function in ARRAYS.items()}
    tables: tuple[Mapping[str, Callable[..., Any]], ...] = (MOVES, BOOLEANS, INTS, REGIONS, REWRITES)
    for table in tables:
        found |= table
    return found


def help_of(kind: str, keyword: str) -> str:
    """Meaning of a ludeme, in one sentence; empty for parts without a meaning of their own."""
    function = meanings().get(f"{kind}:{keyword}")
    return " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split()) if function else ""


def written(keyword: str, way: Alternative) -> str:
    """One way to write a ludeme: ``(size Array <array: IntArrayFunction>)``."""
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
