"""Duels on a CUDA device; see ``duel.py``."""

from __future__ import annotations

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
    from ludoport.selfplay.duel_board import Contestant, DuelRules


class DeviceBoard:
    """Games side by side on the device.

    Args:
        game: the game.
        sides: who plays.
        rules: how.
        games: how many games.
    """

    def __init__(self, game: Game, sides: tuple[Contestant, Contestant], rules: DuelRules, games: int) -> None:
        self.game, self.rules, self.games = game, rules, games
        one = DeviceTrees(game, sides[0].layout, rules.settings, games, sides[0].net, engine="cudnn")
        one.add(
            plies=one.make(games, dtype=torch.int64),
            chosen=one.make(games, game.rules.move_size),
            turns=one.make(games, dtype=torch.int8),
            numbers=one.make(len(STEP_NUMBERS), dtype=torch.float64),
        )
        two = DeviceTrees(game, sides[1].layout, rules.settings, games, sides[1].net, engine="cudnn", share=one)
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

    def use(self, sides: tuple[Contestant, Contestant]) -> None:
        """Let other networks of the same shapes play."""
        for trees, side in zip(self.sides, sides, strict=True):
            trees.update(side.net)

    def begin(self, pairs: list[Pairing]) -> None:
        """Set up the first positions; all randomness of a game comes from its pairing."""
        rows = np.stack([self.game.start(seed=pair.start_seed).row for pair in pairs])
        self._luck = [Luck(self.game, pair.start_seed) for pair in pairs]
        deal(self._luck, self.game, rows, np.ones(len(pairs), dtype=np.bool_))
        self.t["roots"].copy_(torch.from_numpy(rows))
        self.t["histories"].fill_(-1)
        self.t["rngs"].copy_(torch.from_numpy(np.stack([seeded(pair.seed) for pair in pairs])))
        self.t["plies"].zero_()
        self._first.copy_(torch.tensor([pair.first == "b" for pair in pairs]))
        self._played = []
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
        """In which games a side is to move."""
        roots, fields = self.t["roots"], self.game.rules.fields
        person = roots[:, fields["MOVER"]].long()
        if "SWAPPED" in fields:
            person = torch.where(roots[:, fields["SWAPPED"]] != 0, 3 - person, person)
        going = (roots[:, fields["OVER"]] == 0) & (self.t["plies"] < self.rules.limit)
        return going & (((person - 1) ^ self._first) == side)

    def ended(self) -> tuple[NDArray[Any], list[list[NDArray[Any]]]]:
        """The last positions and all moves."""
        moves: list[list[NDArray[Any]]] = [[] for _ in range(self.games)]
        for turns, chosen in self._played:
            rows = chosen.cpu().numpy().astype(self.game.dtype)
            for g in turns.nonzero()[:, 0].tolist():
                moves[g].append(rows[g].copy())
        return self.t["roots"].cpu().numpy().astype(self.game.dtype), moves
