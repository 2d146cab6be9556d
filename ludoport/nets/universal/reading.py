"""Descriptions of games as tensors over the tokens that a network knows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from ludoport.descriptions.bags import Bag
from ludoport.descriptions.game import GameDescription, PlaneWay

WAY_FEATURES = 11
"""Numbers that a way is given by; see ``_way_numbers``."""


@dataclass(frozen=True)
class Vocabulary:
    """Tokens that a network has vectors for, in the order of their vectors.

    Attributes:
        state: of planes of states.
        move: of planes of moves.
        rule: of rules.
    """

    state: tuple[str, ...] = ()
    move: tuple[str, ...] = ()
    rule: tuple[str, ...] = ()

    def grown(self, games: Iterable[GameDescription], sums: bool = True) -> Vocabulary:
        """The same tokens, and behind them the new ones of some games, in alphabetical order.

        Args:
            games: the games.
            sums: see ``UniversalConfig``.
        """
        states, moves, rules = set[str](), set[str](), set[str]()
        for game in games:
            states |= {token for view in game.views for bag in view for token in _chosen(bag, sums).tokens}
            moves |= {token for bag in game.moves for token in _chosen(bag, sums).tokens}
            rules |= set(game.rules.tokens)
        return Vocabulary(_more(self.state, states), _more(self.move, moves), _more(self.rule, rules))


class Reading(NamedTuple):
    """A game as a network reads it; tokens without a vector are left out.

    Attributes:
        views: weights of tokens in planes of states, as player 1 and player 2 see them; shape (2, planes, tokens).
        moves: weights of tokens in planes of moves; shape (planes, tokens).
        ways: directions of moves; shape (planes, WAY_FEATURES).
        goes: 1 for planes of moves that go anywhere, otherwise 0; shape (planes, 1).
        rules: weights of tokens in the rules; shape (tokens,).
        taps: 1 for neighbours in a 3x3 window, otherwise 0; shape (3, 3).
        turns: numbers of the planes that say who is to move.
        most: the greatest number in each plane of a state; shape (planes,).
    """

    views: Tensor
    moves: Tensor
    ways: Tensor
    goes: Tensor
    rules: Tensor
    taps: Tensor
    turns: tuple[int, int]
    most: Tensor

    def to(self, device: str | torch.device) -> Reading:
        """The same on a device."""
        views, moves, ways, goes, rules, taps, turns, most = self
        views, moves, ways, goes = views.to(device), moves.to(device), ways.to(device), goes.to(device)
        return Reading(views, moves, ways, goes, rules.to(device), taps.to(device), turns, most.to(device))


def read(game: GameDescription, vocabulary: Vocabulary, sums: bool = True) -> Reading:
    """A game as a network with these tokens reads it."""
    most = torch.ones(len(game.views[0]))
    most[list(game.large)] = 255.0
    return Reading(
        views=torch.stack([_weights([_chosen(bag, sums) for bag in view], vocabulary.state) for view in game.views]),
        moves=_weights([_chosen(bag, sums) for bag in game.moves], vocabulary.move),
        ways=torch.tensor([_way_numbers(way) for way in game.ways]),
        goes=torch.tensor([[float(way is not None)] for way in game.ways]),
        rules=_weights([game.rules], vocabulary.rule)[0],
        taps=torch.tensor(game.taps, dtype=torch.float32),
        turns=game.turns,
        most=most,
    )


def unknown_tokens(game: GameDescription, vocabulary: Vocabulary, sums: bool = True) -> list[str]:
    """Tokens of a game that have no vector."""
    grown = vocabulary.grown([game], sums)
    pairs = ((grown.state, vocabulary.state), (grown.move, vocabulary.move), (grown.rule, vocabulary.rule))
    return [token for new, old in pairs for token in new[len(old) :]]


def _chosen(bag: Bag, sums: bool) -> Bag:
    return bag if sums else bag.whole()


def _more(old: tuple[str, ...], tokens: set[str]) -> tuple[str, ...]:
    return (*old, *sorted(tokens - set(old)))


def _weights(bags: Sequence[Bag], tokens: Sequence[str]) -> Tensor:
    place = {token: number for number, token in enumerate(tokens)}
    weights = torch.zeros(len(bags), len(tokens))
    for row, bag in enumerate(bags):
        for token, weight in bag.weights:
            if token in place:
                weights[row, place[token]] = weight
    return weights


def _way_numbers(way: PlaneWay | None) -> list[float]:
    """Displacement, direction (as unit vector, its double angle and its quarters), distance and its kind."""
    if way is None:
        return [0.0] * WAY_FEATURES
    length = math.hypot(way.dx, way.dy)
    x, y = way.dx / length, way.dy / length
    return [
        way.dx / 3, way.dy / 3, x, y, x * x - y * y, 2 * x * y, way.distance / 3, float(way.distance == 1),
        float(way.distance == 2), float(way.far), float(way.dx == 0 or way.dy == 0),
    ]  # fmt: skip
