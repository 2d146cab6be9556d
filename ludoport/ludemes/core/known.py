"""What can be worked out when a game is loaded: conditions and regions that no position changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.core.context import Cx
from ludoport.ludemes.core.registry import condition
from ludoport.ludemes.core.traits import traits

T = TypeVar("T")


def entry_of(values: Sequence[T], index: int, otherwise: T) -> T:
    """What a list has at an index, or something else where the list has no such index."""
    return values[index] if 0 <= index < len(values) else otherwise


_ROLES = {"Mover", "Next", "Prev", "Player", "Enemy", "NonMover", "Friend"}


def fixed(value: Value) -> bool:
    """Whether nothing in a text depends on the position or on the player."""
    if not isinstance(value, Ludeme):
        return not (isinstance(value, Word) and value.name in _ROLES)
    if not all(traits(part).get("known") for part in value.walk()):
        return False
    return all(fixed(v) for part in value.walk() for v in part.parts() if isinstance(v, Word))


def aside(cx: Cx) -> Cx:
    """A place whose code is thrown away, to see what something comes to."""
    return replace(cx, fn=Function("unused", []))


def filtered(sites: tuple[int, ...], test: Value, cx: Cx) -> tuple[int, ...] | None:
    """The sites for which a condition on ``(site)`` holds; None if that is only known during play."""
    if cx.program.standing is None and not fixed(test):
        return None
    return _kept(sites, lambda site: condition(test, aside(cx).bind(site=site)))


def _kept(sites: tuple[int, ...], test: Callable[[int], object]) -> tuple[int, ...] | None:
    answers = [test(site) for site in sites]
    if not all(isinstance(answer, bool) for answer in answers):
        return None
    return tuple(site for site, answer in zip(sites, answers, strict=True) if answer)
