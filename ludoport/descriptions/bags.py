"""Bags of tokens: what something means, without order and without names that a person has chosen."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

MOST = 16
"""Numbers are told apart up to this one."""


@dataclass(frozen=True)
class Bag:
    """Tokens with weights.

    Attributes:
        weights: token and weight, in the order of tokens; each token once.
    """

    weights: tuple[tuple[str, float], ...] = ()

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens without their weights."""
        return tuple(token for token, _ in self.weights)

    def __add__(self, other: Bag) -> Bag:
        weights: dict[str, float] = dict(self.weights)
        for token, weight in other.weights:
            weights[token] = weights.get(token, 0.0) + weight
        return _bag(weights)

    def __mul__(self, factor: float) -> Bag:
        return Bag(tuple((token, factor * weight) for token, weight in self.weights))

    def prefixed(self, prefix: str) -> Bag:
        """The same weights for other tokens, which begin with a word."""
        return _bag({f"{prefix} {token}": weight for token, weight in self.weights})

    def whole(self) -> Bag:
        """One token for all of them together; a control for sums of tokens."""
        return Bag(((" & ".join(self.tokens), 1.0),)) if self.weights else self


def bag(*tokens: str) -> Bag:
    """Each of these tokens with weight 1."""
    return _bag(dict.fromkeys(tokens, 1.0))


def spread(tokens: Iterable[str]) -> Bag:
    """Tokens that count as much as one together: the squares of their weights sum to 1."""
    found = sorted(set(tokens))
    return _bag(dict.fromkeys(found, 1 / math.sqrt(len(found)))) if found else Bag()


def steps(name: str, number: int) -> list[str]:
    """A number as tokens, such that near numbers share most of theirs.

    >>> steps("line", 3)
    ['line>=1', 'line>=2', 'line>=3']
    """
    if number < 0:
        return [f"{name}<0"]
    return [f"{name}>={least}" for least in range(1, min(number, MOST) + 1)] or [f"{name}=0"]


def _bag(weights: Mapping[str, float]) -> Bag:
    return Bag(tuple(sorted(weights.items())))
