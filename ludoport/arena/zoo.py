"""``lp.zoo``: a network of the zoo as a player."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ludoport.arena.kinds.net import network
from ludoport.arena.player import Player
from ludoport.errors import LudoportError
from ludoport.game import Game, as_game
from ludoport.zoo import NO_ZOO, PREFIX, zoo_networks


def zoo(game: Game | str | Path, *, options: Sequence[str] = (), **settings: Any) -> Player:
    """The player with the network of the zoo for a game; `ludoport zoo` lists all.

    Args:
        game: a game, its name, or the path of its file.
        options: options of the game, if it is given by name.
        settings: settings of its searches, see ``lp.network``; default: those of its training.

    Returns:
        A player, which ``match`` and ``transfer`` accept; where several networks are for the game, the one that was
        trained with most positions.

    Raises:
        LudoportError: the zoo has no network for these rules.
    """
    loaded = as_game(game, options)
    networks = zoo_networks()
    fitting = [found for found in networks if found.fingerprint == loaded.rules.fingerprint]
    if fitting:
        return network(PREFIX + max(fitting, key=lambda found: found.positions).name, **settings)
    if not networks:
        raise LudoportError(f"no network for {loaded.title}: {NO_ZOO}")
    others = [f"`{PREFIX}{found.name}`" for found in networks if found.game == loaded.name]
    hint = f"lp.transfer carries over {' or '.join(others)}" if others else "`ludoport zoo` lists all"
    raise LudoportError(f"the zoo has no network for {loaded.title}; {hint}")
