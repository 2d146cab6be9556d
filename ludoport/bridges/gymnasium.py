"""Games as Gymnasium environments: one seat acts, players of ours have the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError

try:
    import gymnasium
except ModuleNotFoundError:
    raise LudoportError("this bridge needs PettingZoo and Gymnasium: pip install 'ludoport[bridges]'") from None

from ludoport.arena.player import Player
from ludoport.arena.players import as_player
from ludoport.bridges.pettingzoo import RENDER_MODES, known_mode, observation_space, rendered
from ludoport.bridges.positions import NumberedGame
from ludoport.game import Game, Move, State
from ludoport.tensors.layout import LayoutName


class LudoportGym(gymnasium.Env[dict[str, Any], np.int64]):
    """A game against an opponent, from one seat.

    The reward is the result of the seat when the game ends: 1 for a win, -1 for a loss; 0 before. An action that is not
    legal ends the game with -1; ``action_mask`` of the observation marks the legal ones.

    Args:
        game: a game, or its name.
        options: options of a game given by name.
        opponent: player of the other seats, its text such as ``uct:100``, or a function ``state -> move``.
        seat: the seat that acts, from 1; default: drawn for each game.
        limit: most moves of a game, after which it is truncated; default: none.
        layout: tensor layout.
        ranks: most moves that share a slot of the policy; default: found by random play.
        render_mode: ``human``, ``ansi`` or ``svg``.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: Game | str | Path,
        options: Sequence[str] = (),
        opponent: Player | str | Callable[[State], Move | str] = "random",
        seat: int | None = None,
        limit: int | None = None,
        layout: LayoutName = "compact",
        ranks: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.numbered = NumberedGame(game, options, layout, ranks)
        players = self.numbered.game.n_players
        if seat is not None and not 1 <= seat <= players:
            raise LudoportError(f"{self.numbered.game.name} has the seats 1 to {players}, not {seat}")
        self.opponent, self.wanted, self.limit = as_player(opponent), seat, limit
        self.render_mode = known_mode(render_mode)
        self.observation_space = observation_space(self.numbered)
        self.action_space = gymnasium.spaces.Discrete(self.numbered.n_actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start a game; opponents that move first have moved."""
        super().reset(seed=seed)
        del options
        game = self.numbered.game
        self.seat = self.wanted or int(self.np_random.integers(game.n_players)) + 1
        self.position = self.numbered.start(self._draw())
        self.opponent.begin(game, game.n_players + 1 - self.seat, self._draw())
        self._answer()
        return self._seen(), {"seat": self.seat}

    def step(self, action: np.int64) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Play an action, and the opponents' answers."""
        if self.position.state.over:
            raise LudoportError("the game is over; reset starts another one")
        if int(action) not in self.position.actions:
            return self._seen(), -1.0, True, False, {"seat": self.seat, "illegal": True}
        self._play(int(action))
        self._answer()
        over = self.position.state.over
        reward = self.position.state.seat_utilities[self.seat - 1] if over else 0.0
        return self._seen(), reward, over, not over and self._stopped, {"seat": self.seat}

    def action_masks(self) -> NDArray[np.bool_]:
        """Mask of legal actions, shape (actions,); learners with masks look for this name (MaskablePPO).

        All are where the game is over: vector environments ask for an action there too, and ignore it.
        """
        return self.position.mask.astype(np.bool_) | self.position.state.over

    def render(self) -> Any:
        """Show the position as the render mode says."""
        return rendered(self.position, self.render_mode)

    @property
    def _stopped(self) -> bool:
        return self.limit is not None and self.position.plies >= self.limit

    def _answer(self) -> None:
        while not self.position.state.over and self.position.seat != self.seat and not self._stopped:
            state = self.position.state
            chosen = self.opponent.choose(state, self._draw())
            self._play(self.position.number(state.find(chosen) if isinstance(chosen, str) else chosen))
        if self.position.state.over:
            self.opponent.end(self.position.state)

    def _play(self, action: int) -> None:
        before, self.position = self.position, self.position.play(action)
        self.opponent.played(before.state, before.actions[action])

    def _seen(self) -> dict[str, Any]:
        return {"observation": self.position.observation.copy(), "action_mask": self.action_masks().astype(np.int8)}

    def _draw(self) -> int:
        return int(self.np_random.integers(2**31))


gymnasium.register("ludoport/Play-v0", entry_point=f"{__name__}:{LudoportGym.__name__}")
