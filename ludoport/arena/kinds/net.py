"""The player ``net``: search guided by a saved network; its settings are those of ``PuctSettings``."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ludoport.arena.players import Player, register
from ludoport.arena.specification import Specification, near, write
from ludoport.errors import LudoportError
from ludoport.search.puct import PuctSettings, Searches

if TYPE_CHECKING:
    from ludoport.game import Game, Move, State
    from ludoport.nets.guide import Guide

_DEFAULTS: dict[str, Any] = {"sampled": 0, "temperature": 1.0, **asdict(PuctSettings())}


@dataclass
class NetworkPlayer(Player):
    """Plays the move that a network-guided search visits most, or that Gumbel search ends with.

    Args:
        file: the saved network.
        settings: how it searches.
        sampled: in the first so many moves of a game, moves are drawn by their visits, or Gumbel search has its noise;
            so games differ.
        temperature: of that draw.
    """

    file: str
    settings: PuctSettings = field(default_factory=PuctSettings)
    sampled: int = 0
    temperature: float = 1.0

    @property
    def spec(self) -> str:
        """The text that makes this player again."""
        values = {"sampled": self.sampled, "temperature": self.temperature, **asdict(self.settings)}
        return write("net", self.file, {k: v for k, v in values.items() if v != _DEFAULTS[k]})

    def begin(self, game: Game, seat: int, seed: int) -> None:
        """Load the network, unless that was done for an earlier game."""
        del seat, seed
        if getattr(self, "_game", None) is not game:
            self._game, self._guide = game, _guide(game, self.file)
            self._searches = Searches(game, 1, self.settings, evaluator="batch", layout=self._guide.layout)
        self._history = np.full(4, -1, dtype=game.dtype)
        self._plies = 0

    def choose(self, state: State, seed: int) -> Move:
        """The move that the search likes best."""
        searches, early = self._searches, self._plies < self.sampled
        searches.scales[:] = 1.0 if early else self.settings.gumbel_noise
        searches.seed(seed)
        searches.set_roots(state.row[None], self._history[None])
        searches.run(self._guide)
        found = searches.found()
        if self.settings.gumbel:
            return found.moves[int(searches.policies()[1][0])]
        if early and not (found.exact == 1).any():
            weights = np.maximum(found.visits, 1e-9) ** (1.0 / self.temperature)
            return found.moves[int(np.random.default_rng(seed).choice(len(weights), p=weights / weights.sum()))]
        return found.best

    def played(self, state: State, move: Move) -> None:
        """Remember the last two moves, which the network sees."""
        self._searches.remember(self._history, state.row, move.row)
        self._plies += 1


def _guide(game: Game, file: str) -> Guide:
    from ludoport.nets import require_torch

    require_torch()
    from ludoport.nets.files import load_network
    from ludoport.nets.guide import Guide, fitting_layout

    saved = load_network(file)
    return Guide(saved.net, fitting_layout(game, saved.header.origin, file))


def network(file: str, **settings: Any) -> Player:
    """A player that searches with a saved network.

    Args:
        file: the network.
        settings: see ``PuctSettings``; ``sampled`` and ``temperature`` make the first moves of a game differ.
    """
    for name in settings:
        if name not in _DEFAULTS:
            raise LudoportError(f"net has no setting `{name}`{near(name, list(_DEFAULTS), 'known are')}")
    sampled, temperature = settings.pop("sampled", 0), settings.pop("temperature", 1.0)
    return NetworkPlayer(file, PuctSettings(**settings), sampled, temperature)


@register("net", "net:FILE[,simulations=N][,gumbel=true][,sampled=PLIES] and other settings of PUCT")
def make(specification: Specification) -> Player:
    """The player of a text."""
    settings = specification.named("file", list(_DEFAULTS))
    file = settings.text("file", "the file of the network")
    try:
        return network(file, **{k: settings.like(k, v) for k, v in _DEFAULTS.items() if k in settings})
    except LudoportError as error:
        raise error if str(error).startswith("player ") else specification.refuse(str(error)) from None
