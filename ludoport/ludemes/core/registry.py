"""Where every ludeme registers what it means; one table per family of results."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar, Unpack

from ludoport.errors import LudError, UnsupportedError
from ludoport.lud.match import LARGEST
from ludoport.lud.tree import Ludeme, Text, Value, Word
from ludoport.ludemes.core.components import named_number
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.region import ListedSites, Static, static_region
from ludoport.ludemes.core.roles import role_player
from ludoport.ludemes.core.traits import Traits, declare, traits

if TYPE_CHECKING:
    from ludoport.ludemes.core.region import Region
    from ludoport.ludemes.core.sinks import Sink

INTS: dict[str, Callable[[Ludeme, Cx], Expr]] = {}
BOOLEANS: dict[str, Callable[[Ludeme, Cx], Bool]] = {}
REGIONS: dict[str, Callable[[Ludeme, Cx], Region]] = {}
MOVES: dict[str, Callable[[Ludeme, Cx, Sink], None]] = {}
UNSPOKEN: dict[str, Callable[[Ludeme, Cx], Bool]] = {}
"""Conditions that no ludeme of the language is, only a part of what one of them means."""

F = TypeVar("F", bound=Callable[..., object])


def _register(table: dict[str, F], kind: str, keywords: tuple[str, ...], declared: Traits) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        for keyword in keywords:
            key = f"{kind}:{keyword}"
            declare(key, **declared)
            table[key] = function
        return function

    return decorate


def int_ludeme(
    *keywords: str, **declared: Unpack[Traits]
) -> Callable[[Callable[[Ludeme, Cx], Expr]], Callable[[Ludeme, Cx], Expr]]:
    """Register the meaning of ludemes that give a number, and declare what is true of them."""
    return _register(INTS, "int", keywords, declared)


def boolean_ludeme(
    *keywords: str, **declared: Unpack[Traits]
) -> Callable[[Callable[[Ludeme, Cx], Bool]], Callable[[Ludeme, Cx], Bool]]:
    """Register the meaning of conditions, and declare what is true of them."""
    return _register(BOOLEANS, "boolean", keywords, declared)


def region_ludeme(
    *keywords: str, **declared: Unpack[Traits]
) -> Callable[[Callable[[Ludeme, Cx], Region]], Callable[[Ludeme, Cx], Region]]:
    """Register the meaning of ludemes that give a set of sites, and declare what is true of them."""
    return _register(REGIONS, "region", keywords, declared)


def moves_ludeme(
    *keywords: str, **declared: Unpack[Traits]
) -> Callable[[Callable[[Ludeme, Cx, Sink], None]], Callable[[Ludeme, Cx, Sink], None]]:
    """Register the meaning of ludemes that generate moves or effects, and declare what is true of them."""
    return _register(MOVES, "moves", keywords, declared)


def _missing(node: Ludeme, table: dict[str, F]) -> UnsupportedError:
    near = difflib.get_close_matches(node.key, table, 1)
    hint = f" (implemented and similar: `{near[0].split(':', 1)[1]}`)" if near else ""
    return UnsupportedError(f"the ludeme `{node.keyword}` ({node.kind}) is not implemented yet{hint}", node.source)


def number(value: Value | None, cx: Cx, default: Expr | None = None) -> Expr:
    """The code for a number, a role used as a number, or a ludeme that gives one."""
    cx = cx.plain()
    if value is None:
        if default is None:
            raise LudError("a number or a player is missing here", getattr(cx.source, "source", None))
        return default
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int):
        return value
    if isinstance(value, Word):
        return role_player(cx, value)
    if isinstance(value, Text):
        return named_number(cx.program, value)
    if isinstance(value, Ludeme):
        found = INTS.get(value.key)
        if found is None:
            raise _missing(value, INTS)
        result = found(value, cx)
        if isinstance(result, int) and abs(result) > LARGEST + 1:
            raise LudError(f"the number of `{value.keyword}` is beyond {LARGEST:,}", value.source)
        return result
    raise LudError("a number is needed here", getattr(value, "source", None))


def _calculated(value: Value | None) -> bool:
    """Whether a number is calculated, so that it may be no site."""
    if not isinstance(value, Ludeme) or value.kind != "int":
        return False
    if value.keyword == "if":
        return _calculated(value.get("valueA")) or _calculated(value.get("valueB"))
    return traits(value).get("calculates", False)


def _refuse_die(site: int, value: Value | None, cx: Cx) -> None:
    """Refuse the place of a die: a site in the reference, none here unless moves select it."""
    if cx.program.selects_dice:
        return
    if site in range(cx.program.dice_base, cx.program.dice_base + sum(len(dice.faces) for dice in cx.program.dice)):
        where = getattr(value, "source", None) or getattr(cx.source, "source", None)
        raise UnsupportedError(f"site {site} holds a die; dice chosen as sites are not implemented yet", where)


def site_number(value: Value | None, cx: Cx, default: Expr | None = None) -> Expr:
    """The code for the number of a site; -1 if a calculated number is no site."""
    result = number(value, cx, default)
    if isinstance(result, int):
        _refuse_die(result, value, cx)
        return result if result < cx.program.n_sites else -1
    if not _calculated(value):
        return result
    name = cx.name(result)
    return cx.name(f"({name} if 0 <= {name} < {cx.program.n_sites} else -1)", "s")


def condition(value: Value | None, cx: Cx, default: Bool = True) -> Bool:
    """The code for a condition."""
    cx = cx.plain()
    if value is None:
        return default
    if isinstance(value, bool):
        return value
    if isinstance(value, Ludeme):
        found = BOOLEANS.get(value.key, UNSPOKEN.get(value.key))
        if found is None:
            raise _missing(value, BOOLEANS)
        return found(value, cx)
    raise LudError("a condition is needed here", getattr(value, "source", None))


def region(value: Value, cx: Cx) -> Region:
    """The set of sites given by a value."""
    if isinstance(value, Ludeme):
        found = REGIONS.get(value.key)
        if found is not None:
            return found(value, cx)
        if value.kind == "int":
            return ListedSites.of([site_number(value, cx)], cx)
        raise _missing(value, REGIONS)
    if isinstance(value, list):
        return ListedSites.of([site_number(item, cx) for item in value], cx)
    if isinstance(value, Word):
        return Static(static_region(value.name, cx.program), cx.program)
    return ListedSites.of([number(value, cx)], cx)


def generate(value: Value | None, cx: Cx, sink: Sink) -> None:
    """Write the code that hands each move of a ludeme to a sink."""
    if value is None:
        return
    if not isinstance(value, Ludeme):
        raise LudError("a move is needed here", getattr(value, "source", None))
    found = MOVES.get(value.key)
    if found is None:
        raise _missing(value, MOVES)
    found(value, cx, sink)


def optional(value: Value | None) -> Ludeme | None:
    """A ludeme argument that may be missing."""
    return value if isinstance(value, Ludeme) else None
