"""Inside a network for many games: vector of the rules, important tokens, value of the start."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ludoport.analysis.games import random_game, searched_game
from ludoport.analysis.numbers import Measured, share_of
from ludoport.arena.players import player
from ludoport.descriptions.game import GameDescription, describe
from ludoport.game import Game
from ludoport.nets.guide import network_mask
from ludoport.nets.network import NetOutput
from ludoport.nets.universal.network import UniversalNet
from ludoport.nets.universal.reading import Reading
from ludoport.tensors.encoder import TensorEncoder

LIMIT = 1000
"""Plies after which a game that is played for comparison counts as it stands."""


@dataclass(frozen=True)
class Belief:
    """A network's view of a game before the first move.

    Attributes:
        game: the game, with its options.
        first: expected points of the first player, from 0 to 1, a draw being half a point.
        draw: probability of a draw.
        played: points of the first player in games between two equal players; None if none were played.
    """

    game: str
    first: float
    draw: float
    played: Measured | None = None

    def as_json(self) -> dict[str, Any]:
        """Record for programs."""
        played = None if self.played is None else self.played.as_json()
        return {"game": self.game, "first": self.first, "draw": self.draw, "played": played}


@dataclass(frozen=True)
class TokenEffect:
    """Change of a network's outputs in random positions without a token.

    Attributes:
        token: the token.
        part: the part that it describes: ``state``, ``move`` or ``rule``.
        value: mean change of the expected result, which lies from -1 to 1.
        policy: mean change of the probabilities of moves, from 0 to 1 (total variation).
    """

    token: str
    part: str
    value: float
    policy: float


def believe(net: UniversalNet, game: Game, against: str = "", games: int = 40, seed: int = 1) -> Belief:
    """A network's view of a game, next to the results of games.

    Args:
        net: the network.
        game: the game.
        against: who plays these games against itself: ``random`` or a player that searches, such as ``uct:200``; empty
            for no games.
        games: number of games.
        seed: random seed.
    """
    encoder = TensorEncoder(game)
    start = game.start(seed)
    planes = torch.from_numpy(encoder.planes(start.row[None])).float()
    with torch.no_grad():
        chances = _judge(net, describe(game, encoder.layout), encoder, planes).value_logits.softmax(1)[0].tolist()
    mover = chances[0] + chances[1] / 2
    played = share_of(sum(_points(game, against, seed + k) for k in range(games)), games) if against else None
    return Belief(game.title, mover if start.seat == 1 else 1 - mover, chances[1], played)


def _points(game: Game, who: str, seed: int) -> float:
    """Points of the first player in one game."""
    if who == "random":
        return random_game(game, seed, LIMIT).points[0]
    found = searched_game(game, [player(who), player(who)], seed, LIMIT, float("inf"))
    assert found is not None
    return found.points[0]


def token_effects(net: UniversalNet, game: Game, positions: int = 32, seed: int = 1) -> list[TokenEffect]:
    """Tokens of a game, most important first: those whose removal changes most.

    Args:
        net: the network.
        game: the game.
        positions: number of random positions that are looked at.
        seed: random seed.
    """
    encoder = TensorEncoder(game)
    batch = encoder.wander(positions, seed)
    planes = torch.from_numpy(encoder.planes(batch.rows, batch.histories)).float()
    legal = _legal(encoder, batch.rows)
    reading, mask = net.read(describe(game, encoder.layout)), network_mask(encoder.layout, "cpu")

    def judged(told: Reading) -> tuple[Tensor, Tensor]:
        output: NetOutput = net(planes, told, mask)
        logits = output.policy_logits.flatten(1).masked_fill(~legal, -1e9)
        return output.value(), logits.softmax(1)

    effects = []
    with torch.no_grad():
        value, policy = judged(reading)
        for token, part, told in _without(net, reading):
            other, moves = judged(told)
            change = float((other - value).abs().mean())
            effects.append(TokenEffect(token, part, change, float((moves - policy).abs().sum(1).mean() / 2)))
    return sorted(effects, key=lambda effect: (-effect.value - effect.policy, effect.token))


def _without(net: UniversalNet, reading: Reading) -> Iterator[tuple[str, str, Reading]]:
    """A game read without each of its tokens in turn."""
    words = net.vocabulary
    for token, views in _dropped(words.state, reading.views):
        yield token, "state", reading._replace(views=views)
    for token, moves in _dropped(words.move, reading.moves):
        yield token, "move", reading._replace(moves=moves)
    for token, rules in _dropped(words.rule, reading.rules):
        yield token, "rule", reading._replace(rules=rules)


def _dropped(tokens: Sequence[str], weights: Tensor) -> Iterator[tuple[str, Tensor]]:
    """Each token that has a weight somewhere, and the weights without it."""
    for number, token in enumerate(tokens):
        if weights[..., number].any():
            changed = weights.clone()
            changed[..., number] = 0
            yield token, changed


def _legal(encoder: TensorEncoder, rows: NDArray[Any]) -> Tensor:
    """Mask of legal moves, shape (positions, slots)."""
    slots, first = encoder.slots(rows)
    legal = torch.zeros(len(rows), int(np.prod(encoder.layout.move_shape)), dtype=torch.bool)
    for number in range(len(rows)):
        legal[number, torch.from_numpy(slots[first[number] : first[number + 1]].astype(np.int64))] = True
    return legal


def _judge(net: UniversalNet, game: GameDescription, encoder: TensorEncoder, planes: Tensor) -> NetOutput:
    output: NetOutput = net(planes, net.read(game), network_mask(encoder.layout, "cpu"))
    return output


def rule_vector(net: UniversalNet, game: GameDescription) -> NDArray[np.float64]:
    """The vector of the rules of a game."""
    with torch.no_grad():
        return np.asarray(net.rule_vector(net.read(game)).double().numpy())


def distances(vectors: Sequence[Sequence[float] | NDArray[np.float64]]) -> NDArray[np.float64]:
    """Distances between the vectors of the rules of games, shape (games, games)."""
    places = np.array(vectors, dtype=np.float64).reshape(len(vectors), -1 if len(vectors) else 0)
    return np.asarray(np.linalg.norm(places[:, None] - places[None], axis=2))


def placed(distances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points of a plane whose distances are near to given ones (classical scaling), shape (games, 2)."""
    count = len(distances)
    centre = np.eye(count) - 1 / count
    values, vectors = np.linalg.eigh(-0.5 * centre @ (distances**2) @ centre)
    places = np.zeros((count, 2))
    for axis in range(min(2, count)):
        column = vectors[:, -1 - axis]
        # A turn of 180 degrees changes no distance; equal games must give equal pictures.
        column = column * (1 if column[np.argmax(np.abs(column))] >= 0 else -1)
        places[:, axis] = column * np.sqrt(max(0.0, values[-1 - axis]))
    return places


def draw_map(names: Sequence[str], distances: NDArray[np.float64], file: Path) -> None:
    """Write a map of games: those with near vectors of rules are near each other."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 5.5), layout="constrained")
    axes = figure.subplots()
    places = placed(distances)
    axes.scatter(places[:, 0], places[:, 1], s=18, color="#0072B2")
    for name, place in zip(names, places, strict=True):
        axes.annotate(name, (place[0], place[1]), xytext=(4, 3), textcoords="offset points", fontsize=7)
    axes.margins(0.15)
    axes.set_title("Games by their rules, as the network reads them")
    axes.set_xticks([])
    axes.set_yticks([])
    figure.savefig(file, dpi=130)
