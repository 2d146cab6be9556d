"""Many games as arrays with the names that users of Pgx and mctx know."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ludoport.errors import LudoportError
from ludoport.game import Game, as_game
from ludoport.tensors.batch import GameBatch, batch
from ludoport.tensors.layout import LayoutName, TensorLayout, tensor_layout

Arrays = Literal["numpy", "torch"]


class BatchedEnv:
    """An environment with ``init`` and ``step`` over a batch of games.

    Args:
        game: a game, or its name.
        options: options of a game given by name.
        arrays: ``numpy`` or ``torch``; without copies in both cases.
        device: ``cpu`` or ``cuda`` (torch only).
        auto_reset: whether a game that ends restarts in the same step.
        limit: most moves of a game, after which it is truncated; default: none.
        layout: tensor layout.
        threads: threads of the CPU that share the games.

    Example:
        >>> env = BatchedEnv("Tic-Tac-Toe", auto_reset=True)
        >>> env.id, env.num_actions, env.observation_shape
        ('Tic-Tac-Toe', 27, (9, 3, 3))
        >>> state = env.init(4, seed=1)
        >>> state.legal_action_mask.shape, state.observation.shape, state.current_player.tolist()
        ((4, 27), (4, 9, 3, 3), [0, 0, 0, 0])
        >>> env.step(state, [0, 1, 2, 3]).current_player.tolist()
        [1, 1, 1, 1]
    """

    def __init__(
        self,
        game: Game | str | Path,
        options: Sequence[str] = (),
        *,
        arrays: Arrays = "numpy",
        device: str = "cpu",
        auto_reset: bool = False,
        limit: int | None = None,
        layout: LayoutName = "compact",
        threads: int = 1,
    ) -> None:
        if arrays not in ("numpy", "torch"):
            raise LudoportError(f"arrays are numpy or torch, not `{arrays}`")
        if device == "cuda" and arrays == "numpy":
            raise LudoportError("arrays on a device are torch tensors: give arrays='torch'")
        self.game, self.arrays = as_game(game, options), arrays
        self._settings: dict[str, Any] = {
            "device": device,
            "auto_reset": auto_reset,
            "limit": limit,
            "layout": layout,
            "threads": threads,
        }

    @property
    def id(self) -> str:
        """The game's name with its options."""
        return self.game.title

    @property
    def num_players(self) -> int:
        """Number of players."""
        return self.game.n_players

    @property
    def num_actions(self) -> int:
        """Number of slots of the policy, A."""
        return math.prod(self._layout.move_shape)

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """Shape of the observation of one game, (C, H, W)."""
        return self._layout.shape

    @cached_property
    def _layout(self) -> TensorLayout:
        return tensor_layout(self.game, self._settings["layout"])

    def init(self, size: int, seed: int = 0) -> BatchedState:
        """A batch of ``size`` games at their initial positions."""
        games = batch(self.game, size, seed=seed, **self._settings)
        return BatchedState(games, self.arrays == "torch", stays=not self._settings["auto_reset"])

    def step(self, state: BatchedState, action: Any) -> BatchedState:
        """Play one action in each game; returns the same state, which has changed.

        Args:
            state: the games.
            action: slots of the policy, shape [B]; games that are over stay as they are.
        """
        state.games.step(action)
        return state


class BatchedState:
    """The games of a batch, B of them. Arrays are views of memory that the next step changes; copy what is to stay.

    Legal actions are a new array unless games restart in the step in which they end.

    Attributes:
        games: the games with everything else that `lp.batch` offers.
    """

    def __init__(self, games: GameBatch, tensors: bool, stays: bool) -> None:
        self.games, self._tensors, self._stays = games, tensors, stays

    def _array(self, values: Any) -> Any:
        if not self._tensors or not isinstance(values, np.ndarray):
            return values
        import torch

        return torch.from_numpy(values)

    @property
    def current_player(self) -> Any:
        """Seat to act, from 0, shape [B]."""
        return self._array(self.games.seat - 1)

    @property
    def observation(self) -> Any:
        """State tensors, shape [B, C, H, W], bytes; counts of pieces may be larger than 1."""
        return self._array(self.games.tensors())

    @property
    def rewards(self) -> Any:
        """Results by seat of the games that ended in the last step, 0 for all others, shape [B, players]."""
        return self._array(self.games.rewards)

    @property
    def terminated(self) -> Any:
        """Whether the game has ended, shape [B]."""
        return self._array(self.games.terminated)

    @property
    def truncated(self) -> Any:
        """Whether the game was stopped at the limit of moves, shape [B]."""
        return self._array(self.games.truncated)

    @property
    def legal_action_mask(self) -> Any:
        """Mask of legal actions, shape [B, A]; all in games that are over, where any action changes nothing."""
        games = self.games
        if not self._stays:
            return self._array(games.legal)
        return self._array(games.legal | (games.terminated | games.truncated)[:, None])
