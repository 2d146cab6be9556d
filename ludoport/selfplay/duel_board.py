"""The games of a duel side by side, on the CPU; ``duel_device.py`` has them on a device."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from ludoport.arena.luck import Luck
from ludoport.game import seeded
from ludoport.nets.guide import Guide
from ludoport.nets.network import PolicyValueNet
from ludoport.search.chance import has_chance
from ludoport.search.puct import PuctSettings, Searches
from ludoport.selfplay.games import step_values
from ludoport.selfplay.kernels import selfplay_source
from ludoport.selfplay.records import Live, Manner
from ludoport.tensors.layout import TensorLayout

if TYPE_CHECKING:
    from ludoport.arena.playing import Pairing
    from ludoport.game import Game


@dataclass(frozen=True)
class Contestant:
    """A network that plays a duel.

    Attributes:
        name: name in results.
        net: the network.
        layout: layout of its tensors.
    """

    name: str
    net: PolicyValueNet
    layout: TensorLayout

    @property
    def digest(self) -> str:
        """The same for equal weights."""
        known = hashlib.sha256()
        for name, tensor in self.net.state_dict().items():
            known.update(name.encode() + tensor.cpu().numpy().tobytes())
        return known.hexdigest()[:16]


Sides = tuple[Contestant, Contestant]
"""The two players of a duel."""


@dataclass(frozen=True)
class DuelRules:
    """Settings of both sides of a duel.

    Attributes:
        settings: settings of their searches.
        sampled: number of first plies in which moves are drawn, so that games differ.
        drawing: by ``visits``, or by the curve of ``polygames``; Gumbel search draws by its own noise.
        temperature: of a draw by visits.
        limit: maximum number of moves; longer games count as draws.
    """

    settings: PuctSettings
    sampled: int
    drawing: Literal["visits", "polygames"]
    temperature: float
    limit: int

    def numbers(self) -> NDArray[np.float64]:
        """Settings as numbers, for the kernel that chooses moves."""
        return step_values(
            TEMPERATURE=self.temperature, SAMPLED=self.sampled, LIMIT=self.limit,
            PRUNE=self.settings.forced > 0, CURVED=self.drawing == "polygames",
        )  # fmt: skip


class DuelBoard(Protocol):
    """Games side by side, on a CPU or on a device, in which one of two networks moves.

    Attributes:
        games: number of games of each duel.
    """

    games: int

    def begin(self, given: Sequence[Sequence[Pairing]]) -> None:
        """Set up the first positions of each duel."""

    def move(self, side: int) -> int:
        """Let a side search and play where it is to move; returns in how many games."""

    def ended(self) -> tuple[NDArray[Any], list[list[NDArray[Any]]]]:
        """The last positions, shape (games, state size), and the rows of all moves of each game, duel after duel."""


class CpuBoard:
    """Games side by side on the CPU.

    Args:
        game: the game.
        sides: the players.
        rules: how.
        games: number of games.
    """

    def __init__(self, game: Game, sides: Sides, rules: DuelRules, games: int) -> None:
        self.game, self.rules, self.games = game, rules, games
        self.guides = [Guide(side.net, side.layout, device="cpu") for side in sides]
        self.searches = [
            Searches(
                game, games, rules.settings, evaluator="batch", layout=side.layout,
                source=selfplay_source(game, side.layout),
            )
            for side in sides
        ]  # fmt: skip
        one, two = self.searches
        for name in ("nodes", "sums", "moves", "facts", "rngs", "roots", "histories", "noise"):
            # No tree outlives its move, and a history is the same for all layouts.
            setattr(two, name, getattr(one, name))
        self.plies: NDArray[np.int64] = np.zeros(games, dtype=np.int64)
        self._first: NDArray[np.int64] = np.zeros(games, dtype=np.int64)
        self._shares: NDArray[np.float32] = np.zeros(game.rules.max_moves + 1, dtype=np.float32)
        self._chosen: NDArray[Any] = np.zeros((games, game.rules.move_size), dtype=game.dtype)
        self._moves: list[list[NDArray[Any]]] = []
        self._luck: list[Luck] = []

    def begin(self, given: Sequence[Sequence[Pairing]]) -> None:
        """Set up the first positions of the one duel; all randomness of a game comes from its pairing."""
        (pairs,) = given
        searches = self.searches[0]
        searches.set_states([self.game.start(seed=pair.start_seed) for pair in pairs])
        self._luck = [Luck(self.game, pair.start_seed) for pair in pairs]
        deal(self._luck, self.game, searches.roots, np.ones(len(pairs), dtype=np.bool_))
        searches.rngs[:] = [seeded(pair.seed) for pair in pairs]
        self.plies[:] = 0
        self._first[:] = [pair.first == "b" for pair in pairs]
        self._moves = [[] for _ in pairs]

    def move(self, side: int) -> int:
        """Let a side search and play where it is to move; returns in how many games."""
        turns = whose_turn(self.game, self.searches[0].roots, self._first) == side
        turns &= self.plies < self.rules.limit
        if not turns.any():
            return 0
        searches = self.searches[side]
        searches.active[:] = turns
        searches.scales[:] = np.where(self.plies < self.rules.sampled, 1.0, self.rules.settings.gumbel_noise)
        searches.run(self.guides[side])
        searches.kernels.call(
            "enter_duel_step", Live(searches.roots, searches.histories, searches.rngs, searches.noise),
            searches.pools(), Manner(searches.settings.array(), self.rules.numbers()), self._shares, self.plies,
            self._chosen, turns.view(np.int8), self.game.work,
        )  # fmt: skip
        deal(self._luck, self.game, searches.roots, turns)
        for g in np.flatnonzero(turns):
            self._moves[g].append(self._chosen[g].copy())
        return int(turns.sum())

    def ended(self) -> tuple[NDArray[Any], list[list[NDArray[Any]]]]:
        """The last positions and all moves."""
        return self.searches[0].roots, self._moves


def deal(luck: list[Luck], game: Game, roots: NDArray[Any], games: NDArray[np.bool_]) -> None:
    """Give the new positions of some games their luck, if the game has chance and is not over."""
    if not has_chance(game):
        return
    seats = whose_turn(game, roots, np.zeros(len(roots), dtype=np.int64)) + 1
    for g in np.flatnonzero(games & (seats > 0)).tolist():
        luck[g].deal(roots[g], int(seats[g]))


def whose_turn(game: Game, roots: NDArray[Any], first: NDArray[Any]) -> NDArray[np.int64]:
    """Side to move in each position, shape (games,): 0 or 1, or -1 where the game is over.

    Args:
        game: the game.
        roots: positions, shape (games, state size).
        first: the side that is person 1, shape (games,).
    """
    fields = game.rules.fields
    person = roots[:, fields["MOVER"]].astype(np.int64)
    if "SWAPPED" in fields:
        person = np.where(roots[:, fields["SWAPPED"]] != 0, 3 - person, person)
    side = (person - 1) ^ first
    return np.where(roots[:, fields["OVER"]] != 0, -1, side)
