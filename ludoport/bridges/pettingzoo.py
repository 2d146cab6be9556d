"""Games as PettingZoo environments: one agent acts after another (AEC)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ludoport.errors import LudoportError

try:
    import gymnasium
    import pettingzoo
except ModuleNotFoundError:
    raise LudoportError("this bridge needs PettingZoo and Gymnasium: pip install 'ludoport[bridges]'") from None

from ludoport.bridges.positions import NumberedGame, ObservedPosition
from ludoport.game import Game
from ludoport.tensors.layout import LayoutName

RENDER_MODES = ["human", "ansi", "svg"]


def observation_space(numbered: NumberedGame) -> gymnasium.spaces.Dict:
    """Planes of a position and which actions are legal; planes that count pieces exceed 1."""
    return gymnasium.spaces.Dict(
        {
            "observation": gymnasium.spaces.Box(0.0, 255.0, numbered.shape, np.float32),
            "action_mask": gymnasium.spaces.Box(0, 1, (numbered.n_actions,), np.int8),
        }
    )


def rendered(position: ObservedPosition, mode: str | None) -> str | None:
    """Rendering of a position: text for ``ansi``, a picture for ``svg``; ``human`` prints."""
    if mode == "svg":
        return position.state.svg()
    if mode == "ansi":
        return position.state.picture()
    if mode == "human":
        print(position.state.picture())
    return None


def known_mode(mode: str | None) -> str | None:
    """A render mode as it is; others are refused."""
    if mode is not None and mode not in RENDER_MODES:
        raise LudoportError(f"unknown render mode `{mode}`; choose from {', '.join(RENDER_MODES)}")
    return mode


class LudoportEnv(pettingzoo.AECEnv[str, dict[str, Any], int]):  # type: ignore[misc]  # PettingZoo has no types
    """A game as an AEC environment.

    Agents are seats: after a swap ``player_1`` plays the other colour. In rulesheets with simultaneous moves the agents
    of a step act one after another, and no observation shows what the others chose.

    Args:
        game: a game, or its name.
        options: options of a game given by name.
        limit: most moves of a game, after which all agents are truncated; default: none.
        layout: tensor layout.
        ranks: most moves that share a slot of the policy; default: found by random play.
        render_mode: ``human``, ``ansi`` or ``svg``.
    """

    metadata = {"render_modes": RENDER_MODES, "name": "ludoport", "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        game: Game | str | Path,
        options: Sequence[str] = (),
        limit: int | None = None,
        layout: LayoutName = "compact",
        ranks: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.numbered = NumberedGame(game, options, layout, ranks)
        self.limit, self.render_mode = limit, known_mode(render_mode)
        self.metadata = {**self.metadata, "name": self.numbered.game.title}
        self.possible_agents = [f"player_{seat}" for seat in range(1, self.numbered.game.n_players + 1)]
        space = observation_space(self.numbered)
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {
            agent: gymnasium.spaces.Discrete(self.numbered.n_actions) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Observations of an agent: a dictionary of ``observation`` and ``action_mask``."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Actions of an agent: numbers, of which ``action_mask`` marks the legal ones."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game."""
        del options
        self.position = self.numbered.start(seed or 0)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._acting()

    def observe(self, agent: str) -> dict[str, Any]:
        """Observation and legal actions of an agent; only the acting agent has legal actions."""
        acts = agent == self.agent_selection and not self.terminations[agent] and not self.truncations[agent]
        mask = self.position.mask if acts else np.zeros_like(self.position.mask)
        return {"observation": self.position.observation, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play an action of the acting agent, or remove it from a game that is over (action None)."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise LudoportError(f"{agent} has to act; None is for agents whose game is over")
        self.position = self.position.play(action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.position.state.over:
            self.rewards = dict(zip(self.possible_agents, self.position.state.seat_utilities, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.limit is not None and self.position.plies >= self.limit:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self._acting()
        self._accumulate_rewards()
        if self.position.state.over or any(self.truncations.values()):
            self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Show the position as the render mode says."""
        return rendered(self.position, self.render_mode)

    def close(self) -> None:
        """Does nothing, because nothing is open."""

    def _acting(self) -> str:
        return self.possible_agents[self.position.seat - 1]
