"""A run in which one network learns many games."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludoport.descriptions.game import GameDescription, describe
from ludoport.errors import LudoportError
from ludoport.nets.universal.config import universal_preset
from ludoport.nets.universal.files import load_universal, save_universal
from ludoport.nets.universal.network import UniversalNet, build_universal
from ludoport.nets.universal.specialise import Specialiser
from ludoport.selfplay.assembling import assembled, begin_compiling
from ludoport.selfplay.lanes import dealt, lane_streams
from ludoport.selfplay.lists import Entry, read_entry
from ludoport.selfplay.many_learner import ManyLearner
from ludoport.selfplay.many_play import GamePart, ManyPlays, ManyReplays
from ludoport.selfplay.rating import Ratings
from ludoport.selfplay.subject import Subject
from ludoport.selfplay.suited import check_trainable
from ludoport.selfplay.warm import keep_only, warm_key
from ludoport.tensors.layout import tensor_layout
from ludoport.tensors.symmetry import symmetries

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.selfplay.config import TrainConfig
    from ludoport.selfplay.run import Run
    from ludoport.tensors.layout import TensorLayout

ALONE = {"tournament": False, "reply_weight": 0.0, "ownership_weight": 0.0, "layout": "compact"}
"""Settings that runs of many games cannot change."""


class ManyGames(Subject):
    """The games of a list and the network that learns them; see ``Subject``.

    Args:
        run: the folder of the run.
        device: device of the network and the learner.
        warm: use what an earlier run of this process has left on the device.
    """

    tournament = None

    def __init__(self, run: Run, device: str, warm: bool = False) -> None:
        self.run, self.config, self.device, self.warm = run, run.config, device, warm
        for name, value in ALONE.items():
            if getattr(self.config, name) != value:
                raise LudoportError(f"runs of many games need {name}={value}, not {getattr(self.config, name)}")
        self.entries = [read_entry(line) for line in self.config.game_list]
        # On a device, the CPU only looks at each game for a moment; that is over before it has compiled anything.
        self.games = {entry.key: entry.load(jit=False if device == "cuda" else None) for entry in self.entries}
        for game in self.games.values():
            if device == "cuda":
                begin_compiling(game, self.config)
            check_trainable(game, self.config.ply_limit)
        self.name = f"{len(self.games)} games"
        self.title = ", ".join(game.title for game in self.games.values())
        self.rules = {key: game.rules.fingerprint for key, game in self.games.items()}

    def check(self, rules: Any) -> None:
        """Refuse a checkpoint in which a game had other rules."""
        kept = rules if isinstance(rules, Mapping) else {}
        for key, game in self.games.items():
            if kept.get(key, self.rules[key]) != self.rules[key]:
                raise LudoportError(
                    f"{self.run.folder} holds a run with rules other than those of {game.name}; choose another folder"
                )

    def assemble(self, start: Path | str | None) -> None:
        """Put the parts together; the network learns the tokens of games that it does not know yet."""
        layouts = {key: tensor_layout(game, "compact") for key, game in self.games.items()}
        told = {key: describe(game, layouts[key]) for key, game in self.games.items()}
        net = self._network(start, told).to(self.device)
        sizes = {key: math.prod(layout.shape) + math.prod(layout.move_shape) for key, layout in layouts.items()}
        streams = lane_streams(self.config.lanes, self.device)
        lanes = dealt(sizes, len(streams))
        self._keep_only_these(net, layouts, told)
        self.parts: dict[str, GamePart] = {}
        for entry in self.entries:
            key, game = entry.key, self.games[entry.key]
            own = Specialiser(net, told[key])
            replay, play = assembled(
                game, layouts[key], _own_config(self.config, entry), own.write(net), None, self.device, None,
                warm=self.warm, stream=streams[lanes[key]],
            )  # fmt: skip
            self.parts[key] = GamePart(str(entry), game, layouts[key], own, replay, play)
        turns = {key: self._turns(part) for key, part in self.parts.items()}
        self.learner: ManyLearner = ManyLearner(net, self.parts, turns, self.config, self.device, lanes)
        self.replay, self.play = ManyReplays(self.parts), ManyPlays(self.parts, self.learner.shares)
        self.ratings = Ratings(self.run, self._first, share=0.0)

    @property
    def _first(self) -> Game:
        return next(iter(self.games.values()))

    def _keep_only_these(
        self, net: UniversalNet, layouts: Mapping[str, TensorLayout], told: Mapping[str, GameDescription]
    ) -> None:
        """Give back what an earlier run has left on the device, but for the games of this one."""
        keys = []
        for entry in self.entries if self.warm else ():
            layout, game = layouts[entry.key], told[entry.key]
            shape = net.config.specialised(len(game.views[0]), len(game.moves))
            keys.append(warm_key(self.games[entry.key], layout, _own_config(self.config, entry), shape))
        keep_only(keys)

    def _network(self, start: Path | str | None, told: Mapping[str, GameDescription]) -> UniversalNet:
        config = self.config
        if start is None:
            shape = universal_preset(config.network, rules=config.rule_vectors, sums=config.token_sums)
            return build_universal(shape, told.values(), config.seed)
        net = load_universal(start).net
        net.grow(told.values())
        return net

    def _turns(self, part: GamePart) -> Any:
        return symmetries(part.game, part.layout) if self.config.symmetries else []

    def save(self, path: Path, training: Mapping[str, Any]) -> None:
        """Write the network."""
        save_universal(path, self.learner.averaged, self.config.game_list, training)

    def metrics(self) -> dict[str, float]:
        """The loss of each game, and its share."""
        shares = self.learner.shares()
        found = {f"loss of {self.parts[key].line}": fast for key, (_, fast) in self.learner.losses.items()}
        return found | {f"share of {part.line}": shares[key] for key, part in self.parts.items()}


def _own_config(config: TrainConfig, entry: Entry) -> TrainConfig:
    """The settings for one game; its random numbers depend on its place in no list."""
    seed = config.seed + int(entry.key.rstrip("-"), 16) % 1_000_003
    return replace(config, game=entry.game, options=entry.options, game_list=(), seed=seed)
