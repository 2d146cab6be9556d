"""How strong the checkpoints of a run are: games against fixed players and older checkpoints, and Elo from them all."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludoport.arena.kinds.net import NetworkPlayer
from ludoport.arena.match import match
from ludoport.arena.players import Player, player
from ludoport.nets.files import load_network
from ludoport.nets.guide import Guide, fitting_layout
from ludoport.search.puct import PuctSettings, Searches
from ludoport.selfplay.games import never
from ludoport.selfplay.kernels import selfplay_source

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.selfplay.config import TrainConfig
    from ludoport.selfplay.run import Run

FILE = "ratings.jsonl"
STORE = "matches.sqlite"
LOGIT = 400 / math.log(10)
"""Elo per unit of log-odds."""

SPREAD = 4.0
"""How far from the first opponent a rating may be without games, in log-odds; so ratings of winners stay finite."""


@dataclass(frozen=True)
class Rating:
    """The strength of a checkpoint.

    Attributes:
        epoch: which one.
        seconds: how long the run had worked.
        elo: above the first opponent.
        error: the standard error.
    """

    epoch: int
    seconds: float
    elo: float
    error: float


class RunPlayer(NetworkPlayer):
    """A network that searches with the kernels of self-play, so that no others have to be compiled."""

    def begin(self, game: Game, seat: int, seed: int) -> None:
        """Load the network, unless that was done for an earlier game."""
        if getattr(self, "_game", None) is not game:
            saved = load_network(self.file)
            self._game, self._guide = game, Guide(saved.net, fitting_layout(game, saved.header.origin, self.file))
            source, layout = selfplay_source(game, self._guide.layout), self._guide.layout
            self._searches = Searches(game, 1, self.settings, evaluator="batch", layout=layout, source=source)
        super().begin(game, seat, seed)


def network_player(config: TrainConfig, file: Path | str, simulations: int | None = None) -> RunPlayer:
    """A player with a network of a run, which searches as the run does."""
    settings = PuctSettings(
        simulations=simulations or config.rating_simulations, weight=config.weight, fpu=config.fpu,
        fpu_kind=config.fpu_kind, terminal=config.terminal, solve=config.solve, forced=config.forced,
        gumbel=config.gumbel, considered=config.considered, sigma_scale=config.sigma_scale,
    )  # fmt: skip
    return RunPlayer(str(file), settings, sampled=8)


class Ratings:
    """Lets checkpoints play in a small share of the run's time.

    Args:
        run: the run.
        game: its game.
    """

    def __init__(self, run: Run, game: Game) -> None:
        self.run, self.game, self.config = run, game, run.config
        self.opponents: list[Player] = [player(text) for text in run.config.opponents]
        self.spent = 0.0
        self._pace: dict[str, float] = {}

    def prepare(self) -> None:
        """Compile what the opponents need, and find out how long they think."""
        start = self.game.start()
        for other in self.opponents:
            other.begin(self.game, 1, 0)
            other.choose(start, 0)
            begin = time.perf_counter()
            other.choose(start, 1)
            self._pace[other.spec] = time.perf_counter() - begin

    def rate(
        self, epoch: int, seconds: float, allowed: float, moves: float, stop: Callable[[], bool] = never
    ) -> Rating | None:
        """Let a checkpoint play for a while; returns its rating if it played.

        Args:
            epoch: which checkpoint.
            seconds: how long the run has worked.
            allowed: how long the games may take together.
            moves: how many moves a game has, about; opponents that think too long for a game are left out.
            stop: whether somebody wants to stop.
        """
        begin = time.perf_counter()
        opponents = [other for other in self._meets(epoch) if self._cost(other, moves) <= allowed]
        ours = self._player(epoch)
        scores: dict[str, tuple[int, int, int]] = {}
        for games in range(2, self.config.rating_games + 1, 2):
            for name, other in opponents:
                used = time.perf_counter() - begin
                if stop() or used > allowed or used + self._cost((name, other), moves) > allowed:
                    continue
                found = match(
                    ours, other, self.game, games, workers=1, seed=epoch, store=self.run.folder / STORE,
                    limit=self.config.ply_limit,
                )  # fmt: skip
                record = found.record
                scores[name] = (record.wins, record.draws, record.losses)
        self.spent += time.perf_counter() - begin
        for name, (wins, draws, losses) in scores.items():
            line = {"epoch": epoch, "seconds": round(seconds, 1), "against": name, "wins": wins, "draws": draws}
            self.run.add_line(FILE, json.dumps(line | {"losses": losses}))
        return self.latest() if scores else None

    def _meets(self, epoch: int) -> list[tuple[str, Player]]:
        """Whom a checkpoint plays: the fixed players, and the rated checkpoint nearest to half its age."""
        found: list[tuple[str, Player]] = [(other.spec, other) for other in self.opponents]
        older = [line["epoch"] for line in self.run.lines(FILE) if line["epoch"] < epoch]
        if older:
            nearest = min(older, key=lambda other: abs(other - epoch / 2))
            if self.run.checkpoint_file(nearest).exists():
                found.append((f"epoch {nearest}", self._player(nearest)))
        return found

    def _player(self, epoch: int) -> Player:
        return network_player(self.config, self.run.checkpoint_file(epoch))

    def _cost(self, opponent: tuple[str, Player], moves: float) -> float:
        """About how long two games take."""
        return moves * self._pace.get(opponent[0], 0.0)

    def latest(self) -> Rating | None:
        """The rating of the newest checkpoint that played."""
        found = ratings(self.run)
        return found[-1] if found else None


def ratings(run: Run) -> list[Rating]:
    """The ratings of all checkpoints of a run that played, in their order, from all games of the run."""
    lines = {(line["epoch"], line["against"]): line for line in run.lines(FILE)}.values()
    if not lines:
        return []
    anchor = run.config.opponents[0] if run.config.opponents else ""
    ages = {line["epoch"]: line["seconds"] for line in lines}
    names = [anchor, *(f"epoch {epoch}" for epoch in ages)]
    names += sorted({line["against"] for line in lines} - set(names))
    number = {name: place for place, name in enumerate(names)}
    results = [
        (
            number[f"epoch {line['epoch']}"], number[line["against"]], line["wins"] + line["draws"] / 2,
            line["losses"] + line["draws"] / 2,
        )
        for line in lines
    ]  # fmt: skip
    elo, error = fit_elo(len(names), results)
    return [
        Rating(epoch, ages[epoch], float(elo[number[f"epoch {epoch}"]]), float(error[number[f"epoch {epoch}"]]))
        for epoch in sorted(ages)
    ]


def fit_elo(
    players: int, results: Sequence[tuple[int, int, float, float]]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The most likely ratings, and their standard errors; player 0 has 0 Elo.

    Args:
        players: how many.
        results: two players, and the points of the first and of the second.
    """
    strength = np.zeros(players)
    for _ in range(100):
        slope, bend = -strength / SPREAD**2, np.eye(players) / SPREAD**2
        for a, b, won, lost in results:
            chance = 1.0 / (1.0 + math.exp(strength[b] - strength[a]))
            surplus, weight = won - (won + lost) * chance, (won + lost) * chance * (1.0 - chance)
            slope[a] += surplus
            slope[b] -= surplus
            bend[[a, b], [a, b]] += weight
            bend[[a, b], [b, a]] -= weight
        step = np.linalg.solve(bend[1:, 1:], slope[1:])
        strength[1:] += np.clip(step, -1.0, 1.0)
        if np.abs(step).max(initial=0.0) < 1e-9:
            break
    error = np.zeros(players)
    error[1:] = np.sqrt(np.diag(np.linalg.inv(bend[1:, 1:])))
    return strength * LOGIT, error * LOGIT


def records(found: Sequence[Rating]) -> list[dict[str, Any]]:
    """Ratings for programs."""
    return [vars(rating).copy() for rating in found]
