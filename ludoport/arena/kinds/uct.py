"""The player ``uct``: Monte-Carlo tree search; its settings are those of ``UctSettings``."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any

from ludoport.arena.players import Player, register
from ludoport.arena.specification import Specification, near, write
from ludoport.errors import LudoportError
from ludoport.search.tree import UctSettings
from ludoport.search.uct import MOST_NODES, search

if TYPE_CHECKING:
    from ludoport.game import Move, State

_DEFAULTS: dict[str, Any] = {"nodes": MOST_NODES, **asdict(UctSettings())}
"""The settings beside the number of simulations, with their values if nothing is said."""


@dataclass
class Uct(Player):
    """Plays the move that UCT likes best.

    Args:
        simulations: how many a move.
        settings: how it searches.
        nodes: room for the tree.
    """

    simulations: int
    settings: UctSettings = field(default_factory=UctSettings)
    nodes: int = MOST_NODES

    def __post_init__(self) -> None:
        if self.simulations < 1:
            raise LudoportError(f"the number of simulations must be at least 1, not {self.simulations}")
        if self.nodes < 1:
            raise LudoportError(f"the number of nodes must be at least 1, not {self.nodes}")

    @property
    def spec(self) -> str:
        """The text that makes this player again."""
        values = {"nodes": self.nodes, **asdict(self.settings)}
        return write("uct", self.simulations, {k: v for k, v in values.items() if v != _DEFAULTS[k]})

    def choose(self, state: State, seed: int) -> Move:
        """The move that the search likes best."""
        settings = {f.name: getattr(self.settings, f.name) for f in fields(self.settings)}
        return search(state, simulations=self.simulations, seed=seed, nodes=self.nodes, **settings).best


def uct(simulations: int = 1000, **settings: Any) -> Player:
    """A player that searches with UCT.

    Args:
        simulations: how many a move.
        settings: see ``UctSettings``; ``nodes`` is the room for the tree.

    Example:
        >>> uct(800, exploration=1.4).spec
        'uct:800,exploration=1.4'
    """
    for name in settings:
        if name not in _DEFAULTS:
            raise LudoportError(f"uct has no setting `{name}`{near(name, list(_DEFAULTS), 'known are')}")
    nodes = settings.pop("nodes", MOST_NODES)
    return Uct(simulations, UctSettings(**settings), nodes)


@register("uct", "uct:SIMULATIONS[,exploration=C][,rollouts=N][,rave=K] and other settings of UCT")
def make(specification: Specification) -> Player:
    """The player of a text."""
    settings = specification.named("simulations", list(_DEFAULTS))
    simulations = settings.integer("simulations", least=1)
    if simulations is None:
        raise specification.refuse("the number of simulations is missing; it is written like `uct:800`")
    try:
        return uct(simulations, **{k: settings.like(k, v) for k, v in _DEFAULTS.items() if k in settings})
    except LudoportError as error:
        raise error if str(error).startswith("player ") else specification.refuse(str(error)) from None
