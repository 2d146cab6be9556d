"""Ludemes that say with a word of their own what others say too: they are written with those before anything else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ludoport.lud.tree import Ludeme, Value
from ludoport.ludemes.core.arguments import Arguments

Rewrite = Callable[[Ludeme], Ludeme]

REWRITES: dict[str, Rewrite] = {}
"""How each of these ludemes is written with others."""


def written_as(key: str) -> Callable[[Rewrite], Rewrite]:
    """Register a function that writes a ludeme (``kind:keyword``) with others."""

    def decorate(function: Rewrite) -> Rewrite:
        REWRITES[key] = function
        return function

    return decorate


def rewritten(root: Ludeme) -> Ludeme:
    """The same tree without these ludemes."""
    return _ludeme(root) if any(node.key in REWRITES for node in root.walk()) else root


def _ludeme(node: Ludeme) -> Ludeme:
    args = {name: _value(value) for name, value in dict.items(node.args)}
    same = replace(node, args=Arguments(args))
    return REWRITES[node.key](same) if node.key in REWRITES else same


def _value(value: Value) -> Value:
    if isinstance(value, Ludeme):
        return _ludeme(value)
    return [_value(item) for item in value] if isinstance(value, list) else value
