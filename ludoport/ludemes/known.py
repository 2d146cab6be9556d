"""What can be worked out when a game is loaded: conditions and regions that no position changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.context import Cx
from ludoport.ludemes.registry import condition

_FIXED = {
    *(
        "site",
        "centrePoint",
        "row",
        "column",
        "phase",
        "layer",
        "coord",
        "mapEntry",
        "count Rows",
        "count Columns",
        "count Sites",
    ),
    *(
        "+",
        "-",
        "*",
        "/",
        "%",
        "^",
        "abs",
        "min",
        "max",
        "=",
        "!=",
        "<",
        "<=",
        ">",
        ">=",
        "and",
        "or",
        "not",
        "xor",
        "if",
    ),
    *("is In", "is Even", "is Odd", "union", "intersection", "difference", "expand", "forEach", "sites", "sites Board"),
    *(
        "sites Top",
        "sites Bottom",
        "sites Left",
        "sites Right",
        "sites Outer",
        "sites Inner",
        "sites Corners",
        "sites Centre",
    ),
    *(
        "sites Row",
        "sites Column",
        "sites Phase",
        "sites Side",
        "sites Perimeter",
        "sites Layer",
        "sites Around",
        "sites Direction",
    ),
    *("ahead", "directions", "count Steps"),
}
_ROLES = {"Mover", "Next", "Prev", "Player", "Enemy", "NonMover", "Friend"}


def fixed(value: Value) -> bool:
    """Whether nothing in a text depends on the position or on the player."""
    if not isinstance(value, Ludeme):
        return not (isinstance(value, Word) and value.name in _ROLES)
    if any(part.keyword not in _FIXED for part in value.walk()):
        return False
    return all(fixed(v) for part in value.walk() for v in part.args.values() if isinstance(v, Word))


def aside(cx: Cx) -> Cx:
    """A place whose code is thrown away, to see what something comes to."""
    return replace(cx, fn=Function("unused", []))


def filtered(sites: tuple[int, ...], test: Value, cx: Cx) -> tuple[int, ...] | None:
    """The sites for which a condition on ``(site)`` holds, if that is known; None if only play can tell."""
    if not fixed(test):
        return None
    return _kept(sites, lambda site: condition(test, aside(cx).bind(site=site)))


def _kept(sites: tuple[int, ...], test: Callable[[int], object]) -> tuple[int, ...] | None:
    answers = [test(site) for site in sites]
    if not all(isinstance(answer, bool) for answer in answers):
        return None
    return tuple(site for site, answer in zip(sites, answers, strict=True) if answer)
