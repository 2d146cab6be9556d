"""A run that learns one game."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludoport.errors import LudoportError
from ludoport.nets.files import save_network
from ludoport.nets.guide import origin_of
from ludoport.selfplay.assembling import assembled, begin_compiling, find_game, first_network
from ludoport.selfplay.learner import Learner
from ludoport.selfplay.rating import Ratings
from ludoport.selfplay.subject import Subject
from ludoport.selfplay.suited import check_heads, check_trainable
from ludoport.selfplay.tournament import Tournament
from ludoport.selfplay.warm import keep_only, warm_key
from ludoport.tensors.symmetry import symmetries

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.nets.network import PolicyValueNet
    from ludoport.selfplay.cluster import OnRay
    from ludoport.selfplay.run import Run


class OneGame(Subject):
    """A game and the network that learns it; see ``Subject``.

    Args:
        run: the folder of the run.
        game: the game, if it is loaded already.
        device: device of the network and the learner.
        on: the cluster whose actors play; this process plays by default.
        warm: use what an earlier run of this process has left on the device.
    """

    def __init__(self, run: Run, game: Game | None, device: str, on: OnRay | None, warm: bool) -> None:
        self.run, self.config, self.device, self.on, self.warm = run, run.config, device, on, warm
        self.game = game or find_game(self.config)
        self.name, self.title, self.rules = self.game.name, self.game.title, self.game.rules.fingerprint
        if device == "cuda":
            begin_compiling(self.game, self.config)
        check_trainable(self.game, self.config.ply_limit)
        self.tournament = Tournament(self.config.seed, run.checkpoint_file) if self.config.tournament else None

    def check(self, rules: Any) -> None:
        """Refuse a checkpoint of another game."""
        if rules != self.rules:
            raise LudoportError(
                f"{self.run.folder} holds a run with rules other than those of {self.game.name}; choose another folder"
            )

    def assemble(self, start: Path | str | None) -> None:
        """Put the parts together."""
        config = self.config
        net, self.layout = first_network(self.game, config, start)
        check_heads(net, config)
        turns = symmetries(self.game, self.layout) if config.symmetries else []
        keep_only([warm_key(self.game, self.layout, config, net.config)] if self.warm else [])
        self.learner: Learner[PolicyValueNet] = Learner(net, self.layout, config, turns, self.device)
        self.replay, self.play = assembled(
            self.game, self.layout, config, self.learner.averaged, self.tournament, self.device, self.on, warm=self.warm
        )
        self.ratings = Ratings(self.run, self.game)

    def save(self, path: Path, training: Mapping[str, Any]) -> None:
        """Write the network."""
        save_network(path, self.learner.averaged, origin_of(self.game, self.layout, self.config.options), training)

    def metrics(self) -> dict[str, float]:
        """Further metrics: none."""
        return {}
