"""Checks that self-play can learn with a game and a network."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from ludoport.errors import LudoportError
from ludoport.kernels.found import found
from ludoport.search.hidden import refuse_hidden

if TYPE_CHECKING:
    from ludoport.game import Game, State
    from ludoport.nets.network import PolicyValueNet
    from ludoport.selfplay.config import TrainConfig


def check_heads(net: PolicyValueNet, config: TrainConfig) -> None:
    """Make sure that a network has all the heads that learn.

    Raises:
        LudoportError: one is missing.
    """
    for name, what in (("reply", "replies"), ("ownership", "owners")):
        if getattr(config, f"{name}_weight") > 0 and not getattr(net.config, name):
            raise LudoportError(f"the network has no head for {what}; set {name}_weight to 0")


def check_trainable(game: Game, limit: int, seed: int = 1) -> None:
    """Make sure that a game is one that self-play can learn.

    Raises:
        LudoportError: it is not for two players, it hides something from them, they choose at the same time, or what
            one of them wins the other does not lose.
    """
    if game.n_players != 2:
        raise LudoportError(f"training is for games of two players; {game.name} has {game.n_players}")
    refuse_hidden(game, "training")
    found(game.rules.source, "trainable", lambda: _play(game, limit, seed), limit, seed)


def _play(game: Game, limit: int, seed: int) -> bool:
    """Play some games and look at how they go."""
    rng = random.Random(seed)
    for number in range(4):
        state, plies = game.start(seed + number), 0
        while not state.over and plies < limit:
            if _hides_a_choice(state):
                raise LudoportError(
                    f"training is for games in which players move in turn; in {game.name} they choose at the same time"
                )
            state, plies = state.play(rng.choice(state.moves())), plies + 1
        if state.over and abs(sum(state.utilities)) > 1e-6:
            raise LudoportError(
                f"training is for games in which one player loses what the other wins; "
                f"a game of {game.name} ended with {' and '.join(f'{u:g}' for u in state.utilities)}"
            )
    return True


def _hides_a_choice(state: State) -> bool:
    """Whether a player has chosen a move that the player to move may not know."""
    choice = state.game.rules.fields.get("CHOICE")
    return choice is not None and bool(state.row[choice : choice + state.game.n_players].any())
