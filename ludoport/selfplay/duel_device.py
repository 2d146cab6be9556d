"""Duels on a CUDA device; see ``duel.py``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ludoport.arena.luck import Luck
from ludoport.game import seeded
from ludoport.search.chance import has_chance
from ludoport.selfplay.device_kernels import prepare_kernels
from ludoport.selfplay.device_trees import DeviceTrees
from ludoport.selfplay.duel_board import deal
from ludoport.selfplay.kernels import STEP_NUMBERS

if TYPE_CHECKING:
    from ludoport.arena.playing import Pairing
    from ludoport.game import Game
    from ludoport.selfplay.duel_board import DuelRules, Sides


class DeviceBoard:
    """Games of several duels side by side on the device.

    A duel of a hundred games leaves most of the device idle, so several duels take hardly longer than one.

    Args:
        game: the game.
        duels: the players, each side with networks of one shape and layout in all duels.
        rules: how.
        games: number of games of each duel.
    """

    def __init__(self, game: Game, duels: Sequence[Sides], rules: DuelRules, games: int) -> None:
        self.game, self.rules, self.games = game, rules, games
        sides, parts = duels[0], None if len(duels) == 1 else len(duels)
        games *= len(duels)
        one = DeviceTrees(game, sides[0].layout, rules.settings, games, sides[0].net, engine="cudnn", parts=parts)
        one.add(
            plies=one.make(games, dtype=torch.int64),
            chosen=one.make(games, game.rules.move_size),
            turns=one.make(games, dtype=torch.int8),
            numbers=one.make(len(STEP_NUMBERS), dtype=torch.float64),
        )
        two = DeviceTrees(
            game, sides[1].layout, rules.settings, games, sides[1].net, engine="cudnn", share=one, parts=parts
        )
        self.sides = one, two
        for trees in self.sides:
            prepare_kernels(game, trees.layout, ("fill", "grow", "noise", "duel"))
            trees.rehearse()
        self._search = [trees.search() for trees in self.sides]
        self.t = one.t
        self.t["numbers"].copy_(torch.from_numpy(rules.numbers()))
        self._first = one.make(games, dtype=torch.int64)
        self._played: list[tuple[Tensor, Tensor]] = []
        self._luck: list[Luck] = []
        self._places: list[int] = []
        self.use(duels)

    def use(self, duels: Sequence[Sides]) -> None:
        """Let other networks of the same shapes play; where there are fewer duels than places, some stay empty."""
        for number, trees in enumerate(self.sides):
            if len(duels) == 1:
                trees.update(duels[0][number].net)
                continue
            for part, sides in enumerate(duels):
                trees.update_part(part, sides[number].net)

    def begin(self, given: Sequence[Sequence[Pairing]]) -> None:
        """Set up the first positions; all randomness of a game comes from its pairing.

        Args:
            given: the games of each duel, at most as many as there is place for; other places stay empty.
        """
        games = len(self.t["roots"])
        places = [number * self.games + k for number, pairs in enumerate(given) for k in range(len(pairs))]
        pairs = dict(zip(places, (pair for of_one in given for pair in of_one), strict=True))
        spare = next(iter(pairs.values()))
        everywhere = [pairs.get(place, spare) for place in range(games)]
        rows = np.stack([self.game.start(seed=pair.start_seed).row for pair in everywhere])
        self._luck = [Luck(self.game, pair.start_seed) for pair in everywhere]
        deal(self._luck, self.game, rows, np.ones(games, dtype=np.bool_))
        self.t["roots"].copy_(torch.from_numpy(rows))
        self.t["histories"].fill_(-1)
        self.t["rngs"].copy_(torch.from_numpy(np.stack([seeded(pair.seed) for pair in everywhere])))
        # A game that nobody asked for is as long as a game may be.
        self.t["plies"].copy_(torch.tensor([0 if place in pairs else self.rules.limit for place in range(games)]))
        self._first.copy_(torch.tensor([pair.first == "b" for pair in everywhere]))
        self._played, self._places = [], places
        self.sides[0].forget()

    def move(self, side: int) -> int:
        """Let a side search and play where it is to move; returns in how many games."""
        trees, turns = self.sides[side], self._turns(side)
        count = int(turns.sum())
        if not count:
            return 0
        self.t["scales"].copy_(torch.where(self.t["plies"] < self.rules.sampled, 1.0, self.rules.settings.gumbel_noise))
        trees.active.copy_(turns)
        self._search[side]()
        self.t["turns"].copy_(turns)
        trees.launch("duel")
        if has_chance(self.game):
            rows = self.t["roots"].cpu().numpy().copy()
            deal(self._luck, self.game, rows, turns.cpu().numpy())
            self.t["roots"].copy_(torch.from_numpy(rows))
        self._played.append((turns, self.t["chosen"].clone()))
        return count

    def _turns(self, side: int) -> Tensor:
        """Mask of the games in which a side is to move."""
        roots, fields = self.t["roots"], self.game.rules.fields
        person = roots[:, fields["MOVER"]].long()
        if "SWAPPED" in fields:
            person = torch.where(roots[:, fields["SWAPPED"]] != 0, 3 - person, person)
        going = (roots[:, fields["OVER"]] == 0) & (self.t["plies"] < self.rules.limit)
        return going & (((person - 1) ^ self._first) == side)

    def ended(self) -> tuple[NDArray[Any], list[list[NDArray[Any]]]]:
        """The last positions and all moves of the games that were asked for, one duel after another."""
        moves: list[list[NDArray[Any]]] = [[] for _ in range(len(self.t["roots"]))]
        for turns, chosen in self._played:
            rows = chosen.cpu().numpy().astype(self.game.dtype)
            for g in turns.nonzero()[:, 0].tolist():
                moves[g].append(rows[g].copy())
        roots = self.t["roots"].cpu().numpy().astype(self.game.dtype)
        return roots[self._places], [moves[place] for place in self._places]
