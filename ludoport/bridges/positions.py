"""Positions whose moves are numbers, as environments of other projects need them.

An action is the move's slot in the policy, so networks and environments agree on what an action is. Moves may share a
slot (a piece of Kyoto Shogi can be dropped with either face up): the second of them, in the order of ``State.moves``,
is ``slot + n_slots``, the third ``slot + 2 * n_slots``. How many can share one is found out by random play.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.game import Game, Move, State, as_game
from ludoport.kernels.found import found
from ludoport.tensors.encoder import TensorEncoder
from ludoport.tensors.layout import LayoutName

SEARCHED = {True: 2000, False: 100}
"""Positions of random games in which moves that share a slot are looked for: in machine code, in plain Python."""


class NumberedGame:
    """A game whose actions are numbers.

    Args:
        game: a game, or its name.
        options: options of a game given by name.
        layout: tensor layout, ``compact``, ``paper`` or ``ludii-1.3.14``.
        ranks: most moves that share a slot; default: as many as did in random games.

    Attributes:
        n_slots: number of slots of the policy.
        n_actions: number of actions, ``ranks * n_slots``.
        shape: shape of an observation, (channels, height, width).

    Example:
        >>> game = NumberedGame("Tic-Tac-Toe")
        >>> game.n_slots, game.n_actions, game.shape
        (27, 27, (9, 3, 3))
        >>> position = game.start()
        >>> sorted(position.actions)[:3], position.play(4).seat
        ([0, 1, 2], 2)
    """

    def __init__(
        self,
        game: Game | str | Path,
        options: Sequence[str] = (),
        layout: LayoutName = "compact",
        ranks: int | None = None,
    ) -> None:
        if ranks is not None and ranks < 1:
            raise LudoportError(f"ranks must be at least 1, not {ranks}")
        self.game = as_game(game, options)
        self.encoder = TensorEncoder(self.game, layout)
        self.n_slots = math.prod(self.encoder.layout.move_shape)
        source, name = self.game.rules.source, self.encoder.layout.layout
        self.ranks: int = ranks or found(source, "shared slots", self._most_shared, name, SEARCHED[self.game.jit])
        self.n_actions = self.ranks * self.n_slots
        self.shape = self.encoder.layout.shape

    def __deepcopy__(self, memo: dict[int, Any]) -> NumberedGame:
        return self

    def __reduce__(self) -> tuple[type[NumberedGame], tuple[Game, tuple[str, ...], LayoutName, int]]:
        return NumberedGame, (self.game, (), self.encoder.layout.layout, self.ranks)

    def start(self, seed: int = 0) -> ObservedPosition:
        """The initial position."""
        return ObservedPosition(self, self.game.start(seed), self.encoder.new_histories(1)[0])

    def _most_shared(self) -> int:
        slots, first = self.encoder.slots(self.encoder.wander(SEARCHED[self.game.jit]).rows)
        # Slots of different positions become different numbers.
        apart = slots + self.n_slots * np.repeat(np.arange(len(first) - 1), np.diff(first))
        return int(np.unique(apart, return_counts=True)[1].max())

    @cached_property
    def zero_sum(self) -> bool:
        """Whether the results of the players always sum to zero."""
        return self.game.n_players == 2 and bool(getattr(self.game.rules, "zero_sum", True))


class ObservedPosition:
    """A position with its last two moves, which observations show. Playing gives a new one.

    Args:
        numbered: the game.
        state: the position.
        history: origin and destination of the last two moves, shape (4,).
        plies: number of moves played.
    """

    def __init__(self, numbered: NumberedGame, state: State, history: NDArray[Any], plies: int = 0) -> None:
        self.numbered, self.state, self.history, self.plies = numbered, state, history, plies

    @property
    def seat(self) -> int:
        """The seat to act, from 1; not the colour, which differs after a swap."""
        return self.state.seat

    @cached_property
    def actions(self) -> dict[int, Move]:
        """The legal moves by number, in ascending order; none where the game is over."""
        if self.state.over:
            return {}
        numbered, taken = self.numbered, dict[int, Move]()
        slots = numbered.encoder.slots(self.state.row[None]).slots.tolist()
        for slot, move in zip(slots, self.state.moves(), strict=True):
            while slot in taken:
                slot += numbered.n_slots
            taken[slot] = move
        if len(taken) > len(set(slots)) and max(taken) >= numbered.n_actions:
            warnings.warn(
                f"{numbered.game.name}: more than {numbered.ranks} moves share a slot, and some have no action; "
                f"give a larger number of ranks than {numbered.ranks}",
                stacklevel=2,
            )
        return {action: taken[action] for action in sorted(taken) if action < numbered.n_actions}

    @cached_property
    def mask(self) -> NDArray[np.int8]:
        """1 for legal actions, 0 for all others; shape (actions,)."""
        mask = np.zeros(self.numbered.n_actions, dtype=np.int8)
        mask[list(self.actions)] = 1
        return mask

    @cached_property
    def observation(self) -> NDArray[np.float32]:
        """The state tensor, shape (channels, height, width); counts of pieces may be larger than 1."""
        return self.numbered.encoder.state_tensor(self.state, self.history)

    @property
    def undecided(self) -> int:
        """Number of seats that chose in a step which other seats have yet to choose in; 0 where moves alternate."""
        fields = self.state.game.rules.fields
        if "CHOICE" not in fields:
            return 0
        choices = self.state.row[fields["CHOICE"] : fields["CHOICE"] + self.state.game.n_players]
        return int(np.count_nonzero(choices))

    def number(self, move: Move) -> int:
        """The action that is a legal move."""
        for action, legal in self.actions.items():
            if legal == move:
                return action
        raise LudoportError(f"`{move}` is not a legal move here")

    def play(self, action: int) -> ObservedPosition:
        """The position after an action.

        Raises:
            LudoportError: the action is not legal.
        """
        move = self.actions.get(int(action))
        if move is None:
            legal = ", ".join(f"{a} ({m})" for a, m in list(self.actions.items())[:5])
            raise LudoportError(f"action {action} is not legal here; legal are {legal or 'none: the game is over'} ...")
        history = self.history[None].copy()
        self.numbered.encoder.remember(history, self.state.row[None], move.row[None])
        return ObservedPosition(self.numbered, self.state.play(move), history[0], self.plies + 1)
