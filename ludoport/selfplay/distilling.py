"""A search tree distilled into a network: supervised learning on the positions of the tree.

A tree answers in positions that it holds, and in no other. A network that learned its visits and results also judges
positions beside them, and can be transferred where no position is shared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.nets.files import save_network
from ludoport.nets.guide import origin_of
from ludoport.search.graph import SearchGraph, ranges
from ludoport.search.graph_kernels import graph_source
from ludoport.search.graph_levels import WalkLevels
from ludoport.selfplay.assembling import first_network
from ludoport.selfplay.config import TrainConfig, preset
from ludoport.selfplay.learner import Learner, Losses
from ludoport.selfplay.rating import search_facts
from ludoport.tensors.encoder import TensorEncoder
from ludoport.tensors.symmetry import symmetries

LEAST = 32
"""Visits of a position that is learned: fewer say little about its moves."""

PASSES = 20
"""Number of times that each position is learned from, where no number of batches is given."""

SLICES = 40
"""Parts of the learning, between which the learning rate changes."""


@dataclass(frozen=True)
class Distilled:
    """A network that learned from a tree.

    Attributes:
        file: the network.
        positions: of the tree that were learned.
        batches: that it learned from.
        policy: cross-entropy of the policy with the visits, at the end.
        value: loss of the value, at the end.
    """

    file: Path
    positions: int
    batches: int
    policy: float
    value: float


class TreePositions:
    """Positions of a tree as a memory to learn from; tensors are written when they are drawn.

    The policy learns the shares of visits of the tried moves, the value the mean result for the player to move.

    Args:
        graph: the tree.
        game: its game.
        encoder: encoder of positions as tensors.
        least: visits of a position that is learned.
    """

    def __init__(self, graph: SearchGraph, game: Game, encoder: TensorEncoder, least: int = LEAST) -> None:
        self.graph, self.encoder = graph, encoder
        self.visits = np.bincount(graph.parent, graph.visits, graph.states).astype(np.int64)
        self.worth = np.bincount(graph.parent, graph.worth, graph.states)
        parts = [
            (rows[wanted], histories[wanted], numbers[wanted])
            for rows, histories, numbers in _levels(graph, game, encoder)
            if (wanted := self.visits[numbers] >= least).any()
        ]
        if not parts:
            raise LudoportError(
                f"no position of this tree of {graph.about.game} has {least:,} visits; build it with more simulations, "
                "or learn from positions with fewer visits"
            )
        self.rows, self.histories, self.numbers = (np.concatenate(part) for part in zip(*parts, strict=True))

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def memories(self) -> dict[str, TreePositions]:
        """All memories by name: this one."""
        return {"": self}

    def draw(self, rng: np.random.Generator, count: int) -> tuple[Any, ...]:
        """Positions at random; see ``Replay.draw``."""
        return self.taken(rng.integers(0, len(self), count))

    def taken(self, chosen: NDArray[np.int64]) -> tuple[NDArray[Any], ...]:
        """Some positions by their places, as ``Replay.draw`` returns them; nothing is known of replies and owners."""
        rows, numbers = self.rows[chosen], self.numbers[chosen]
        seen = self.encoder.planes(rows, self.histories[chosen]).reshape(len(rows), -1)
        results = (2 * self.worth[numbers] / self.visits[numbers] - 1).astype(np.float32)
        height, width = self.encoder.layout.shape[1:]
        replies, owners = np.full(len(rows), -1), np.full((len(rows), height * width), -1, dtype=np.int8)
        return seen, self._shares(rows, numbers), results, results, replies, owners

    def _shares(self, rows: NDArray[Any], numbers: NDArray[np.int64]) -> NDArray[np.float32]:
        """Shares of visits by places of the policy, -1 where there is no legal move."""
        graph, encoder = self.graph, self.encoder
        shares = np.full((len(rows), int(np.prod(encoder.layout.move_shape))), -1.0, dtype=np.float32)
        legal = encoder.slots(rows)
        shares[np.repeat(np.arange(len(rows)), np.diff(legal.first)), legal.slots] = 0
        begin, end = graph.first[numbers], graph.first[numbers + 1]
        edges, place = ranges(begin, end), np.repeat(np.arange(len(rows)), end - begin)
        moves = np.ascontiguousarray(graph.moves[edges].astype(encoder.game.dtype))
        slots = encoder.slots_of(np.ascontiguousarray(rows[place]), moves)
        known = shares[place, slots] >= 0  # a damaged file may name moves that are not legal
        np.add.at(shares, (place[known], slots[known]), (graph.visits[edges] / self.visits[numbers][place])[known])
        return shares


def _levels(graph: SearchGraph, game: Game, encoder: TensorEncoder) -> Any:
    """The positions of a tree that have moves, distance by distance: rows, histories and numbers."""
    root = graph.root_state(game)
    walk = WalkLevels(graph, game, game.kernels_with(graph_source(game)))
    rows, numbers = root.row[None].copy(), np.array([graph.number(graph.root)], dtype=np.int64)
    histories = encoder.new_histories(1)
    came = graph.spanning[1]
    while len(numbers):
        yield rows, histories, numbers
        after, names = walk.follow(rows, numbers, *walk.listed(rows))
        running = after[:, game.rules.fields["OVER"]] == 0
        after, names = after[running], names[running]
        histories = _histories(graph, encoder, (rows, histories, numbers), came[names])
        rows, numbers = after, names


def _histories(
    graph: SearchGraph, encoder: TensorEncoder, before: tuple[Any, Any, Any], edges: NDArray[np.int64]
) -> NDArray[Any]:
    """Last moves of positions that some edges lead to, from the positions one move before."""
    rows, histories, numbers = before
    order = np.argsort(numbers)
    parents = graph.parent[edges]
    place = np.minimum(np.searchsorted(numbers, parents, sorter=order), len(order) - 1)
    place = order[place]
    found = numbers[place] == parents
    made = np.ascontiguousarray(histories[place])
    moves = np.ascontiguousarray(graph.moves[edges].astype(encoder.game.dtype))
    encoder.remember(made, np.ascontiguousarray(rows[place]), moves)
    made[~found] = -1  # reached by another way, since a move of the shortest one is not legal here
    return made


def distill(
    graph: SearchGraph,
    game: Game,
    out: Path,
    config: TrainConfig | None = None,
    *,
    least: int = LEAST,
    batches: int | None = None,
    device: str = "cpu",
    tell: Callable[[int, int, Losses], object] = lambda done, total, losses: None,
) -> Distilled:
    """Train a network on the positions of a search tree and save it.

    Args:
        graph: the tree.
        game: its game.
        out: the file of the network.
        config: network, tensors and learning, as for self-play; default: the preset ``tiny``.
        least: visits of a position that is learned.
        batches: number of batches; default: 20 passes over the positions.
        device: device that learns.
        tell: called with the batches so far, their number, and the losses of the last ones.
    """
    config = config or preset("tiny", game=graph.about.source or graph.about.game, options=graph.about.options)
    net, layout = first_network(game, config, None)
    encoder = TensorEncoder(game, layout.layout)
    positions = TreePositions(graph, game, encoder, least)
    total = batches if batches is not None else -(-PASSES * len(positions) // config.batch)
    if total < 1:
        raise LudoportError(f"the number of batches must be at least 1, not {total}")
    turns = symmetries(game, layout) if config.symmetries else []
    learner = Learner(net, layout, config, turns, device)
    done, losses = 0, None
    for end in np.unique(np.linspace(0, total, min(SLICES, total) + 1).astype(int)[1:]).tolist():
        losses = learner.learn(positions, end - done, done / total)
        done = end
        tell(done, total, losses)
    learner.check()
    assert losses is not None
    facts = {"distilled": len(positions), "batches": total, "seed": config.seed, "search": search_facts(config)}
    save_network(out, learner.averaged, origin_of(game, layout, tuple(graph.about.options)), facts)
    return Distilled(out, len(positions), total, losses.policy, losses.value)
